"""The first pass: templates that fit word for word, found by hassil."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.templates import Template
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.values import is_read, values_for

if TYPE_CHECKING:
    from hassil import RecognizeResult, SlotList


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One way to understand an utterance."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    score: float = 1.0
    free_words: int = 0
    """Words that went into slots for any words; fewer is surer."""

    @property
    def meaning(self) -> tuple[str, str]:
        """What tells candidates apart."""
        return self.tool, repr(sorted(self.arguments.items()))


class ExactMatcher:
    """Matches whole utterances.

    Args:
        templates: compiled phrases.
        reader: of their language.
        language: two-letter code.
    """

    def __init__(self, templates: Iterable[Template], reader: Reader, language: str) -> None:
        from hassil import Intents

        self._reader = reader
        self._slots: dict[str, Slot] = {}
        sentences: dict[str, list[str]] = {}
        for template in templates:
            sentences.setdefault(template.tool.name, []).append(template.compiled)
            self._slots |= {slot.key: slot for slot in template.slots}
        data = {name: {"data": [{"sentences": phrases}]} for name, phrases in sentences.items()}
        self._intents = Intents.from_dict({"language": language, "intents": data})
        self._fixed = {slot.key: _text_list(slot.values) for slot in self._slots.values() if _is_fixed(slot)}
        self._live: dict[str, tuple[tuple[tuple[str, Any], ...], SlotList]] = {}
        self._moving = [slot for slot in self._slots.values() if not _is_fixed(slot)]

    def match(self, tokens: Sequence[Token]) -> list[Candidate]:
        """Return every way in which the whole of `tokens` fits a template."""
        from hassil import recognize_all

        text = " ".join(token.word for token in tokens)
        results = recognize_all(text, self._intents, slot_lists=self._lists(tokens))
        return [self._candidate(result, tokens) for result in results]

    def _lists(self, tokens: Sequence[Token]) -> "dict[str, SlotList]":
        from hassil import WildcardSlotList

        lists = dict(self._fixed)
        for slot in self._moving:
            if slot.kind is SlotKind.FREE:
                lists[slot.key] = WildcardSlotList(name=slot.key)
            elif is_read(slot):
                lists[slot.key] = _text_list(values_for(slot, tokens, self._reader))
            else:
                lists[slot.key] = self._live_list(slot)
        return lists

    def _live_list(self, slot: Slot) -> "SlotList":
        """List the names of now; while they are the same, the list is."""
        values = slot.current(self._reader)
        known = self._live.get(slot.key)
        if known is None or known[0] != values:
            known = self._live[slot.key] = (values, _text_list(values))
        return known[1]

    def _candidate(self, result: "RecognizeResult", tokens: Sequence[Token]) -> Candidate:
        arguments: dict[str, Any] = {}
        free = 0
        for entity in result.entities_list:
            slot = self._slots[entity.name]
            value: Any = entity.value
            if entity.is_wildcard:
                value = _as_said(tokens, entity.text_span) or str(value)
                free += len(str(value).split())
            arguments[slot.parameter] = value
        return Candidate(tool=result.intent.name, arguments=arguments, free_words=free)


def _is_fixed(slot: Slot) -> bool:
    return not slot.live and slot.kind is not SlotKind.FREE and not is_read(slot)


def _text_list(values: Iterable[tuple[str, Any]]) -> "SlotList":
    from hassil import TextSlotList

    return TextSlotList.from_tuples(values, allow_template=False)


def _as_said(tokens: Sequence[Token], span: tuple[int, int] | None) -> str:
    """Return the words of a span as they were said."""
    if span is None:
        return ""
    said: list[str] = []
    start = 0
    for token in tokens:
        end = start + len(token.word)
        if start < span[1] and end > span[0] and token.said:
            said.append(token.said)
        start = end + 1
    return " ".join(said)
