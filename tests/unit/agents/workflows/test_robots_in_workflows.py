"""Workflows around agents that move a robot or ask the person: stops, time limits, barge-ins, approvals."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import (
    AgentContext,
    Fallback,
    GoalHandle,
    InterruptPolicy,
    LLMAgent,
    Loop,
    Parallel,
    Retry,
    Sequence,
    Timeout,
    ToyWorld,
    Workflow,
    skill,
)
from edgevox.core.messages import ResultStatus
from edgevox.testing import Conversation, ScriptedAgent, ScriptedModel
from edgevox.tools import tool


@skill(phrases=["go to the {room}"], says="I am in the {room}.")
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive to a room.

    Args:
        room: where
        ctx: of the run
    """
    return ctx.deps.apply_action("navigate_to", room=room)


def driver(policy: InterruptPolicy | None = None) -> LLMAgent:
    return LLMAgent("driver", skills=[navigate_to], llm=ScriptedModel(), interrupt_policy=policy)


def moves(world: ToyWorld) -> bool:
    return world.is_moving()


def soon(holds: Callable[[], bool], within_s: float = 3.0) -> bool:
    deadline = time.monotonic() + within_s
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()


@pytest.fixture
def world() -> ToyWorld:
    """A world in which the way to the kitchen takes twenty seconds."""
    return ToyWorld(navigate_speed=0.2)


AROUND: dict[str, Callable[[Any], Workflow]] = {
    "sequence": lambda agent: Sequence("s", [agent, ScriptedAgent("after")]),
    "fallback": lambda agent: Fallback("f", [agent, ScriptedAgent("after")]),
    "retry": lambda agent: Retry(agent, 3, 0.0),
    "timeout": lambda agent: Timeout(agent, 60.0),
    "loop": lambda agent: Loop("l", agent),
    "parallel": lambda agent: Parallel("p", [agent, ScriptedAgent("after", delay_s=30.0)]),
    "deep": lambda agent: Timeout(Retry(Fallback("f", [Sequence("s", [Parallel("p", [agent])])])), 60.0),
}


@pytest.mark.parametrize("kind", AROUND)
def test_a_stop_halts_the_robot_of_an_agent_in_a_workflow(kind: str, world: ToyWorld) -> None:
    with Conversation(AROUND[kind](driver()), deps=world) as talk:
        drive = talk.assistant.submit("go to the kitchen")
        assert soon(lambda: moves(world))
        talk.say("stop")
        assert soon(lambda: not moves(world))
        assert talk.end_of(drive).cancelled == "stop"
        assert talk.kinds().count("skill_goal") == 1
        time.sleep(0.1)
        assert not moves(world)
    assert "after" not in [
        event.agent_name for event in talk.events if event.kind == "agent_end" and event.payload.reply
    ]


@pytest.mark.parametrize("kind", AROUND)
def test_a_robot_that_was_halted_is_not_sent_on_its_way_again(kind: str, world: ToyWorld) -> None:
    """A stop halts the robot before anything else hears of it."""
    ctx, goals = AgentContext(deps=world), list[Any]()
    ctx.bus.subscribe("skill_goal", goals.append)
    ctx.bus.subscribe("skill_goal", lambda _: threading.Timer(0.05, world.halt).start())
    after = ScriptedAgent("after")
    around: dict[str, Callable[[Any], Workflow]] = {
        **AROUND,
        "sequence": lambda agent: Sequence("s", [agent, after]),
        "fallback": lambda agent: Fallback("f", [agent, after]),
        "parallel": lambda agent: Parallel("p", [agent]),
    }
    workflow = Loop("outer", Sequence("both", [Retry(around[kind](driver()), 3, 0.0), after]), max_iterations=3)
    result = workflow.run("go to the kitchen", ctx)
    assert len(goals) == 1
    assert (after.tasks, result.preempted, result.error) == ([], True, None)
    assert result.reply


def test_what_the_person_declined_is_not_asked_again() -> None:
    @tool(phrases=["open the gate"], confirm=True)
    def open_gate() -> str:
        """Open the gate."""
        return "open"

    after, keeper = ScriptedAgent("after"), LLMAgent("keeper", tools=[open_gate], llm=ScriptedModel())
    result = Loop("l", Sequence("s", [Retry(keeper, 3, 0.0), after]), max_iterations=3).run("open the gate")
    assert [each.status for each in result.tool_calls] == [ResultStatus.DECLINED]
    assert (after.tasks, result.error) == ([], None)


def test_a_time_limit_ends_the_drive_and_the_next_agent_answers(world: ToyWorld) -> None:
    ctx = AgentContext(deps=world)
    workflow = Fallback("f", [Timeout(driver(), 0.3), ScriptedAgent("person", "Please carry it.")])
    result = workflow.run("go to the kitchen", ctx)
    assert (result.reply, result.error) == ("Please carry it.", None)
    assert soon(lambda: not moves(world))
    assert ctx.goals.names() == []
    assert [each.status for each in result.tool_calls] == [ResultStatus.CANCELLED]
    assert not ctx.stop.is_set()


@pytest.mark.parametrize(("policy", "goes_on"), [(None, True), (InterruptPolicy(cancel_skills=True), False)])
def test_a_barge_in_treats_skills_as_the_agent_says(
    policy: InterruptPolicy | None, goes_on: bool, world: ToyWorld
) -> None:
    with Conversation(Timeout(Sequence("s", [driver(policy)]), 60.0), deps=world) as talk:
        drive = talk.assistant.submit("go to the kitchen")
        assert soon(lambda: moves(world))
        talk.assistant.interrupt()
        talk.end_of(drive)
        assert soon(lambda: moves(world) is goes_on)
        talk.say("stop")
        assert soon(lambda: not moves(world))


def test_a_skill_that_does_not_halt_is_reported_through_a_workflow() -> None:
    release, begun = threading.Event(), threading.Event()

    @skill(phrases=["lift it"])
    def lift() -> str:
        """Lift it."""
        begun.set()
        release.wait(20.0)
        return "lifted"

    ctx = AgentContext()
    threading.Thread(target=lambda: (begun.wait(5.0), ctx.stop.set()), daemon=True).start()
    result = Retry(Parallel("p", [LLMAgent("arm", skills=[lift], llm=ScriptedModel())])).run("lift it", ctx)
    release.set()
    assert result.preempted
    assert [each.error_code for each in result.tool_calls] == ["halt_unconfirmed"]


@pytest.mark.parametrize(("answer", "opened"), [("yes", True), ("no", False)])
def test_a_question_of_an_agent_in_a_workflow_reaches_the_person(answer: str, opened: bool) -> None:
    gate: list[str] = []

    @tool(phrases=["open the gate"], says="The gate is open.", confirm=True)
    def open_gate() -> str:
        """Open the gate."""
        gate.append("open")
        return "open"

    agent = LLMAgent("keeper", tools=[open_gate], llm=ScriptedModel())
    with Conversation(Timeout(Parallel("p", [Sequence("s", [agent])]), 60.0)) as talk:
        turn = talk.assistant.submit("open the gate")
        talk.wait_for("approval_requested")
        talk.assistant.submit(answer)
        talk.end_of(turn)
    assert bool(gate) is opened


def test_follow_ups_are_understood_in_a_workflow() -> None:
    lamps: dict[str, bool] = {}

    @tool(phrases=["turn {on} the {room} light"], says="The {room} light is {on}.")
    def set_light(room: str, on: bool) -> str:
        """Switch a light.

        Args:
            room: which
            on: whether
        """
        lamps[room] = on
        return "done"

    agent, ctx = LLMAgent("lights", tools=[set_light], llm=ScriptedModel()), AgentContext()
    workflow = Fallback("f", [Retry(agent), ScriptedAgent("last", "no idea")])
    for words in ("turn on the kitchen light", "turn it off again"):
        assert workflow.run(words, ctx).model_calls == 0
    assert lamps == {"kitchen": False}
