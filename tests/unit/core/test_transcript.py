"""The list of a run's messages, and how some of them are found."""

from collections.abc import Callable

import pytest

from edgevox.core.filtering import filter_messages
from edgevox.core.messages import Message, ResultStatus, Role, ToolResultBlock, ToolUseBlock
from edgevox.core.transcript import Transcript

ONE, TWO, THREE = (Message.text(word) for word in ("one", "two", "three"))


def called(name: str, use_id: str = "c") -> Message:
    return Message(role=Role.ASSISTANT, content=(ToolUseBlock(tool_name=name, tool_use_id=use_id),))


def answered(name: str, payload: object = None, kind: str | None = None) -> Message:
    block = ToolResultBlock(tool_name=name, tool_use_id="c", status=ResultStatus.SUCCESS, payload=payload)
    return Message(role=Role.TOOL, content=(block,), kind=kind)


def test_growing_at_the_end_is_no_edit() -> None:
    run = Transcript([ONE])
    run.append(TWO)
    run.extend([THREE])
    run += [ONE]
    assert run == [ONE, TWO, THREE, ONE]
    assert run.edits == 0


EDITS: dict[str, Callable[[Transcript], object]] = {
    "replace": lambda run: run.__setitem__(0, THREE),
    "slice": lambda run: run.__setitem__(slice(0, 2), [THREE]),
    "delete": lambda run: run.__delitem__(0),
    "insert": lambda run: run.insert(0, THREE),
    "pop": lambda run: run.pop(),
    "remove": lambda run: run.remove(ONE),
    "clear": lambda run: run.clear(),
    "reverse": lambda run: run.reverse(),
    "sort": lambda run: run.sort(key=lambda message: message.plain),
    "repeat": lambda run: run.__imul__(2),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_every_other_change_is_one_and_does_what_a_list_does(edit: Callable[[Transcript], object]) -> None:
    run, plain = Transcript([ONE, TWO]), [ONE, TWO]
    edit(run)
    edit(plain)  # pyright: ignore[reportArgumentType] a list does the same
    assert run == plain
    assert run.edits == 1


def test_messages_are_found_by_who_speaks_what_is_asked_and_who_answers() -> None:
    run = [ONE, called("look"), answered("look", {"caller": "other"}), answered("hidden", kind="heartbeat"), TWO]
    assert filter_messages(run) == run
    assert filter_messages(run, role=Role.USER) == [ONE, TWO]
    assert filter_messages(run, role="user") == [ONE, TWO]
    assert filter_messages(run, action="look") == [run[1]]
    assert filter_messages(run, caller="look") == [run[2]]
    assert filter_messages(run, caller="hidden")[0] is run[3]
    assert filter_messages(run, caller="other") == []
    assert filter_messages(run, role=Role.USER, caller="look") == []


def test_words_that_look_like_an_action_are_not_one() -> None:
    run = [Message.text('{"action": "look", "caller": "look"}'), Message.text("[1]"), Message.text("{")]
    assert filter_messages(run, action="look") == []
    assert filter_messages(run, caller="look") == []
