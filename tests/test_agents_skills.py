"""Skills through an agent: life of a goal, fast and slow, cancelled in the middle, time limits, halts not confirmed."""

import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import (
    AgentContext,
    AgentEvent,
    AgentResult,
    GoalHandle,
    GoalStatus,
    InterruptPolicy,
    LLMAgent,
    ToyWorld,
    skill,
)
from edgevox.core.cancel import CancelReason
from edgevox.testing import Conversation, ScriptedModel, call


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

    agent = LLMAgent("robot", skills=[swing])
    assert agent.matches_phrase("swing the arm")
    result, took = timed(lambda: agent.run("swing the arm", AgentContext()))
    assert 0.5 < took < 1.5
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


def test_toyworld_new_goal_preempts_old() -> None:
    world = ToyWorld(navigate_speed=10.0)
    ctx = AgentContext(deps=world)
    first = navigate_to.start(ctx, room="bedroom")
    second = navigate_to.start(ctx, room="kitchen")
    assert second.poll(3.0) is GoalStatus.SUCCEEDED
    assert first.status is GoalStatus.CANCELLED
    assert world.get_world_state()["robot"]["y"] == 0.0


def test_a_polling_body_sees_its_cancel_within_50_ms_of_the_request() -> None:
    took: list[float] = []
    for _ in range(9):
        asked, seen, begun, ctx = list[float](), list[float](), threading.Event(), AgentContext()

        @skill
        def patrol(ctx: AgentContext) -> None:
            """Patrol, looking every 10 ms."""
            begun.set()  # noqa: B023
            while not ctx.should_stop():
                time.sleep(0.01)
            seen.append(time.monotonic())  # noqa: B023

        run = threading.Thread(target=LLMAgent("robot", skills=[patrol]).tools.dispatch, args=("patrol", {}, ctx))
        run.start()
        assert begun.wait(2)
        asked.append(time.monotonic())
        ctx.stop.set()
        run.join(2)
        took.append(seen[0] - asked[0])
    assert statistics.median(took) < 0.05
    assert max(took) < 0.5


def test_a_cancelled_drive_has_velocity_zero_within_50_ms_and_says_cancelled_only_then() -> None:
    took: list[float] = []
    for _ in range(5):
        world = ToyWorld()
        handle = navigate_to.start(AgentContext(deps=world), room="kitchen")
        velocities: list[float] = []
        handle.on_end(lambda world=world, seen=velocities: seen.append(world.get_world_state()["robot"]["velocity"]))
        until = time.monotonic() + 5
        while not world.is_moving() and time.monotonic() < until:
            time.sleep(0.001)
        asked = time.monotonic()
        handle.cancel()
        assert handle.poll(1.0) is GoalStatus.CANCELLED
        took.append(time.monotonic() - asked)
        assert velocities == [0.0]
    assert min(took) < 0.05


def test_a_body_that_blocks_does_not_keep_a_stop_from_the_robot() -> None:
    world = ToyWorld()

    @skill(phrases=["creep to the {room}"])
    def creep_to(room: str, ctx: AgentContext) -> str:
        """Drive; a driver's library that blocks in C looks like this from outside."""
        ctx.deps.apply_action("navigate_to", room=room)
        time.sleep(1.5)
        return "arrived"

    with Conversation(skills=[creep_to], deps=world, model=ScriptedModel()) as talk:
        turn = talk.assistant.submit("creep to the kitchen")
        talk.wait_for("skill_goal")
        until = time.monotonic() + 2
        while not world.is_moving() and time.monotonic() < until:
            time.sleep(0.005)
        report = talk.assistant.stop()
        assert not world.is_moving()
        assert not report.unconfirmed
        assert talk.end_of(turn, 1.2).tool_calls[0].error_code == "halt_unconfirmed"


def test_the_feedback_of_a_body_is_on_the_bus() -> None:
    @skill(phrases=["fill the tank"])
    def fill_tank(handle: GoalHandle) -> str:
        """Fill it."""
        for tenth in range(1, 11):
            handle.set_feedback(progress=tenth / 10)
        return "full"

    ctx, events = AgentContext(), list[AgentEvent]()
    ctx.bus.subscribe("skill_feedback", events.append)
    LLMAgent("robot", skills=[fill_tank]).run("fill the tank", ctx)
    assert [event.payload.feedback["progress"] for event in events] == [tenth / 10 for tenth in range(1, 11)]


@pytest.mark.parametrize("cancel_skills", [False, True])
def test_the_policy_says_whether_a_barge_in_ends_a_drive(cancel_skills: bool) -> None:
    world = ToyWorld()
    ctx = AgentContext(deps=world)
    agent = LLMAgent("scout", skills=[navigate_to], interrupt_policy=InterruptPolicy(cancel_skills=cancel_skills))
    assert agent.matches_phrase("go to the bedroom")
    threading.Timer(0.1, lambda: ctx.scope.cancel(CancelReason.BARGE_IN)).start()
    result = agent.run("go to the bedroom", ctx)
    assert result.tool_calls[0].error_code == ("cancelled" if cancel_skills else "left_running")
    assert world.is_moving() is not cancel_skills
    world.halt()


def test_a_skill_that_finished_before_a_barge_in_is_remembered_and_never_run_again() -> None:
    opened: list[str] = []

    @skill
    def open_grip(handle: GoalHandle) -> str:
        """Open the grip."""
        opened.append("grip")
        return "the grip is open"

    first = AgentContext()

    def interrupted(_: Any) -> str:
        first.scope.cancel(CancelReason.BARGE_IN)
        return "I have opened"

    model = ScriptedModel(call("open_grip"), interrupted, "It is open already.")
    agent = LLMAgent("robot", skills=[open_grip], llm=model)
    assert agent.run("open the grip", first).preempted
    assert agent.run("and now", AgentContext(session=first.session)).reply == "It is open already."
    assert model.requests[-1].tool_results == ["the grip is open"]
    assert opened == ["grip"]


def test_start_gives_a_handle_at_once_whatever_the_body_does() -> None:
    release, inner = threading.Event(), GoalHandle()

    @skill
    def dock() -> GoalHandle:
        """Dock; asking the base takes its time."""
        release.wait(5)
        return inner

    began = time.monotonic()
    handle = dock.start()
    assert time.monotonic() - began < 0.5
    assert handle.status is GoalStatus.RUNNING
    handle.cancel()
    release.set()
    until = time.monotonic() + 2
    while not inner.should_cancel() and time.monotonic() < until:
        time.sleep(0.005)
    assert inner.cancel_reason == "user"
    inner.mark_cancelled("docking was given up")
    assert (handle.poll(1.0), handle.error) == (GoalStatus.CANCELLED, "docking was given up")


def test_start_keeps_the_time_limit_and_the_stop_of_its_context() -> None:
    @skill(timeout_s=0.1)
    def nap(handle: GoalHandle) -> str:
        """Nap until told otherwise."""
        handle.wait_cancel(5)
        return "woken"

    handle = nap.start()
    assert handle.poll(2.0) is GoalStatus.CANCELLED
    assert handle.cancel_reason == "timeout"
    world = ToyWorld()
    ctx = AgentContext(deps=world, stop=threading.Event())
    drive = navigate_to.start(ctx, room="bedroom")
    assert [goal.name for goal in ctx.goals.running()] == ["navigate_to"]
    ctx.scope.cancel(CancelReason.BARGE_IN)
    assert drive.poll(0.1) is GoalStatus.RUNNING
    other = AgentContext(deps=world, stop=threading.Event())
    drive = navigate_to.start(other, room="bedroom")
    other.stop.set()
    assert drive.poll(1.0) is GoalStatus.CANCELLED
    assert not world.is_moving()


def test_a_stop_reaches_what_was_started_outside_any_turn() -> None:
    world = ToyWorld()
    ctx = AgentContext(deps=world)
    handle = navigate_to.start(ctx, room="bedroom")
    assert ctx.goals.cancel_all() == 1
    assert handle.poll(1.0) is GoalStatus.CANCELLED
    assert handle.cancel_reason == "stop"


def test_the_time_limit_of_a_body_of_two_seconds_is_kept_near_half_a_second() -> None:
    @skill(timeout_s=0.5, phrases=["take a nap"])
    def nap(ctx: AgentContext) -> str:
        """Nap for two seconds."""
        ctx.scope.wait(2.0)
        return "rested"

    agent = LLMAgent("robot", skills=[nap])
    assert agent.matches_phrase("take a nap")
    result, took = timed(lambda: agent.run("take a nap", AgentContext()))
    assert 0.45 < took < 1.1
    assert result.tool_calls[0].error_code == "timeout"
    assert "timed out after 0.5 seconds" in result.reply
