"""A step costs the same however long the conversation is. The figures themselves are the benchmark's."""

import statistics
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from edgevox.chains import Agent, Int, Stop, tool
from edgevox.chains.models import Message
from edgevox.endpoints import MockLLMEndpoint

STEPS = 300
GENEROUS_S = 0.002
"""Many times what a step takes on a machine that has nothing else to do."""


def asked_step_s(length: int) -> float:
    """Return what a step that a model asks for takes in the median, seconds of processor time."""
    marks: list[float] = []

    @tool
    def note(input: Int, messages: list[Message]) -> Int:
        marks.append(time.thread_time())
        return input

    agent = Agent(
        name="noting",
        mode="autonomous",
        system_prompt="x",
        tools=[note],
        initial_messages=["word " * 20] * length,
        agent_endpoint=MockLLMEndpoint([*['{"action": "note", "value": 7}'] * STEPS, "Done."]),
    )
    agent.invoke()
    return _median(marks)


def chained_step_s(length: int) -> float:
    """Return what a step of a chain takes in the median, seconds of processor time."""
    marks: list[float] = []

    @tool
    def begin(input: Int, messages: list[Message]) -> Int:
        return input

    @tool(chained_to=begin)
    def note(input: Int, messages: list[Message]) -> Int | Stop:
        marks.append(time.thread_time())
        return Stop() if len(marks) == STEPS else input

    note.chain(note)
    agent = Agent(
        name="chaining",
        mode="deterministic",
        tools=[note],
        default_tools=[begin],
        initial_messages=["word " * 20] * length,
    )
    agent.invoke(Int(value=7))
    return _median(marks)


def _median(marks: list[float]) -> float:
    assert len(marks) == STEPS
    return statistics.median(later - earlier for earlier, later in pairwise(marks))


@pytest.mark.parametrize("step_s", [asked_step_s, chained_step_s])
def test_a_step_costs_the_same_at_any_length_of_the_conversation(step_s: Callable[[int], float]) -> None:
    short = min(step_s(10) for _ in range(3))
    long = min(step_s(3000) for _ in range(3))
    assert long < GENEROUS_S
    assert long < 3 * short
