"""The list of what is under way: seen by a person, ended one by one or all together."""

import threading
import time

from edgevox.core.goals import GoalHandle, GoalStatus, RunningGoals


def test_an_action_is_listed_with_what_a_person_wants_to_know_until_it_is_over() -> None:
    goals, handle = RunningGoals(), GoalHandle()
    goal_id = goals.add("navigate_to", handle, {"room": "kitchen"})
    handle.set_feedback(progress=0.3)
    handle.feedback()
    handle.set_feedback(progress=0.6)
    (seen,) = goals.running()
    assert (seen.goal_id, seen.name, seen.arguments) == (goal_id, "navigate_to", {"room": "kitchen"})
    assert seen.feedback == {"progress": 0.6}
    assert not seen.ending
    assert abs(seen.started - time.time()) < 60
    assert 0 <= seen.running_s < 60
    handle.succeed("there")
    assert goals.running() == []


def test_one_action_is_cancelled_and_the_others_go_on() -> None:
    goals, one, other = RunningGoals(), GoalHandle(), GoalHandle()
    goal_id = goals.add("one", one)
    goals.add("other", other)
    assert goals.cancel(goal_id)
    assert one.wait_cancel(2.0)
    assert one.cancel_reason == "user"
    assert not other.should_cancel()
    assert [goal.ending for goal in goals.running()] == [True, False]
    assert not goals.cancel("99")


def test_a_cancel_that_hangs_keeps_neither_the_caller_nor_the_others_waiting() -> None:
    release, told = threading.Event(), threading.Event()
    goals = RunningGoals()

    def hang() -> None:
        release.wait(5)

    goals.add("hangs", GoalHandle(on_cancel=hang))
    goals.add("obeys", GoalHandle(on_cancel=told.set))
    began = time.monotonic()
    assert goals.cancel_all() == 2
    assert time.monotonic() - began < 0.5
    assert told.wait(2)
    release.set()


def test_the_same_handle_twice_is_one_action() -> None:
    goals, handle = RunningGoals(), GoalHandle()
    assert goals.add("drive", handle) == goals.add("drive again", handle)
    assert goals.names() == ["drive"]


def test_an_action_that_is_over_is_never_listed() -> None:
    goals, handle = RunningGoals(), GoalHandle()
    handle.fail("no such room")
    goals.add("drive", handle)
    assert goals.names() == []


def test_the_first_reason_of_a_cancel_stays_and_the_latest_report_can_be_read_again() -> None:
    handle = GoalHandle()
    assert (handle.cancel_reason, handle.latest_feedback) == (None, None)
    handle.cancel("preempted")
    handle.cancel("stop")
    handle.set_feedback("turning")
    assert (handle.cancel_reason, handle.latest_feedback, handle.status) == ("preempted", "turning", GoalStatus.RUNNING)


def test_only_what_moves_the_same_and_is_left_or_told_to_end_is_in_the_way() -> None:
    goals = RunningGoals()
    left, told, fresh, lamp = GoalHandle(), GoalHandle(), GoalHandle(), GoalHandle()
    for name, handle, body in (
        ("left", left, {"base"}),
        ("told", told, {"base", "arm"}),
        ("fresh", fresh, {"base"}),
        ("lamp", lamp, ()),
    ):
        goals.add(name, handle, moves=body)
    goals.leave(left)
    goals.leave(lamp)
    told.cancel()
    assert [name for name, _ in goals.left_moving({"base"})] == ["left", "told"]
    assert [name for name, _ in goals.left_moving({"arm", "lamp"})] == ["told"]
    assert goals.left_moving(()) == []
