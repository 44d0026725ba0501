"""Spoken commands to tool calls, without a model.

An utterance is matched whole: first word for word, then by sound. What is negated, asked, reported or joined to a
second command is not a match, and neither is anything ambiguous: those go to the model. `match` never raises.
"""

import itertools
import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.intents.exact import Candidate, ExactMatcher
from edgevox.intents.fuzzy import FuzzyMatcher
from edgevox.intents.lexicons import for_language
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.samples import sentences
from edgevox.intents.templates import Template, TemplateCompiler, phrases_of
from edgevox.intents.tokens import Reader, Token
from edgevox.tools.decorator import as_tool

log = logging.getLogger(__name__)

SURE = 0.8
"""Score from which a match by sound counts."""
MARGIN = 0.06
"""How much better the best reading must be than the next that means something else."""
LONGEST = 60
"""Words; a longer utterance is no command."""
_WORD_LENGTH = 12
"""Characters, spaces included; what is longer than this many for each word is not even read."""
_REPEATED = 3
"""Words that a stumble repeats at most."""


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
        self._edges = _Edges(self._lexicon, self._reader)
        self._passes: tuple[ExactMatcher, FuzzyMatcher] | None = None
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Do now what the first match would do."""
        if self._templates:
            self._reader.warm()
            self.match(" ".join(self.examples(limit=1)) or "warm")

    def match(self, text: str) -> PhraseMatch | None:
        """Return the one call that `text` asks for; `None` when there is none, or more than one reading."""
        if not self._templates or len(text) > LONGEST * _WORD_LENGTH:
            return None
        try:
            tokens = self._reader.tokens(text)
            chosen = self._chosen(tokens) if 0 < len(tokens) <= LONGEST else None
        except Exception:  # a fault here must cost the shortcut, not the turn: the model is asked instead
            log.exception("matching phrases failed")
            return None
        if chosen is None:
            return None
        return PhraseMatch(tool_name=chosen.tool, arguments=chosen.arguments, score=round(chosen.score, 3), text=text)

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
        exact, fuzzy = self._compiled()
        found: list[Candidate] = []
        for reading in self._readings(tokens):
            candidates = self._complete(exact.match(reading))
            if any(candidate.free_words == 0 for candidate in candidates):
                found = candidates
                break
            found = found or candidates
        if found:
            return self._single(_surest(found))
        calm = self._edges.calm(tokens)
        stripped = _without_stumbles(self._edges.strip(calm))
        by_sound = fuzzy.match(stripped) or (fuzzy.match(calm) if len(calm) != len(stripped) else [])
        return self._single(_clearest(self._complete(by_sound)))

    def _readings(self, tokens: Sequence[Token]) -> Iterable[Sequence[Token]]:
        """Yield what may have been meant, the most literal first."""
        calm = self._edges.calm(tokens)
        stripped = self._edges.strip(calm)
        seen: set[tuple[str, ...]] = set()
        for reading in (self._edges.courteous(calm), calm, stripped, _without_stumbles(stripped)):
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


class _Edges:
    """Takes away what people say around a command and what they say while they think."""

    def __init__(self, lexicon: Lexicon, reader: Reader) -> None:
        self._openings = _normal(lexicon.openings, reader)
        self._closings = _normal(lexicon.closings, reader)
        self._courtesies = _normal(lexicon.courtesies, reader)
        self._hesitations = lexicon.hesitations

    def calm(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave hesitations out."""
        return [token for token in tokens if token.word not in self._hesitations]

    def strip(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave polite openings and closings out, and hesitations too."""
        return _stripped(self.calm(tokens), self._openings, self._closings)

    def courteous(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave out openings, and only those closings that are never part of a text that is to be kept."""
        return _stripped(tokens, self._openings, self._courtesies)


def _stripped(
    tokens: Sequence[Token], openings: Sequence[tuple[str, ...]], closings: Sequence[tuple[str, ...]]
) -> list[Token]:
    kept = list(tokens)
    changed = True
    while changed:
        words = tuple(token.word for token in kept)
        opening = next((p for p in openings if words[: len(p)] == p and len(words) > len(p)), ())
        rest = words[len(opening) :]
        closing = next((p for p in closings if rest[-len(p) :] == p and len(rest) > len(p)), ())
        kept = kept[len(opening) : len(kept) - len(closing)]
        changed = bool(opening or closing)
    return kept


def _normal(phrases: Iterable[Sequence[str]], reader: Reader) -> list[tuple[str, ...]]:
    read = {tuple(token.word for token in reader.tokens(" ".join(phrase))) for phrase in phrases}
    return sorted((phrase for phrase in read if phrase), key=len, reverse=True)


def _without_stumbles(tokens: Sequence[Token]) -> list[Token]:
    """Say repeated words once: *turn on turn on the the light*."""
    kept = list(tokens)
    for length in range(_REPEATED, 0, -1):
        index = 0
        while index + 2 * length <= len(kept):
            first = [token.word for token in kept[index : index + length]]
            again = [token.word for token in kept[index + length : index + 2 * length]]
            if first == again and not any(token.number is not None for token in kept[index : index + length]):
                del kept[index : index + length]
            else:
                index += 1
    return kept


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
