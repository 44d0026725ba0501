"""How a run of a chain agent ends when something goes wrong, is broken off, or has gone on for long enough."""

import _thread
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from edgevox.chains import Agent, AgentMode, Empty, Int, Skill, Stop, Str, retry, stop, tool
from edgevox.chains.models import Message, MessageKind, Origin
from edgevox.chains.sinks import DRAIN_S
from edgevox.chains.state import RunStatus
from edgevox.core.errors import (
    BudgetExceeded,
    ChainError,
    ContextOverflow,
    EndpointRefused,
    EndpointUnavailable,
    StopAgent,
    ToolFailure,
)
from edgevox.core.events import AgentEvent
from edgevox.core.messages import ToolResultBlock
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ScriptedPerson
from edgevox.tools import Tool

AT_ONCE_S = 2.0
"""Much less than any of the waits that must not be sat out."""


def act(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, "rationale": "it is next", **arguments}


DONE = act("stop", value="done")


@tool
def one(input: Empty, messages: list[Message]) -> Int:
    """Return one."""
    return Int(value=1)


def failing(error: BaseException, name: str = "broken", times: int = 1000) -> Tool:
    """Make a tool that raises some times and then works."""
    left = [times]

    @tool
    def made(input: Empty, messages: list[Message]) -> Int:
        if left[0]:
            left[0] -= 1
            raise error
        return Int(value=1)

    return made.rename(name)


def agent(*tools: Any, responses: tuple[Any, ...] = (DONE,), **options: Any) -> Agent:
    given: dict[str, Any] = {
        "name": "tested",
        "system_prompt": "x",
        "agent_endpoint": MockLLMEndpoint(responses),
    } | options
    return Agent(tools=[*tools, stop], **given)


def results(messages: list[Message]) -> list[ToolResultBlock]:
    return [result for message in messages for result in message.tool_results]


# Errors


@pytest.mark.parametrize(
    ("error", "said", "code"),
    [
        (ValueError("the oven is cold"), "the oven is cold", "failed"),
        (KeyError("oven"), "broken failed: 'oven'", "failed"),
        (ToolFailure("no gas", error_code="no_gas"), "no gas", "no_gas"),
    ],
)
def test_an_error_is_told_to_the_model_and_the_run_goes_on(error: Exception, said: str, code: str) -> None:
    made = agent(failing(error), responses=(act("broken"), DONE))
    ended, messages = made.invoke()
    assert ended.value == "done"
    assert (results(messages)[0].text, results(messages)[0].error_code) == (said, code)
    assert made.status is RunStatus.COMPLETED


def test_a_chain_ends_where_it_fails_and_the_value_before_it_stands() -> None:
    @tool(chained_to=one)
    def link(input: Int, messages: list[Message]) -> Int:
        raise ValueError("snapped")

    @tool(chained_to=link)
    def never(input: Int, messages: list[Message]) -> Int:
        raise AssertionError("a failed link is followed by nothing")

    @tool
    def watch(input: Empty, messages: list[Message]) -> Int:
        return Int(value=0)

    made = agent(one, link, never, default_tools=[watch], responses=(act("one"), DONE))
    _, messages = made.invoke()
    assert [result.tool_name for result in results(messages)] == ["watch", "one", "link", "watch", "stop"]


def test_a_value_that_does_not_fit_the_next_tool_is_told_to_the_model() -> None:
    @tool
    def word(input: Empty, messages: list[Message]) -> Str | Int:
        return Str(value="abc")

    @tool(chained_to=word)
    def number(input: Int, messages: list[Message]) -> Int:
        return input

    _, messages = agent(word, number, responses=(act("word"), DONE)).invoke()
    refused = results(messages)[1]
    assert (refused.tool_name, refused.ok) == ("number", False)
    assert "number cannot take what word returned" in refused.text


def test_a_condition_that_raises_is_told_to_the_model() -> None:
    @tool(chained_to=one, chain_condition=lambda x: x.height > 1)
    def tall(input: Int, messages: list[Message]) -> Int:
        return input

    _, messages = agent(one, tall, responses=(act("one"), DONE)).invoke()
    assert "whether tall follows one cannot be told" in results(messages)[1].text


def test_what_a_tool_does_not_declare_is_an_error() -> None:
    @tool
    def strange(input: Empty, messages: list[Message]) -> Int:
        return Str(value="x")  # pyright: ignore[reportReturnType] - that is the mistake

    _, messages = agent(strange, responses=(act("strange"), DONE)).invoke()
    assert "strange returned Str, which it does not declare" in results(messages)[0].text


def test_an_error_ends_the_run_where_the_policy_says_so() -> None:
    made = agent(failing(ValueError("cold")), responses=(act("broken"), DONE), on_error="raise")
    with pytest.raises(ValueError, match="cold"):
        made.invoke()
    assert made.status is RunStatus.FAILED


def test_an_error_ends_a_run_without_a_model_that_could_be_told() -> None:
    made = Agent(name="caretaker", mode="deterministic", default_tools=[failing(ValueError("cold"))])
    with pytest.raises(ValueError, match="cold"):
        made.invoke()


@pytest.mark.parametrize(("fails", "ok"), [(2, True), (3, False)])
def test_a_tool_that_fails_is_run_again_as_often_as_the_policy_says(fails: int, ok: bool) -> None:
    made = agent(failing(ValueError("busy"), times=fails), responses=(act("broken"), DONE), on_error=retry(2))
    _, messages = made.invoke()
    assert results(messages)[0].ok is ok
    assert len(results(messages)) == 2


def test_a_tool_may_end_the_run_without_an_answer() -> None:
    made = agent(failing(StopAgent()), responses=(act("broken"), DONE))
    assert made.invoke()[0] == Stop(value=None)
    assert made.status is RunStatus.CANCELLED


# Budgets


def endless() -> Tool:
    @tool
    def again(input: Empty, messages: list[Message]) -> Int:
        """Run for ever."""
        return Int(value=1)

    return again.chain(again).chain(one)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"max_steps": 20}, "taken its 20 steps"),
        ({"deadline_s": 0.1}, "taken its 0.1 seconds"),
    ],
)
def test_a_chain_that_never_ends_is_ended_by_its_budget(limit: dict[str, Any], said: str) -> None:
    made = agent(one, endless(), responses=(act("one"),), **limit)
    with pytest.raises(BudgetExceeded, match=said):
        made.invoke()
    assert made.status is RunStatus.FAILED
    ran = len(results(made.messages))
    time.sleep(0.02)
    assert len(results(made.messages)) == ran


@pytest.mark.parametrize(
    ("limit", "calls", "said"),
    [({"max_llm_calls": 3}, 3, "asked its model 3 times"), ({"max_tokens": 20}, None, "tokens of 20")],
)
def test_a_model_that_never_ends_is_ended_by_its_budget(limit: dict[str, Any], calls: int | None, said: str) -> None:
    model = MockLLMEndpoint([act("one")] * 50)
    made = agent(one, agent_endpoint=model, **limit)
    with pytest.raises(BudgetExceeded, match=said):
        made.invoke()
    assert calls is None or len(model.requests) == calls
    assert len(model.requests) < 10


def test_a_deadline_does_not_wait_for_a_tool_that_hangs() -> None:
    free = threading.Event()

    @tool
    def hang(input: Empty, messages: list[Message]) -> Int:
        free.wait(30)
        return Int(value=1)

    made = agent(hang, responses=(act("hang"), DONE), deadline_s=0.1)
    began = time.monotonic()
    with pytest.raises(BudgetExceeded):
        made.invoke()
    assert time.monotonic() - began < AT_ONCE_S
    free.set()


# Cancelling


def test_cancelling_in_a_tool_keeps_the_next_from_running() -> None:
    ran: list[str] = []

    @tool
    def first(input: Empty, messages: list[Message]) -> Int:
        ran.append("first")
        made.cancel()
        return Int(value=1)

    @tool(chained_to=first)
    def second(input: Int, messages: list[Message]) -> Int:
        ran.append("second")
        return input

    made = agent(first, second, responses=(act("first"), DONE))
    ended, messages = made.invoke()
    assert (ended, ran, made.status) == (Stop(value=None), ["first"], RunStatus.CANCELLED)
    assert [result.tool_name for result in results(messages)] == ["first"]


def test_a_stop_returns_at_once_and_what_a_hanging_tool_does_later_reaches_nobody() -> None:
    free, inside, over = threading.Event(), threading.Event(), threading.Event()
    events: list[str] = []

    @tool
    def hang(input: Empty, messages: list[Message]) -> Int:
        inside.set()
        free.wait(30)
        over.set()
        return Int(value=1)

    made = agent(hang, responses=(act("hang"), DONE))
    made.bus.subscribe_all(lambda event: events.append(event.kind))
    ctx = AgentContext(bus=made.bus)
    threading.Thread(target=lambda: inside.wait(10) and ctx.scope.cancel("stop"), daemon=True).start()
    began = time.monotonic()
    ended, messages = made.invoke(ctx=ctx)
    assert time.monotonic() - began < AT_ONCE_S
    assert (ended, made.status) == (Stop(value=None), RunStatus.CANCELLED)
    known, told = list(messages), list(events)
    free.set()
    assert over.wait(10)
    time.sleep(0.05)
    assert (messages, events) == (known, told)


def test_a_stop_waits_for_no_sink() -> None:
    free = threading.Event()

    @tool
    def first(input: Empty, messages: list[Message]) -> Int:
        made.cancel("stop")
        return Int(value=1)

    def hang(event: AgentEvent) -> None:
        free.wait(30)

    made = agent(first, responses=(act("first"), DONE), event_sinks=[hang] * 5)
    began = time.monotonic()
    made.invoke()
    assert time.monotonic() - began < AT_ONCE_S < 5 * DRAIN_S
    free.set()


def test_an_interrupt_from_the_keyboard_ends_the_run_and_is_passed_on() -> None:
    free = threading.Event()

    @tool
    def press(input: Empty, messages: list[Message]) -> Int:
        _thread.interrupt_main()
        free.wait(30)
        return Int(value=1)

    made = agent(press, responses=(act("press"), DONE))
    with pytest.raises(KeyboardInterrupt):
        made.invoke()
    free.set()
    assert made.status is RunStatus.CANCELLED
    assert results(made.messages) == []


def test_a_context_that_has_ended_runs_nothing() -> None:
    ctx = AgentContext()
    ctx.scope.cancel()
    model = MockLLMEndpoint([DONE])
    made = agent(one, agent_endpoint=model)
    assert made.invoke(ctx=ctx)[0] == Stop(value=None)
    assert model.requests == []


def test_an_agent_that_a_tool_invokes_ends_with_the_run_around_it() -> None:
    seen: list[RunStatus] = []

    @tool
    def outer_tool(input: Empty, messages: list[Message]) -> Int:
        threading.Timer(0.05, made.cancel).start()
        hang.invoke()
        seen.append(hang.status)
        return Int(value=1)

    free = threading.Event()

    @tool
    def wait(input: Empty, messages: list[Message]) -> Int:
        free.wait(30)
        return Int(value=1)

    hang = agent(wait, name="hang", responses=(act("wait"), DONE))
    made = agent(outer_tool, responses=(act("outer_tool"), DONE))
    made.invoke()
    free.set()
    deadline = time.monotonic() + 10
    while not seen and time.monotonic() < deadline:
        time.sleep(0.01)
    assert seen == [RunStatus.CANCELLED]
    assert made.status is RunStatus.CANCELLED


# Interruptions and refusals


def test_an_interruption_asks_the_person_and_begins_a_new_cycle() -> None:
    person = ScriptedPerson("rather two")

    @tool
    def first(input: Empty, messages: list[Message]) -> Int:
        made.interrupt()
        return Int(value=1)

    made = agent(first, responses=(act("first"), DONE))
    ended, messages = made.invoke(ctx=AgentContext(channel=person))
    assert ended.value == "done"
    assert [m.kind for m in messages].count(MessageKind.INTERRUPTED_GENERATION) == 1
    assert len(person.heard) == 1
    assert "rather two" in [result.payload.get("value") for result in results(messages)]


def test_an_interruption_ends_the_answer_that_is_being_written() -> None:
    person = ScriptedPerson("go on")
    began = threading.Event()

    class Slow(MockLLMEndpoint):
        def complete(self, *args: Any, stop_event: threading.Event | None = None, **options: Any) -> Any:
            if not began.is_set():
                began.set()
                assert stop_event is not None
                assert stop_event.wait(30)
            return super().complete(*args, **options)

    made = agent(one, agent_endpoint=Slow([act("one"), DONE]))
    threading.Thread(target=lambda: began.wait(10) and made.interrupt(), daemon=True).start()
    ended, _ = made.invoke(ctx=AgentContext(channel=person))
    assert ended.value == "done"
    assert len(person.heard) == 1


def test_an_interruption_fails_a_run_that_may_ask_nobody() -> None:
    @tool
    def first(input: Empty, messages: list[Message]) -> Int:
        made.interrupt()
        return Int(value=1)

    made = agent(first, responses=(act("first"), DONE), mode=AgentMode.AUTONOMOUS)
    with pytest.raises(ChainError, match="interrupted"):
        made.invoke()
    assert made.status is RunStatus.FAILED


def test_a_provider_that_refuses_is_mended_by_the_person_and_asked_again() -> None:
    person = ScriptedPerson("paid")
    made = agent(one, responses=(EndpointRefused("No money is left."), act("one"), DONE))
    ended, messages = made.invoke(ctx=AgentContext(channel=person))
    assert ended.value == "done"
    assert len(person.heard) == 1
    assert "No money is left." in person.heard[0]
    assert [result.tool_name for result in results(messages)] == ["prompt_user", "one", "stop"]


def test_a_provider_that_refuses_a_tool_is_mended_by_the_person_too() -> None:
    person = ScriptedPerson("paid")
    guard = failing(EndpointRefused("No money is left."), "guard", times=1)
    made = agent(guard, responses=(act("guard"), act("guard"), DONE))
    _, messages = made.invoke(ctx=AgentContext(channel=person))
    assert len(person.heard) == 1
    assert [result.tool_name for result in results(messages)] == ["prompt_user", "guard", "stop"]


def test_runs_of_one_agent_side_by_side_keep_apart() -> None:
    together = threading.Barrier(3, timeout=20)

    @tool
    def meet(input: Int, messages: list[Message]) -> Stop:
        together.wait()
        return Stop(value=f"{input.value} of {len(messages)}")

    made = Agent(name="twins", mode="deterministic", default_tools=[meet])
    ended: list[str | None] = []

    def run(number: int) -> None:
        ended.append(made.invoke(Int(value=number))[0].value)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(map(str, ended)) == ["0 of 0", "1 of 0", "2 of 0"]


def test_a_tool_of_yours_asks_the_person_in_its_place() -> None:
    @tool
    def ask_boss(input: Str, messages: list[Message]) -> Str:
        return Str(value=f"boss says yes to: {input.value}")

    made = agent(responses=(EndpointRefused("No money is left."), DONE), custom_prompt_user_tool=ask_boss)
    _, messages = made.invoke()
    assert results(messages)[0].payload["value"].startswith("boss says yes to")


def test_a_refusal_fails_the_run_where_nobody_answers() -> None:
    made = agent(responses=(EndpointRefused("No money is left."),) * 3)
    with pytest.raises(EndpointRefused):
        made.invoke(ctx=AgentContext(channel=ScriptedPerson(None)))


@pytest.mark.parametrize("error", [EndpointRefused("No key."), EndpointUnavailable("It is down.")])
def test_an_autonomous_run_fails_when_the_provider_does(error: Exception) -> None:
    made = agent(responses=(error,), mode="autonomous")
    with pytest.raises(type(error)):
        made.invoke()
    assert made.status is RunStatus.FAILED


def test_a_provider_that_is_down_fails_every_run() -> None:
    person = ScriptedPerson("yes")
    with pytest.raises(EndpointUnavailable):
        agent(responses=(EndpointUnavailable("It is down."),)).invoke(ctx=AgentContext(channel=person))
    assert person.heard == []


def test_a_conversation_that_is_too_long_for_the_model_is_shortened() -> None:
    class Small(MockLLMEndpoint):
        def complete(self, messages: Any, **options: Any) -> Any:
            if sum(len(message["content"]) for message in messages) > 4 * 700:
                raise ContextOverflow("That is too long.")
            return super().complete(messages, **options)

    said = [f"{number} {'word ' * 50}" for number in range(30)]
    model = Small([DONE], max_context_tokens=2000)
    assert agent(agent_endpoint=model, initial_messages=said).invoke()[0].value == "done"
    shown = [message["content"] for message in model.requests[0].messages]
    assert shown[0].startswith("x")
    assert shown[-1].startswith("29 ")
    tiny = Small([DONE], max_context_tokens=2000)
    with pytest.raises(ContextOverflow):
        agent(agent_endpoint=tiny, initial_messages=["word " * 3000]).invoke()


# Beginnings


def test_a_run_begins_with_what_it_is_given(tmp_path: Path) -> None:
    for name in ("2024.md", "2026.md", "notes.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    given = ["Hello.", tmp_path, tmp_path / "2024.md", tmp_path / "notes.txt", tmp_path / "missing.md"]
    _, messages = agent(initial_messages=given).invoke()
    opening = [message for message in messages if message.kind == MessageKind.STARTUP_CONTEXT]
    assert [message.plain for message in opening] == ["Hello.", "2026.md", "2024.md"]
    assert messages[0].kind == MessageKind.SYSTEM_MESSAGE


def test_the_tools_of_a_skill_are_there_once_it_is_loaded() -> None:
    @tool
    def water(input: Empty, messages: list[Message]) -> Int:
        """Water the plants."""
        return Int(value=3)

    garden = Skill("garden", "For the garden.", "Water it.", [water])
    made = agent(
        skills=[garden],
        default_tools=[one],
        responses=(act("water"), act("garden"), act("garden"), act("water"), DONE),
    )
    _, messages = made.invoke()
    assert [result.tool_name for result in results(messages)] == [
        "one", "garden", "one", "garden", "one", "water", "one", "stop"
    ]  # fmt: skip


def test_a_skill_that_is_loaded_from_the_beginning_needs_no_asking() -> None:
    garden = Skill("garden", "For the garden.", "Water it.", [one])
    made = agent(auto_loaded_skills=[garden], responses=(act("one"), DONE))
    _, messages = made.invoke()
    kinds = [message.kind for message in messages[:3]]
    assert kinds == [MessageKind.SYSTEM_MESSAGE, MessageKind.AUTO_LOAD_BANNER, MessageKind.AUTO_LOADED_SKILL]
    assert results(messages)[0].origin is Origin.SKILL
    assert results(messages)[1].tool_name == "one"


def test_taking_the_loading_of_a_skill_back_takes_its_tools_back() -> None:
    garden = Skill("garden", "For the garden.", "Water it.", [one])

    @tool
    def forget(input: Empty, messages: list[Message]) -> Int:
        del messages[1:]
        return Int(value=0)

    made = agent(forget, skills=[garden], responses=(act("garden"), act("forget"), act("one"), DONE))
    _, messages = made.invoke()
    assert [result.tool_name for result in results(messages)] == ["forget", "stop"]
