"""Sinks: what a run tells beside itself, and that none can fail it, hold it up or lose its end."""

import threading
import time
from io import StringIO
from typing import Any

import pytest

from edgevox.chains import Agent, tool
from edgevox.chains.models import Empty, Int, Message
from edgevox.chains.sinks import Sinks
from edgevox.chains.tools import stop
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.ui.sinks import CliSink


@tool
def count(input: Empty, messages: list[Message]) -> Int:
    """Count."""
    return Int(value=3)


@tool(chained_to=count)
def fail(input: Int, messages: list[Message]) -> Int:
    """Fail."""
    raise ValueError("the abacus is broken")


def run(*sinks: Any, tools: Any = (count, stop), script: Any = None) -> Agent:
    default = [{"action": "count"}, {"action": "stop", "value": "three [bold]\x1b[31m"}]
    agent = Agent(
        name="demo", system_prompt="You count.", tools=tools, event_sinks=sinks,
        agent_endpoint=MockLLMEndpoint(responses=script or default),
    )  # fmt: skip
    agent.invoke()
    return agent


def test_the_terminal_shows_each_step_of_a_run() -> None:
    shown = StringIO()
    run(CliSink.default(shown))
    lines = shown.getvalue().splitlines()
    assert lines[0] == "▶ demo"
    assert "  demo asks for count" in lines
    assert any(line.startswith('↳ count() → {"value": 3} (model') for line in lines)
    assert any("scripted answered: " in line and "tokens read" in line for line in lines)
    assert lines[-1] == "■ demo: three [bold]␛[31m"


def test_a_step_that_failed_and_a_link_of_a_chain_are_told_as_such() -> None:
    shown = StringIO()
    run(CliSink.default(shown), tools=(count, fail, stop))
    (line,) = [line for line in shown.getvalue().splitlines() if "fail()" in line]
    assert "✗ failed: the abacus is broken (chain, no model" in line


def test_by_default_it_prints_beside_what_the_tools_print(capsys: pytest.CaptureFixture[str]) -> None:
    run(CliSink.default())
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "▶ demo" in printed.err


def test_model_calls_can_be_left_out() -> None:
    from rich.console import Console

    shown = StringIO()
    run(CliSink(Console(file=shown, width=100), model_calls=False))
    assert "tokens read" not in shown.getvalue()
    assert "count()" in shown.getvalue()


def test_what_means_nothing_to_a_person_is_not_told() -> None:
    shown = StringIO()
    sink = CliSink.default(shown)
    for kind, payload in {
        "audio_level": 0.5,
        "tool_call": "none",
        "llm_call": None,
        "agent_message": "",
        "tool_use": 1,
    }.items():
        sink(AgentEvent(kind, "", payload))
    assert shown.getvalue() == ""
    sink(AgentEvent("agent_message", "demo", "Hello."))
    sink(AgentEvent("error", "demo", "The wire is cut."))
    assert shown.getvalue() == "Hello.\n✗ The wire is cut.\n"


def test_a_sink_has_been_told_everything_when_the_run_returns() -> None:
    told: list[str] = []

    def slow(event: AgentEvent) -> None:
        time.sleep(0.005)
        told.append(event.kind)

    run(slow)
    assert (told[0], told[-1]) == ("agent_start", "agent_end")
    assert told.count("tool_call") == 2


def test_a_sink_that_fails_or_exits_costs_the_run_and_the_other_sinks_nothing() -> None:
    told: list[str] = []

    def broken(event: AgentEvent) -> None:
        raise SystemExit("the printer is on fire")

    def noting(event: AgentEvent) -> None:
        told.append(event.kind)

    agent = run(broken, noting)
    assert agent.status == "completed"
    assert told[-1] == "agent_end"


def test_a_sink_that_hangs_holds_up_no_step_and_the_end_only_for_a_moment() -> None:
    free, steps = threading.Event(), list[float]()

    def hanging(_: AgentEvent) -> None:
        free.wait(60)

    @tool
    def stamp(input: Empty, messages: list[Message]) -> Empty:
        """Note the time."""
        steps.append(time.monotonic())
        return Empty()

    began = time.monotonic()
    run(hanging, tools=(stamp, stop), script=[*[{"action": "stamp"}] * 3, {"action": "stop", "value": ""}])
    assert steps[-1] - steps[0] < 1
    assert time.monotonic() - began < 4
    free.set()


def test_a_sink_hears_nothing_of_other_runs_on_the_same_bus_afterwards() -> None:
    bus, told = EventBus(), list[str]()
    with Sinks(bus, [lambda event: told.append(event.kind)]):
        AgentContext(bus=bus).emit("agent_start", "demo")
    AgentContext(bus=bus).emit("agent_end", "demo")
    assert told == ["agent_start"]
