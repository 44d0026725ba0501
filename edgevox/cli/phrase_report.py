"""How well an agent understands a table of sentences without a model: what was right, missed, wrong, or should not be.

Understands as a running agent does, several commands in one sentence included. Runs no tool.
"""

import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from edgevox.cli.phrase_table import Expected, Row
from edgevox.core.errors import UsageError
from edgevox.tools import Tool
from edgevox.tools.wording import nearest

if TYPE_CHECKING:
    from edgevox.agents.definition import AgentDefinition
    from edgevox.agents.phrases import Phrasebook
    from edgevox.intents import PhraseMatch

_CLOSE = 1e-6


class Verdict(StrEnum):
    """What came of one sentence."""

    RIGHT = "right"
    MISSED = "missed"
    """A command that was not understood."""
    WRONG = "wrong"
    """A command that was taken for another."""
    FALSE = "false"
    """No command, and taken for one."""
    QUIET = "quiet"
    """No command, and taken for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One sentence and what was understood."""

    row: Row
    verdict: Verdict
    understood: str = ""
    took_s: float = 0.0
    rivals: tuple[str, ...] = ()
    """Tools whose phrases fit about equally well, where nothing was understood because of that."""


class Agents:
    """The phrasebooks of an agent and of those it may pass a turn to.

    Args:
        name: for complaints.
        definition: of the agent.
    """

    def __init__(self, name: str, definition: "AgentDefinition") -> None:
        self.name = name
        self.language = definition.language
        self.books: list[Phrasebook] = list(_books(definition.build(), set()))
        self.tools: dict[str, Tool] = {}
        for book in self.books:
            self.tools |= {tool.name: tool for tool in book.tools}
        if not self.tools:
            raise UsageError(f"{name} has no tools, so it understands nothing without a model.")

    def languages(self) -> list[str]:
        """Those it has phrases in."""
        return sorted({language for tool in self.tools.values() for language in tool.phrases})

    def match(self, text: str, language: str) -> "PhraseMatch | None":
        """What a text is understood as; `None` when it is nothing, or something to two agents."""
        found = [match for book in self.books if (match := book.match(text, language)) is not None]
        return found[0] if len(found) == 1 else None

    def warm(self, languages: Iterable[str]) -> None:
        """Compile the phrases, so that no sentence pays for it.

        Raises:
            ToolDefinitionError: a phrase cannot be read.
        """
        for book in self.books:
            for language in languages:
                book.warm(language)

    def rivals(self, text: str, language: str) -> tuple[str, ...]:
        """The tools whose phrases fit a text about equally well, if there are two."""
        names = {reading.tool_name for book in self.books for reading in book.matcher(language).readings(text)}
        return tuple(sorted(names)) if len(names) > 1 else ()

    def is_called(self, tool: str, parameter: str, name: Any, value: Any, language: str) -> bool:
        """Whether a name means a value of a parameter: *Tokio* in German is the city of Tokyo."""
        for book in self.books:
            matcher = book.matcher(language)
            wanted = matcher.reader.normal(str(name))
            if any(words == wanted and _same(value, meant) for words, meant in matcher.names(tool, parameter)):
                return True
        return False

    def overlaps(self, languages: Iterable[str]) -> list[str]:
        """Sentences that are phrases of two tools."""
        found: dict[str, None] = {}
        for book in self.books:
            for language in languages:
                for said, other in book.matcher(language).overlaps():
                    found.setdefault(f"“{said}” ({language}) is also a phrase of {other.tool_name}")
        return list(found)


def judge(agents: Agents, rows: Sequence[Row]) -> list[Judged]:
    """Say every sentence to an agent.

    Raises:
        UsageError: a line names a tool that the agent does not have.
        ToolDefinitionError: a phrase cannot be read.
    """
    for row in rows:
        _check(agents, row)
    agents.warm({row.language or agents.language for row in rows})
    return [_judged(agents, row) for row in rows]


def _judged(agents: Agents, row: Row) -> Judged:
    language = row.language or agents.language
    began = time.perf_counter()
    match = agents.match(row.text, language)
    took = time.perf_counter() - began
    verdict = _verdict(row.expected, match, agents, language)
    rivals = agents.rivals(row.text, language) if match is None else ()
    return Judged(row=row, verdict=verdict, understood=_shown(match), took_s=took, rivals=rivals)


def _check(agents: Agents, row: Row) -> None:
    for expected in row.expected:
        if expected.tool not in agents.tools:
            hint = nearest(expected.tool, agents.tools)
            raise UsageError(f"Line {row.line}: {agents.name} has no tool '{expected.tool}'{hint}.")


def _verdict(expected: Sequence[Expected], match: "PhraseMatch | None", agents: Agents, language: str) -> Verdict:
    if match is None:
        return Verdict.MISSED if expected else Verdict.QUIET
    if not expected:
        return Verdict.FALSE
    fits = len(match.chain) == len(expected) and all(
        wanted.tool == got.tool_name and _same_arguments(wanted, got.arguments, agents, language)
        for wanted, got in zip(expected, match.chain, strict=True)
    )
    return Verdict.RIGHT if fits else Verdict.WRONG


def _same_arguments(expected: Expected, got: Mapping[str, Any], agents: Agents, language: str) -> bool:
    """Compare arguments; one that the table leaves out is not compared where the tool has a default."""
    wanted, tool = expected.arguments, agents.tools[expected.tool]
    for parameter in tool.signature.parameters:
        name = parameter.name
        if name not in wanted:
            if parameter.required and name in got:
                return False
            continue
        value = got.get(name, parameter.default)
        if not _same(wanted[name], value) and not agents.is_called(tool.name, name, wanted[name], value, language):
            return False
    return set(wanted) <= {parameter.name for parameter in tool.signature.parameters}


def _same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return abs(wanted - got) <= _CLOSE * max(1.0, abs(wanted))
    if isinstance(wanted, list):
        return wanted == got
    return " ".join(str(wanted).split()).casefold() == " ".join(str(got).split()).casefold()


def _shown(match: "PhraseMatch | None") -> str:
    if match is None:
        return ""
    return " + ".join(
        f"{call.tool_name}({', '.join(f'{name}={value}' for name, value in call.arguments.items())})"
        for call in match.chain
    )


def _books(agent: Any, seen: set[int]) -> "Iterator[Phrasebook]":
    if id(agent) in seen:
        return
    seen.add(id(agent))
    book = getattr(agent, "phrasebook", None)
    if book is not None:
        yield book
    for child in getattr(agent, "children", ()):
        yield from _books(child, seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Counts of one part, and what follows from them."""

    counts: Mapping[Verdict, int]
    times_s: Sequence[float] = field(default_factory=list[float], repr=False)

    @classmethod
    def of(cls, judged: Iterable[Judged]) -> "Figures":
        """Count."""
        listed = list(judged)
        counts = {verdict: sum(each.verdict is verdict for each in listed) for verdict in Verdict}
        return cls(counts=counts, times_s=[each.took_s for each in listed])

    @property
    def commands(self) -> int:
        """Sentences that are commands."""
        return sum(self.counts[each] for each in (Verdict.RIGHT, Verdict.MISSED, Verdict.WRONG))

    @property
    def others(self) -> int:
        """Sentences that are none."""
        return self.counts[Verdict.FALSE] + self.counts[Verdict.QUIET]

    @property
    def coverage(self) -> float:
        """How many of the commands were understood right, percent; 100 when there is none."""
        return 100.0 * self.counts[Verdict.RIGHT] / self.commands if self.commands else 100.0

    @property
    def precision(self) -> float:
        """How many of the matches were right, percent; 100 when there is none."""
        matched = sum(self.counts[each] for each in (Verdict.RIGHT, Verdict.WRONG, Verdict.FALSE))
        return 100.0 * self.counts[Verdict.RIGHT] / matched if matched else 100.0

    @property
    def median_ms(self) -> float:
        """Milliseconds that half of the sentences took at most."""
        return 1000 * statistics.median(self.times_s) if self.times_s else 0.0

    @property
    def p95_ms(self) -> float:
        """Milliseconds that 95 of 100 sentences took at most."""
        ordered = sorted(self.times_s)
        return 1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0
