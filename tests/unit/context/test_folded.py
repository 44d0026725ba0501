"""A conversation as a model with native tool calls reads it."""

from collections.abc import Sequence
from typing import Any

from edgevox.context.folded import Folded, folded
from edgevox.core.messages import (
    Message,
    Origin,
    ResultStatus,
    Role,
    Severity,
    ToolResultBlock,
    ToolUseBlock,
    Truncation,
    Usage,
)

ONCE = (Truncation(threshold=1, severity=Severity.REMOVE),)
NEVER = (Truncation(threshold=0, severity=Severity.REMOVE),)


def use(use_id: str = "a") -> Message:
    block = ToolUseBlock(tool_name=f"tool_{use_id}", tool_use_id=use_id)
    return Message(role=Role.ASSISTANT, content=(block,), usage=Usage(token_output=1))


def result(
    use_id: str = "a", payload: Any = "ok", cuts: Sequence[Truncation] = (), parent: str | None = None
) -> Message:
    block = ToolResultBlock(
        tool_name=f"tool_{use_id}",
        tool_use_id=use_id,
        status=ResultStatus.SUCCESS,
        payload=payload,
        truncation=tuple(cuts),
        origin=Origin.CHAIN if parent else Origin.MODEL,
        parent_use_id=parent,
    )
    return Message(role=Role.TOOL, content=(block,))


def contents(conversation: Folded) -> list[str]:
    return [message["content"] for message in conversation.messages]


def test_what_a_chain_answered_stands_in_the_answer_of_its_call() -> None:
    written = folded([use(), result(), result("b", "then", parent="a"), result("c", {"x": 1}, parent="b")])
    assert [message["role"] for message in written] == ["assistant", "tool"]
    assert written[1]["content"] == 'ok\ntool_b: then\ntool_c: {"x": 1}'


def test_what_nobody_asked_for_is_said_to_the_model() -> None:
    assert folded([result("d", {"x": 1})]) == [{"role": "user", "content": '{"caller": "tool_d", "x": 1}'}]


def test_who_answers_cannot_be_feigned_by_what_is_answered() -> None:
    (written,) = folded([result("d", {"caller": "somebody", "x": 1})])
    assert written["content"] == '{"caller": "tool_d", "x": 1}'


def test_a_link_that_is_shown_once_is_gone_after_the_next_answer() -> None:
    conversation = Folded()
    for message in (use(), result(), result("b", "trace", ONCE, parent="a")):
        conversation.add(message)
    assert contents(conversation) == ["", "ok\ntool_b: trace"]
    conversation.shown_once()
    assert contents(conversation) == ["", "ok"]


def test_a_link_that_is_never_shown_never_is_but_what_follows_it_is() -> None:
    conversation = Folded()
    for message in (result("beat", "ok", NEVER), result("b", "then", parent="beat")):
        conversation.add(message)
    assert contents(conversation) == ["tool_b: then"]
    assert folded([use(), result(), result("b", "secret", NEVER, parent="a")])[1]["content"] == "ok"


def test_the_answer_of_a_call_stays_as_a_stub_while_its_request_stands_there() -> None:
    conversation = Folded()
    for message in (use(), result("a", "long trace", ONCE), result("e", "alone", ONCE)):
        conversation.add(message)
    conversation.shown_once()
    assert contents(conversation) == ["", '{"status": "success", "truncated": true}']


def test_in_a_later_turn_request_and_result_are_gone_together() -> None:
    done = Message.text("Done.", Role.ASSISTANT).model_copy(update={"usage": Usage(token_output=1)})
    written = folded([Message.text("go"), use(), result("a", "trace", ONCE), done])
    assert [message["content"] for message in written] == ["go", "Done."]
