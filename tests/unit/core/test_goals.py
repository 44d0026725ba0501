import threading
import time

import pytest

from edgevox.core.goals import GoalHandle, GoalStatus


@pytest.mark.parametrize("end", ["succeed", "fail", "mark_cancelled"])
def test_a_terminal_status_is_final(end: str) -> None:
    handle = GoalHandle()
    assert getattr(handle, end)("x")
    status = handle.status
    assert status.is_terminal()
    assert not handle.succeed(2)
    assert not handle.fail("late")
    assert handle.status is status


def test_a_reader_that_sees_success_sees_the_result() -> None:
    for _ in range(50):
        handle = GoalHandle()
        threading.Thread(target=handle.succeed, args=(42,)).start()
        while handle.status is not GoalStatus.SUCCEEDED:
            pass
        assert handle.result == 42


def test_poll_without_a_timeout_does_not_wait() -> None:
    started = time.monotonic()
    assert GoalHandle().poll() is GoalStatus.RUNNING
    assert time.monotonic() - started < 0.1


def test_poll_wakes_when_the_action_ends() -> None:
    handle = GoalHandle()
    threading.Timer(0.02, handle.succeed).start()
    assert handle.poll(5.0) is GoalStatus.SUCCEEDED


def test_cancelling_tells_the_hardware_once_and_before_it_returns() -> None:
    told: list[str] = []
    handle = GoalHandle(on_cancel=lambda: told.append("halt"))
    handle.cancel()
    handle.cancel()
    assert told == ["halt"]
    assert handle.should_cancel()
    assert handle.status is GoalStatus.RUNNING


def test_a_sleeping_body_wakes_when_it_is_cancelled() -> None:
    handle = GoalHandle()
    threading.Timer(0.02, handle.cancel).start()
    started = time.monotonic()
    assert handle.wait_cancel(5.0)
    assert time.monotonic() - started < 1.0


def test_feedback_drains_in_order() -> None:
    handle = GoalHandle()
    handle.set_feedback(progress=0.3)
    handle.set_feedback({"progress": 0.6})
    assert handle.feedback() == [{"progress": 0.3}, {"progress": 0.6}]
    assert handle.feedback() == []


def test_a_pending_action_starts_once() -> None:
    handle = GoalHandle(GoalStatus.PENDING)
    assert handle.start()
    assert not handle.start()
    assert handle.status is GoalStatus.RUNNING


def test_reports_that_nobody_takes_do_not_pile_up() -> None:
    handle = GoalHandle()
    for number in range(5000):
        handle.set_feedback(number)
    assert handle.feedback()[-1] == 4999
    assert handle.latest_feedback == 4999
    for number in range(5000):
        handle.set_feedback(number)
    assert len(handle.feedback()) == 1000


def test_a_listener_that_raises_keeps_nobody_else_from_hearing_the_end() -> None:
    heard: list[str] = []

    def fails() -> None:
        raise RuntimeError("listener")

    handle = GoalHandle()
    handle.on_end(fails)
    handle.on_end(lambda: heard.append("end"))
    assert handle.succeed()
    handle.on_end(fails)
    assert heard == ["end"]
