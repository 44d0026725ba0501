"""Reads a time of day as people say it: *half past nine*, *21 Uhr 30*, *nueve y media*, *3 pm*.

Knows clock times in five languages. Knows no dates and no zones.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time

from edgevox.intents.lexicons import base_language, for_language
from edgevox.intents.numbers import numbers_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClockWords:
    noon: tuple[str, ...]
    midnight: tuple[str, ...]
    before_noon: tuple[str, ...]
    after_noon: tuple[str, ...]
    half_past: tuple[str, ...] = ()
    half_to: tuple[str, ...] = ()
    """German counts towards the next hour."""
    quarter_past: tuple[str, ...] = ()
    quarter_to: tuple[str, ...] = ()


_WORDS: Mapping[str, _ClockWords] = {
    "en": _ClockWords(
        noon=("noon", "midday"), midnight=("midnight",), before_noon=("am", "a.m.", "a.m", "in the morning"),
        after_noon=("pm", "p.m.", "p.m", "in the afternoon", "in the evening", "at night"), half_past=("half past",),
        quarter_past=("quarter past", "a quarter past"), quarter_to=("quarter to", "a quarter to"),
    ),
    "de": _ClockWords(
        noon=("mittag", "mittags"), midnight=("mitternacht",), before_noon=("morgens", "vormittags", "früh", "nachts"),
        after_noon=("nachmittags", "abends", "am nachmittag", "am abend"), half_to=("halb",),
        quarter_past=("viertel nach",), quarter_to=("viertel vor",),
    ),
    "fr": _ClockWords(
        noon=("midi",), midnight=("minuit",), before_noon=("du matin",), after_noon=("de l'après-midi", "du soir"),
        half_past=("et demie", "et demi"), quarter_past=("et quart",), quarter_to=("moins le quart",),
    ),
    "es": _ClockWords(
        noon=("mediodía",), midnight=("medianoche",), before_noon=("de la mañana", "de la madrugada"),
        after_noon=("de la tarde", "de la noche"), half_past=("y media",), quarter_past=("y cuarto",),
        quarter_to=("menos cuarto",),
    ),
    "vi": _ClockWords(
        noon=("trưa", "buổi trưa"), midnight=("nửa đêm",), before_noon=("sáng", "buổi sáng"),
        after_noon=("chiều", "tối", "buổi chiều", "buổi tối"), half_past=("rưỡi",), quarter_to=("kém mười lăm",),
    ),
}  # fmt: skip

_PARTED = re.compile(r"(?<=\d)\s*(?::|\.|h\b|uhr\b|heures?\b|giờ\b|o'clock\b)\s*|(?<=\d)(?=[^\W\d_])")
_HOUR_WORD = re.compile(r"\b(?:uhr|heures?|giờ|phút|minuten?|minutes?|o'clock|horas?|las|la|à|um|lúc)\b")


def read_time(text: str, language: str) -> time | None:
    """Read a time of day.

    Args:
        text: what was said.
        language: two-letter code.

    Returns:
        The time; `None` when the text is none.
    """
    words = _WORDS.get(base_language(language), _WORDS["en"])
    said = f" {' '.join(text.casefold().replace('’', chr(39)).strip(' .?!').split())} "
    for names, hour in ((words.midnight, 0), (words.noon, 12)):
        if said.strip() in names:
            return time(hour)
    said, shift = _shifted(said, words)
    afternoon, said = _without(said, words.after_noon)
    forenoon, said = _without(said, words.before_noon)
    numbers = _numbers(_HOUR_WORD.sub(" ", _PARTED.sub(" ", said)), language)
    if numbers is None or not 1 <= len(numbers) <= 2 or (shift and len(numbers) == 2):
        return None
    return _time_of(numbers[0], numbers[1] if len(numbers) == 2 else 0, shift, afternoon, forenoon)


def _time_of(hour: int, minute: int, shift: int, afternoon: bool, forenoon: bool) -> time | None:
    if (afternoon or forenoon) and 1 <= hour <= 12:
        hour = hour % 12 + (12 if afternoon else 0)
    if not (0 <= hour <= 24 and 0 <= minute < 60) or (hour == 24 and minute):
        return None
    whole = (hour * 60 + minute + shift) % (24 * 60)
    return time(whole // 60, whole % 60)


def _shifted(said: str, words: _ClockWords) -> tuple[str, int]:
    """Take *half past* and its like away; returns the minutes that they mean."""
    for names, minutes in (
        (words.quarter_past, 15),
        (words.quarter_to, -15),
        (words.half_past, 30),
        (words.half_to, -30),
    ):
        found, rest = _without(said, names)
        if found:
            return rest, minutes
    return said, 0


def _without(said: str, names: tuple[str, ...]) -> tuple[bool, str]:
    for name in sorted(names, key=len, reverse=True):
        wanted = re.compile(rf"(?<![^\W\d_]){re.escape(name)}(?!\w)")
        if wanted.search(said):
            return True, wanted.sub(" ", said, count=1)
    return False, said


def _numbers(text: str, language: str) -> list[int] | None:
    """Read every number; `None` when something else is said."""
    known = numbers_of(for_language(language))
    words = re.sub(r"(?<=\w)-(?=\w)", " ", text).split()
    found: list[int] = []
    index = 0
    while index < len(words):
        read = known.read(words, index)
        ones = for_language(language).numbers.one
        if read is None and words[index] in ones:
            read = (1, 1)
        if read is None or read[0] != int(read[0]) or read[0] < 0:
            return None
        found.append(int(read[0]))
        index += read[1]
    return found
