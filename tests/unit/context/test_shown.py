"""A stored conversation as its next request carries it."""

from collections.abc import Sequence
from typing import Any

from edgevox.context.shown import cut_conversation, times_shown
from edgevox.core.messages import (
    Message,
    ResultStatus,
    Role,
    Severity,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    Truncation,
    Usage,
)

ONCE = (Truncation(threshold=1, severity=Severity.REMOVE),)
LATER_A_STUB = (Truncation(threshold=2, severity=Severity.STUB),)


def use(use_id: str) -> Message:
    block = ToolUseBlock(tool_name="look", tool_use_id=use_id)
    return Message(role=Role.ASSISTANT, content=(block,), usage=Usage(token_output=1))


def result(use_id: str, cuts: Sequence[Truncation] = (), payload: Any = "seen") -> Message:
    block = ToolResultBlock(
        tool_name="look", tool_use_id=use_id, status=ResultStatus.SUCCESS, payload=payload, truncation=tuple(cuts)
    )
    return Message(role=Role.TOOL, content=(block,))


def said(text: str, *, by_model: bool = True) -> Message:
    usage = Usage(token_output=1) if by_model else None
    return Message(role=Role.ASSISTANT, content=(TextBlock(text=text),), usage=usage)


def test_each_answer_of_a_model_has_shown_everything_before_it_once() -> None:
    run = [Message.text("go"), use("a"), result("a"), said("Done."), Message.text("on"), said("On.", by_model=False)]
    assert times_shown(run) == [2, 1, 1, 0, 0, 0]
    assert times_shown([]) == []


def test_a_result_that_is_to_be_shown_once_is_gone_with_its_request_afterwards() -> None:
    run = [Message.text("go"), use("a"), result("a", ONCE)]
    assert cut_conversation(run) == run
    run += [said("Done."), Message.text("and?")]
    assert [message.plain for message in cut_conversation(run)] == ["go", "Done.", "and?"]


def test_what_a_phrase_answered_shows_nothing_to_a_model() -> None:
    run = [use("a"), result("a", ONCE), said("On.", by_model=False), Message.text("and?")]
    assert cut_conversation(run) == run


def test_rules_of_one_exchange_leave_the_others_alone() -> None:
    run = [use("a"), result("a", LATER_A_STUB), use("b"), result("b", LATER_A_STUB), said("Done.")]
    cut = cut_conversation(run)
    assert [m.tool_results[0].payload for m in cut if m.role is Role.TOOL] == [
        {"status": "success", "truncated": True},
        "seen",
    ]
    assert cut_conversation([]) == []
