"""Money, percentages, temperatures and units as words; their numbers stay digits for the last pass."""

import re
from collections.abc import Iterable

from edgevox.speech.normalise.numbers import Numbers
from edgevox.speech.normalise.vocabulary import Vocabulary

_SCALES = {"k": "thousand", "K": "thousand", "M": "million", "bn": "billion", "B": "billion"}
_ADJACENT = {"in", "A", "N"}
"""Units that are also words or names: they count only when they touch the number."""


class Quantities:
    """Quantities of one language.

    Args:
        words: its vocabulary.
        numbers: how it writes numbers.
    """

    def __init__(self, words: Vocabulary, numbers: Numbers) -> None:
        self._words = words
        self._numbers = numbers
        number = f"(?<![\\d.,])({numbers.pattern})"
        signs = _alternatives(words.money)
        self._money_before = re.compile(
            rf"({signs})\s?({numbers.pattern})(?:\s?(k|K|M|bn|B|million|billion|thousand|trillion)\b)?"
        )
        self._money_after = re.compile(rf"{number}(?:\s(million|billion|thousand|trillion))?\s?({signs})(?!\w)")
        self._percent = re.compile(rf"{number}\s?%")
        self._degrees = re.compile(rf"{number}\s?°(?:\s?([CFK])\b)?")
        touching = _alternatives(unit for unit in words.units if unit in _ADJACENT)
        spaced = _alternatives(unit for unit in words.units if unit not in _ADJACENT)
        self._unit = re.compile(rf"{number}(?:[ -]?({spaced})|({touching}))(?![\w/²³^°])")

    def apply(self, text: str) -> str:
        """Return `text` with the names of its quantities in words."""
        if self._words.money:
            text = self._money_before.sub(lambda m: self._amount(m[2], m[1], m[3]), text)
            text = self._money_after.sub(lambda m: self._amount(m[1], m[3], m[2]), text)
        if self._words.percent:
            text = self._percent.sub(rf"\1 {self._words.percent}", text)
        if self._words.degrees[0]:
            text = self._degrees.sub(self._temperature, text)
        return self._unit.sub(self._measure, text) if self._words.units else text

    def _amount(self, token: str, sign: str, scale: str | None) -> str:
        whole_name, cent_name = self._words.money[sign]
        if scale:
            return f"{token} {_SCALES.get(scale, scale)} {whole_name[1]}"
        whole, fraction = self._numbers.parts(token)
        if cent_name is None or len(fraction) != 2:
            return f"{token} {self._form(token, whole_name)}"
        cents = str(int(fraction))
        name = f"{whole} {self._form(whole, whole_name)}"
        if cents == "0":
            return name
        said = f"{cents} {self._form(cents, cent_name)}"
        return f"{name} {self._words.and_} {said}" if whole.strip("0") else said

    def _temperature(self, match: re.Match[str]) -> str:
        scale = {"C": self._words.celsius, "F": self._words.fahrenheit, "K": "Kelvin"}.get(match[2] or "", "")
        return f"{match[1]} {self._form(match[1], self._words.degrees)} {scale}".rstrip()

    def _measure(self, match: re.Match[str]) -> str:
        return f"{match[1]} {self._form(match[1], self._words.units[match[2] or match[3]])}"

    def _form(self, token: str, forms: tuple[str, str]) -> str:
        return forms[0] if self._numbers.is_one(token) else forms[1]


def _alternatives(symbols: Iterable[str]) -> str:
    names = sorted(symbols, key=len, reverse=True)
    return "|".join(re.escape(name) for name in names) or r"(?!)"
