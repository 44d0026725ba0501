"""A conversation as a model with native tool calls reads it: what a chain answered stands in the answer of its call.

A chained tool ran without being asked for, so no request of its own precedes its result, and models and servers refuse
a result nobody asked for. What was shown as often as its rule allows is cut. Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from edgevox.context.exchanges import result_text
from edgevox.context.shown import cut_conversation
from edgevox.context.truncation import cut_block, schedule_of, severities_at
from edgevox.core.messages import Message, Role, Severity, ToolResultBlock

Written = dict[str, Any]


@dataclass(slots=True)
class _Part:
    """One result within an answer that the model reads."""

    block: ToolResultBlock
    shown: int = 0

    def now(self, *, asked: bool) -> ToolResultBlock | None:
        """What is left of it; of a result that was asked for at least a stub, for its request stands there too."""
        if not self.block.truncation:
            return self.block
        (severity,) = severities_at([schedule_of(self.block.truncation)], self.shown)
        if severity is Severity.REMOVE:
            severity = Severity.STUB if asked else severity
        return None if severity is Severity.REMOVE else cast("ToolResultBlock", cut_block(self.block, severity))


@dataclass(slots=True, eq=False)
class _Answer:
    """A message of results: that of a call, or of a tool nobody asked for, and what was chained to it."""

    written: Written
    asked: bool
    parts: list[_Part] = field(default_factory=list[_Part])
    placed: bool = False
    """Whether it stands among the messages."""

    def write(self) -> bool:
        """Put the parts together as they are now; returns whether anything is left."""
        texts: list[str] = []
        for index, part in enumerate(self.parts):
            block = part.now(asked=self.asked and index == 0)
            if block is not None:
                texts.append(_text(block, first=index == 0, asked=self.asked))
        self.written["content"] = "\n".join(texts)
        return bool(texts)


class Folded:
    """Projects messages to the OpenAI shape, one after the other."""

    def __init__(self) -> None:
        self.messages: list[Written] = []
        self._asked: set[str] = set()
        self._answers: dict[str, _Answer] = {}
        """Of each call, and of what was chained to it, the answer that the model reads."""
        self._ruled: list[_Answer] = []

    def add(self, message: Message) -> None:
        """Append a message."""
        if message.role is not Role.TOOL:
            self._asked.update(use.tool_use_id for use in message.tool_uses)
            self.messages.extend(message.openai())
            return
        for block in message.tool_results:
            self._answer(block)

    def shown_once(self) -> None:
        """Count that a model has seen the messages, and cut what it is not to see again."""
        for answer in self._ruled:
            for part in answer.parts:
                part.shown += 1
            if not answer.write() and answer.placed:
                answer.placed = False
                self.messages = [message for message in self.messages if message is not answer.written]

    def _answer(self, block: ToolResultBlock) -> None:
        if block.tool_use_id in self._asked:
            written = Message(role=Role.TOOL, content=(block,)).openai()[0]
            answer = _Answer(written, asked=True)
        elif block.parent_use_id in self._answers:
            answer = self._answers[block.parent_use_id]
        else:
            answer = _Answer({"role": "user", "content": ""}, asked=False)
        answer.parts.append(_Part(block))
        if answer.write() and not answer.placed:
            answer.placed = True
            self.messages.append(answer.written)
        if block.truncation and answer not in self._ruled:
            self._ruled.append(answer)
        self._answers[block.tool_use_id] = answer


def folded(messages: Iterable[Message]) -> list[Written]:
    """Return the messages in the OpenAI shape, the results of chains within the results of the calls they follow.

    What models have seen as often as its rule allows is cut (`edgevox.context.shown`).
    """
    projection = Folded()
    for message in cut_conversation(list(messages)):
        projection.add(message)
    return projection.messages


def _text(block: ToolResultBlock, *, first: bool, asked: bool) -> str:
    if not first:
        return f"{block.tool_name}: {block.text}"
    return block.text if asked else result_text(block)
