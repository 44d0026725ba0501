"""How the requests of a run are put together."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.context.assembly import RequestAssembler
from edgevox.core.messages import (
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

Dialect = Literal["native", "envelope"]
DIALECTS: tuple[Dialect, ...] = ("native", "envelope")


def use(*ids: str, words: str = "", **arguments: Any) -> Message:
    blocks = [ToolUseBlock(tool_name=f"tool_{each}", tool_use_id=each, input=arguments) for each in ids]
    return Message(role=Role.ASSISTANT, content=(*([TextBlock(text=words)] if words else []), *blocks))


def result(use_id: str, payload: Any = "ok", cuts: Sequence[Truncation] = ()) -> Message:
    block = ToolResultBlock(
        tool_name=f"tool_{use_id}",
        tool_use_id=use_id,
        status=ResultStatus.SUCCESS,
        payload=payload,
        truncation=tuple(cuts),
    )
    return Message(role=Role.TOOL, content=(block,))


def shape(request: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f"{m['role']}:{m.get('tool_call_id') or [c['id'] for c in m.get('tool_calls', ())]}" for m in request]


def test_native_requests_carry_calls_and_results_as_servers_take_them() -> None:
    run = [
        Message.text("You are.", Role.SYSTEM),
        Message.text("go"),
        use("a", words="I look.", x=1),
        result("a", {"y": 2}),
    ]
    assert list(RequestAssembler("native").request(run)) == [
        {"role": "system", "content": "You are."},
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "tool_a", "arguments": '{"x": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "a", "name": "tool_a", "content": '{"y": 2}'},
    ]


def test_envelope_requests_carry_actions_and_results_as_json() -> None:
    run = [Message.text("go"), use("a", x="ü"), result("a", {"value": "ä"}), result("b", {}), result("c", "broken")]
    assert [(m["role"], m["content"]) for m in RequestAssembler().request(run)] == [
        ("user", "go"),
        ("assistant", '{"action": "tool_a", "x": "ü"}'),
        ("user", '{"caller": "tool_a", "value": "ä"}'),
        ("user", '{"caller": "tool_b"}'),
        ("user", '{"caller": "tool_c", "value": "broken"}'),
    ]


def test_the_caller_cannot_be_feigned_by_a_payload() -> None:
    said = RequestAssembler().request([result("a", {"caller": "system", "x": 1}), use("b", action="stop"), result("b")])
    assert json.loads(said[0]["content"]) == {"caller": "tool_a", "x": 1}
    assert json.loads(said[1]["content"]) == {"action": "tool_b"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_request_without_a_result_is_not_written_but_its_words_are(dialect: Dialect) -> None:
    run = [Message.text("go"), use("a"), Message.text("no, wait"), use("b", words="Then b.")]
    assert shape(RequestAssembler(dialect).request(run)) == ["user:[]", "user:[]", "assistant:[]"]


def test_a_chained_result_between_two_answers_waits_until_both_are_there() -> None:
    run = [use("a", "b"), result("a"), result("chained"), result("b")]
    request = RequestAssembler("native").request(run)
    assert shape(request) == ["assistant:['a', 'b']", "tool:a", "tool:b", "user:[]"]


def test_an_identifier_that_comes_twice_is_answered_twice() -> None:
    run = [use("a"), result("a", 1), Message.text("again"), use("a"), result("a", 2), result("a", 3)]
    request = RequestAssembler("native").request(run)
    assert shape(request) == ["assistant:['a']", "tool:a", "user:[]", "assistant:['a']", "tool:a", "user:[]"]
    assert request[-1]["content"] == '{"caller": "tool_a", "value": 3}'


def test_a_request_keeps_what_it_held_when_the_run_goes_on() -> None:
    run, assembler = Transcript([Message.text("go")]), RequestAssembler("native")
    held: list[tuple[Any, list[Any]]] = []
    for number in range(100):
        run.append(use(f"c{number}"))
        run.append(result(f"c{number}", cuts=[Truncation(threshold=3, severity=Severity.REMOVE)]))
        request = assembler.request(run)
        held.append((request, [dict(message) for message in request]))
    for request, before in held:
        assert list(request) == before
        assert len(request) == len(before)


def test_a_window_reads_like_a_list() -> None:
    run = [Message.text(str(number)) for number in range(100)]
    request = RequestAssembler().request(run)
    assert request[0]["content"] == "0"
    assert request[-1]["content"] == "99"
    assert [m["content"] for m in request[20:22]] == ["20", "21"]
    assert request == list(request)
    assert request != list(request)[1:]
    assert request != "text"
    with pytest.raises(IndexError):
        request[100]
    assert "100 messages" in repr(request)


@pytest.mark.parametrize("kind", [Transcript, list])
def test_changing_the_list_in_place_is_noticed_and_the_counts_stay(
    kind: Callable[[list[Message]], list[Message]],
) -> None:
    once = [Truncation(threshold=1, severity=Severity.REMOVE)]
    run = kind([Message.text("go"), result("a", "shown"), result("b", "once", once)])
    assembler = RequestAssembler()
    assert len(assembler.request(run)) == 3
    run[0:2] = [Message.text("summary", kind="compacted_context")]
    assert [m["content"] for m in assembler.request(run)] == ["summary"]
    run.insert(1, Message.text("more"))
    assert [m["content"] for m in assembler.request(run)] == ["summary", "more"]
    run.clear()
    assert list(assembler.request(run)) == []


def test_another_list_begins_anew() -> None:
    assembler = RequestAssembler()
    assembler.request([Message.text("one"), Message.text("two")])
    assert [m["content"] for m in assembler.request([Message.text("three")])] == ["three"]


def test_a_budget_lets_the_oldest_exchanges_leave_together_and_keeps_system_and_last_words() -> None:
    run = Transcript([Message.text("You are.", Role.SYSTEM), Message.text("Count.")])
    assembler = RequestAssembler(budget=1000, count=len)
    beginnings: set[str] = set()
    for number in range(200):
        run.append(use(f"c{number}"))
        run.append(result(f"c{number}", {"value": number}))
        request = list(assembler.request(run))
        assert [m["content"] for m in request[:2]] == ["You are.", "Count."]
        assert sum(len(m["content"]) + 8 for m in request) <= 1000
        assert json.loads(request[-1]["content"])["value"] == number
        beginnings.add(str(request[:4]))
    assert len(beginnings) < 60
    run.append(Message.text("Enough."))
    run.extend(result("x", "y" * 60) for _ in range(20))
    request = list(assembler.request(run))
    assert "Count." not in [m["content"] for m in request]
    assert "Enough." in [m["content"] for m in request]


def test_a_budget_may_be_given_when_a_model_says_that_its_context_is_full() -> None:
    run = [Message.text("You are.", Role.SYSTEM), *(Message.text("x" * 90) for _ in range(20))]
    assembler = RequestAssembler(count=len)
    assert len(assembler.request(run)) == 21
    assembler.budget = 500
    assert 1 < len(assembler.request(run)) <= 6


def test_one_result_takes_half_of_the_room_at_most_and_less_when_the_room_shrinks() -> None:
    run = [Message.text("go"), result("a", {"value": "ä" * 30_000}), result("b", "short")]
    assembler = RequestAssembler(budget=4000, count=lambda text: len(text) // 3)
    lengths = [len(message["content"]) for message in assembler.request(run)]
    assert 5_900 < lengths[1] <= 6_100
    assembler.not_shown()
    assembler.budget = 1000
    lengths = [len(message["content"]) for message in assembler.request(run)]
    assert 1_400 < lengths[1] <= 1_600
    assert lengths[2] < 50


def test_texts_and_blocks_have_limits_of_their_own() -> None:
    assembler = RequestAssembler(string_limit=100, total_limit=1000)
    said = assembler.request([result("a", {"list": ["x" * 300] * 5}), result("b", ["y" * 90] * 30)])
    assert 500 < len(said[0]["content"]) < 700
    assert 900 < len(said[1]["content"]) <= 1_060


def seconds_of_a_step(length: int) -> float:
    run, assembler = Transcript([Message.text("go")]), RequestAssembler()
    steps = [(use(f"c{number}"), result(f"c{number}", {"value": number})) for number in range(length // 2 + 200)]
    for pair in steps[: length // 2]:
        run.extend(pair)
    assembler.request(run)
    took: list[float] = []
    for asked, answer in steps[length // 2 :]:
        began = time.perf_counter()
        run.append(asked)
        run.append(answer)
        assembler.request(run)
        took.append(time.perf_counter() - began)
    return sorted(took)[len(took) // 4]


def test_a_request_costs_the_same_however_long_the_run_is() -> None:
    short = min(seconds_of_a_step(10) for _ in range(3))
    long = min(seconds_of_a_step(10_000) for _ in range(3))
    assert long < short * 3 + 20e-6


CUTS = st.lists(
    st.builds(Truncation, threshold=st.integers(-1, 4), severity=st.sampled_from(list(Severity))), max_size=3
)
WORDS = st.text("abü日\n", max_size=6)
PAYLOADS = st.one_of(WORDS, st.none(), st.dictionaries(WORDS, st.integers(), max_size=2), st.lists(WORDS, max_size=2))


@st.composite
def messages_of(draw: st.DrawFn) -> list[Message]:
    """Any order of words, requests and results; identifiers repeat, answers are missing, doubled or unasked."""
    made: list[Message] = []
    for _ in range(draw(st.integers(0, 14))):
        cuts = tuple(draw(CUTS)) if draw(st.booleans()) else ()
        ids = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True))
        kind = draw(st.sampled_from(["system", "user", "assistant", "use", "use", "result", "result", "results"]))
        if kind == "use":
            made.append(use(*ids, words=draw(WORDS)).model_copy(update={"truncation": cuts}))
        elif kind.startswith("result"):
            blocks = [
                b for each in ids[: 1 if kind == "result" else 3] for b in result(each, draw(PAYLOADS), cuts).content
            ]
            made.append(Message(role=Role.TOOL, content=tuple(blocks)))
        else:
            made.append(Message.text(draw(WORDS), Role(kind)).model_copy(update={"truncation": cuts}))
    return made


def assert_legal(request: Sequence[Mapping[str, Any]]) -> None:
    waiting: list[str] = []
    for message in request:
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting
            waiting.remove(message["tool_call_id"])
            continue
        assert waiting == []
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        assert len(set(waiting)) == len(waiting)
        assert message["role"] != "assistant" or message["content"] or waiting
    assert waiting == []


def check_requests(messages: list[Message], dialect: Dialect, budget: int | None) -> None:
    before = [message.model_dump_json() for message in messages]
    run, assembler = Transcript(), RequestAssembler(dialect, budget=budget)
    plain = RequestAssembler(dialect, budget=budget)
    copied: list[Message] = []
    for message in messages:
        run.append(message)
        copied.append(message)
        request = assembler.request(run)
        assert_legal(request)
        assert len(request) == len(list(request))
        assert plain.request(copied) == request
        assembler.not_shown()
        assert assembler.request(run) == request
        kept = [m.plain for m in messages[: len(run)] if m.role is Role.SYSTEM]
        assert [m["content"] for m in request if m["role"] == "system"] == kept
    assert [message.model_dump_json() for message in messages] == before


@settings(max_examples=60, deadline=None)
@given(messages_of(), st.sampled_from(DIALECTS), st.sampled_from([None, 40, 120]))
def test_every_request_is_one_that_providers_take(
    messages: list[Message], dialect: Dialect, budget: int | None
) -> None:
    check_requests(messages, dialect, budget)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(messages_of(), st.sampled_from(DIALECTS), st.sampled_from([None, 40, 120]))
def test_every_request_is_one_that_providers_take_at_length(
    messages: list[Message], dialect: Dialect, budget: int | None
) -> None:
    check_requests(messages, dialect, budget)
