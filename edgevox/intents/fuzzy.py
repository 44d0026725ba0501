"""The second pass: templates that fit by sound, for words that recognition got slightly wrong.

Aligns an utterance with each wording of each template. A word may stand for one that sounds like it, small words may
come and go, and names may be slightly off. Everything else must be there: a missing or additional word of weight, a
negation, a question or a word like *off* rules a template out, whatever the rest looks like.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import process

from edgevox.intents.exact import Candidate
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.sound import likeness
from edgevox.intents.synonyms import synonyms
from edgevox.intents.templates import Template, Variant
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.values import is_read, values_at

WORD_LIKENESS = 0.65
"""Below this, a word does not stand for another: *drive* and *live* are at 0.67, *light* and *fan* at 0.25."""
SMALL_LIKENESS = 0.85
"""The same for a small word: *hearted* is no *here*."""
NAMED_LIKENESS = 0.85
"""The same for a word of a name, such as a room's: only inflections of it may stand for another."""
_KNOWN_COST = 2.0
"""How much dearer it is to take a word that some template knows for another."""
_OPPOSITE = re.compile("un|dis|de|in|non|mis|re|ent|dés|des|ver")
"""What turns a word into its opposite: *unlock* is never a misheard *lock*."""
NAME_LIKENESS = 0.76
NAME_WORD_LIKENESS = 0.6
"""Below this, a word of a name of several is another word: *good evening* is no *good morning*."""
NAME_MARGIN = 0.06
"""How much surer the best name must be than the second."""
BUDGET = 0.75
"""The most that an alignment may cost; two words that are a third off are 0.7."""
LONGEST = 24
"""Words; longer utterances are no commands."""

_SMALL = 0.1
_HOMOPHONE = 0.15
_SYNONYM = 0.25
_JOINED = 0.1
_NAME_WEIGHT = 1.5
_GUARD_WEIGHT = 0.25


_SMALL_WEIGHT = 0.25
_NAME_WORDS = 5
_NEVER = 99.0

_Arguments = tuple[tuple[str, Any], ...]


@dataclass(slots=True)
class _Cell:
    """The cheapest way to one place of the alignment."""

    cost: float = _NEVER
    arguments: _Arguments = ()
    free: int = 0


@dataclass(slots=True)
class _Heard:
    """An utterance with what was found out about it."""

    tokens: Sequence[Token]
    near: list[Mapping[str, float]]
    """For each word, the cost of letting it stand for each word of the templates."""
    reachable: frozenset[str]
    names: dict[tuple[str, int, int], tuple[float, Any] | None] = field(
        default_factory=dict[tuple[str, int, int], "tuple[float, Any] | None"]
    )
    values: dict[str, tuple[tuple[str, Any], ...]] = field(default_factory=dict[str, "tuple[tuple[str, Any], ...]"])
    """The names of each slot, asked for once."""


class FuzzyMatcher:
    """Matches whole utterances by sound.

    Args:
        templates: compiled phrases.
        reader: of their language.
        lexicon: of their language.
    """

    def __init__(self, templates: Iterable[Template], reader: Reader, lexicon: Lexicon) -> None:
        self._reader = reader
        self._lexicon = lexicon
        self._synonyms = synonyms(lexicon.code)
        self._variants = [variant for template in templates for variant in template.variants]
        self._needed = [variant.words - lexicon.light for variant in self._variants]
        vocabulary = {word for variant in self._variants for word in variant.words}
        self._vocabulary = sorted(vocabulary)
        slots = {part.key: part for variant in self._variants for part in variant.parts if isinstance(part, Slot)}
        self._words = vocabulary
        self._name_words = {word for slot in slots.values() for name, _ in slot.values for word in name.split()}
        self._near: dict[str, Mapping[str, float]] = {}

    def match(self, tokens: Sequence[Token]) -> list[Candidate]:
        """Return the ways in which the whole of `tokens` fits templates by sound, best first."""
        if not tokens or len(tokens) > LONGEST:
            return []
        near = [self._costs(token.word) for token in tokens]
        reachable = frozenset(word for costs in near for word in costs) | self._joined(tokens)
        heard = _Heard(tokens, near, reachable)
        found: dict[tuple[str, str], Candidate] = {}
        for variant, needed in zip(self._variants, self._needed, strict=True):
            candidate = self._aligned(variant, heard) if needed <= reachable else None
            if candidate and candidate.score > getattr(found.get(candidate.meaning), "score", 0.0):
                found[candidate.meaning] = candidate
        return sorted(found.values(), key=lambda candidate: -candidate.score)

    def _costs(self, word: str) -> Mapping[str, float]:
        """Return what it costs to let a heard word stand for each word of the templates that it can stand for."""
        known = self._near.get(word)
        if known is None:
            if len(self._near) > 4096:
                self._near.clear()
            known = self._near[word] = self._computed_costs(word)
        return known

    def _computed_costs(self, word: str) -> Mapping[str, float]:
        costs = {other: _SYNONYM for other in self._synonyms.get(word, ()) if other in self._words}
        costs |= {other: _HOMOPHONE for other in self._lexicon.homophones.get(word, ()) if other in self._words}
        if word in self._lexicon.guards:
            return costs | {word: 0.0}
        if word in self._lexicon.distinct:
            return {**costs, word: 0.0} if word in self._words else costs
        least = NAMED_LIKENESS if word in self._name_words else WORD_LIKENESS
        factor = _KNOWN_COST if word in self._words else 1.0
        for other in self._vocabulary:
            alike = 1.0 if other == word else self._alike(word, other)
            if alike >= (max(least, SMALL_LIKENESS) if other in self._lexicon.light else least):
                costs[other] = min(costs.get(other, _NEVER), (1.0 - alike) * factor)
        return costs

    def _joined(self, tokens: Sequence[Token]) -> frozenset[str]:
        """Return the words of templates that are heard as two, or two as one."""
        pairs = {one.word + other.word for one, other in itertools.pairwise(tokens)}
        halves = {
            half
            for token in tokens
            for cut in range(2, len(token.word) - 1)
            for half in (token.word[:cut], token.word[cut:])
            if token.word[:cut] in self._words and token.word[cut:] in self._words
        }
        return frozenset((pairs & self._words) | halves)

    def _alike(self, word: str, other: str) -> float:
        if other in self._lexicon.guards or abs(len(word) - len(other)) > 3 or _numeric(word, other):
            return 0.0
        longer, shorter = (word, other) if len(word) > len(other) else (other, word)
        if longer.endswith(shorter) and _OPPOSITE.fullmatch(longer[: -len(shorter)]):
            return 0.0
        return likeness(word, other, english=self._lexicon.english_sounds)

    def _aligned(self, variant: Variant, heard: _Heard) -> Candidate | None:
        """Find the cheapest alignment of one wording."""
        parts, tokens = variant.parts, heard.tokens
        rows = [[_Cell() for _ in range(len(parts) + 1)] for _ in range(len(tokens) + 1)]
        rows[0][0].cost = 0.0
        for i in range(len(tokens) + 1):
            for j in range(len(parts) + 1):
                if rows[i][j].cost <= BUDGET:
                    self._step(rows, i, j, parts, heard)
        last = rows[-1][-1]
        if last.cost > BUDGET:
            return None
        weight = sum(self._weight(part) for part in parts)
        score = 1.0 - last.cost / max(weight, 1.0)
        return Candidate(tool=variant.tool, arguments=dict(last.arguments), score=score, free_words=last.free)

    def _weight(self, part: str | Slot) -> float:
        if isinstance(part, Slot):
            return 0.0 if part.kind is SlotKind.FREE else _NAME_WEIGHT
        if part in self._lexicon.guards:
            return _GUARD_WEIGHT
        return _SMALL_WEIGHT if part in self._lexicon.light else 1.0

    def _step(self, rows: list[list[_Cell]], i: int, j: int, parts: Sequence[str | Slot], heard: _Heard) -> None:
        """Go on from one place of the alignment to those that follow from it."""
        here = rows[i][j]
        part = parts[j] if j < len(parts) else None
        light = self._lexicon.light
        if i < len(heard.tokens) and heard.tokens[i].word in light:
            _reach(rows[i + 1][j], here, _SMALL)
        if isinstance(part, Slot):
            for taken, cost, value in self._fillings(part, i, heard):
                free = taken if part.kind is SlotKind.FREE else 0
                _reach(rows[i + taken][j + 1], here, cost, ((part.parameter, value),), free)
        elif part is not None:
            if part in light and not _ends_free_words(parts, j):
                _reach(rows[i][j + 1], here, _SMALL)
            if i < len(heard.tokens):
                _reach(rows[i + 1][j + 1], here, heard.near[i].get(part, _NEVER))
                self._join(rows, i, j, parts, heard)

    def _join(self, rows: list[list[_Cell]], i: int, j: int, parts: Sequence[str | Slot], heard: _Heard) -> None:
        """Let two heard words be one (*thermo stat*), or one be two (*turnon*)."""
        here, part = rows[i][j], parts[j]
        words = heard.tokens
        if i + 1 < len(words) and words[i].word + words[i + 1].word == part:
            _reach(rows[i + 2][j + 1], here, _JOINED)
        following = parts[j + 1] if j + 1 < len(parts) else None
        if isinstance(part, str) and isinstance(following, str) and words[i].word == part + following:
            _reach(rows[i + 1][j + 2], here, _JOINED)

    def _fillings(self, slot: Slot, i: int, heard: _Heard) -> list[tuple[int, float, Any]]:
        """Return how a slot can be filled from word `i` on: words taken, cost, value."""
        tokens = heard.tokens
        if is_read(slot):
            read = values_at(slot, tokens, i, self._reader) if i < len(tokens) else []
            return [(taken, 0.0, value) for taken, _, value in read]
        longest = min(_NAME_WORDS if slot.kind is not SlotKind.FREE else LONGEST, len(tokens) - i)
        filled: list[tuple[int, float, Any]] = []
        for taken in range(1, longest + 1):
            if slot.kind is SlotKind.FREE:
                said = " ".join(token.said for token in tokens[i : i + taken] if token.said)
                filled.append((taken, 0.0, said))
            else:
                named = self._named(slot, i, taken, heard)
                if named is not None:
                    filled.append((taken, *named))
        return filled

    def _named(self, slot: Slot, i: int, taken: int, heard: _Heard) -> tuple[float, Any] | None:
        key = (slot.key, i, taken)
        if key not in heard.names:
            words = [token.word for token in heard.tokens[i : i + taken]]
            heard.names[key] = (
                self._switched(slot, words) if slot.kind is SlotKind.SWITCH else self._closest(slot, words, heard)
            )
        return heard.names[key]

    def _switched(self, slot: Slot, words: Sequence[str]) -> tuple[float, Any] | None:
        """Read a switch; only what is written exactly, or sounds exactly like it, is one."""
        values = dict(slot.values)
        said = " ".join(words)
        if said in values:
            return 0.0, values[said]
        for meant in self._lexicon.homophones.get(said, ()):
            if meant in values:
                return _HOMOPHONE, values[meant]
        return None

    def _closest(self, slot: Slot, words: Sequence[str], heard: _Heard) -> tuple[float, Any] | None:
        """Find the name that was meant, if one is clearly nearer than every other."""
        values = heard.values.get(slot.key)
        if values is None:
            values = heard.values[slot.key] = slot.current(self._reader)
        said = " ".join(words)
        named = {repr(value): value for name, value in values if name == said}
        if named:
            return (0.0, next(iter(named.values()))) if len(named) == 1 else None
        if self._lexicon.guards.intersection(words) or self._lexicon.distinct.intersection(words):
            return None
        best = process.extract(said, [name for name, _ in values], scorer=self._name_likeness, limit=3)
        if not best or best[0][1] < NAME_LIKENESS:
            return None
        value = values[best[0][2]][1]
        rivals = [score for _, score, index in best[1:] if values[index][1] != value]
        if rivals and best[0][1] - rivals[0] < NAME_MARGIN:
            return None
        return (1.0 - best[0][1]) * _NAME_WEIGHT, value

    def _alike_in_name(self, word: str, other: str) -> float:
        return likeness(word, other, english=self._lexicon.english_sounds)

    def _name_likeness(self, said: str, name: str, **_: Any) -> float:
        if any(word.isdigit() for word in (*said.split(), *name.split())) and _digits(said) != _digits(name):
            return 0.0
        if said.replace(" ", "") == name.replace(" ", ""):
            return 0.97
        words, named = said.split(), name.split()
        if len(words) == len(named) > 1 and min(map(self._alike_in_name, words, named)) < NAME_WORD_LIKENESS:
            return 0.0
        return likeness(said, name, english=self._lexicon.english_sounds)


def _ends_free_words(parts: Sequence[str | Slot], j: int) -> bool:
    """Whether a small word is what tells where a slot for any words begins or ends."""
    beside = (*parts[max(0, j - 1) : j], *parts[j + 1 : j + 2])
    return any(isinstance(part, Slot) and part.kind is SlotKind.FREE for part in beside)


def _numeric(word: str, other: str) -> bool:
    return word[-1:].isdigit() or other[-1:].isdigit()


def _digits(words: str) -> list[str]:
    return [word for word in words.split() if word.isdigit()]


def _reach(cell: _Cell, before: _Cell, cost: float, arguments: _Arguments = (), free: int = 0) -> None:
    """Note a way to a place, if it is the cheapest so far."""
    total = before.cost + cost
    if total < cell.cost:
        cell.cost = total
        cell.arguments = before.arguments + arguments
        cell.free = before.free + free
