"""Judges what a recogniser wrote: speech, or what it makes of silence and noise.

Knows the phrases that Whisper learnt from subtitles, how repetition looks, and which script a language is written in.
Does not know the model.
"""

import re
import unicodedata

from edgevox.speech.whisper_model import Attempt

NO_SPEECH = 0.6
"""Above this the model itself thinks that nobody spoke (the publishers' threshold) …"""

LOW_LOGPROB = -1.0
"""… and below this it is not sure of its words (the publishers' threshold)."""

UNSURE_LOGPROB = -1.5
"""Below this it guesses, whatever it thinks of the silence."""

REPETITIVE = 2.4
"""Compression ratio above which a text repeats itself (the publishers' threshold)."""

DOUBTFUL_NO_SPEECH = 0.35
DOUBTFUL_LOGPROB = -0.6

FILLERS: dict[str, tuple[str, ...]] = {
    "en": (
        "thanks for watching", "thank you for watching", "thanks for listening", "please subscribe", "subscribe",
        "like and subscribe", "please subscribe to my channel", "dont forget to like and subscribe",
        "subtitles by the amara org community", "see you in the next video", "ill see you in the next video",
        "see you next time", "transcription by castingwords",
    ),
    "de": (
        "vielen dank für die aufmerksamkeit", "vielen dank fürs zuschauen", "danke fürs zuschauen",
        "untertitel der amara org community", "untertitelung des zdf", "untertitel im auftrag des zdf",
        "untertitelung im auftrag des zdf für funk", "bis zum nächsten mal", "copyright wdr",
    ),
    "fr": (
        "merci davoir regardé cette vidéo", "merci davoir regardé", "sous titrage st 501",
        "sous titrage société radio canada",
        "sous titres réalisés par la communauté damara org", "abonnez vous", "noubliez pas de vous abonner",
    ),
    "es": (
        "gracias por ver el video", "gracias por ver", "subtítulos realizados por la comunidad de amara org",
        "suscríbete", "suscríbete al canal", "no olvides suscribirte",
    ),
    "vi": (
        "hãy subscribe cho kênh ghiền mì gõ", "hãy subscribe cho kênh", "cảm ơn các bạn đã theo dõi",
        "cảm ơn các bạn đã xem", "đăng ký kênh", "hãy đăng ký kênh", "hẹn gặp lại các bạn trong những video tiếp theo",
    ),
}  # fmt: skip
"""What Whisper writes when it hears nothing: said to an assistant by nobody."""

DOUBTFUL: dict[str, tuple[str, ...]] = {
    "en": ("you", "thank you", "thanks", "bye", "the", "so", "oh", "hmm", "i", "okay", "and", "uh"),
    "de": ("danke", "tschüss", "das wars", "und", "so"),
    "fr": ("merci", "au revoir", "et", "sous titres"),
    "es": ("gracias", "adiós", "y"),
    "vi": ("cảm ơn", "và"),
}
"""People say these too: they count as nothing only when the model is not sure."""

_MARKED = re.compile(r"\[[^\]]*\]|\([^)]*\)|[♪♫]+")
_WIDE_SCRIPTS = {"zh": ("CJK",), "ja": ("CJK", "HIRAGANA", "KATAKANA"), "ko": ("HANGUL",)}
_SCRIPTS: dict[str, tuple[str, ...]] = {
    **_WIDE_SCRIPTS,
    "ru": ("CYRILLIC",), "uk": ("CYRILLIC",), "bg": ("CYRILLIC",), "sr": ("CYRILLIC", "LATIN"), "el": ("GREEK",),
    "ar": ("ARABIC",), "fa": ("ARABIC",), "ur": ("ARABIC",), "he": ("HEBREW",), "hi": ("DEVANAGARI",),
    "mr": ("DEVANAGARI",), "ne": ("DEVANAGARI",), "bn": ("BENGALI",), "ta": ("TAMIL",), "te": ("TELUGU",),
    "kn": ("KANNADA",), "ml": ("MALAYALAM",), "th": ("THAI",), "ka": ("GEORGIAN",), "hy": ("ARMENIAN",),
}  # fmt: skip
"""First words of the Unicode names of a language's letters; Latin where there is no entry."""


def rejection(attempt: Attempt, language: str) -> str | None:
    """Return why the words of `attempt` are none, or `None` when somebody said them.

    Returns:
        `no_speech`, `low_confidence`, `repetition`, `filler` or `foreign_script`.
    """
    words = plain(attempt.text)
    if not words:
        return "no_speech"
    if attempt.no_speech_prob > NO_SPEECH and attempt.avg_logprob < LOW_LOGPROB:
        return "no_speech"
    if is_filler(words, attempt, language):
        return "filler"
    if attempt.avg_logprob < UNSURE_LOGPROB:
        return "low_confidence"
    if loops(attempt) and attempt.no_speech_prob > NO_SPEECH:
        return "repetition"
    return None if in_script(attempt.text, language) else "foreign_script"


def loops(attempt: Attempt) -> bool:
    """Whether the model repeated itself instead of ending."""
    return attempt.cut or attempt.compression_ratio > REPETITIVE


def is_filler(words: str, attempt: Attempt, language: str) -> bool:
    """Whether plain `words` are what the model writes when it hears nothing."""
    if words in FILLERS.get(language, ()) or words in FILLERS["en"]:
        return True
    unsure = attempt.no_speech_prob > DOUBTFUL_NO_SPEECH or attempt.avg_logprob < DOUBTFUL_LOGPROB
    return unsure and words in DOUBTFUL.get(language, DOUBTFUL["en"])


def plain(text: str) -> str:
    """Return the words of `text`: lower case, without marks, without what is in brackets."""
    kept = (each for each in _MARKED.sub(" ", text).replace("-", " ").replace(".", " ") if each not in "'’")
    letters = "".join(each if each.isalnum() or unicodedata.category(each)[0] == "M" else " " for each in kept)
    return " ".join(letters.casefold().split())


def collapse(text: str) -> str:
    """Return `text` with each phrase that is repeated over and over said once.

    A phrase of several words counts from three times in a row, a single word from five: people do say "no, no, no".
    """
    words = text.split()
    keys = [plain(word) for word in words]
    for length in range(1, len(words) // 3 + 1):
        words, keys = _collapse_length(words, keys, length, 5 if length == 1 else 3)
    return " ".join(words)


def in_script(text: str, language: str) -> bool:
    """Whether at least half of the letters of `text` belong to the script of the language."""
    names = [unicodedata.name(each, "") for each in text if each.isalpha()]
    wanted = _SCRIPTS.get(language, ("LATIN",))
    own = sum(name.startswith((*wanted, "FULLWIDTH LATIN")) for name in names)
    if language in _SCRIPTS:  # names and brands are written in Latin everywhere
        own += sum(name.startswith("LATIN") for name in names)
    return 2 * own >= len(names)


def _collapse_length(words: list[str], keys: list[str], length: int, least: int) -> tuple[list[str], list[str]]:
    out: list[str] = []
    out_keys: list[str] = []
    at = 0
    while at < len(words):
        phrase = keys[at : at + length]
        end = at + length
        while keys[end : end + length] == phrase:
            end += length
        times = (end - at) // length
        repeated = times >= least and len(phrase) == length and any(phrase)
        step = length if repeated else 1
        out += words[at : at + step]
        out_keys += keys[at : at + step]
        at = end if repeated else at + 1
    return out, out_keys
