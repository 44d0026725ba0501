"""Words for yes and no, per language, and for how long a yes holds. An unclear answer never approves."""

import re
import unicodedata
from dataclasses import dataclass

from edgevox.core.ports import Remembered

_YES: dict[str, tuple[str, ...]] = {
    "en": ("yes", "yeah", "yep", "yup", "sure", "ok", "okay", "do it", "go ahead", "please do", "confirm", "confirmed",
           "correct", "right", "of course", "absolutely", "affirmative", "yes please"),
    "de": ("ja", "jawohl", "klar", "sicher", "mach das", "mach es", "bitte", "ja bitte", "natürlich",
           "genau", "richtig"),
    "fr": ("oui", "ouais", "d'accord", "bien sûr", "vas-y", "allez-y", "fais-le", "exactement", "oui s'il te plaît"),
    "es": ("sí", "si", "claro", "vale", "de acuerdo", "hazlo", "adelante", "por supuesto", "correcto", "sí por favor"),
    "vi": ("có", "vâng", "ừ", "dạ", "đồng ý", "được", "làm đi", "đúng", "đúng rồi"),
}  # fmt: skip
_NO: dict[str, tuple[str, ...]] = {
    "en": ("no", "nope", "nah", "never", "don't", "do not", "cancel", "never mind", "nevermind", "stop", "negative",
           "wrong", "no thanks", "no thank you", "leave it", "not now"),
    "de": ("nein", "nee", "nö", "nicht", "nie", "niemals", "abbrechen", "lass es", "lieber nicht",
           "nein danke", "falsch"),
    "fr": ("non", "pas", "jamais", "annule", "annuler", "laisse", "laisse tomber", "surtout pas", "non merci"),
    "es": ("no", "nunca", "cancela", "cancelar", "déjalo", "mejor no", "no gracias", "incorrecto"),
    "vi": ("không", "không bao giờ", "đừng", "thôi", "hủy", "khỏi", "sai", "không cần"),
}  # fmt: skip

_HOW_LONG: dict[Remembered, dict[str, tuple[str, ...]]] = {
    "always": {
        "en": ("always", "from now on", "every time", "forever"),
        "de": ("immer", "von jetzt an", "jedes mal", "für immer"),
        "fr": ("toujours", "désormais", "à chaque fois", "pour toujours"),
        "es": ("siempre", "de ahora en adelante", "cada vez", "para siempre"),
        "vi": ("luôn luôn", "luôn", "từ nay về sau", "mọi lần", "mãi mãi"),
    },
    "conversation": {
        "en": ("for this conversation", "this conversation", "in this conversation", "for now", "today"),
        "de": ("für dieses gespräch", "dieses gespräch", "in diesem gespräch", "für jetzt", "heute"),
        "fr": ("pour cette conversation", "cette conversation", "dans cette conversation", "pour l'instant"),
        "es": ("en esta conversación", "esta conversación", "para esta conversación", "por ahora", "hoy"),
        "vi": ("trong cuộc trò chuyện này", "cuộc trò chuyện này", "lúc này", "hôm nay"),
    },
    "turn": {
        "en": ("for this turn", "this turn"),
        "de": ("für diese runde", "diese runde"),
        "fr": ("pour ce tour", "ce tour"),
        "es": ("en este turno", "este turno"),
        "vi": ("trong lượt này", "lượt này"),
    },
    "once": {
        "en": ("once", "just once", "only once", "just this once", "this time", "this once"),
        "de": ("einmal", "nur einmal", "diesmal", "nur dieses mal"),
        "fr": ("une fois", "juste une fois", "cette fois", "seulement cette fois"),
        "es": ("una vez", "solo una vez", "esta vez", "solo esta vez"),
        "vi": ("một lần", "chỉ một lần", "lần này", "chỉ lần này"),
    },
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer means."""

    approved: bool
    remember: Remembered = "once"
    """How long a yes holds."""


def read_answer(text: str, language: str = "en") -> Answer | None:
    """Return what an answer means where a yes may hold for longer: *always* alone is a yes too.

    Args:
        text: what the person said.
        language: two-letter code; English is understood too.
    """
    spoken = _plain(text)
    for remember, table in _HOW_LONG.items():
        for phrase in sorted(_words(table, language), key=len, reverse=True):
            if not _has(spoken, phrase):
                continue
            rest = " ".join(re.sub(rf"(?<!\S){re.escape(phrase)}(?!\S)", " ", spoken).split())
            approved = understand(rest, language) if rest else True
            return Answer(approved, remember if approved else "once") if approved is not None else None
    approved = understand(text, language)
    return Answer(approved) if approved is not None else None


def understand(text: str, language: str = "en") -> bool | None:
    """Return what an answer means: yes, no, or `None` when it is neither or both.

    A *no* anywhere wins ("no, don't do it"); a *yes* counts only when the answer is nothing but yes ("yes do it").

    Args:
        text: what the person said.
        language: two-letter code; English is understood too.
    """
    spoken = _plain(text)
    if not spoken:
        return None
    if spoken in ("y", "n"):  # typed in a hurry; within other words a letter means nothing
        return spoken == "y"
    if any(_has(spoken, word) for word in _words(_NO, language)):
        return False
    rest = spoken
    for word in sorted(_words(_YES, language), key=len, reverse=True):
        rest = re.sub(rf"(?<!\S){re.escape(word)}(?!\S)", " ", rest)
    leftover = rest.split()
    return True if rest != spoken and len(leftover) <= 1 and len(leftover) < len(spoken.split()) else None


def _words(table: dict[str, tuple[str, ...]], language: str) -> set[str]:
    return {_plain(word) for code in {"en", language[:2]} for word in table.get(code, ())}


def _has(spoken: str, word: str) -> bool:
    return re.search(rf"(?<!\S){re.escape(word)}(?!\S)", spoken) is not None


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w'\- ]+", " ", folded).split())
