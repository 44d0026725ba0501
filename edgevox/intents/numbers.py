"""Spoken numbers: *twenty one*, *two and a half*, *minus five*, *einundzwanzig*, *vingt et un*.

The words of a language come from hassil's number formatter; the rest (points, halves, thousands) from the lexicon.
Knows words and values; does not know units.
"""

import re
import threading
from collections.abc import Sequence

from edgevox.intents.lexicons.lexicon import Lexicon

_COUNTED = 1000
"""Numbers below this are looked up; thousands are put together."""
_PLACES = 31
"""Ordinals that are known: as many as a month has days."""


class SpokenNumbers:
    """Reads the numbers of one language. The table is built when it is first needed (30 to 120 ms)."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._words = lexicon.numbers
        self._language = lexicon.code
        self._table: dict[tuple[str, ...], float] | None = None
        self._longest = 1
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Build the table now."""
        self._known()

    def read(self, words: Sequence[str], start: int) -> tuple[float, int] | None:
        """Read the number that begins at `start`.

        Args:
            words: in lower case, without punctuation.
            start: index of its first word.

        Returns:
            The number and how many words it took; `None` when there is none.
        """
        negative = words[start] in self._words.minus
        first = start + 1 if negative else start
        read = self._whole(words, first)
        if read is None:
            return None
        number, taken = read
        number, taken = self._with_fraction(words, first, number, taken)
        return (-number if negative else number), taken + (1 if negative else 0)

    def _whole(self, words: Sequence[str], start: int) -> tuple[float, int] | None:
        counted = self._longest_match(words, start)
        after = start + (counted[1] if counted else 0)
        if after < len(words) and words[after] in self._words.thousand:
            thousands = (counted[0] if counted else 1) * 1000
            after += 1
            rest = self._longest_match(words, after)
            if rest is not None:
                return thousands + rest[0], after + rest[1] - start
            return thousands, after - start
        return counted

    def _longest_match(self, words: Sequence[str], start: int) -> tuple[float, int] | None:
        if start < len(words) and _DIGITS.fullmatch(words[start]):
            return _exact(words[start]), 1
        table = self._known()
        for length in range(min(self._longest, len(words) - start), 0, -1):
            value = table.get(tuple(words[start : start + length]))
            if value is not None:
                return value, length
        return None

    def _with_fraction(self, words: Sequence[str], start: int, number: float, taken: int) -> tuple[float, int]:
        after = start + taken
        for half in self._words.halves:
            if tuple(words[after : after + len(half)]) == half:
                return number + 0.5, taken + len(half)
        if after < len(words) - 1 and words[after] in self._words.point and number == int(number):
            digits, used = self._decimals(words, after + 1)
            if digits:
                return float(f"{int(number)}.{digits}"), taken + 1 + used
        return number, taken

    def _decimals(self, words: Sequence[str], start: int) -> tuple[str, int]:
        """Read what follows the point: digits one by one, or one number."""
        digits, used = "", 0
        while start + used < len(words):
            read = self._longest_match(words, start + used)
            if read is None or read[0] != int(read[0]):
                break
            if read[0] > 9 and digits:
                break
            digits += str(int(read[0]))
            used += read[1]
            if read[0] > 9:
                break
        return digits, used

    def _known(self) -> dict[tuple[str, ...], float]:
        with self._lock:
            if self._table is None:
                self._table = self._built()
                self._longest = max((len(phrase) for phrase in self._table), default=1)
            return self._table

    def _built(self) -> dict[tuple[str, ...], float]:
        from hassil.numbers import get_rbnf_engine

        table: dict[tuple[str, ...], float] = {}
        try:
            engine = get_rbnf_engine(self._language)
        except ValueError:  # a language without number words still has digits
            return table
        for number in range(_COUNTED):
            for phrase in set(engine.format_number(number).text_by_ruleset.values()):
                said = tuple(phrase.replace("-", " ").replace("\u00ad", "").lower().split())
                table.setdefault(said, number)
                self._add_joined(table, said, number)
        for phrase, value in self._words.fixed.items():
            table[tuple(phrase.split())] = value
        for article in self._words.one:
            if article not in _COUNTING_ONES:
                table.pop((article,), None)
        return table

    def ordinals(self) -> dict[str, int]:
        """Return the words for places in a row, up to `_PLACES`: *second* is 2."""
        from hassil.numbers import get_rbnf_engine
        from unicode_rbnf import FormatPurpose

        try:
            engine = get_rbnf_engine(self._language)
        except ValueError:
            return {}
        return {
            phrase.replace("-", " ").replace("\u00ad", ""): number
            for number in range(1, _PLACES + 1)
            for phrase in engine.format_number(number, FormatPurpose.ORDINAL).text_by_ruleset.values()
        } | {f"{number}{ending}": number for number in range(1, _PLACES + 1) for ending in self._words.ordinal_endings}

    def _add_joined(self, table: dict[tuple[str, ...], float], said: tuple[str, ...], number: int) -> None:
        """Know *one hundred and five* beside *one hundred five*."""
        joiner = self._words.joiner
        if joiner is not None and number > 100 and number % 100 and len(said) > 2:
            table.setdefault((*said[:2], joiner, *said[2:]), number)


_SHARED: dict[str, SpokenNumbers] = {}


def numbers_of(lexicon: Lexicon) -> SpokenNumbers:
    """Return the numbers of a language; whoever asks with the same tables shares one table of words."""
    shared = _SHARED.get(lexicon.code)
    if shared is None or shared.lexicon is not lexicon:
        shared = _SHARED[lexicon.code] = SpokenNumbers(lexicon)
    return shared


def _exact(digits: str) -> float:
    return float(digits) if "." in digits else int(digits)


_DIGITS = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_COUNTING_ONES = frozenset({"eins", "uno"})
"""Forms of one that are no article."""
