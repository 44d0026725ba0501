"""What a step of a chain agent costs beside the tools themselves, at conversations of any length.

The model answers from a script and tools return at once, so what is measured is the framework: choosing the next tool,
checking values, keeping and publishing messages, and writing the next request. Times are the processor's for the thread
of the run, so that what else the machine does is not counted; as with `timeit`, garbage is not collected meanwhile.
"""

import gc
import time
from itertools import pairwise

from edgevox.chains import Agent, Int, Stop, tool
from edgevox.core.messages import Message, Role, TextBlock
from edgevox.core.transcript import Transcript
from edgevox.core.values import Empty
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool

LENGTHS = (10, 100, 1_000, 10_000)
STEPS = 2_000
"""Steps of a run that are timed."""
WARM_UP = 200


def chained_step_s(length: int, steps: int = STEPS) -> list[float]:
    """Return what each step of a long chain took, seconds.

    Args:
        length: messages that are in the conversation when the clock starts.
        steps: how many are timed.
    """
    marks: list[float] = []

    @tool
    def count(input: Int, messages: list[Message]) -> Int | Stop:  # noqa: ARG001 - the form of a typed tool
        """Count."""
        marks.append(time.thread_time())
        return Stop() if len(marks) > steps + WARM_UP else Int(value=input.value + 1)

    count.chain(count)
    begin = _begin_with(length)
    count.chain(begin)
    agent = Agent(name="counting", mode="deterministic", default_tools=[begin], tools=[count])
    _invoke(agent)
    return _differences(marks)


def asked_step_s(length: int, steps: int = STEPS) -> list[float]:
    """Return what each step that a model asked for took, seconds: the question, its answer and the run of the tool.

    Args:
        length: messages that are in the conversation when the clock starts.
        steps: how many are timed.
    """
    marks: list[float] = []

    @tool
    def note(input: Int, messages: list[Message]) -> Int:  # noqa: ARG001 - the form of a typed tool
        """Note a number."""
        marks.append(time.thread_time())
        return Int(value=input.value)

    replies = ['{"action": "note", "value": 7}'] * (steps + WARM_UP + 1)
    agent = Agent(
        name="noting",
        system_prompt="Note numbers.",
        mode="autonomous",
        tools=[note],
        initial_messages=["word " * 20] * max(length - 1, 0),
        agent_endpoint=MockLLMEndpoint([*replies, "Done."]),
    )
    _invoke(agent)
    return _differences(marks)


def _invoke(agent: Agent) -> None:
    gc.collect()
    gc.disable()
    try:
        agent.invoke()
    finally:
        gc.enable()


def _begin_with(length: int) -> Tool:
    @tool
    def begin(input: Empty, messages: list[Message]) -> Int:  # noqa: ARG001 - the form of a typed tool
        """Fill the conversation."""
        assert isinstance(messages, Transcript)
        block = TextBlock(text="word " * 20)
        messages.extend(Message(role=Role.USER, content=(block,)) for _ in range(length))
        return Int(value=0)

    return begin


def _differences(marks: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(marks[WARM_UP:])]
