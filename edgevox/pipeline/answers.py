"""Words for yes and no, per language. Anything else is neither: an unclear answer never approves."""

import re
import unicodedata

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
    "en": ("no", "nope", "nah", "don't", "do not", "cancel", "never mind", "nevermind", "stop", "negative", "wrong",
           "no thanks", "no thank you", "leave it", "not now"),
    "de": ("nein", "nee", "nö", "nicht", "abbrechen", "lass es", "lieber nicht", "nein danke", "falsch"),
    "fr": ("non", "pas", "annule", "annuler", "laisse", "laisse tomber", "surtout pas", "non merci"),
    "es": ("no", "cancela", "cancelar", "déjalo", "mejor no", "no gracias", "incorrecto"),
    "vi": ("không", "đừng", "thôi", "hủy", "khỏi", "sai", "không cần"),
}  # fmt: skip


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
