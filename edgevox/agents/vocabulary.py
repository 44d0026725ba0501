"""Accounts for every word of a short sentence as one tool would understand it: values, words of its phrases, pointers.

What is left over makes the sentence something else. Knows one tool at a time; does not know the conversation.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from edgevox.agents.pointers import pointers_of
from edgevox.core.errors import ToolDefinitionError
from edgevox.intents.changes import Change
from edgevox.intents.lexicons import for_language
from edgevox.intents.matcher import PhraseMatcher
from edgevox.intents.slots import Slot, SlotKind, build_slot
from edgevox.intents.templates import Template
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.values import is_read, names_at, values_at
from edgevox.tools import Tool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What one tool understands."""

    tool: Tool
    slots: tuple[Slot, ...]
    free: tuple[str, ...]
    """Parameters that take any words."""
    verbatim: tuple[str, ...]
    """Parameters whose words are kept with their signs."""
    words: frozenset[str]
    """Fixed words of its phrases, without those that refuse."""

    @property
    def required(self) -> tuple[str, ...]:
        """Parameters without which it cannot be called."""
        return tuple(p.name for p in self.tool.signature.parameters if p.required)

    def slot(self, parameter: str) -> Slot | None:
        """The slot of a parameter, as its values are told."""
        return next((s for s in self.slots if s.parameter == parameter and s.kind is not SlotKind.CHANGE), None)


@dataclass(slots=True)
class Explained:
    """What the words of a sentence came to for one tool."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    measured: bool = False
    """Whether a value is more than a bare number."""
    points_back: bool = False
    repeats: bool = False
    corrects: bool = False

    @property
    def refers(self) -> bool:
        """Whether something in it refers to what was said before."""
        return self.points_back or self.repeats or self.corrects


class Explainer:
    """The vocabularies of the tools that a matcher knows, in its language.

    Args:
        matcher: with the phrases.
    """

    def __init__(self, matcher: PhraseMatcher) -> None:
        self.language = matcher.language
        self.reader: Reader = matcher.reader
        self.lexicon = lexicon = for_language(self.language)
        self._pointers = pointers_of(self.language)
        small = {*lexicon.light, *lexicon.hesitations, *self._pointers.small}
        self._small = {word for said in small for word in (said, self.reader.normal(said))}
        by_tool: dict[str, list[Template]] = {}
        for template in matcher.templates:
            by_tool.setdefault(template.tool.name, []).append(template)
        self.known: Mapping[str, Vocabulary] = {name: self._vocabulary(each) for name, each in by_tool.items()}

    def tokens(self, text: str) -> list[Token]:
        """Read a sentence, with pointers that are written into a verb set apart."""
        written_out = self._pointers.written_out
        if written_out:
            words = [(word, word.strip(".,!?¡¿").casefold()) for word in text.split()]
            text = " ".join(written_out.get(plain, word) for word, plain in words)
        return self.reader.tokens(text)

    def explain(self, text: str, name: str) -> Explained | None:
        """Account for every word; `None` when one is left over.

        Args:
            text: what was said.
            name: of the tool.
        """
        vocabulary = self.known.get(name)
        tokens = self.tokens(text)
        if vocabulary is None or not vocabulary.tool.active or not tokens:
            return None
        explained, index = Explained(), self._correction(text, tokens)
        explained.corrects = index > 0
        while index < len(tokens):
            taken = self._take(tokens, index, vocabulary, explained)
            if taken == 0:
                return None
            index += taken
        return explained

    def _correction(self, text: str, tokens: Sequence[Token]) -> int:
        """How many words at the beginning say that the last call was not what was meant."""
        length = self.reader.longest_at(tokens, 0, self._pointers.corrects)
        if length == 0 and self._pointers.corrects_before_comma:
            begins = re.match(rf"\W*({self._pointers.corrects_before_comma})\s*[,;.!:–—-]", text, re.IGNORECASE)
            length = len(self.reader.tokens(begins[1])) if begins else 0
        return length

    def _take(self, tokens: Sequence[Token], index: int, vocabulary: Vocabulary, explained: Explained) -> int:
        """Account for the words at `index`; returns how many, 0 when they mean nothing here."""
        value = _value_at(tokens, index, vocabulary.slots, self.reader)
        repeats = self.reader.longest_at(tokens, index, self._pointers.repeats)
        if repeats and (value is None or repeats >= value[1]):
            explained.repeats = True
            return repeats
        if value is not None:
            return _note(explained, *value)
        points = self.reader.longest_at(tokens, index, self._pointers.points_back)
        if points:
            explained.points_back = True
            return points
        word = tokens[index].word
        return int(word in vocabulary.words or word in self._small)

    def _vocabulary(self, templates: Sequence[Template]) -> Vocabulary:
        tool = templates[0].tool
        words = {word for template in templates for variant in template.variants for word in variant.words}
        slots = self._slots(tool)
        free = tuple(slot.parameter for slot in slots if slot.kind is SlotKind.FREE)
        kept = tuple(slot.parameter for slot in slots if slot.parsed is not None and slot.parsed.verbatim)
        told = tuple(slot for slot in slots if slot.kind is not SlotKind.FREE)
        return Vocabulary(tool, told, free, (*free, *kept), frozenset(words - self.lexicon.negations))

    def _without_refusals(self, slot: Slot) -> Slot:
        """Take *no* for no way to say *off*: in half a sentence nobody knows what it refuses."""
        if slot.kind is not SlotKind.SWITCH:
            return slot
        told = tuple((words, value) for words, value in slot.values if words not in self.lexicon.negations)
        return replace(slot, values=told)

    def _slots(self, tool: Tool) -> tuple[Slot, ...]:
        slots: list[Slot] = []
        for parameter in tool.signature.parameters:
            try:
                slot = build_slot(tool, parameter, self.reader, self.lexicon, {})
            except ToolDefinitionError:  # a parameter that no phrase can hold keeps the value it had
                continue
            slots.append(self._without_refusals(slot))
            if slot.adjustable is not None and slot.kind is SlotKind.NUMBER:
                slots.append(replace(slot, key=f"{slot.key}/+", kind=SlotKind.CHANGE, whole=False))
        return tuple(slots)


def _note(explained: Explained, slot: Slot, taken: int, value: Any) -> int:
    """Note a value; a number overrides a change that led up to it: *up to 22*."""
    known = explained.values.get(slot.parameter, value)
    if known != value and not isinstance(known, Change):
        return 0
    explained.values[slot.parameter] = value
    explained.measured |= slot.kind is not SlotKind.NUMBER or taken > 1 or slot.unit is None
    explained.points_back |= slot.kind is SlotKind.CHANGE
    return taken


def _value_at(
    tokens: Sequence[Token], index: int, slots: Sequence[Slot], reader: Reader
) -> tuple[Slot, int, Any] | None:
    """The value of a parameter that begins at `index`: the one with most words."""
    found: list[tuple[int, Slot, Any]] = []
    for slot in slots:
        if is_read(slot):
            found += [(taken, slot, value) for taken, _, value in values_at(slot, tokens, index, reader)]
            continue
        named = names_at(slot, tokens, index, reader)
        if named is not None:
            found.append((named[0], slot, named[1]))
    if not found:
        return None
    taken, slot, value = max(found, key=lambda candidate: candidate[0])
    return slot, taken, value
