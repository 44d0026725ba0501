"""A stop at any moment of a run: it returns, nothing runs after it, and nothing is left behind."""

import random
import threading
import time
from typing import Any

import pytest

from edgevox.chains import Agent, Empty, Int, stop, tool
from edgevox.chains.models import Message
from edgevox.chains.state import RunStatus
from edgevox.core.cancel import CancelScope
from edgevox.core.events import AgentEvent
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool

AT_ONCE_S = 2.0
TRIALS = 12


class Busy:
    """Tools that take a moment, some of which look at the clock of the machine rather than at the stop."""

    def __init__(self) -> None:
        self.begun = 0
        self.inside = 0
        self._lock = threading.Lock()
        self.tools = self._tools()

    def work(self, number: int) -> Int:
        with self._lock:
            self.begun += 1
            self.inside += 1
        time.sleep(0.002)
        with self._lock:
            self.inside -= 1
        return Int(value=number + 1)

    def _tools(self) -> list[Tool]:
        work = self.work

        @tool
        def first(input: Empty, messages: list[Message]) -> Int:
            """Begin."""
            return work(0)

        @tool(chained_to=first, timeout_s=5.0)
        def second(input: Int, messages: list[Message]) -> Int:
            """Go on, through dispatch."""
            return work(input.value)

        @tool(chained_to=second)
        async def third(input: Int, messages: list[Message]) -> Int:
            """Go on, awaited."""
            return work(input.value)

        return [first, second, third]


def busy_agent(busy: Busy) -> Agent:
    script: list[Any] = [{"action": "first"}] * 6
    model = MockLLMEndpoint([*script, {"action": "stop", "value": "done"}], piece_delay_s=0.002)
    return Agent(
        name="busy",
        mode="autonomous",
        system_prompt="x",
        tools=[*busy.tools, stop],
        default_tools=[busy.tools[0].copy(name="default")],
        agent_endpoint=model,
    )


@pytest.mark.parametrize("how", ["invoke", "run", "stream"])
def test_a_stop_at_any_moment_ends_the_run_and_nothing_runs_after_it(how: str) -> None:
    chance = random.Random(how)
    for _ in range(TRIALS):
        busy, ctx = Busy(), AgentContext(scope=CancelScope())
        agent = busy_agent(busy)
        timer = threading.Timer(chance.uniform(0, 0.06), ctx.scope.cancel, ("stop",))
        timer.start()
        began = time.monotonic()
        _carry_out(how, agent, ctx)
        assert time.monotonic() - began < AT_ONCE_S
        assert agent.status in (RunStatus.CANCELLED, RunStatus.COMPLETED)
        _settle(busy)
        begun, messages, kept = busy.begun, list(agent.messages), list(ctx.session.messages)
        time.sleep(0.006)
        assert (busy.begun, agent.messages, ctx.session.messages) == (begun, messages, kept)
        timer.cancel()


def test_a_stream_that_nobody_reads_on_ends_its_run() -> None:
    busy = Busy()
    agent = busy_agent(busy)
    stream = agent.run_stream("go", AgentContext())
    reader = threading.Timer(0.03, agent.cancel)
    reader.start()
    assert list(stream) == []
    assert agent.status is RunStatus.CANCELLED
    _settle(busy)


def test_stopped_runs_leave_no_thread_behind() -> None:
    before, heard = threading.active_count(), list[AgentEvent]()
    for _ in range(12):
        busy, ctx = Busy(), AgentContext()
        agent = busy_agent(busy)
        agent.event_sinks = (heard.append,)
        threading.Timer(0.01, ctx.scope.cancel, ("stop",)).start()
        agent.invoke(ctx=ctx)
        _settle(busy)
    deadline = time.monotonic() + 10
    while _left(before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert _left(before) == []


def _left(before: int) -> list[str]:
    """Threads that should be gone: those of sinks, and more workers than are kept for the next call."""
    names = [thread.name for thread in threading.enumerate()]
    sinks = [name for name in names if name == "event-sink"]
    return sinks or (names if len(names) > before + 8 else [])


def _carry_out(how: str, agent: Agent, ctx: AgentContext) -> None:
    if how == "invoke":
        agent.invoke(ctx=ctx)
    elif how == "run":
        agent.run("go", ctx)
    else:
        for _ in agent.run_stream("go", ctx):
            pass


def _settle(busy: Busy) -> None:
    """Wait for the body that was under way when the stop came."""
    deadline = time.monotonic() + 10
    while busy.inside and time.monotonic() < deadline:
        time.sleep(0.001)
    assert busy.inside == 0
