"""Skills through an agent: life of a goal, fast and slow, cancelled in the middle, time limits, halts not confirmed."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, AgentResult, GoalHandle, GoalStatus, LLMAgent, ToyWorld, skill
from edgevox.testing import ScriptedModel, call


def timed(run: Callable[[], AgentResult]) -> tuple[AgentResult, float]:
    started = time.monotonic()
    return run(), time.monotonic() - started


@skill(latency_class="slow", timeout_s=30.0, phrases=["go to the {room}"])
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive the robot to a named room.

    Args:
        room: target room.
        ctx: of the run
    """
    return ctx.deps.apply_action("navigate_to", room=room)


@skill(latency_class="fast", phrases=["where are you"], says="At {result.x}, {result.y}.")
def get_pose(ctx: AgentContext) -> dict[str, Any]:
    """Report the robot's current x/y pose."""
    return ctx.deps.get_world_state()["robot"]


def test_a_goals_end_is_final_and_brings_its_result() -> None:
    handle = GoalHandle()
    assert handle.poll() is GoalStatus.RUNNING
    assert handle.succeed("there")
    assert not handle.fail("late")
    assert (handle.status, handle.result, handle.error) == (GoalStatus.SUCCEEDED, "there", None)


def test_a_reader_that_sees_success_sees_the_result() -> None:
    for _ in range(200):
        handle = GoalHandle()
        threading.Thread(target=handle.succeed, args=("result",)).start()
        while handle.status is GoalStatus.RUNNING:
            pass
        assert handle.result == "result"


def test_feedback_is_drained_oldest_first() -> None:
    handle = GoalHandle()
    handle.set_feedback(progress=0.3)
    handle.set_feedback({"progress": 0.6})
    assert handle.feedback() == [{"progress": 0.3}, {"progress": 0.6}]
    assert handle.feedback() == []


def test_a_fast_skill_answers_inline() -> None:
    agent = LLMAgent("scout", skills=[get_pose])
    result = agent.run("where are you", AgentContext(deps=ToyWorld()))
    assert (result.reply, result.model_calls) == ("At 0, 0.", 0)


def test_a_slow_skill_drives_to_the_end() -> None:
    world = ToyWorld(navigate_speed=20.0)
    events: list[AgentEvent] = []
    ctx = AgentContext(deps=world)
    ctx.bus.subscribe_all(events.append)
    result = LLMAgent("scout", skills=[navigate_to]).run("go to the kitchen", ctx)
    assert result.tool_calls[0].ok
    assert world.get_world_state()["robot"]["x"] == 4.0
    assert {"skill_goal", "tool_call"} <= {event.kind for event in events}


def test_a_stop_in_the_middle_of_a_drive_halts_the_robot() -> None:
    world, events = ToyWorld(), list[AgentEvent]()
    ctx = AgentContext(deps=world)
    ctx.bus.subscribe_all(events.append)
    agent = LLMAgent("scout", skills=[navigate_to])
    assert agent.matches_phrase("go to the bedroom")
    threading.Timer(0.2, ctx.stop.set).start()
    result, took = timed(lambda: agent.run("go to the bedroom", ctx))
    assert took < 0.7
    assert result.preempted
    assert result.reply == ""
    robot = world.get_world_state()["robot"]
    assert robot["velocity"] == 0.0
    assert 0 < robot["x"] < 1.0
    kinds = [event.kind for event in events]
    assert "skill_cancelled" in kinds
    assert kinds.count("safety_preempt") == 1


def test_a_slow_body_runs_on_a_worker_and_hears_the_stop() -> None:
    heard = threading.Event()

    @skill(phrases=["fill the tank"])
    def fill_tank(handle: GoalHandle) -> str:
        """Fill it."""
        while not handle.should_cancel():
            time.sleep(0.01)
        heard.set()
        return "stopped"

    agent, ctx = LLMAgent("robot", skills=[fill_tank]), AgentContext()
    assert agent.matches_phrase("fill the tank")
    threading.Timer(0.3, ctx.stop.set).start()
    result, took = timed(lambda: agent.run("fill the tank", ctx))
    assert took < 0.6
    assert result.preempted
    assert heard.wait(0.5)


def test_the_time_limit_of_a_working_body_is_kept() -> None:
    @skill(timeout_s=0.3, phrases=["take a nap"])
    def nap(ctx: AgentContext) -> str:
        """Nap."""
        while not ctx.should_stop():
            time.sleep(0.01)
        return "woken"

    agent = LLMAgent("robot", skills=[nap])
    assert agent.matches_phrase("take a nap")
    result, took = timed(lambda: agent.run("take a nap", AgentContext()))
    assert 0.25 < took < 0.9
    assert result.tool_calls[0].error_code == "timeout"
    assert "timed out" in result.reply


def test_a_skill_that_ignores_cancel_is_reported_and_the_agent_returns() -> None:
    @skill(phrases=["swing the arm"])
    def swing(ctx: AgentContext) -> GoalHandle:
        """Swing; nobody listens to cancel."""
        threading.Timer(0.05, ctx.stop.set).start()
        return GoalHandle()

    result, took = timed(lambda: LLMAgent("robot", skills=[swing]).run("swing the arm", AgentContext()))
    assert took < 1.2
    assert result.preempted
    assert result.tool_calls[0].error_code == "halt_unconfirmed"
    assert "not confirmed" in (result.tool_calls[0].error or "")


def test_a_halt_that_is_not_confirmed_after_a_time_limit_is_said_aloud() -> None:
    @skill(timeout_s=0.05, phrases=["swing the arm"])
    def swing() -> GoalHandle:
        """Swing; nobody listens to cancel."""
        return GoalHandle()

    result = LLMAgent("robot", skills=[swing]).run("swing the arm", AgentContext())
    assert "not confirmed" in result.reply


def test_skills_check_their_arguments_like_tools() -> None:
    model = ScriptedModel(call("navigate_to", room=["kitchen"]), "I could not.")
    result = LLMAgent("scout", skills=[navigate_to], llm=model).run("drive", AgentContext(deps=ToyWorld()))
    assert result.tool_calls[0].error_code == "bad_arguments"
    assert "room" in (result.tool_calls[0].error or "")


@pytest.mark.parametrize("reason", ["stop", "user", "shutdown"])
def test_every_end_but_a_barge_in_ends_the_drive(reason: str) -> None:
    world = ToyWorld()
    ctx = AgentContext(deps=world)
    agent = LLMAgent("scout", skills=[navigate_to])
    assert agent.matches_phrase("go to the bedroom")
    threading.Timer(0.1, lambda: ctx.scope.cancel(reason)).start()
    assert agent.run("go to the bedroom", ctx).preempted
    assert not world.is_moving()


def test_a_new_goal_preempts_the_drive_that_was_left_running() -> None:
    from edgevox.core.cancel import CancelReason

    world = ToyWorld(navigate_speed=8.0)
    agent = LLMAgent("scout", skills=[navigate_to])
    first = AgentContext(deps=world)
    assert agent.matches_phrase("go to the bedroom")
    threading.Timer(0.1, lambda: first.scope.cancel(CancelReason.BARGE_IN)).start()
    agent.run("go to the bedroom", first)
    assert world.is_moving()
    second = agent.run("go to the office", AgentContext(deps=world, session=first.session))
    assert second.tool_calls[0].ok
    assert world.get_world_state()["robot"]["x"] == 0.0
