"""Names of the languages that can be asked for. Whether this machine hears and speaks one is not known here."""

from collections.abc import Mapping

from edgevox.core.errors import UsageError

LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "ms": "Malay",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""English names by two-letter code: the languages that both a recogniser and a voice exist for."""


def language_code(text: str) -> str:
    """Return the two-letter code of a language given by code, locale or English name.

    Raises:
        UsageError: no such language; the sentence names the nearest ones.
    """
    wanted = text.strip().lower()
    code = wanted.replace("_", "-").split("-")[0]
    if code in LANGUAGES:
        return code
    by_name = {name.lower(): known for known, name in LANGUAGES.items()}
    if wanted in by_name:
        return by_name[wanted]
    raise UsageError(f"Language {text!r} is unknown: {_suggestion(wanted)}.")


def _suggestion(wanted: str) -> str:
    from rapidfuzz import fuzz, process

    names = {code: f"{code} {name.lower()}" for code, name in LANGUAGES.items()}
    scorer = fuzz.ratio if len(wanted) <= 3 else fuzz.partial_ratio
    near = process.extract(wanted, names, scorer=scorer, limit=3)
    return "did you mean " + ", ".join(f"{code} ({LANGUAGES[code]})" for _, _, code in near)
