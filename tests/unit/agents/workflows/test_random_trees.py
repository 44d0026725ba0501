"""A thousand random workflows with random stops, time limits and faults: what must hold for every one of them."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from edgevox.agents import (
    AgentContext,
    AgentEvent,
    AgentResult,
    Fallback,
    Loop,
    Orchestrator,
    Parallel,
    Retry,
    Router,
    Sequence,
    Timeout,
    Workflow,
)
from edgevox.core.cancel import CancelReason
from edgevox.core.events import SAFETY_PREEMPT
from edgevox.core.messages import Role
from edgevox.testing import ScriptedAgent, ScriptedModel, call

TREES = 1000
AT_ONCE = 16
DEPTH = 3
LATEST_STOP_S = 0.04
SETTLED_WITHIN_S = 5.0
"""How long the slowest agent that ignores a stop may still need, on a machine that is busy with other things."""
HAND_OFF = call("hand_off_to_target", reason="chance")
PLAN = '{"subtasks": [{"task": "a", "tools": []}, {"task": "b", "tools": []}]}'
LEADS: list[list[Any]] = [[PLAN, "one", "two", "both"], ["none", "none", "direct"], [RuntimeError("boom")]]
QUIET = ("agent_start", "tool_call")


@dataclass
class Grown:
    """One random workflow and what is done to it."""

    seed: int
    dice: random.Random
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def tree(self, depth: int = DEPTH) -> Any:
        kinds = [self.leaf] if depth == 0 else [self.leaf, *[self.workflow] * 4]
        return self.dice.choice(kinds)(depth)

    def leaf(self, _: int = 0) -> Any:
        name, dice = f"leaf{next(self.numbers)}", self.dice
        line = dice.choice(["fine", "fine", "two words", "", RuntimeError("boom"), SystemExit(1)])
        blocks = dice.random() < 0.1
        delay = dice.choice([0.0, 0.0, dice.uniform(0.0, 0.03)])
        tools = ["measure"] * dice.choice([0, 0, 1, 2])
        return ScriptedAgent(name, line, delay_s=delay, heeds_stop=not blocks, tools=tools)

    def workflow(self, depth: int) -> Any:
        name, dice = f"node{next(self.numbers)}", self.dice
        below = [self.tree(depth - 1) for _ in range(dice.randint(1, 3))]
        one, until = below[0], dice.choice([None, _never, _broken])
        builders: list[Callable[[], Any]] = [
            lambda: Sequence(name, below),
            lambda: Fallback(name, below),
            lambda: Parallel(name, below, reduce=dice.choice([None, _first, _broken])),
            lambda: Retry(one, dice.randint(1, 3), dice.uniform(0.0, 0.01), name=name),
            lambda: Timeout(one, dice.uniform(0.001, 0.03), name=name),
            lambda: Loop(name, one, until=until, max_iterations=dice.randint(1, 3)),
            lambda: Router.build(name, "You route.", {"target": one}, llm=ScriptedModel(otherwise=HAND_OFF)),
            lambda: Orchestrator(name, "", "", llm=ScriptedModel(*dice.choice(LEADS), otherwise="again")),
        ]
        return dice.choice(builders)()


def _never(_: Any) -> bool:
    return False


def _first(results: list[AgentResult]) -> str:
    return results[0].reply


def _broken(_: Any) -> str:
    raise ValueError("broken")


class Run:
    """Runs one workflow on a fresh context, stops it or goes away at a random moment, and looks at what happened."""

    def __init__(self, seed: int) -> None:
        self.grown = Grown(seed, random.Random(seed))
        tree = self.grown.tree()
        self.tree = tree if isinstance(tree, Workflow) else Timeout(tree, 30.0)
        dice = self.grown.dice
        foreign = threading.Event() if dice.random() < 0.3 else None
        self.ctx = AgentContext(stop=foreign)
        self.stop_after = dice.uniform(0.0, LATEST_STOP_S) if dice.random() < 0.5 else None
        self.told = dice.random() < 0.7
        self.leaves_after = dice.randint(1, 3) if dice.random() < 0.1 else None
        self.events: list[AgentEvent] = []
        self.pieces_after_stop: list[str] = []
        self.result: AgentResult | None = None
        self.settled = 0
        self.left = False
        self.ctx.bus.subscribe_all(self.events.append)

    def take(self) -> "Run":
        stopper = None
        if self.stop_after is not None:
            stopper = threading.Timer(self.stop_after, self._stop)
            stopper.start()
        self._listen()
        self.settled = len(self.events)
        if stopper is not None:
            stopper.cancel()
            stopper.join()
        return self

    def wrongs(self) -> list[str]:
        """What does not hold, in words; nothing when all is well."""
        deadline = time.monotonic() + SETTLED_WITHIN_S
        while self._counts("agent_start") != self._counts("agent_end") and time.monotonic() < deadline:
            time.sleep(0.01)
        wrongs = [
            (self._counts("agent_start") != self._counts("agent_end"), "a start without its end"),
            (bool(self.pieces_after_stop), f"said after the stop: {self.pieces_after_stop}"),
            (self._began_late(), "something began after the end of the run"),
            *self._wrongs_of_the_result(),
            *self._wrongs_of_the_conversation(),
        ]
        return [f"tree {self.grown.seed}: {words}" for wrong, words in wrongs if wrong]

    def _stop(self) -> None:
        if self.told:
            self.ctx.stop.set()
            self.ctx.emit(SAFETY_PREEMPT, "test", str(CancelReason.STOP))
        else:
            self.ctx.scope.cancel(CancelReason.STOP)

    def _listen(self) -> None:
        stream = self.tree.run_stream("measure it", self.ctx)
        heard = 0
        while True:
            stopped = self.ctx.scope.cancelled
            try:
                piece = next(stream)
            except StopIteration as end:
                self.result = end.value
                return
            heard += 1
            if stopped:
                self.pieces_after_stop.append(piece)
            if heard == self.leaves_after:
                stream.close()
                self.left = True
                return

    def _counts(self, kind: str) -> Counter[str]:
        return Counter(event.agent_name for event in list(self.events) if event.kind == kind)

    def _began_late(self) -> bool:
        return any(event.kind in QUIET for event in self.events[self.settled :])

    def _wrongs_of_the_result(self) -> list[tuple[bool, str]]:
        result = self.result
        if result is None:
            return [(not self.left, "no result")]
        stopped = self.ctx.scope.cancelled
        used = sum(self._counts("tool_call").values())
        given_up = bool(self._counts("degraded"))
        counted = given_up or stopped or len(result.tool_calls) == used
        return [
            (not result.reply and not stopped, "no words"),
            (stopped and not result.preempted, "stopped and not preempted"),
            (not counted, f"{len(result.tool_calls)} tool calls counted of {used}"),
        ]

    def _wrongs_of_the_conversation(self) -> list[tuple[bool, str]]:
        messages = self.ctx.session.messages
        asked = [use.tool_use_id for message in messages for use in message.tool_uses]
        answered = [done.tool_use_id for message in messages for done in message.tool_results]
        said = [message.plain for message in messages if message.role is Role.USER]
        return [
            (said != ["measure it"], f"the person said {said}"),
            (asked != answered, "a request without its result"),
            (messages[-1].role is not Role.ASSISTANT, "no reply in the conversation"),
        ]


def _taken(seed: int) -> Run:
    return Run(seed).take()


@pytest.mark.slow
def test_a_thousand_random_workflows_keep_every_promise() -> None:
    before = set(threading.enumerate())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(_taken, range(TREES)))
    assert [wrong for run in runs for wrong in run.wrongs()] == []
    assert sum(run.ctx.scope.cancelled for run in runs) > TREES / 10
    assert sum(run.result is not None and run.result.error is None for run in runs) > TREES / 10
    assert left_of(before) == []


def left_of(before: set[threading.Thread]) -> list[str]:
    """Return the names of the threads that came and do not go, after waiting for those that only need a moment."""
    deadline = time.monotonic() + SETTLED_WITHIN_S
    while True:
        pooled = ("edgevox-tool", "edgevox-async")
        names = [each.name for each in set(threading.enumerate()) - before if not each.name.startswith(pooled)]
        if not names or time.monotonic() > deadline:
            return names
        time.sleep(0.05)
