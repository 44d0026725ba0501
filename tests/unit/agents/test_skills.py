"""`@skill`: how a body starts, hears its end, and what it hands over."""

import asyncio
import threading
import time
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, GoalHandle, GoalStatus, InterruptPolicy, Skill, skill
from edgevox.agents.skills import as_skill
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import ResultStatus
from edgevox.core.tools import LatencyClass, ToolSite
from edgevox.sims import ToyWorld
from edgevox.tools import ToolRegistry, tool


@skill(timeout_s=30.0)
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive the robot to a room.

    Args:
        room: target room
        ctx: of the run
    """
    return ctx.deps.apply_action("navigate_to", room=room)


@skill
def wander(room: str, ctx: AgentContext):  # type: ignore[no-untyped-def]
    """Drive somewhere; the annotation does not say that a goal is handed over."""
    return ctx.deps.apply_action("navigate_to", room=room)


@skill
def count(steps: int, ctx: AgentContext) -> str:
    """Count slowly."""
    for step in range(steps):
        if ctx.should_stop():
            return f"stopped at {step}"
        time.sleep(0.005)
    return f"counted {steps}"


@skill(latency_class="fast")
def get_pose(ctx: AgentContext) -> dict[str, Any]:
    """Report the pose."""
    return ctx.deps.get_world_state()["robot"]


def test_a_skill_says_what_it_is() -> None:
    assert isinstance(navigate_to, Skill)
    assert (navigate_to.name, navigate_to.description) == ("navigate_to", "Drive the robot to a room.")
    assert navigate_to.parameters["properties"]["room"] == {"type": "string", "description": "target room"}
    assert (navigate_to.latency_class, navigate_to.timeout_s) == (LatencyClass.SLOW, 30.0)
    assert navigate_to.tool.site is ToolSite.WORKER
    assert get_pose.tool.site is ToolSite.INLINE
    assert "ctx" not in str(navigate_to.parameters)


def test_a_delegating_body_hands_over_the_very_handle() -> None:
    world = ToyWorld(threaded=False)
    handle = navigate_to.start(AgentContext(deps=world), room="kitchen")
    world.step(10)
    assert handle.result == {"room": "kitchen", "x": 4.0, "y": 0.0}


def test_a_body_that_hands_over_without_saying_so_is_followed_to_the_end() -> None:
    world = ToyWorld(navigate_speed=20.0)
    handle = wander.start(AgentContext(deps=world), room="kitchen")
    assert handle.poll(2.0) is GoalStatus.SUCCEEDED
    assert handle.result == {"room": "kitchen", "x": 4.0, "y": 0.0}


def test_cancelling_it_cancels_what_was_handed_over() -> None:
    world = ToyWorld()
    handle = wander.start(AgentContext(deps=world), room="bedroom")
    deadline = time.monotonic() + 2
    while not world.is_moving() and time.monotonic() < deadline:
        time.sleep(0.002)
    handle.cancel()
    assert handle.poll(1.0) is GoalStatus.CANCELLED
    assert not world.is_moving()


def test_a_slow_body_runs_on_a_worker_and_its_handle_is_there_at_once() -> None:
    release, threads = threading.Event(), list[str]()

    @skill
    def wait() -> str:
        threads.append(threading.current_thread().name)
        release.wait(5)
        return "done"

    handle = wait.start()
    assert handle.status is GoalStatus.RUNNING
    release.set()
    assert handle.poll(2.0) is GoalStatus.SUCCEEDED
    assert handle.result == "done"
    assert threads != [threading.current_thread().name]


def test_a_working_body_hears_that_its_goal_is_cancelled() -> None:
    handle = count.start(AgentContext(), steps=1000)
    handle.cancel()
    assert handle.poll(1.0) is GoalStatus.CANCELLED


def test_a_working_body_hears_the_stop_of_the_turn() -> None:
    ctx = AgentContext()
    handle = count.start(ctx, steps=1000)
    ctx.stop.set()
    assert handle.poll(1.0).is_terminal()


def test_a_barge_in_does_not_reach_the_body_unless_the_policy_says_so() -> None:
    for policy, ends in ((InterruptPolicy(), False), (InterruptPolicy(cancel_skills=True), True)):
        ctx = AgentContext(interrupt=policy)
        handle = count.start(ctx, steps=12)
        ctx.scope.cancel(CancelReason.BARGE_IN)
        assert handle.poll(2.0) is (GoalStatus.CANCELLED if ends else GoalStatus.SUCCEEDED)
        assert handle.result == (None if ends else "counted 12")


def test_a_body_may_take_the_handle_and_report() -> None:
    @skill
    def fill(handle: GoalHandle, cups: int) -> str:
        for cup in range(cups):
            handle.set_feedback(progress=(cup + 1) / cups)
        return "full"

    handle = fill.start(AgentContext(), cups=4)
    assert handle.poll(1.0) is GoalStatus.SUCCEEDED
    assert handle.feedback()[-1] == {"progress": 1.0}


def test_wrong_arguments_are_a_failed_handle_that_names_the_field() -> None:
    handle = count.start(AgentContext(), steps="many")
    assert handle.status is GoalStatus.FAILED
    assert "steps" in (handle.error or "")


def test_a_body_that_raises_is_a_failed_handle() -> None:
    @skill
    def slow() -> None:
        raise OSError("motor 3 is hot")

    @skill(latency_class="fast")
    def fast() -> None:
        raise OSError("motor 3 is hot")

    for one in (slow, fast):
        handle = one.start()
        assert handle.poll(1.0) is GoalStatus.FAILED
        assert "motor 3 is hot" in (handle.error or "")


@pytest.mark.parametrize("latency", ["fast", "slow"])
def test_an_async_body_is_awaited(latency: str) -> None:
    @skill(latency_class=latency)
    async def twice(number: int) -> int:
        await asyncio.sleep(0)
        return number * 2

    handle = twice.start(AgentContext(), number=21)
    assert handle.poll(1.0) is GoalStatus.SUCCEEDED
    assert handle.result == 42
    assert ToolRegistry(twice).dispatch("twice", {"number": 4}).result == 8


def test_a_skill_stays_the_function_it_was() -> None:
    assert count(0, AgentContext()) == "counted 0"


def test_a_method_can_be_a_skill() -> None:
    class Arm:
        def __init__(self) -> None:
            self.at = 0

        @skill
        def move(self, by: int) -> int:
            """Move."""
            self.at += by
            return self.at

    arm = Arm()
    assert arm.move.start(AgentContext(), by=3).poll(1.0) is GoalStatus.SUCCEEDED
    assert ToolRegistry(arm.move).dispatch("move", {"by": 2}).result == 5
    assert arm.move(1) == 6


def test_what_is_no_skill_is_refused_in_words() -> None:
    @tool
    def lamp() -> None:
        """Lamp."""

    with pytest.raises(ToolDefinitionError, match="is a tool"):
        as_skill(lamp)
    with pytest.raises(ToolDefinitionError, match="not a skill"):
        as_skill("navigate")
    with pytest.raises(ToolDefinitionError, match="latency_class"):
        skill(latency_class="medium")(test_what_is_no_skill_is_refused_in_words)


def test_a_plain_function_becomes_a_slow_skill() -> None:
    def dance() -> str:
        return "cha cha"

    assert as_skill(dance).start().poll(1.0) is GoalStatus.SUCCEEDED


def dispatched(name: str, arguments: dict[str, Any], ctx: AgentContext) -> tuple[Any, list[str], float]:
    events: list[AgentEvent] = []
    ctx.bus.subscribe_all(events.append)
    started = time.monotonic()
    result = ToolRegistry(navigate_to, wander, count).dispatch(name, arguments, ctx)
    return result, [event.kind for event in events], time.monotonic() - started


@pytest.mark.parametrize("name", ["navigate_to", "wander"])
def test_a_stop_during_a_drive_halts_the_robot_and_says_so(name: str) -> None:
    world = ToyWorld()
    ctx = AgentContext(deps=world)
    threading.Timer(0.1, ctx.stop.set).start()
    result, kinds, took = dispatched(name, {"room": "bedroom"}, ctx)
    assert result.status is ResultStatus.CANCELLED
    assert took < 0.5
    assert not world.is_moving()
    assert kinds[0] == "skill_goal"
    assert kinds[-1] == "skill_cancelled"


def test_progress_is_on_the_bus() -> None:
    ctx = AgentContext(deps=ToyWorld(navigate_speed=10.0))
    _, kinds, _ = dispatched("navigate_to", {"room": "kitchen"}, ctx)
    assert "skill_feedback" in kinds
