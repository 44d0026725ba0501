"""Agents that are run by a tool: one that is waited for, and one that goes on in the background."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import LLMAgent
from edgevox.chains import Agent, AgentMode, tool
from edgevox.chains.models import Empty, Message, Stop, Str
from edgevox.chains.tools import BackgroundAgent, run_background_agent, run_nested_agent, stop
from edgevox.core.errors import ChainError, ToolDefinitionError, ToolFailure, UserInputUnavailable
from edgevox.core.events import AgentEvent
from edgevox.core.running import current_run, running
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ScriptedModel


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, **arguments}


def agent(name: str, *tools: Any, script: list[Any], **options: Any) -> Agent:
    return Agent(
        name=name, system_prompt="You are a test.", tools=tools, agent_endpoint=MockLLMEndpoint(responses=script),
        **options,
    )  # fmt: skip


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def answer(messages: list[Message], name: str) -> Any:
    return next(result for m in messages for result in m.tool_results if result.tool_name == name)


# Waited for


def test_a_nested_agent_gets_the_callers_words_and_answers() -> None:
    endpoint = MockLLMEndpoint(responses=[action("stop", value="the cat is in the garden")])
    finder = Agent(name="finder", system_prompt="You find things.", tools=[stop], agent_endpoint=endpoint)
    script = [action("run_nested_agent", value="find the cat"), action("stop", value="found")]
    output, messages = agent("asker", run_nested_agent(finder), stop, script=script).invoke()
    assert output.value == "found"
    assert "find the cat" in str(list(endpoint.requests[0].messages))
    assert answer(messages, "run_nested_agent").payload == {"value": "the cat is in the garden"}
    assert not any("You find things." in message.plain for message in messages)


def test_a_deterministic_nested_agent_is_given_the_words_as_its_first_value() -> None:
    @tool
    def shout(input: Str, messages: list[Message]) -> Stop:
        """Say it loudly."""
        return Stop(value=input.value.upper())

    loud = Agent(name="loud", mode=AgentMode.DETERMINISTIC, default_tools=[shout])
    script = [action("run_nested_agent", value="hello"), action("stop", value="")]
    _, messages = agent("asker", run_nested_agent(loud), stop, script=script).invoke()
    assert answer(messages, "run_nested_agent").payload == {"value": "HELLO"}


def test_any_other_agent_can_be_nested_too() -> None:
    model = ScriptedModel("It is late.")
    clock = LLMAgent("clock", "Knows the time.", llm=model)
    script = [action("run_nested_agent", value="how late is it"), action("stop", value="")]
    _, messages = agent("asker", run_nested_agent(clock), stop, script=script).invoke()
    assert answer(messages, "run_nested_agent").payload == {"value": "It is late."}
    assert model.requests[0].messages[-1]["content"] == "how late is it"


def test_a_nested_agent_publishes_on_the_callers_bus() -> None:
    finder = agent("finder", stop, script=[action("stop", value="here")])
    events: list[AgentEvent] = []
    outer = agent("asker", run_nested_agent(finder), stop,
                  script=[action("run_nested_agent", value="?"), action("stop", value="")])  # fmt: skip
    outer.bus.subscribe_all(events.append)
    outer.invoke()
    starts = [event.agent_name for event in events if event.kind == "agent_start"]
    assert starts == ["asker", "finder"]
    assert ("tool_call", "finder") in [(event.kind, event.agent_name) for event in events]


def test_a_stop_of_the_caller_ends_the_nested_agent_too() -> None:
    inside, ran = threading.Event(), list[str]()

    @tool
    def wait_here(input: Empty, messages: list[Message]) -> Empty:
        """Wait."""
        run = current_run()
        assert run is not None
        inside.set()
        run.ctx.scope.wait(30)
        return Empty()

    @tool
    def go_on(input: Empty, messages: list[Message]) -> Empty:
        """Go on."""
        ran.append("went on")
        return Empty()

    slow = agent(
        "slow", wait_here, go_on, stop, script=[action("wait_here"), action("go_on"), action("stop", value="")]
    )
    outer = agent("asker", run_nested_agent(slow), stop, script=[action("run_nested_agent", value="wait")])
    ended: list[Any] = []
    run = threading.Thread(target=lambda: ended.append(outer.invoke()), daemon=True)
    run.start()
    assert inside.wait(5)
    outer.cancel("stop")
    run.join(5)
    assert ended[0][0] == Stop()
    assert outer.status == "cancelled"
    until(lambda: slow.status == "cancelled")
    assert ran == []


def test_the_end_of_the_nested_agent_alone_is_told_as_what_it_is() -> None:
    @tool
    def give_up(input: Empty, messages: list[Message]) -> Empty:
        """Give up."""
        slow.cancel()
        return Empty()

    slow = agent("slow", give_up, stop, script=[action("give_up"), action("stop", value="never")])
    script = [action("run_nested_agent", value="try"), action("stop", value="without it")]
    output, messages = agent("asker", run_nested_agent(slow), stop, script=script).invoke()
    refused = answer(messages, "run_nested_agent")
    assert (output.value, refused.ok, refused.error_code) == ("without it", False, "cancelled")
    assert "slow was cancelled" in refused.text


def test_a_nested_agent_that_fails_is_told_to_the_callers_model() -> None:
    broken = agent("broken", stop, script=[RuntimeError("no power")])
    script = [action("run_nested_agent", value="try"), action("stop", value="too bad")]
    output, messages = agent("asker", run_nested_agent(broken), stop, script=script).invoke()
    refused = answer(messages, "run_nested_agent")
    assert (output.value, refused.ok) == ("too bad", False)
    assert "no power" in refused.text


def test_agents_that_ask_each_other_in_a_circle_end() -> None:
    class Mirror:
        """Asks itself."""

        name = "mirror"
        runs = 0

        def run(self, task: str, ctx: AgentContext | None = None) -> Any:
            assert ctx is not None
            self.runs += 1
            with running(ctx, self.name):
                return run_nested_agent(self)(Str(value=task), [])

    mirror = Mirror()
    with running(AgentContext()), pytest.raises(ToolFailure, match="8 agents wait for each other"):
        run_nested_agent(mirror)(Str(value="?"), [])
    assert mirror.runs == 7


def test_only_an_agent_can_be_nested() -> None:
    with pytest.raises(ToolDefinitionError, match="needs an agent, not a str"):
        run_nested_agent("finder")(Str(value="?"), [])  # pyright: ignore[reportArgumentType]


# In the background


class Patrol:
    """Goes round until it is told to end, or to die."""

    def __init__(self, *, starts: bool = True, error: Exception | None = None) -> None:
        self.name = "patrol"
        self.tasks: list[str] = []
        self.contexts: list[AgentContext] = []
        self.die = threading.Event()
        self._starts = starts
        self._error = error

    def run(self, task: str, ctx: AgentContext | None = None) -> Any:
        assert ctx is not None
        self.tasks.append(task)
        self.contexts.append(ctx)
        if self._starts:
            ctx.emit("agent_start", self.name, task)
        while not self.die.wait(0.01) and not ctx.scope.cancelled:
            pass
        if self._error is not None:
            raise self._error


def test_an_agent_in_the_background_is_started_looked_after_and_restarted() -> None:
    patrol, ctx = Patrol(), AgentContext()
    background = BackgroundAgent(patrol, "walk")
    beat = run_background_agent(background)
    with running(ctx):
        first, second = beat(Empty(), []), beat(Empty(), [])
        assert (first.status, first.checks, first.agent) == ("started", 1, "patrol")
        assert (second.status, second.checks) == ("alive", 2)
        assert second.uptime_s >= first.uptime_s >= 0
        patrol.die.set()
        until(lambda: not background.alive)
        patrol.die.clear()
        third = beat(Empty(), [])
    assert (third.status, third.checks, patrol.tasks) == ("restarted", 3, ["walk", "walk"])
    assert [bool(each.truncation) for each in (first, second, third)] == [False, True, False]
    background.cancel()
    until(lambda: not background.alive)


def test_a_heartbeat_is_a_default_tool_that_no_request_shows() -> None:
    patrol = Patrol()
    background = BackgroundAgent(patrol)
    endpoint = MockLLMEndpoint(responses=[action("stop", value="ok")])
    demo = Agent(
        name="demo", system_prompt="You are a test.", tools=[stop], agent_endpoint=endpoint,
        default_tools=[run_background_agent(background)],
    )  # fmt: skip
    demo.invoke()
    assert background.alive
    background.cancel()
    until(lambda: not background.alive)


def test_it_outlives_the_run_is_listed_and_ends_with_a_stop() -> None:
    patrol, ctx = Patrol(), AgentContext()
    background = BackgroundAgent(patrol)
    with running(ctx):
        background.check()
    ctx.scope.cancel("barge_in")
    assert background.alive
    assert ctx.goals.names() == ["patrol"]
    ctx.goals.cancel_all()
    until(lambda: not background.alive)
    until(lambda: ctx.goals.names() == [])


def test_it_has_nobody_to_ask_and_the_callers_world_and_bus() -> None:
    patrol, ctx = Patrol(), AgentContext(deps=object())
    background = BackgroundAgent(patrol)
    with running(ctx):
        background.check()
    (own,) = patrol.contexts
    assert own.deps is ctx.deps
    assert own.bus is ctx.bus
    assert own.session is not ctx.session
    with pytest.raises(UserInputUnavailable):
        own.channel.notify("Anybody?")
    background.cancel()


def test_an_agent_that_never_begins_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgevox.chains.background.START_S", 0.05)
    background = BackgroundAgent(Patrol(starts=False))
    with running(AgentContext()), pytest.raises(ChainError, match="patrol did not begin"):
        background.check()
    until(lambda: not background.alive)


def test_an_agent_of_chains_goes_on_in_the_background_without_the_bounds_of_a_turn() -> None:
    enough = threading.Event()
    rounds: list[str] = []

    @tool
    def go_round(input: Str, messages: list[Message]) -> Str:
        """Go round once."""
        rounds.append(input.value)
        if len(rounds) > 200:
            enough.set()
            time.sleep(0.005)
        return input

    walker = Agent(name="walker", mode=AgentMode.DETERMINISTIC, default_tools=[go_round])
    background, ctx = BackgroundAgent(walker, "north"), AgentContext()
    with running(ctx):
        assert background.check().status == "started"
        assert enough.wait(5)
        assert background.check().status == "alive"
    assert set(rounds) == {"north"}
    ctx.goals.cancel_all()
    until(lambda: not background.alive)
    until(lambda: walker.status == "cancelled")


def test_what_killed_it_is_kept() -> None:
    patrol, ctx = Patrol(error=RuntimeError("a wheel came off")), AgentContext()
    background = BackgroundAgent(patrol)
    with running(ctx):
        background.check()
    patrol.die.set()
    until(lambda: not background.alive)
    assert background.error == "RuntimeError: a wheel came off"
    until(lambda: ctx.goals.names() == [])


def test_a_run_that_has_ended_begins_nothing_in_the_background() -> None:
    patrol, ctx = Patrol(), AgentContext()
    ctx.scope.cancel("stop")
    beat = agent("demo", run_background_agent(BackgroundAgent(patrol)), script=[])
    assert beat.invoke(ctx=ctx)[0] == Stop()
    assert patrol.tasks == []
