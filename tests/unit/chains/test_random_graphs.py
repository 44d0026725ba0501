"""Random chain graphs, run by the scheduler and by a second, much smaller one that was written for this test."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgevox.chains import Agent, Int, Invoke, Stop, tool
from edgevox.chains.models import Message
from edgevox.core.errors import BudgetExceeded, ChainForkError
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool

NAMES = ("t0", "t1", "t2", "t3", "t4", "t5", "d0", "d1")
MOST_STEPS = 25

Trace = list[tuple[str, Any]]


@dataclass(frozen=True)
class Condition:
    """Whether a child follows a value; a divisor of 0 makes it raise."""

    divisor: int
    rest: int

    def __call__(self, output: Any) -> bool:
        return output.value % self.divisor == self.rest


@dataclass(frozen=True)
class Behaviour:
    """What a tool does with a number: add, and then return it, stop, fail or call another tool."""

    add: int
    does: Literal["return", "stop", "fail", "call"]
    when: Condition
    """On which numbers it does that; on the others it returns."""
    calls: str = "t0"


@dataclass(frozen=True)
class Graph:
    """A whole agent as data."""

    behaviours: dict[str, Behaviour]
    edges: dict[str, dict[str, Condition]]
    """For each child its parents; a name without an entry is active."""
    defaults: tuple[str, ...]
    script: tuple[tuple[str, int], ...]
    """What the model calls, with which number; words when it is over."""
    asks_model: bool = True


# The second scheduler. It knows nothing of the first.


class Over(Exception):
    """The run has ended; says how."""


@dataclass
class Reference:
    graph: Graph
    trace: Trace = field(default_factory=Trace)
    value: int = 0

    def run(self) -> str:
        script = list(self.graph.script)
        try:
            while True:
                for name in self.graph.defaults:
                    self.link(name, self.value)
                if self.graph.asks_model:
                    if not script:
                        raise Over("words")
                    self.link(*script.pop(0))
        except Over as over:
            return str(over)

    def link(self, name: str, number: int) -> None:
        """Run one tool and everything below it."""
        if sum(kind != "broken" for _, kind in self.trace) >= MOST_STEPS:
            raise Over("budget")
        does = self.graph.behaviours[name]
        acts = does.does != "return" and number % does.when.divisor == does.when.rest
        result = number + does.add
        if acts and does.does == "fail":
            self.failed(name, "error")
            return
        if acts and does.does == "stop":
            self.trace.append((name, str(result)))
            raise Over(f"stop {result}")
        self.trace.append((name, result))
        self.value = result
        if acts and does.does == "call":
            active = does.calls in NAMES[:6] and does.calls not in self.graph.edges
            self.link(does.calls, result) if active else self.failed(does.calls, "broken")
            return
        ready: list[str] = []
        for child, parents in self.graph.edges.items():
            condition = parents.get(name)
            if condition is not None and condition.divisor == 0:
                self.failed(child, "broken")
                return
            if condition is not None and result % condition.divisor == condition.rest:
                ready.append(child)
        if len(ready) > 1:
            raise Over("fork")
        if ready:
            self.link(ready[0], result)

    def failed(self, name: str, kind: str) -> None:
        if not self.graph.asks_model:
            raise Over("failed")
        self.trace.append((name, kind))


# The same as an agent


BEHAVIOURS: dict[str, Behaviour] = {}


def _made(name: str) -> Tool:
    @tool
    def link(input: Int, messages: list[Message]) -> Int | Stop:
        return acted(name, input.value)

    @tool
    def caller(input: Int, messages: list[Message]) -> Int | Invoke | Stop:
        return acted(name, input.value)

    return (caller if name in ("t4", "t5") else link).rename(name)


def acted(name: str, number: int) -> Any:
    does = BEHAVIOURS[name]
    result = number + does.add
    if does.does == "return" or not does.when(Int(value=number)):
        return Int(value=result)
    match does.does:
        case "stop":
            return Stop(value=str(result))
        case "call":
            return Invoke.model_validate({"action": does.calls, "value": result})
        case _:
            raise ValueError("as it was told to")


TOOLS = {name: _made(name) for name in NAMES}


def by_the_scheduler(graph: Graph) -> tuple[str, Trace]:
    BEHAVIOURS.update(graph.behaviours)
    tools = {name: made.copy() for name, made in TOOLS.items()}
    for child, parents in graph.edges.items():
        tools[child].chain([(tools[parent], condition) for parent, condition in parents.items()])
    script = [{"action": name, "value": number} for name, number in graph.script]
    agent = Agent(
        name="random",
        mode="autonomous" if graph.asks_model else "deterministic",
        system_prompt="x",
        tools=[tools[name] for name in NAMES[:6]],
        default_tools=[tools[name] for name in graph.defaults],
        agent_endpoint=MockLLMEndpoint([*script, "I am done."]),
        max_steps=MOST_STEPS,
    )
    return how_it_ended(agent), [_told(result) for m in agent.messages for result in m.tool_results]


def how_it_ended(agent: Agent) -> str:
    try:
        ended, _ = agent.invoke(Int(value=0))
    except ChainForkError:
        return "fork"
    except BudgetExceeded:
        return "budget"
    except Exception:
        return "failed"
    return "words" if ended.value == "I am done." else f"stop {ended.value}"


def _told(result: Any) -> tuple[str, Any]:
    if not result.ok:
        return result.tool_name, "broken" if result.error_code == "chain_broken" else "error"
    return result.tool_name, result.payload["value"]


# Random ones


SURE = st.builds(Condition, st.sampled_from([1, 2, 3]), st.integers(0, 2))
"""Conditions that answer."""
ANY = st.builds(Condition, st.sampled_from([1, 2, 2, 3, 3, 0]), st.integers(0, 2))
CALLED = st.sampled_from([*NAMES[:6], "?"])
PLAIN = st.builds(
    Behaviour, st.integers(-2, 3), st.sampled_from(["return", "return", "return", "stop", "fail"]), SURE, CALLED
)
CALLING = st.builds(
    Behaviour, st.integers(-2, 3), st.sampled_from(["return", "return", "stop", "fail", "call", "call"]), SURE, CALLED
)
BEHAVING = st.fixed_dictionaries({name: CALLING if name in ("t4", "t5") else PLAIN for name in NAMES})


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    asks = draw(st.booleans())
    passive = draw(st.sets(st.sampled_from(NAMES[:4]), max_size=4))
    defaults = tuple(draw(st.sets(st.sampled_from(NAMES[6:]), min_size=0 if asks else 1)))
    parents = st.sampled_from([*NAMES[:4], *defaults])
    edges = {child: draw(st.dictionaries(parents, ANY, min_size=1, max_size=3)) for child in sorted(passive)}
    active = [name for name in NAMES[:6] if name not in passive]
    script = draw(st.lists(st.tuples(st.sampled_from(active), st.integers(-3, 9)), max_size=4))
    return Graph(draw(BEHAVING), edges, defaults, tuple(script), asks)


def agree(graph: Graph) -> None:
    reference = Reference(graph)
    expected = reference.run()
    assert by_the_scheduler(graph) == (expected, reference.trace)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs())
def test_both_schedulers_agree(graph: Graph) -> None:
    agree(graph)


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs())
def test_both_schedulers_agree_for_long(graph: Graph) -> None:
    agree(graph)


def test_the_random_graphs_end_in_every_way() -> None:
    """Otherwise agreement would say little."""
    seen: set[str] = set()

    @settings(
        max_examples=150, deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(graphs())
    def look(graph: Graph) -> None:
        seen.add(Reference(graph).run().split()[0])

    look()
    assert seen == {"words", "stop", "fork", "budget", "failed"}
