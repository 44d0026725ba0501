"""Relative values: *warmer*, *a bit colder*, *five degrees more*, *down by ten percent*.

Knows how a change is said and how big it is. What the value is now is for whoever runs the tool to find out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edgevox.intents.change_words import ChangeWords, change_words
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.units import converted

LOTS = 3
"""Steps that *a lot* is."""
_DEGREE = 5 / 9
"""A degree Fahrenheit in degrees Celsius, where a difference is meant."""


@dataclass(frozen=True, slots=True)
class Change:
    """By how much a value is to change."""

    amount: float
    """In the unit of the parameter; negative is less."""

    def __str__(self) -> str:
        """Write it with its sign."""
        return f"{self.amount:+g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustable:
    """Lets a number be told relatively; stands in an annotation: `Annotated[float, Adjustable(step=1)]`.

    The new value is worked out from what `reads` tells, or from the last call of the tool; it is kept within the range
    that the annotation allows.
    """

    step: float
    """How much *warmer* is, in the unit of the parameter."""
    reads: str = ""
    """The tool that tells the value now, and the field of its result: `get_thermostat.celsius`; empty takes the
    argument of the last call."""
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """More ways to say that it is to grow, as `one | another`, by language."""
    less: Mapping[str, str] = field(default_factory=dict[str, str])
    by: bool = False
    """Whether the tool itself takes the change, not the new value."""

    def __hash__(self) -> int:
        """Compare by the fields that are no mappings; annotations want to be hashed."""
        return hash((self.step, self.reads, self.by))


def change_at(
    adjustable: Adjustable, parameter: str, unit: str | None, tokens: Sequence[Token], index: int, reader: Reader
) -> tuple[int, Change] | None:
    """Return the change that begins at `index` and how many words it takes; `None` when none does.

    Args:
        adjustable: of the parameter.
        parameter: its name.
        unit: of the parameter.
        tokens: of the utterance.
        index: of the first word.
        reader: of the language.
    """
    parser = _Parser(adjustable, parameter, unit, change_words(reader.language), reader)
    return parser.parse(tokens, index)


@dataclass(slots=True)
class _Parser:
    adjustable: Adjustable
    parameter: str
    unit: str | None
    words: ChangeWords
    reader: Reader
    sign: int = 0
    amount: float | None = None
    steps: float | None = None

    def parse(self, tokens: Sequence[Token], index: int) -> tuple[int, Change] | None:
        """Read as far as it goes."""
        at = end = index
        while at < len(tokens):
            taken = self._direction(tokens, at) or self._steps(tokens, at) or self._amount(tokens, at)
            if taken:
                at = end = at + taken
            elif tokens[at].word in self.words.by:
                at += 1
            else:
                break
        if not self.sign:
            return None
        size = self.amount if self.amount is not None else self.adjustable.step * (self.steps or 1)
        return end - index, Change(self.sign * size)

    def _direction(self, tokens: Sequence[Token], at: int) -> int:
        if self.sign:
            return 0
        language = self.reader.language
        found = (0, 0)
        for sign, table, extra in (
            (1, self.words.more, self.adjustable.more),
            (-1, self.words.less, self.adjustable.less),
        ):
            phrases = [*table.get("", ()), *_split(extra.get(language, ""))]
            for kind in {self.unit or "", self.parameter.rpartition("_")[2]} - {""}:
                phrases += table.get(kind, ())
            found = max(found, (self.reader.longest_at(tokens, at, phrases), sign))
        self.sign = found[1] if found[0] else 0
        return found[0]

    def _amount(self, tokens: Sequence[Token], at: int) -> int:
        number = tokens[at].number
        if number is None or self.amount is not None or self.steps is not None or number <= 0:
            return 0
        unit = self.reader.unit_at(tokens, at + 1)
        if unit is None:
            self.amount = number
            return 1
        if (unit[0], self.unit) == ("f", "c"):
            size: float | None = round(number * _DEGREE, 1)
        else:
            size = converted(number, unit[0], self.unit)
        if size is None:
            return 0
        self.amount = size
        return 1 + unit[1]

    def _steps(self, tokens: Sequence[Token], at: int) -> int:
        if self.amount is not None or self.steps is not None:
            return 0
        for phrases, steps in ((self.words.little, 1), (self.words.lots, LOTS)):
            length = self.reader.longest_at(tokens, at, phrases)
            if length:
                self.steps = steps
                return length
        return 0


def shown_change(parameter: str, unit: str | None, language: str) -> str:
    """Return how a change of a parameter may be said, for an example; empty where nothing is known."""
    table = change_words(language).more
    kinds = (unit or "", parameter.rpartition("_")[2], "")
    said = next((table[kind] for kind in kinds if kind in table), ())
    return " ".join(min(said, key=len)) if said else ""


def _split(text: str) -> list[tuple[str, ...]]:
    return [tuple(phrase.casefold().split()) for phrase in text.split("|") if phrase.strip()]
