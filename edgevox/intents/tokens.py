"""Turns what was said, or a template's fixed words, into comparable words: case, punctuation, contractions, numbers.

The same reading is applied to both sides, so that they meet whatever it does. Each token remembers how it was said.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.numbers import numbers_of
from edgevox.intents.units import summed

_EDGES = ' \t.,!?;:…"“”„«»()[]{}¿¡*~|。，！？；：、'
_SPLIT = re.compile(r"[\s/]+")
_DASH = re.compile(r"(?<=\w)[-‐‑–—](?=\w)|(?<!\S)[-–—]+(?!\S)|[—–―]")
_TIMES = re.compile(r"(?<=[\d)])\s+\*\s+(?=[-(\d])")
_OVER = re.compile(r"(?<=[\d)])\s+/\s+(?=[-(\d])")
_DEGREES = re.compile(r"°\s*([cf]\b)?", re.IGNORECASE)
_GLUED = re.compile(r"(-?\d+(?:[.,]\d+)?)([^\W\d_]+)")
_THOUSANDS = re.compile(r"(\d{1,3})(?:[,.]\d{3})+")
_NUMBER = re.compile(r"[-−]?\d{1,15}(?:[.,]\d{1,9})?")
_ELISION = re.compile(r"((?:[ldjnstmc]|qu|jusqu|lorsqu|puisqu)')(\w.*)", re.IGNORECASE)
_ELIDING = frozenset({"fr", "it", "ca"})
_HALF = 0.5
_REMEMBERED = 4096
"""Texts whose reading is kept: names are read at every match, and are the same every time."""
_UNIT_WORDS = 3
"""Words that a unit has at most."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, or one number."""

    word: str
    """As it is compared."""
    said: str
    """As it was said; empty for a word that came out of the one before it."""
    number: float | None = None


class Reader:
    """Reads text of one language."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._numbers = numbers_of(lexicon)
        self.language = lexicon.code
        self.joiners = lexicon.joiners
        self._normal: dict[str, str] = {}
        self._heard: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._units = {tuple(words.split()): unit for words, unit in lexicon.units.items()}

    def warm(self) -> None:
        """Build the tables now."""
        self._numbers.warm()

    def tokens(self, text: str) -> list[Token]:
        """Read a sentence."""
        return self._with_sums(self._with_numbers(self._words(text)))

    def normal(self, text: str) -> str:
        """Read a text and return it as it is compared."""
        known = self._normal.get(text)
        if known is None:
            if len(self._normal) >= _REMEMBERED:
                self._normal.clear()
            known = self._normal[text] = " ".join(token.word for token in self.tokens(text))
        return known

    def unit_at(self, tokens: Sequence[Token], start: int) -> tuple[str, int] | None:
        """Return the unit that stands at `start` and how many words it takes."""
        for length in range(min(_UNIT_WORDS, len(tokens) - start), 0, -1):
            unit = self._units.get(tuple(token.word for token in tokens[start : start + length]))
            if unit is not None:
                return unit, length
        return None

    def longest_at(self, tokens: Sequence[Token], index: int, phrases: Iterable[tuple[str, ...]]) -> int:
        """Return how many words the longest of the phrases takes that stands at `index`; 0 when none does.

        Args:
            tokens: of the utterance.
            index: of the first word.
            phrases: as they are said; they are read the way the utterance was.
        """
        longest = 0
        for phrase in phrases:
            heard = self._heard.get(phrase)
            if heard is None:
                heard = self._heard[phrase] = tuple(self.normal(" ".join(phrase)).split())
            words = (token.word for token in tokens[index : index + len(heard)])
            if len(heard) > longest and tuple(words) == heard:
                longest = len(heard)
        return longest

    def is_small(self, word: str) -> bool:
        """Whether a word's presence changes no command."""
        return word in self._lexicon.light

    def unit_word(self, unit: str, *, after: str = "") -> str:
        """Return how a unit is said behind a number; empty when the language has no word for it.

        Args:
            unit: as in `edgevox.intents.units`.
            after: the word before the number; an article asks for the singular: *a 5 minute timer*.
        """
        one, _, many = self._lexicon.counted.get(unit, "").partition("|")
        return one if after in self._lexicon.numbers.one else many

    @functools.cached_property
    def ordinals(self) -> dict[tuple[str, ...], float]:
        """Places in a row, as words that `tokens` makes of them: *second* is 2."""
        said = {**self._numbers.ordinals(), **self._lexicon.numbers.ordinals}
        return {key: float(place) for words, place in said.items() if (key := tuple(self.normal(words).split()))}

    @functools.cached_property
    def fractions(self) -> dict[tuple[str, ...], float]:
        """Parts of a whole, as words that `tokens` makes of them: *half* is 0.5."""
        said = self._lexicon.numbers.fractions
        return {key: part for words, part in said.items() if (key := tuple(self.normal(words).split()))}

    def _words(self, text: str) -> list[Token]:
        text = unicodedata.normalize("NFC", text).replace("’", "'").replace("`", "'").replace("−", "-")
        text = _DEGREES.sub(lambda found: f" {self._lexicon.degrees} {found[1] or ''} ", text)
        text = _OVER.sub(" ÷ ", _TIMES.sub(" × ", text))
        text = text.replace("%", f" {self._lexicon.percent} ")
        read: list[Token] = []
        for piece in _SPLIT.split(text):
            read += self._pieces(piece.strip(_EDGES))
        return read

    def _pieces(self, piece: str) -> list[Token]:
        """Read one written word, which may be several spoken ones."""
        said = piece
        parts: list[str] = []
        for part in _DASH.sub(" ", piece).split():
            word = part.strip(_EDGES).strip("'") if not part.endswith("'") or len(part) > 3 else part
            word = self._lexicon.contractions.get(word.casefold(), word)
            glued = _GLUED.fullmatch(word)
            if glued and glued[2].lower() in self._lexicon.units:
                word = f"{glued[1]} {glued[2]}"
            elided = _ELISION.fullmatch(word) if self._lexicon.code in _ELIDING else None
            parts += [elided[1], elided[2]] if elided else word.split()
        return [Token(part.casefold(), said if index == 0 else "") for index, part in enumerate(parts) if part]

    def _with_numbers(self, tokens: list[Token]) -> list[Token]:
        words = [self._digits(token.word) for token in tokens]
        read: list[Token] = []
        index = 0
        while index < len(tokens):
            number = self._numbers.read(words, index)
            if number is None:
                number = self._before_unit(tokens, index)
            if number is None:
                read.append(tokens[index])
                index += 1
                continue
            value, taken = number
            said = " ".join(token.said for token in tokens[index : index + taken] if token.said)
            read.append(Token(spelled(value), said, value))
            index += taken
        return read

    def _before_unit(self, tokens: list[Token], index: int) -> tuple[float, int] | None:
        """Read a word that is a number only before a unit: *a minute*, *to metres*."""
        numbers = self._lexicon.numbers
        word = tokens[index].word
        number = 1 if word in numbers.one else numbers.misheard.get(word)
        if number is None or index + 1 >= len(tokens) or len(tokens[index + 1].word) == 1:
            return None
        return (number, 1) if self.unit_at(tokens, index + 1) is not None else None

    def _digits(self, word: str) -> str:
        """Write a number in digits the one way: without separators of thousands, with a decimal point."""
        if not word[-1:].isdigit():
            return word
        separator = "." if self._lexicon.numbers.decimal_comma else ","
        if _THOUSANDS.fullmatch(word) and separator in word:
            return word.replace(separator, "")
        return word.replace(",", ".") if _NUMBER.fullmatch(word) else word

    def _with_sums(self, tokens: list[Token]) -> list[Token]:
        """Add up what is said in two units: *1 hour and 30 minutes*, *an hour and a half*."""
        read: list[Token] = []
        index = 0
        while index < len(tokens):
            measured = self._measured(tokens, index)
            if measured is None:
                read.append(tokens[index])
                index += 1
                continue
            pair, index = measured
            read += pair
        return read

    def _measured(self, tokens: list[Token], index: int) -> tuple[list[Token], int] | None:
        """Read a number with its unit and what is added to it; `None` where nothing is."""
        first = self._number_and_unit(tokens, index)
        if first is None:
            return None
        number, unit, after = first
        for half in self._lexicon.numbers.halves:
            if tuple(token.word for token in tokens[after : after + len(half)]) == half:
                return self._merged(tokens, index, after + len(half), after, number + _HALF)
        joined = after + 1 if after < len(tokens) and tokens[after].word in self._lexicon.unit_joiners else after
        if joined > after and joined < len(tokens) and tokens[joined].number == _HALF:
            return self._merged(tokens, index, joined + 1, after, number + _HALF)
        second = self._number_and_unit(tokens, joined)
        total = summed([(number, unit), (second[0], second[1])]) if second and second[1] != unit else None
        if second is None or total is None:
            return None
        unit_end = second[2] if total[1] == second[1] else after
        return self._merged(tokens, index, second[2], unit_end, total[0])

    def _number_and_unit(self, tokens: list[Token], index: int) -> tuple[float, str, int] | None:
        number = tokens[index].number if index < len(tokens) else None
        unit = self.unit_at(tokens, index + 1) if number is not None else None
        return None if number is None or unit is None else (number, unit[0], index + 1 + unit[1])

    def _merged(
        self, tokens: list[Token], start: int, end: int, unit_end: int, number: float
    ) -> tuple[list[Token], int]:
        said = " ".join(token.said for token in tokens[start:end] if token.said)
        unit = replace(tokens[unit_end - 1], said="")
        return [Token(spelled(number), said, number), unit], end


def spelled(number: float) -> str:
    """Write a number the one way that both sides use."""
    return str(int(number)) if number == int(number) else f"{number:.9f}".rstrip("0")
