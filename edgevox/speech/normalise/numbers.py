"""Spells numbers.

Knows how a language writes and says them. Does not know what is counted.
"""

import re
from functools import lru_cache

from edgevox.speech.normalise.vocabulary import Vocabulary

LONGEST = 15
"""Longer runs of digits are codes, not amounts: they are read digit by digit."""


class Numbers:
    """The numbers of one language.

    Args:
        words: its vocabulary.
    """

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        group, mark = (r"[.\u202f]", ",") if words.decimal_comma else (",", r"\.")
        self.pattern = (
            rf"(?:\d{{1,3}}(?:{group}\d{{3}})+(?:{mark}\d+)?|(?<![.,\d])\d+[.,]\d+(?![.,]?\d)|\d+(?:{mark}\d+)?)(?!\d)"
        )
        """A number without sign, as this language writes it, for use within larger patterns."""
        self._group = re.compile(rf"(?<=\d){group}(?=\d{{3}}(?!\d))")
        self._any = re.compile(rf"([^\W\d_])?(?<![\d])({self.pattern})(?=([^\W\d_])?)")

    def spell_all(self, text: str) -> str:
        """Return `text` with every number in words."""
        if not self._words.point:
            return text

        def spelled(match: re.Match[str]) -> str:
            before = f"{match[1]} " if match[1] else ""
            return f"{before}{self.spell(match[2])}{' ' if match[3] else ''}"

        return self._any.sub(spelled, text)

    def spell(self, token: str) -> str:
        """Return one number, as written, in words."""
        whole, fraction = self.parts(token)
        said = self._whole(whole)
        return f"{said} {self._words.point} {self.digits(fraction)}" if fraction else said

    def parts(self, token: str) -> tuple[str, str]:
        """Return the digits before and after the decimal mark."""
        grouped = self._group.search(token) is not None
        token = self._group.sub("", token)
        marks = r"[,.]" if not grouped else (r"," if self._words.decimal_comma else r"\.")
        whole, *rest = re.split(marks, token, maxsplit=1)
        return whole, rest[0] if rest else ""

    def is_one(self, token: str) -> bool:
        """Whether the number is exactly one."""
        whole, fraction = self.parts(token)
        return whole.lstrip("0") == "1" and not fraction.strip("0")

    def digits(self, digits: str) -> str:
        """Return digits one by one."""
        return " ".join(cardinal(int(each), self._words.code) for each in digits if each.isdigit())

    def ordinal(self, number: int) -> str:
        """Return *third* for 3."""
        return _spelled(number, self._words.code, "ordinal")

    def year(self, number: int) -> str:
        """Return *nineteen ninety-nine* for 1999."""
        if self._words.code == "en" and 2000 <= number <= 2009:
            return cardinal(number, "en").replace(" and ", " ")
        return _spelled(number, self._words.code, "year").replace("oh-", "oh ")

    def _whole(self, digits: str) -> str:
        if len(digits) > LONGEST or (len(digits) > 1 and digits[0] == "0"):
            return self.digits(digits)
        return cardinal(int(digits), self._words.code)


def cardinal(number: int, language: str) -> str:
    """Return *twenty-one* for 21; the digits where the language or the library is missing."""
    return _spelled(number, language, "cardinal")


@lru_cache(maxsize=4096)
def _spelled(number: int, language: str, kind: str) -> str:
    try:
        from num2words import num2words  # pyright: ignore[reportUnknownVariableType]
    except ImportError:
        return str(number)
    try:
        said: str = num2words(number, lang=language, to=kind)
    except (NotImplementedError, AttributeError, OverflowError):
        return str(number) if kind == "cardinal" else _spelled(number, language, "cardinal")
    return said.replace(",", "")
