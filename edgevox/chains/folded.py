"""A conversation as a model with native tool calls reads it: what a chain answered stands in the answer of its call.

A chained tool ran without being asked for, so no request of its own precedes its result, and models and servers refuse
a result nobody asked for. Pure.
"""

import json
from collections.abc import Iterable
from typing import Any, cast

from edgevox.core.messages import Message, Role, ToolResultBlock


class Folded:
    """Projects messages to the OpenAI shape, one after the other."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._asked: set[str] = set()
        self._answers: dict[str, dict[str, Any]] = {}
        """Of each call, and of what was chained to it, the answer that the model reads."""

    def add(self, message: Message) -> None:
        """Append a message."""
        if message.role is not Role.TOOL:
            self._asked.update(use.tool_use_id for use in message.tool_uses)
            self.messages.extend(message.openai())
            return
        for block in message.tool_results:
            self._answer(block)

    def _answer(self, block: ToolResultBlock) -> None:
        if block.tool_use_id in self._asked:
            answer = Message(role=Role.TOOL, content=(block,)).openai()[0]
            self.messages.append(answer)
        elif block.parent_use_id in self._answers:
            answer = self._answers[block.parent_use_id]
            answer["content"] = f"{answer['content']}\n{block.tool_name}: {block.text}"
        else:
            answer = {"role": "user", "content": json.dumps(_called(block), ensure_ascii=False)}
            self.messages.append(answer)
        self._answers[block.tool_use_id] = answer


def folded(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return the messages in the OpenAI shape, the results of chains within the results of the calls they follow."""
    projection = Folded()
    for message in messages:
        projection.add(message)
    return projection.messages


def _called(block: ToolResultBlock) -> dict[str, Any]:
    payload: Any = block.payload
    held = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {"value": block.text}
    return {"caller": block.tool_name, **held}
