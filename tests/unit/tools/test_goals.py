"""Actions: driven to their end, ended with their turn, and never assumed to have halted."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.core.messages import ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult, ToolSite
from edgevox.tools import ToolRegistry, build_tool
from edgevox.tools.bodies import start_body


@dataclass
class Policy:
    cancel_skills: bool = False


class Drive:
    """A backend whose goals a test holds in its hands."""

    def __init__(self, *, obedient: bool = True) -> None:
        self.handles: list[GoalHandle] = []
        self.obedient = obedient
        self.began = threading.Event()

    def navigate_to(self, room: str) -> GoalHandle:
        """Drive to a room."""
        handle = GoalHandle(on_cancel=self._halt)
        self.handles.append(handle)
        self.began.set()
        return handle

    def _halt(self) -> None:
        if self.obedient:
            self.handles[-1].mark_cancelled("halted")


class Turn:
    """One turn in which a goal is driven on a thread of its own."""

    def __init__(self, fn: Callable[..., Any], arguments: dict[str, Any] | None = None, **options: Any) -> None:
        interrupt = options.pop("interrupt", None)
        self.events: list[AgentEvent] = []
        bus = EventBus()
        bus.subscribe_all(self.events.append)
        self.scope = CancelScope()
        self.ctx = AgentContext(bus=bus, scope=self.scope, interrupt=interrupt)
        self.registry = ToolRegistry(build_tool(fn, site=ToolSite.WORKER, **options))
        self.result: ToolCallResult | None = None
        self._thread = threading.Thread(target=self._run, args=(fn.__name__, arguments or {}))
        self._thread.start()

    def _run(self, name: str, arguments: dict[str, Any]) -> None:
        self.result = self.registry.dispatch(name, arguments, self.ctx, agent_name="scout")

    def end(self, timeout: float = 2.0) -> ToolCallResult:
        self._thread.join(timeout)
        assert self.result is not None, "the call did not return"
        return self.result

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


def test_a_goal_that_succeeds_is_the_result_of_the_call() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    drive.handles[0].set_feedback(progress=0.5)
    drive.handles[0].succeed("in the kitchen")
    result = turn.end()
    assert (result.ok, result.result) == (True, "in the kitchen")
    assert turn.kinds() == ["skill_goal", "skill_feedback"]
    assert turn.events[1].payload.feedback == {"progress": 0.5}
    assert {event.agent_name for event in turn.events} == {"scout"}


def test_a_goal_that_fails_says_why() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    drive.handles[0].fail("a chair is in the way")
    assert turn.end().error == "a chair is in the way"


def test_the_end_of_the_turn_cancels_the_goal_within_50_ms() -> None:
    assert min(_seconds_until_cancelled() for _ in range(3)) < 0.05  # the best of three, for the machine may be busy


def _seconds_until_cancelled() -> float:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    time.sleep(0.03)
    began = time.monotonic()
    turn.scope.cancel(CancelReason.STOP)
    assert drive.handles[0].poll(1) is GoalStatus.CANCELLED
    took = time.monotonic() - began
    result = turn.end()
    assert (result.status, result.error_code) == (ResultStatus.CANCELLED, "cancelled")
    assert turn.kinds() == ["skill_goal", "skill_cancelled"]
    assert turn.events[1].payload.reason == "stop"
    return took


def test_a_goal_that_ignores_the_halt_is_reported_and_the_turn_goes_on() -> None:
    drive = Drive(obedient=False)
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    began = time.monotonic()
    turn.scope.cancel(CancelReason.STOP)
    result = turn.end()
    assert 0.4 < time.monotonic() - began < 1.0
    assert (result.status, result.error_code) == (ResultStatus.CANCELLED, "halt_unconfirmed")
    assert "halt is not confirmed" in (result.error or "")
    assert turn.events[-1].payload.confirmed is False
    drive.handles[0].succeed("too late")
    assert turn.end().error_code == "halt_unconfirmed"


def test_a_hanging_cancel_does_not_hold_the_turn() -> None:
    release = threading.Event()

    def hang() -> None:
        release.wait(10)

    def hang_on_cancel() -> GoalHandle:
        return GoalHandle(on_cancel=hang)

    turn = Turn(hang_on_cancel)
    time.sleep(0.05)
    began = time.monotonic()
    turn.scope.cancel(CancelReason.STOP)
    assert turn.end().error_code == "halt_unconfirmed"
    assert time.monotonic() - began < 1.0
    release.set()


def test_a_goal_has_its_time_limit() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"}, timeout_s=0.1)
    began = time.monotonic()
    result = turn.end()
    assert time.monotonic() - began < 0.5
    assert (result.status, result.error_code) == (ResultStatus.ERROR, "timeout")
    assert "timed out after 0.1 seconds" in (result.error or "")
    assert drive.handles[0].status is GoalStatus.CANCELLED


def test_a_barge_in_leaves_the_goal_running_unless_the_policy_says_otherwise() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    turn.scope.cancel(CancelReason.BARGE_IN)
    result = turn.end()
    assert (result.status, result.error_code) == (ResultStatus.CANCELLED, "left_running")
    assert not drive.handles[0].should_cancel()
    assert "navigate_to" in turn.ctx.goals.names()
    drive.handles[0].succeed("arrived")
    deadline = time.monotonic() + 1
    while "skill_feedback" not in turn.kinds() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert turn.events[-1].payload.status is GoalStatus.SUCCEEDED
    assert "navigate_to" not in turn.ctx.goals.names()


def test_a_barge_in_cancels_the_goal_when_the_policy_says_so() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"}, interrupt=Policy(cancel_skills=True))
    assert drive.began.wait(1)
    turn.scope.cancel(CancelReason.BARGE_IN)
    assert turn.end().error_code == "cancelled"
    assert drive.handles[0].status is GoalStatus.CANCELLED


def test_a_stop_reaches_goals_whose_turn_is_over() -> None:
    drive = Drive()
    turn = Turn(drive.navigate_to, {"room": "kitchen"})
    assert drive.began.wait(1)
    turn.scope.cancel(CancelReason.BARGE_IN)
    turn.end()
    assert turn.ctx.goals.cancel_all() == 1
    assert drive.handles[0].poll(0.5) is GoalStatus.CANCELLED


def test_a_goal_that_begins_after_everybody_gave_up_is_cancelled() -> None:
    release = threading.Event()
    handles: list[GoalHandle] = []

    def slow_start() -> GoalHandle:
        release.wait(5)
        handles.append(GoalHandle())
        return handles[0]

    turn = Turn(slow_start)
    time.sleep(0.02)
    turn.scope.cancel(CancelReason.STOP)
    assert turn.end().status is ResultStatus.CANCELLED
    release.set()
    deadline = time.monotonic() + 1
    while not (handles and handles[0].should_cancel()) and time.monotonic() < deadline:
        time.sleep(0.005)
    assert handles[0].should_cancel()


def test_a_goal_finished_at_the_moment_of_the_stop_counts_as_finished() -> None:
    handles: list[GoalHandle] = []

    def close() -> None:
        handles[0].succeed("closed")

    def grip() -> GoalHandle:
        handles.append(GoalHandle(on_cancel=close))
        return handles[0]

    turn = Turn(grip)
    time.sleep(0.05)
    turn.scope.cancel(CancelReason.STOP)
    assert turn.end().result == "closed"


def test_a_raising_observer_does_not_leave_the_goal_without_its_driver() -> None:
    drive = Drive()

    def observer(event: AgentEvent) -> None:
        raise RuntimeError("observer")

    ctx = AgentContext(on_event=observer)
    registry = ToolRegistry(build_tool(drive.navigate_to, site=ToolSite.WORKER))
    threading.Timer(0.05, lambda: drive.handles[0].succeed("there")).start()
    assert registry.dispatch("navigate_to", {"room": "kitchen"}, ctx).result == "there"


def test_the_body_of_an_action_runs_on_a_worker_and_reports() -> None:
    def work(steps: int, handle: GoalHandle) -> str:
        """Work."""
        for step in range(steps):
            handle.set_feedback(step=step)
        return f"{steps} steps by {threading.current_thread().name}"

    turn = Turn(work, {"steps": 3})
    result = turn.end()
    assert result.ok
    assert "edgevox-tool" in result.result
    assert turn.kinds().count("skill_feedback") == 3


def test_the_body_of_an_action_can_be_cancelled() -> None:
    def work(handle: GoalHandle) -> str:
        """Work."""
        while not handle.should_cancel():
            handle.wait_cancel(0.5)
        return "never told"

    turn = Turn(work)
    time.sleep(0.05)
    turn.scope.cancel(CancelReason.STOP)
    assert turn.end().status is ResultStatus.CANCELLED


@pytest.mark.parametrize("error", [ValueError("no such arm"), RuntimeError("broken")])
def test_the_fault_of_a_body_is_the_failure_of_its_goal(error: Exception) -> None:
    def body(handle: GoalHandle) -> None:
        raise error

    handle = start_body(body, "reach")
    assert handle.poll(1) is GoalStatus.FAILED
    assert str(error) in (handle.error or "")


def test_a_body_may_hand_over_to_a_goal_of_its_own() -> None:
    inner = GoalHandle()
    handle = start_body(lambda _: inner, "reach")
    assert handle.poll(0.05) is GoalStatus.RUNNING
    inner.succeed(7)
    assert handle.poll(1) is GoalStatus.SUCCEEDED
    assert handle.result == 7
