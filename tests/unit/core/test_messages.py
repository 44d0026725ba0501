import json
from typing import Any

import pytest
from pydantic import ValidationError

from edgevox.core.messages import (
    ErrorBlock,
    Message,
    MessageStatus,
    Origin,
    ResultStatus,
    Role,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from edgevox.core.tools import ToolCallResult

CALL = ToolUseBlock(tool_name="set_light", tool_use_id="c1", input={"room": "küche", "on": True})
RESULT = ToolResultBlock(tool_name="set_light", tool_use_id="c1", status=ResultStatus.SUCCESS, payload={"on": True})


@pytest.mark.parametrize(
    ("role", "block"),
    [
        (Role.USER, CALL),
        (Role.SYSTEM, CALL),
        (Role.ASSISTANT, RESULT),
        (Role.TOOL, TextBlock(text="hi")),
        (Role.USER, ErrorBlock(message="no")),
    ],
)
def test_a_role_refuses_blocks_that_are_not_its_own(role: Role, block: Any) -> None:
    with pytest.raises(ValidationError, match="cannot hold"):
        Message(role=role, content=(block,))


def test_a_message_reads_like_the_openai_dictionary() -> None:
    message = Message.text("hello")
    assert message["role"] == "user"
    assert message.get("content") == "hello"
    assert dict(message) == {"role": "user", "content": "hello"}
    assert message.get("nothing", 3) == 3


def test_a_call_and_its_result_survive_the_openai_shape() -> None:
    asked = Message(role=Role.ASSISTANT, content=(TextBlock(text="wait"), CALL))
    answered = Message(role=Role.TOOL, content=(RESULT,))
    projected = [*asked.openai(), *answered.openai()]
    assert json.loads(projected[0]["tool_calls"][0]["function"]["arguments"]) == CALL.input
    assert projected[1] == {
        "role": "tool",
        "tool_call_id": "c1",
        "name": "set_light",
        "content": '{"on": true}',
    }
    back = Message.from_openai(projected[0])
    assert back.tool_uses == (CALL,)
    assert back.plain == "wait"
    assert Message.from_openai(projected[1]).tool_results[0].tool_use_id == "c1"


@pytest.mark.parametrize("raw", ["[1,2]", "5", "null", '"x"', "{broken"])
def test_arguments_that_are_no_object_are_kept_as_they_came(raw: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": raw}}
    message = Message.from_openai({"role": "assistant", "content": None, "tool_calls": [call]})
    assert message.tool_uses[0].raw_request == raw
    assert message.openai()[0]["tool_calls"][0]["function"]["arguments"] == raw


def test_parts_of_content_are_joined() -> None:
    message = Message.from_openai({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]})
    assert message.plain == "a"


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="robot"):
        Message.from_openai({"role": "robot", "content": "x"})


def test_a_persons_message_never_counts_as_unsuccessful() -> None:
    assert not Message(role=Role.USER, content=(), status=MessageStatus.FAILED).is_unsuccessful()
    assert Message(role=Role.ASSISTANT, content=(), status=MessageStatus.CANCELLED).is_unsuccessful()
    assert not Message(role=Role.ASSISTANT, content=(), status=MessageStatus.GENERATING).is_complete()


def test_a_cut_reply_keeps_its_calls_and_only_the_words_that_were_heard() -> None:
    cut = Message(role=Role.ASSISTANT, content=(TextBlock(text="The light is on now."), CALL)).cut("The light")
    assert cut.plain == "The light"
    assert cut.tool_uses == (CALL,)
    assert cut.kind == "interrupted"
    assert cut.status is MessageStatus.CANCELLED


def test_a_message_survives_json() -> None:
    message = Message(role=Role.TOOL, content=(RESULT, ErrorBlock(message="late", error_code="timeout")), turn=3)
    assert Message.model_validate_json(message.model_dump_json()) == message


def test_a_result_survives_its_block() -> None:
    result = ToolCallResult(
        name="f", status=ResultStatus.ERROR, error="too hot", error_code="range", origin=Origin.PHRASE
    )
    back = ToolCallResult.from_block(result.to_block())
    assert (back.name, back.error, back.error_code, back.origin, back.ok) == (
        "f",
        "too hot",
        "range",
        Origin.PHRASE,
        False,
    )
