"""Understands what only makes sense after what was said before: *turn it off again*, *and the bedroom too*, *again*.

A follow-up names some arguments and leaves the others as they were in a recent call. It is understood only when every
word of it is accounted for: a value of a parameter, a word of the tool's own phrases, a small word, or a word that
points back; without one of the latter it is no follow-up. Everything else goes on to the model.

What was said before is read from the conversation itself, so that nothing has to be remembered beside it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from edgevox.agents.pointers import pointers_of
from edgevox.agents.verbatim import has_signs, restored
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Role, ToolUseBlock
from edgevox.core.session import Session
from edgevox.intents.lexicons import for_language
from edgevox.intents.matcher import PhraseMatch
from edgevox.intents.slots import Slot, SlotKind, build_slot
from edgevox.intents.templates import TemplateCompiler, phrases_of
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.values import numbers_at
from edgevox.tools import Tool

TURNS_BACK = 3
"""How many turns before this one count as recent."""
LONGEST = 12
"""Words of a follow-up."""
SCORE = 0.9
"""What a follow-up counts as, beside 1 for a phrase word for word."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecentCall:
    """A call that worked, not long ago."""

    tool_name: str
    arguments: Mapping[str, Any]


@dataclass(slots=True)
class _Explained:
    """What the words of a follow-up came to for one tool."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    points_back: bool = False
    repeats: bool = False


class FollowUps:
    """The follow-ups that a set of tools allows in one language.

    Args:
        tools: those with phrases in the language take part.
        language: two-letter code.
    """

    def __init__(self, tools: Iterable[Tool], language: str) -> None:
        lexicon = for_language(language)
        self._reader = Reader(lexicon)
        self._small = {*lexicon.light, *lexicon.hesitations}
        self._pointers = pointers_of(language)
        compiler = TemplateCompiler(lexicon, self._reader, {})
        self._known: dict[str, _Vocabulary] = {}
        for tool in tools:
            templates = [compiler.compile(tool, text) for text in phrases_of(tool, language)]
            if templates:
                words = {word for template in templates for variant in template.variants for word in variant.words}
                self._known[tool.name] = _vocabulary(tool, self._slots(tool, language), words)

    def match(self, text: str, session: Session) -> PhraseMatch | None:
        """The call that a text asks for in the light of the conversation; `None` when it is no follow-up.

        Args:
            text: what was said.
            session: the conversation; its last message may be the text itself.
        """
        tokens = self._reader.tokens(self._written_out(text))
        recent = list(recent_calls(session))
        if not recent or not self._known or not 0 < len(tokens) <= LONGEST:
            return None
        found = self._of_recent_tool(tokens, recent) or self._of_other_tool(tokens, recent)
        if found is None:
            return None
        name, arguments = found
        return PhraseMatch(tool_name=name, arguments=arguments, score=SCORE, text=text)

    def verbatim(self, match: PhraseMatch) -> PhraseMatch | None:
        """The match with slots for any words as they were said; `None` when that cannot be told."""
        vocabulary = self._known.get(match.tool_name)
        free = [name for name in (vocabulary.free if vocabulary is not None else ()) if name in match.arguments]
        said = {name: restored(str(match.arguments[name]), match.text) for name in free}
        if None in said.values() and has_signs(match.text):
            return None
        found = {name: words for name, words in said.items() if words is not None}
        return replace(match, arguments={**match.arguments, **found})

    def _written_out(self, text: str) -> str:
        if not self._pointers.written_out:
            return text
        words = [word.strip(".,!?¡¿") for word in text.casefold().split()]
        return " ".join(self._pointers.written_out.get(word, word) for word in words)

    def _of_recent_tool(
        self, tokens: Sequence[Token], recent: Sequence[RecentCall]
    ) -> tuple[str, dict[str, Any]] | None:
        """The same tool once more, with other arguments or with the same ones."""
        for index, call in enumerate(recent):
            explained = self._explain(tokens, call.tool_name)
            if explained is None:
                continue
            if explained.values:
                return call.tool_name, {**call.arguments, **_since(call, recent[:index]), **explained.values}
            if explained.repeats:
                return call.tool_name, dict(call.arguments)
        return None

    def _of_other_tool(
        self, tokens: Sequence[Token], recent: Sequence[RecentCall]
    ) -> tuple[str, dict[str, Any]] | None:
        """Another tool about the same thing: *is the kitchen light on? turn it on*."""
        found: list[tuple[str, dict[str, Any]]] = []
        for name, vocabulary in self._known.items():
            explained = self._explain(tokens, name)
            if explained is None or not explained.values:
                continue
            arguments = {**_recalled(vocabulary.tool, recent), **explained.values}
            required = [p.name for p in vocabulary.tool.signature.parameters if p.required]
            if all(parameter in arguments for parameter in required) and set(arguments) != set(explained.values):
                found.append((name, arguments))
        return found[0] if len(found) == 1 else None

    def _explain(self, tokens: Sequence[Token], name: str) -> _Explained | None:
        """Account for every word; `None` when one is left, or nothing points back."""
        vocabulary = self._known.get(name)
        if vocabulary is None or not vocabulary.tool.active:
            return None
        explained, index = _Explained(), 0
        while index < len(tokens):
            taken = self._take(tokens, index, vocabulary, explained)
            if taken == 0:
                return None
            index += taken
        return explained if explained.points_back or explained.repeats else None

    def _take(self, tokens: Sequence[Token], index: int, vocabulary: "_Vocabulary", explained: _Explained) -> int:
        """Account for the words at `index`; returns how many, 0 when they mean nothing here."""
        value = _value_at(tokens, index, vocabulary.slots, self._reader)
        if value is not None:
            slot, taken, meant = value
            if explained.values.setdefault(slot.parameter, meant) != meant:
                return 0
            return taken
        for phrases, attribute in ((self._pointers.repeats, "repeats"), (self._pointers.points_back, "points_back")):
            length = _longest_at(tokens, index, phrases)
            if length:
                setattr(explained, attribute, True)
                return length
        word = tokens[index].word
        return int(word in vocabulary.words or word in self._small or word in self._pointers.small)

    def _slots(self, tool: Tool, language: str) -> tuple[Slot, ...]:
        slots: list[Slot] = []
        for parameter in tool.signature.parameters:
            try:
                slot = build_slot(tool, parameter, self._reader, for_language(language), {})
            except ToolDefinitionError:  # a parameter that no phrase can hold keeps the value it had
                continue
            slots.append(slot)
        return tuple(slots)


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    tool: Tool
    slots: tuple[Slot, ...]
    free: tuple[str, ...]
    """Parameters that take any words."""
    words: frozenset[str]
    """Fixed words of its phrases."""


def _vocabulary(tool: Tool, slots: Sequence[Slot], words: Iterable[str]) -> _Vocabulary:
    free = tuple(slot.parameter for slot in slots if slot.kind is SlotKind.FREE)
    known = tuple(slot for slot in slots if slot.kind is not SlotKind.FREE)
    return _Vocabulary(tool, known, free, frozenset(words))


def recent_calls(session: Session, turns_back: int = TURNS_BACK) -> Iterator[RecentCall]:
    """Yield the calls of the last turns that worked, newest first."""
    worked: set[str] = set()
    turns = 0
    for message in reversed(session.messages):
        worked.update(block.tool_use_id for block in message.tool_results if block.ok)
        for use in reversed(message.tool_uses):
            if use.tool_use_id in worked:
                yield _call(use)
        turns += message.role is Role.USER
        if turns > turns_back:
            return


def _call(use: ToolUseBlock) -> RecentCall:
    return RecentCall(use.tool_name, dict(use.input))


def _since(call: RecentCall, newer: Sequence[RecentCall]) -> dict[str, Any]:
    """What newer calls were about, as far as this one takes it: *it* is what was spoken of last."""
    about: dict[str, Any] = {}
    for later in reversed(newer):
        about |= {name: value for name, value in later.arguments.items() if name in call.arguments}
    return about


def _recalled(tool: Tool, recent: Sequence[RecentCall]) -> dict[str, Any]:
    """What recent calls said about the parameters that the tool cannot do without."""
    recalled: dict[str, Any] = {}
    for parameter in tool.signature.parameters:
        if parameter.required:
            said = next((call.arguments[parameter.name] for call in recent if parameter.name in call.arguments), None)
            recalled |= {parameter.name: said} if said is not None else {}
    return recalled


def _value_at(
    tokens: Sequence[Token], index: int, slots: Sequence[Slot], reader: Reader
) -> tuple[Slot, int, Any] | None:
    """The value of a parameter that begins at `index`: the one with most words."""
    found: list[tuple[int, Slot, Any]] = []
    for slot in slots:
        if slot.kind is SlotKind.NUMBER:
            found += [(taken, slot, value) for taken, _, value in numbers_at(slot, tokens, index, reader)]
            continue
        for spoken, value in slot.current(reader):
            words = tuple(spoken.split())
            if _words(tokens, index, len(words)) == words:
                found.append((len(words), slot, value))
    if not found:
        return None
    taken, slot, value = max(found, key=lambda candidate: candidate[0])
    return slot, taken, value


def _longest_at(tokens: Sequence[Token], index: int, phrases: Iterable[Words]) -> int:
    return max((len(phrase) for phrase in phrases if _words(tokens, index, len(phrase)) == phrase), default=0)


def _words(tokens: Sequence[Token], index: int, length: int) -> Words:
    return tuple(token.word for token in tokens[index : index + length])
