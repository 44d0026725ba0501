"""Dates and times of day as words.

Knows how each language orders day, month and year. Numbers that need no special form stay digits for the last pass.
"""

import re

from edgevox.speech.normalise.numbers import Numbers
from edgevox.speech.normalise.vocabulary import Vocabulary

_ISO = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\d-])(?:T(?=\d{1,2}:\d{2}))?")
_TIME = re.compile(
    r"(?<![\d:.])([01]?\d|2[0-4])[:h]([0-5]\d)(?::([0-5]\d))?(?![\d:])(?:\s?([AaPp])(?:\.[Mm]\.|[Mm]\b))?(?:\s?(?:Uhr|giờ)\b)?"
)
_TIME_RANGE = re.compile(r"(?<=\d:\d\d)\s?[-–]\s?(?=\d{1,2}:\d\d)")
_HALF_DAY = re.compile(r"(?<![\d:.])(1[0-2]|[1-9])\s?([AaPp])(?:\.[Mm]\.|[Mm]\b)")
_DOTTED = re.compile(r"(?<![\d.])(0?[1-9]|[12]\d|3[01])\.\s?(0?[1-9]|1[0-2])\.(\d{4})(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\d/])")
_SHORT_MONTHS = {"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
                 "nov": 11, "dec": 12}  # fmt: skip


class Times:
    """Dates and times of one language.

    Args:
        words: its vocabulary.
        numbers: how it spells numbers.
    """

    def __init__(self, words: Vocabulary, numbers: Numbers) -> None:
        self._words = words
        self._numbers = numbers
        months = "|".join(re.escape(month) for month in words.months) or r"(?!)"
        short = rf"|(?:{'|'.join(_SHORT_MONTHS)})\.(?=\s\d)" if words.code == "en" else ""
        flags = 0 if words.code == "en" else re.IGNORECASE
        self._month_first = re.compile(
            rf"\b({months}{short})\s(\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[:.,]\d)(?:,?\s(\d{{4}})\b)?",
            flags | re.IGNORECASE,
        )
        self._day_first = re.compile(
            rf"(?<![\d.,])(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?({months})\b(?:,?\s(?:de\s|năm\s)?(\d{{4}})\b)?",
            flags,
        )
        self._month_year = re.compile(rf"\b({months})\s(?:de\s|năm\s)?(\d{{4}})\b", flags)

    def apply(self, text: str) -> str:
        """Return `text` with its dates and times in words."""
        if not self._words.months:
            return text
        text = _ISO.sub(lambda m: f"{self._date(int(m[3]), int(m[2]), int(m[1]))} ", text)
        text = _DOTTED.sub(lambda m: self._date(int(m[1]), int(m[2]), int(m[3])), text)
        text = _SLASHED.sub(self._slashed, text)
        text = self._named(text)
        text = _TIME_RANGE.sub(f" {self._words.to} ", text)
        text = _TIME.sub(self._time, text)
        return _HALF_DAY.sub(lambda m: f"{m[1]} {m[2].upper()}M", text) if self._words.code == "en" else text

    def _named(self, text: str) -> str:
        if self._words.code == "en":
            text = self._month_first.sub(lambda m: self._date(int(m[2]), self._month(m[1]), _year(m[3])), text)
        if self._words.code != "vi":
            text = self._day_first.sub(self._day_month, text)
        return self._month_year.sub(lambda m: f"{m[1]} {self._numbers.year(int(m[2]))}", text)

    def _day_month(self, match: re.Match[str]) -> str:
        date = self._date(int(match[1]), self._month(match[2]), _year(match[3]))
        if self._words.code != "de":
            return date
        before = match.string[: match.start()].split()
        # After these the ordinal is declined: am dritten Mai, but dritter Mai.
        if before and before[-1].lower() in ("am", "vom", "zum", "bis", "der", "den", "dem", "des", "beim", "im", "ab"):
            first, _, rest = date.partition(" ")
            return f"{first.removesuffix('r')}n {rest}"
        return date

    def _month(self, name: str) -> int:
        lowered = name.lower()
        for number, month in enumerate(self._words.months, 1):
            if month.lower() == lowered:
                return number
        return _SHORT_MONTHS[lowered.rstrip(".")]

    def _slashed(self, match: re.Match[str]) -> str:
        first, second, year = (int(part) for part in match.groups())
        day, month = (second, first) if self._words.code == "en" and first <= 12 else (first, second)
        return self._date(day, month, year) if 1 <= month <= 12 and 1 <= day <= 31 else match[0]

    def _date(self, day: int, month: int, year: int | None) -> str:
        name = self._words.months[month - 1]
        spoken = self._numbers.year(year) if year is not None else ""
        match self._words.code:
            case "en":
                return f"{name} {self._numbers.ordinal(day)}" + (f", {spoken}" if spoken else "")
            case "de":
                return f"{self._numbers.ordinal(day)}r {name} {spoken}".rstrip()
            case "fr":
                return f"{'premier' if day == 1 else day} {name} {spoken}".rstrip()
            case "es":
                return f"{day} de {name}" + (f" de {spoken}" if spoken else "")
            case _:
                return f"ngày {day} {name}" + (f" năm {spoken}" if spoken else "")

    def _time(self, match: re.Match[str]) -> str:
        hour, minute, second, half = int(match[1]), int(match[2]), match[3], match[4]
        if "h" in match[0][:3] and self._words.code != "fr":
            return match[0]
        if self._words.code != "en":
            return self._time_elsewhere(hour, minute)
        said = self._english_time(hour, minute, half)
        return f"{said} and {int(second)} seconds" if second else said

    def _english_time(self, hour: int, minute: int, half: str | None) -> str:
        minutes = f"oh {minute}" if 0 < minute < 10 else str(minute)
        if half:
            return f"{hour} {minutes} {half.upper()}M" if minute else f"{hour} {half.upper()}M"
        if minute:
            return f"{hour} {minutes}"
        if hour in (0, 24):
            return "midnight"
        return f"{hour} o'clock" if hour <= 12 else f"{hour} hundred"

    def _time_elsewhere(self, hour: int, minute: int) -> str:
        if self._words.code == "es":
            return f"{hour} y {minute}" if minute else f"{hour} en punto"
        name = self._words.hour[0 if hour == 1 else 1]
        return f"{hour} {name} {minute}" if minute else f"{hour} {name}"


def _year(text: str | None) -> int | None:
    return int(text) if text else None
