"""What the assistant itself says, per language. Agents bring their own words."""

_WORDS: dict[str, dict[str, str]] = {
    "stopped": {
        "en": "Stopped.", "de": "Gestoppt.", "fr": "Arrêté.", "es": "Detenido.", "vi": "Đã dừng.", "it": "Fermato.",
        "pt": "Parado.", "nl": "Gestopt.",
    },
    "not_confirmed": {
        "en": "Stop was sent, but the halt is not confirmed.",
        "de": "Stopp wurde gesendet, aber der Halt ist nicht bestätigt.",
        "fr": "L'arrêt a été envoyé, mais il n'est pas confirmé.",
        "es": "Se envió la parada, pero no está confirmada.",
        "vi": "Đã gửi lệnh dừng, nhưng chưa được xác nhận.",
    },
    "say_again": {
        "en": "I did not get that; please say it again.", "de": "Das habe ich nicht verstanden; bitte noch einmal.",
        "fr": "Je n'ai pas compris ; répétez, s'il vous plaît.", "es": "No lo he entendido; repítelo, por favor.",
        "vi": "Tôi chưa nghe rõ; xin nói lại.",
    },
    "nothing_heard": {
        "en": "Nothing was understood.", "de": "Es wurde nichts verstanden.", "fr": "Rien n'a été compris.",
        "es": "No se entendió nada.", "vi": "Không nghe hiểu được gì.",
    },
}  # fmt: skip


def words(key: str, language: str) -> str:
    """Return the sentence for `key` in the language, in English where there is none."""
    table = _WORDS[key]
    return table.get(language[:2], table["en"])
