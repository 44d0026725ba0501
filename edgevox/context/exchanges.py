"""Messages that belong together, as a provider accepts them.

An exchange is a message with its requests and the results that answer them, or any other message alone. Two dialects:
*native* writes calls and results as the OpenAI shape has them; *envelope* writes an action as one JSON object in the
model's words and every result as JSON in words to it. In both, a result that nobody asked for (a chained or a default
tool's) is such words; a request without a result, and one whose half was cut away, is not written at all.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal, cast

from edgevox.core.messages import ErrorBlock, Message, Role, ToolResultBlock, ToolUseBlock

Dialect = Literal["native", "envelope"]
Written = dict[str, Any]


def write_exchange(messages: Sequence[Message], dialect: Dialect) -> tuple[Written, ...]:
    """Return an exchange as dictionaries in the OpenAI shape.

    Args:
        messages: a message and the results that follow it.
        dialect: how calls and results are written.
    """
    head = messages[0]
    asked = asked_by(head)
    if not asked:
        return tuple(written for message in messages for written in _alone(message))
    answers: dict[str, ToolResultBlock] = {}
    rest: list[Written] = []
    for message in messages[1:]:
        for block in message.content:
            if type(block) is ToolResultBlock and block.tool_use_id in asked and block.tool_use_id not in answers:
                answers[block.tool_use_id] = block
            else:
                rest += _block_as_words(block)
    uses = [block for block in head.content if type(block) is ToolUseBlock and block.tool_use_id in answers]
    paired = _native(head, uses, answers) if dialect == "native" else _envelope(head, uses, answers)
    return (*paired, *rest)


def asked_by(message: Message) -> set[str]:
    """Return the calls that a message asks for."""
    if message.role is not Role.ASSISTANT:
        return set()
    return {block.tool_use_id for block in message.content if type(block) is ToolUseBlock}


def action_text(use: ToolUseBlock, rationale: str = "") -> str:
    """Write a request as the JSON object that a model replies with."""
    said: dict[str, Any] = {"action": use.tool_name}
    if rationale:
        said["rationale"] = rationale
    said.update(use.input)
    said["action"] = use.tool_name
    return _json(said)


def result_text(block: ToolResultBlock) -> str:
    """Write a result as words to the model: who answers stands first."""
    said: dict[str, Any] = {"caller": block.tool_name}
    payload: Any = block.payload
    if isinstance(payload, dict):
        payload = cast("dict[str, Any]", payload)
        said.update(payload)
        said["caller"] = block.tool_name
    else:
        said["value" if block.ok else "error"] = payload
    return _json(said)


def _native(head: Message, uses: Sequence[ToolUseBlock], answers: dict[str, ToolResultBlock]) -> list[Written]:
    if not uses:
        return _words(Role.ASSISTANT, head.plain)
    calls = [
        {
            "id": use.tool_use_id,
            "type": "function",
            "function": {
                "name": use.tool_name,
                "arguments": use.raw_request if use.raw_request is not None else _json(use.input),
            },
        }
        for use in uses
    ]
    results = [answers[use.tool_use_id] for use in uses]
    return [
        {"role": "assistant", "content": head.plain, "tool_calls": calls},
        *(
            {"role": "tool", "tool_call_id": block.tool_use_id, "name": block.tool_name, "content": block.text}
            for block in results
        ),
    ]


def _envelope(head: Message, uses: Sequence[ToolUseBlock], answers: dict[str, ToolResultBlock]) -> list[Written]:
    if not uses:
        return _words(Role.ASSISTANT, head.plain)
    words = head.plain if len(head.content) > len(uses) else ""
    text = "\n".join(action_text(use, words if use is uses[0] else "") for use in uses)
    results = [{"role": "user", "content": result_text(answers[use.tool_use_id])} for use in uses]
    return [{"role": "assistant", "content": text}, *results]


def _alone(message: Message) -> list[Written]:
    if message.role is Role.TOOL:
        return [written for block in message.content for written in _block_as_words(block)]
    if message.role is Role.ASSISTANT:
        return _words(Role.ASSISTANT, message.plain)
    return [{"role": str(message.role), "content": message.plain}]


def _block_as_words(block: Any) -> list[Written]:
    """Write what stands in a result's message and answers no request."""
    if type(block) is ToolResultBlock:
        return _words(Role.USER, result_text(block))
    if type(block) is ErrorBlock:
        return _words(Role.USER, _json({"error": block.message}))
    return []


def _words(role: Role, text: str) -> list[Written]:
    return [{"role": str(role), "content": text}] if text else []


def _json(data: Any) -> str:
    return _ENCODER.encode(data)


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)
