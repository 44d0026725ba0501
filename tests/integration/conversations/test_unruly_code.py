"""Code of the application that exits, raises or blocks: agents, hooks, listeners. The conversation goes on, and so does
a stop."""

import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentResult, GoalHandle, LLMAgent, ToyWorld, skill
from edgevox.core.cancel import CancelReason
from edgevox.core.messages import MessageStatus
from edgevox.testing import Conversation, ScriptedModel, call
from edgevox.tools import tool

Start = Callable[..., Conversation]
ERRORS = [RuntimeError("broken"), SystemExit(3)]


@tool(phrases=["ring the bell"], says="Ding.")
def ring() -> str:
    """Ring the bell."""
    return "rang"


class Own:
    """An agent of somebody else's, whose stream is what a test makes it."""

    name = "own"
    description = "Does what it likes."

    def __init__(self, stream: Callable[[str], Generator[str, None, AgentResult]]) -> None:
        self._stream = stream

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        raise AssertionError("it has a stream")

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        return self._stream(task)


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", ERRORS)
def test_an_agent_that_leaves_costs_its_turn_and_not_the_next(start: Start, error: BaseException) -> None:
    def stream(task: str) -> Generator[str, None, AgentResult]:
        if task == "leave":
            raise error
        yield "I am here."
        return AgentResult("I am here.", "own")

    talk = start(agent=Own(stream))
    assert type(error).__name__ in (talk.say("leave").error or "")
    assert talk.say("are you there").reply == "I am here."


@pytest.mark.parametrize("error", ERRORS)
def test_a_listener_that_leaves_is_alone_with_it(start: Start, error: BaseException) -> None:
    model = ScriptedModel(call("ring"), "It rang.")
    agent = LLMAgent("casa", tools=[ring], llm=model, on_tool_call=raising(error))
    talk = start(agent=agent)
    talk.assistant.bus.subscribe_all(raising(error))
    outcome = talk.say("make some noise")
    assert (outcome.reply, outcome.error) == ("It rang.", None)
    assert talk.say("ring the bell").reply == "Ding."


@pytest.mark.parametrize("error", ERRORS)
def test_a_listener_of_one_run_that_leaves_is_alone_with_it(error: BaseException) -> None:
    agent = LLMAgent("casa", tools=[ring], llm=ScriptedModel(call("ring"), "It rang."))
    result = agent.run("make some noise", AgentContext(on_event=raising(error)))
    assert (result.reply, result.error) == ("It rang.", None)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("point", ["on_run_start", "after_tool", "before_model", "on_run_end"])
def test_a_hook_that_leaves_is_passed_over(start: Start, error: BaseException, point: str) -> None:
    hook = type("Hook", (), {point: staticmethod(raising(error))})()
    agent = LLMAgent("casa", tools=[ring], llm=ScriptedModel(call("ring"), "It rang."), hooks=[hook])
    assert start(agent=agent).say("make some noise").reply == "It rang."


@pytest.mark.parametrize("error", ERRORS)
def test_a_guard_that_leaves_lets_nothing_through(start: Start, error: BaseException) -> None:
    hook = type("Hook", (), {"before_tool": staticmethod(raising(error))})()
    model = ScriptedModel(call("ring"), lambda request: str(request.messages[-1]["content"]))
    outcome = start(agent=LLMAgent("casa", tools=[ring], llm=model, hooks=[hook])).say("make some noise")
    assert "ring was not run" in outcome.reply


@pytest.mark.parametrize("error", ERRORS)
def test_a_model_that_leaves_costs_a_sentence(start: Start, error: BaseException) -> None:
    model = ScriptedModel(error, "I am back.")
    talk = start(model=model)
    assert "could not answer" in talk.say("hello").reply
    assert talk.say("hello again").reply == "I am back."


def test_a_stop_halts_the_robot_and_frees_the_conversation_of_an_agent_that_blocks(start: Start) -> None:
    world, begun, released = ToyWorld(navigate_speed=0.3), threading.Event(), threading.Event()

    def stream(task: str) -> Generator[str, None, AgentResult]:
        if task == "drive":
            world.apply_action("navigate_to", room="bedroom")
            begun.set()
            released.wait(30)
        yield "I am here."
        return AgentResult("I am here.", "own")

    talk = start(agent=Own(stream), deps=world)
    handle = talk.assistant.submit("drive")
    assert begun.wait(10)
    stopped = time.monotonic()
    talk.assistant.submit("stop")
    assert not world.is_moving()
    assert talk.end_of(handle).cancelled == CancelReason.STOP
    assert time.monotonic() - stopped < 4.0  # it blocks for 30 s
    assert talk.payloads("degraded") == ["own did not end when it was told to; it may still be at work."]
    assert talk.assistant.session.messages[-1].status is MessageStatus.CANCELLED
    assert talk.say("are you there").reply == "I am here."
    released.set()


def test_a_stop_is_not_kept_waiting_by_a_hook_that_blocks(start: Start) -> None:
    begun, released, moved = threading.Event(), threading.Event(), list[str]()

    @skill(phrases=["move"])
    def move(handle: GoalHandle) -> str:
        """Move."""
        moved.append("moved")
        return "moved"

    class Slow:
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> None:
            begun.set()
            released.wait(30)

    talk = start(agent=LLMAgent("casa", tools=[ring], skills=[move], hooks=[Slow()], llm=ScriptedModel()))
    handle = talk.assistant.submit("move")
    assert begun.wait(10)
    talk.assistant.submit("stop")
    assert talk.end_of(handle, 5.0).cancelled == CancelReason.STOP
    released.set()
    assert talk.say("ring the bell").reply == "Ding."
    assert moved == []
