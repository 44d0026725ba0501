"""Understands how a person names a language. Which languages there are is `edgevox.speech.languages`."""

from edgevox.core.errors import UsageError
from edgevox.speech.languages import LANGUAGES


def language_code(text: str) -> str:
    """Return the two-letter code of a language given by code, locale or English name.

    Raises:
        UsageError: nothing hears and speaks it; the sentence names the nearest ones.
    """
    wanted = text.strip().lower()
    code = wanted.replace("_", "-").split("-", maxsplit=1)[0]
    if code in LANGUAGES:
        return code
    by_name = {language.name.lower(): known for known, language in LANGUAGES.items()}
    if wanted in by_name:
        return by_name[wanted]
    raise UsageError(f"Language {text!r} is unknown: did you mean {_nearest(wanted)}?")


def language_name(code: str) -> str:
    """Return the English name of a language; the code itself where there is none."""
    return LANGUAGES[code].name if code in LANGUAGES else code


def _nearest(wanted: str) -> str:
    from rapidfuzz import fuzz, process

    names = {code: f"{code} {language.name.lower()}" for code, language in LANGUAGES.items()}
    scorer = fuzz.ratio if len(wanted) <= 3 else fuzz.partial_ratio
    near = process.extract(wanted, names, scorer=scorer, limit=3)
    return ", ".join(f"{code} ({LANGUAGES[code].name})" for _, _, code in near)
