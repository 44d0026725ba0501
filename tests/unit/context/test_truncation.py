"""What a model still sees of a message after it has seen it a number of times."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from edgevox.context.assembly import RequestAssembler
from edgevox.context.truncation import cut_exchange, cut_payload, cut_text, schedule_of, severity_for
from edgevox.core.messages import (
    ErrorBlock,
    Message,
    ResultStatus,
    Role,
    Severity,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    Truncation,
)
from edgevox.core.transcript import Transcript

LIGHT, STUB, REMOVE = Severity.LIGHT, Severity.STUB, Severity.REMOVE


def rules(*pairs: tuple[int, Severity]) -> tuple[Truncation, ...]:
    return tuple(Truncation(threshold=threshold, severity=severity) for threshold, severity in pairs)


GRADED = rules((0, LIGHT), (4, STUB), (10, REMOVE))
ONCE = rules((1, REMOVE))


def asked(use_id: str = "c1", name: str = "look", **arguments: Any) -> Message:
    return Message(role=Role.ASSISTANT, content=(ToolUseBlock(tool_name=name, tool_use_id=use_id, input=arguments),))


def answered(
    payload: Any, use_id: str = "c1", cuts: Sequence[Truncation] = (), name: str = "look", *, ok: bool = True
) -> Message:
    status = ResultStatus.SUCCESS if ok else ResultStatus.ERROR
    block = ToolResultBlock(tool_name=name, tool_use_id=use_id, status=status, payload=payload, truncation=tuple(cuts))
    return Message(role=Role.TOOL, content=(block,))


def chained(payload: Any, cuts: Sequence[Truncation] = (), name: str = "step") -> Message:
    return answered(payload, "unasked", cuts, name)


def contents(request: Sequence[Any]) -> list[str]:
    return [message["content"] for message in request]


@pytest.mark.parametrize(
    ("shown", "of", "severity"),
    [
        (7, GRADED, STUB),
        (10, GRADED, REMOVE),
        (0, GRADED, LIGHT),
        (3, GRADED, LIGHT),
        (1, rules((1, LIGHT), (1, REMOVE), (1, STUB)), REMOVE),
        (0, rules((1, REMOVE)), None),
        (99, rules((-1, REMOVE)), None),
        (99, (), None),
    ],
)
def test_the_largest_threshold_that_is_reached_decides_and_of_equals_the_harder(
    shown: int, of: tuple[Truncation, ...], severity: Severity | None
) -> None:
    assert severity_for(shown, of) is severity


def test_nothing_follows_a_removal() -> None:
    assert schedule_of(rules((5, LIGHT), (1, REMOVE), (0, STUB))) == ((0, STUB), (1, REMOVE))


def test_a_message_that_is_to_be_shown_once_is_shown_once_whatever_comes_after_it() -> None:
    run = Transcript([Message.text("go")])
    assembler = RequestAssembler()
    run.append(chained({"value": "trace"}, ONCE))
    for _ in range(5):
        run.append(chained({"value": "heartbeat"}, rules((0, REMOVE)), name="beat"))
    assert contents(assembler.request(run)) == ["go", '{"caller": "step", "value": "trace"}']
    assert contents(assembler.request(run)) == ["go"]


def test_a_request_that_no_model_saw_is_not_counted() -> None:
    run = Transcript([Message.text("go"), chained({"value": "trace"}, ONCE)])
    assembler = RequestAssembler()
    first = assembler.request(run)
    assembler.not_shown()
    assert assembler.request(run) == first
    assert contents(assembler.request(run)) == ["go"]


def test_each_of_three_rules_holds_from_its_count_on() -> None:
    run = Transcript([Message.text("go"), chained({"value": "trace"}, rules((0, LIGHT), (3, STUB), (8, REMOVE)))])
    assembler = RequestAssembler()
    seen = [contents(assembler.request(run))[1:] for _ in range(10)]
    full = ['{"caller": "step", "value": "trace"}']
    stub = ['{"caller": "step", "status": "success", "truncated": true}']
    assert seen == [full] * 3 + [stub] * 5 + [[]] * 2


def test_of_twelve_results_that_came_one_a_request_four_are_whole_and_six_are_stubs() -> None:
    run, assembler = Transcript(), RequestAssembler()
    request: Sequence[Any] = ()
    for number in range(12):
        run.append(chained({"value": number}, GRADED))
        request = assembler.request(run)
    assert len(request) == 10
    assert [json.loads(text).get("value") for text in contents(request)] == [None] * 6 + [8, 9, 10, 11]


def test_the_systems_words_are_never_cut_and_what_is_stored_never_changes() -> None:
    system = Message(role=Role.SYSTEM, content=(TextBlock(text="You are."),), truncation=rules((0, REMOVE)))
    run = Transcript([system, chained({"value": "x" * 50_000}, rules((1, REMOVE)))])
    before = [message.model_dump_json() for message in run]
    assembler = RequestAssembler()
    for _ in range(3):
        assert contents(assembler.request(run))[0] == "You are."
    assert [message.model_dump_json() for message in run] == before


def test_a_light_cut_bounds_each_text_and_all_together_and_escapes_nothing() -> None:
    cut = cut_payload({"long": "ä" * 50_000, "list": ["日本" * 500] * 100}, string_limit=1_000, total_limit=5_000)
    assert cut["long"] == "ä" * 1_000 + "…"
    assert str(cut["list"][-1]).endswith("more")
    assert len(json.dumps(cut, ensure_ascii=False)) < 6_000
    assert "日本" in json.dumps(cut, ensure_ascii=False)
    assert cut_text("日" * 10, 3) == "日日日…"


def test_a_light_cut_reaches_what_a_tool_without_rules_returns() -> None:
    run = Transcript([chained({"value": "x" * 100_000}), chained("y" * 100_000, name="words")])
    request = RequestAssembler().request(run)
    assert all(40_000 <= len(text) < 40_100 for text in contents(request))


def test_small_data_is_handed_on_as_it_is() -> None:
    payload = {"value": [1, 2, {"x": None}]}
    assert cut_payload(payload) is payload


@pytest.mark.parametrize(("ok", "status"), [(True, "success"), (False, "error")])
def test_a_stub_keeps_name_and_status(ok: bool, status: str) -> None:
    run = Transcript([asked(), answered("long words", cuts=rules((0, STUB)), ok=ok)])
    said = contents(RequestAssembler().request(run))
    assert json.loads(said[1]) == {"caller": "look", "status": status, "truncated": True}
    native = RequestAssembler("native").request(run)
    assert (native[1]["name"], json.loads(native[1]["content"])["status"]) == ("look", status)


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_a_removal_takes_request_and_result_together(dialect: Any) -> None:
    run = Transcript([Message.text("go"), asked(), answered({"value": 1}, cuts=ONCE), Message.text("and?")])
    assembler = RequestAssembler(dialect)
    assert len(assembler.request(run)) == 4
    assert contents(assembler.request(run)) == ["go", "and?"]


def test_removing_one_of_two_results_leaves_the_other_pair() -> None:
    both = Message(
        role=Role.ASSISTANT,
        content=(
            TextBlock(text="Both."),
            ToolUseBlock(tool_name="a", tool_use_id="1"),
            ToolUseBlock(tool_name="b", tool_use_id="2"),
        ),
    )
    run = Transcript([both, answered(1, "1", rules((0, REMOVE)), "a"), answered(2, "2", name="b")])
    request = RequestAssembler("native").request(run)
    assert [call["id"] for call in request[0]["tool_calls"]] == ["2"]
    assert [message.get("tool_call_id") for message in request] == [None, "2"]
    assert request[0]["content"] == "Both."


def test_a_rule_of_a_request_reaches_its_results() -> None:
    request = asked(text="x" * 99).model_copy(update={"truncation": rules((0, REMOVE))})
    assert cut_exchange([request, answered(1)], [0, 0]) == []


def test_words_and_errors_can_be_cut_too() -> None:
    words = Message(role=Role.USER, content=(TextBlock(text="w" * 50_000),), truncation=rules((0, LIGHT)))
    fault = Message(role=Role.TOOL, content=(ErrorBlock(message="e" * 50_000),), truncation=rules((0, LIGHT)))
    stubbed = Message(role=Role.USER, content=(TextBlock(text="secret"),), truncation=rules((0, STUB)))
    said = contents(RequestAssembler().request([words, fault, stubbed]))
    assert len(said[0]) == 40_001
    assert 40_000 < len(said[1]) < 40_100
    assert said[2] == "…"


def test_cutting_again_at_the_same_counts_changes_nothing() -> None:
    exchange = [asked(text="x" * 60_000), answered({"value": ["y" * 30_000] * 4}, cuts=GRADED)]
    for shown in (0, 4, 10):
        once = cut_exchange(exchange, [shown, shown])
        again = cut_exchange(once, [shown] * len(once))
        assert again == once
