"""Spoken commands to tool calls, without a model.

An utterance is matched whole: first word for word, then by sound. What is negated, asked, reported or joined to a
second command is not a match, and neither is anything ambiguous: those go to the model. `match` never raises.
"""

import itertools
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from edgevox.intents.edges import edges_of, without_stumbles
from edgevox.intents.exact import Candidate, ExactMatcher
from edgevox.intents.fuzzy import FuzzyMatcher
from edgevox.intents.gaps import Gap, GapMatcher
from edgevox.intents.lexicons import for_language
from edgevox.intents.samples import sentences, wordings
from edgevox.intents.templates import Template, TemplateCompiler, phrases_of
from edgevox.intents.tokens import Reader, Token
from edgevox.tools.decorator import as_tool

log = logging.getLogger(__name__)

Found = TypeVar("Found")

SURE = 0.8
"""Score from which a match by sound counts."""
MARGIN = 0.06
"""How much better the best reading must be than the next that means something else."""
LONGEST = 60
"""Words; a longer utterance is no command."""
_WORD_LENGTH = 12
"""Characters, spaces included; what is longer than this many for each word is not even read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseMatch:
    """A tool call that an utterance asks for."""

    tool_name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    """As `ToolRegistry.dispatch` takes them; what was not said is left to the defaults."""
    score: float
    """1 for a match word for word, less for one by sound."""
    text: str
    """What was said."""
    then: "tuple[PhraseMatch, ...]" = ()
    """What it asks for after that, in the same sentence."""

    @property
    def chain(self) -> "tuple[PhraseMatch, ...]":
        """Every call in order, each alone."""
        return (replace(self, then=()), *self.then) if self.then else (self,)


class PhraseMatcher:
    """Matches utterances against the phrases of tools. Safe from any thread.

    Compiles on the first match, or when `warm` is called; mistakes in phrases are found at once.

    Args:
        tools: whatever `as_tool` takes; those without phrases in the language are skipped.
        language: `en`, `de-AT`, …; phrases of the base language stand in.
        extra: how values are said: `{parameter: names}` or `{"tool.parameter": names}`, where names are a mapping from
            value to words, a list, or a callable that returns one of these.

    Raises:
        ToolDefinitionError: names the tool, the phrase and what is wrong with it.
    """

    def __init__(self, tools: Iterable[Any], *, language: str = "en", extra: Mapping[str, Any] | None = None) -> None:
        self.language = language
        self._lexicon = for_language(language)
        self._reader = Reader(self._lexicon)
        self._tools = {tool.name: tool for tool in map(as_tool, tools)}
        compiler = TemplateCompiler(self._lexicon, self._reader, extra or {})
        self._templates = [
            compiler.compile(tool, text) for tool in self._tools.values() for text in phrases_of(tool, language)
        ]
        self._verbs = {v.parts[0] for t in self._templates for v in t.variants if isinstance(v.parts[0], str)}
        self._verbs -= self._lexicon.light
        self._edges = edges_of(self._lexicon, self._reader)
        self._passes: tuple[ExactMatcher, FuzzyMatcher] | None = None
        self._gaps: GapMatcher | None = None
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Do now what the first match would do."""
        if self._templates:
            self._reader.warm()
            self.match(" ".join(self.examples(limit=1)) or "warm")

    def match(self, text: str) -> PhraseMatch | None:
        """Return the one call that `text` asks for; `None` when there is none, or more than one reading."""
        chosen = self._guarded(self._chosen, text)
        return self._made(chosen, text) if chosen is not None else None

    def readings(self, text: str) -> list[PhraseMatch]:
        """Return the calls that `text` may ask for about equally well: none, one, or those that tie."""
        found = self._guarded(lambda tokens: _tied(*self._candidates(tokens)), text) or []
        return [self._made(candidate, text) for candidate in found]

    def gaps(self, text: str) -> list[Gap]:
        """Return the calls of which `text` says all but one thing that they need, best first."""
        return self._guarded(lambda tokens: self._gap_matcher().match(self._edges.strip(tokens)), text) or []

    def names(self, tool: str, parameter: str) -> list[tuple[str, Any]]:
        """Return how the values of a parameter are said, as utterances are compared, each with its value."""
        slots = (slot for t in self._templates if t.tool.name == tool for slot in t.slots)
        found = next((slot for slot in slots if slot.parameter == parameter), None)
        return list(found.current(self._reader)) if found is not None else []

    def phrases(self) -> dict[str, list[tuple[str, str]]]:
        """Return the phrases of each tool as they were written, each with a sentence that fits it."""
        by_tool: dict[str, list[tuple[str, str]]] = {}
        for template, said in zip(self._templates, sentences(self._templates, self._reader), strict=True):
            by_tool.setdefault(template.tool.name, []).append((template.text, said))
        return by_tool

    def overlaps(self, limit: int = 12) -> list[tuple[str, PhraseMatch]]:
        """Return sentences that are phrases of two tools, each with a call of the other tool.

        Args:
            limit: wordings that are tried for each phrase.
        """
        return [
            (said, reading)
            for template in self._templates
            for said in wordings(template, self._reader, limit)
            for reading in self.readings(said)
            if reading.tool_name != template.tool.name
        ]

    @property
    def templates(self) -> tuple[Template, ...]:
        """The phrases as they were compiled."""
        return tuple(self._templates)

    @property
    def reader(self) -> Reader:
        """Of the language."""
        return self._reader

    def _guarded(self, look: Callable[[list[Token]], Found | None], text: str) -> Found | None:
        """Look at the words of a text, if there are neither none nor too many."""
        if not self._templates or len(text) > LONGEST * _WORD_LENGTH:
            return None
        try:
            tokens = self._reader.tokens(text)
            return look(tokens) if 0 < len(tokens) <= LONGEST else None
        except Exception:  # a fault here must cost the shortcut, not the turn: the model is asked instead
            log.exception("matching phrases failed")
            return None

    def _made(self, candidate: Candidate, text: str) -> PhraseMatch:
        score = round(candidate.score, 3)
        return PhraseMatch(tool_name=candidate.tool, arguments=candidate.arguments, score=score, text=text)

    def examples(self, limit: int = 8) -> list[str]:
        """Return sentences that are understood, taking the tools in turn.

        Args:
            limit: how many.
        """
        by_tool: dict[str, list[Template]] = {}
        for template in self._templates:
            by_tool.setdefault(template.tool.name, []).append(template)
        said = [sentences(templates, self._reader) for templates in by_tool.values()]
        in_turn = (sentence for row in itertools.zip_longest(*said) for sentence in row if sentence)
        return list(itertools.islice(dict.fromkeys(in_turn), limit))

    def _chosen(self, tokens: Sequence[Token]) -> Candidate | None:
        found, exact = self._candidates(tokens)
        if not found:
            return None
        return self._single(_surest(found) if exact else _clearest(found))

    def _candidates(self, tokens: Sequence[Token]) -> tuple[list[Candidate], bool]:
        """Return the readings of an utterance, best first, and whether they fit word for word."""
        exact, fuzzy = self._compiled()
        found: list[Candidate] = []
        for reading in self._readings(tokens):
            candidates = self._complete(exact.match(reading))
            if any(candidate.free_words == 0 for candidate in candidates):
                found = candidates
                break
            found = found or candidates
        if found:
            return found, True
        calm = self._edges.calm(tokens)
        stripped = without_stumbles(self._edges.strip(calm))
        by_sound = fuzzy.match(stripped) or (fuzzy.match(calm) if len(calm) != len(stripped) else [])
        return self._complete(by_sound), False

    def _readings(self, tokens: Sequence[Token]) -> Iterable[Sequence[Token]]:
        """Yield what may have been meant, the most literal first."""
        calm = self._edges.calm(tokens)
        stripped = self._edges.strip(calm)
        seen: set[tuple[str, ...]] = set()
        for reading in (self._edges.courteous(calm), calm, stripped, without_stumbles(stripped)):
            words = tuple(token.word for token in reading)
            if words and words not in seen:
                seen.add(words)
                yield reading

    def _single(self, candidate: Candidate | None) -> Candidate | None:
        """Refuse a text slot that seems to hold a second command."""
        if candidate is None or candidate.free_words == 0:
            return candidate
        for value in candidate.arguments.values():
            words = self._reader.normal(value).split() if isinstance(value, str) else []
            for word, following in itertools.pairwise(words):
                if word in self._lexicon.conjunctions and following in self._verbs:
                    return None
        return candidate

    def _complete(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Keep the candidates whose tools may run and have what they need."""
        return [candidate for candidate in candidates if self._runs(candidate)]

    def _runs(self, candidate: Candidate) -> bool:
        tool = self._tools[candidate.tool]
        return tool.active and all(
            parameter.name in candidate.arguments for parameter in tool.signature.parameters if parameter.required
        )

    def _compiled(self) -> tuple[ExactMatcher, FuzzyMatcher]:
        with self._lock:
            if self._passes is None:
                self._passes = (
                    ExactMatcher(self._templates, self._reader, self._lexicon.code),
                    FuzzyMatcher(self._templates, self._reader, self._lexicon),
                )
            return self._passes

    def _gap_matcher(self) -> GapMatcher:
        with self._lock:
            if self._gaps is None:
                self._gaps = GapMatcher(self._templates, self._reader, self._lexicon)
            return self._gaps


def _tied(candidates: Sequence[Candidate], exact: bool) -> list[Candidate]:
    """Return the readings among which nothing decides; one, if it is clearly the best."""
    if not candidates:
        return []
    if exact:
        fewest = min(candidate.free_words for candidate in candidates)
        best = [candidate for candidate in candidates if candidate.free_words == fewest]
    else:
        top = candidates[0].score
        best = [c for c in candidates if c.score >= SURE and top - c.score < MARGIN]
    return list({candidate.meaning: candidate for candidate in best}.values())


def _surest(candidates: Sequence[Candidate]) -> Candidate | None:
    """Choose among exact readings: the one with the fewest free words, unless two that differ have as few."""
    fewest = min(candidate.free_words for candidate in candidates)
    best = [candidate for candidate in candidates if candidate.free_words == fewest]
    if len({candidate.tool for candidate in best}) > 1:
        return None
    if fewest == 0 and len({candidate.meaning for candidate in best}) > 1:
        return _fullest(best)
    return best[0]


def _fullest(candidates: Sequence[Candidate]) -> Candidate | None:
    """Choose the reading that used more of what was said, if it is the only one that did."""
    most = max(len(candidate.arguments) for candidate in candidates)
    fullest = {c.meaning: c for c in candidates if len(c.arguments) == most}
    return next(iter(fullest.values())) if len(fullest) == 1 else None


def _clearest(candidates: Sequence[Candidate]) -> Candidate | None:
    """Choose among readings by sound: the best, if it is good and clearly better than any that means something else."""
    if not candidates or candidates[0].score < SURE:
        return None
    if len(candidates) > 1 and candidates[0].score - candidates[1].score < MARGIN:
        return None
    return candidates[0]
