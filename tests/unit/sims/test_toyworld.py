"""The reference world: its spellings, its one goal, its stop."""

import math
import threading
import time
from typing import Any

import pytest

from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.sims import MotionSource, SimEnvironment, ToyWorld


@pytest.fixture
def world() -> ToyWorld:
    """A world whose time the test moves."""
    return ToyWorld(threaded=False)


def done(handle: GoalHandle) -> object:
    assert handle.status is GoalStatus.SUCCEEDED, handle.error
    return handle.result


def test_it_is_an_environment_and_can_be_halted(world: ToyWorld) -> None:
    assert isinstance(world, SimEnvironment)
    assert isinstance(world, MotionSource)


def test_the_rooms_are_where_they_are_promised(world: ToyWorld) -> None:
    rooms = world.get_world_state()["rooms"]
    assert {name: (room["x"], room["y"]) for name, room in rooms.items()} == {
        "living_room": (0, 0),
        "kitchen": (4, 0),
        "bedroom": (4, 4),
        "office": (0, 4),
    }
    assert world.room_names() == list(rooms) == done(world.apply_action("list_rooms"))


def test_a_drive_takes_its_time_and_ends_in_the_room(world: ToyWorld) -> None:
    goal = world.apply_action("navigate_to", room="kitchen")
    world.step(1.0)
    robot = world.get_world_state()["robot"]
    assert (robot["x"], robot["y"], robot["velocity"], robot["goal"]) == (1.0, 0.0, 1.0, "kitchen")
    assert goal.status is GoalStatus.RUNNING
    for _ in range(3):
        world.step(1.0)
    assert done(goal) == {"room": "kitchen", "x": 4.0, "y": 0.0}
    assert not world.is_moving()
    assert world.get_world_state()["robot"]["velocity"] == 0.0


def test_a_drive_goes_straight_and_looks_where_it_goes(world: ToyWorld) -> None:
    world.apply_action("navigate_to", room="bedroom")
    world.step(math.sqrt(2))
    assert done(world.apply_action("get_pose")) == {"x": 1.0, "y": 1.0, "heading_deg": 45.0}


def test_a_point_is_a_target_too(world: ToyWorld) -> None:
    goal = world.apply_action("navigate_to", x=1, y="0.5")
    world.step(10)
    assert done(goal) == {"x": 1.0, "y": 0.5}


def test_a_room_may_be_spelled_as_it_is_said(world: ToyWorld) -> None:
    assert done(world.apply_action("set_light", room="Living Room", on=True)) == {
        "room": "living_room",
        "light_on": True,
    }
    assert world.get_world_state()["rooms"]["living_room"]["light_on"] is True


@pytest.mark.parametrize(
    ("action", "arguments", "words"),
    [
        ("fly", {}, "unknown action 'fly'"),
        ("navigate_to", {}, "needs a room"),
        ("navigate_to", {"x": 1}, "needs a room"),
        ("navigate_to", {"room": "garage"}, "garage"),
        ("navigate_to", {"x": "left", "y": 0}, "must be numbers"),
        ("navigate_to", {"x": 99, "y": 0}, "outside"),
        ("navigate_to", {"x": float("nan"), "y": 0}, "outside"),
        ("navigate_to", {"place": "kitchen"}, "unexpected"),
        ("set_light", {"room": "garage", "on": True}, "garage"),
        ("set_light", {"room": "kitchen"}, "missing"),
        ("get_pose", {"of": "me"}, "unexpected"),
    ],
)
def test_what_cannot_be_done_is_a_failed_handle_that_says_why(
    world: ToyWorld, action: str, arguments: dict[str, object], words: str
) -> None:
    handle = world.apply_action(action, **arguments)
    assert handle.status is GoalStatus.FAILED
    assert words in (handle.error or "")
    assert not world.is_moving()


def test_a_new_goal_takes_the_place_of_the_old_one(world: ToyWorld) -> None:
    first = world.apply_action("navigate_to", room="kitchen")
    world.step(1.0)
    second = world.apply_action("navigate_to", room="office")
    assert first.status is GoalStatus.CANCELLED
    for _ in range(10):
        world.step(1.0)
    assert first.status is GoalStatus.CANCELLED
    assert done(second) == {"room": "office", "x": 0.0, "y": 4.0}


def test_an_impossible_goal_leaves_the_running_one_alone(world: ToyWorld) -> None:
    goal = world.apply_action("navigate_to", room="kitchen")
    world.apply_action("navigate_to", room="garage")
    assert goal.status is GoalStatus.RUNNING


def test_cancel_commands_zero_before_it_says_cancelled(world: ToyWorld) -> None:
    goal = world.apply_action("navigate_to", room="kitchen")
    world.step(1.0)
    moving_when_told: list[bool] = []
    goal.on_end(lambda: moving_when_told.append(world.is_moving()))
    goal.cancel()
    assert moving_when_told == [False]
    assert goal.status is GoalStatus.CANCELLED
    world.step(5.0)
    assert world.get_world_state()["robot"]["x"] == 1.0


def test_a_late_cancel_of_an_old_goal_does_not_stop_the_new_one(world: ToyWorld) -> None:
    first = world.apply_action("navigate_to", room="kitchen")
    second = world.apply_action("navigate_to", room="office")
    first.cancel()
    assert world.is_moving()
    assert second.status is GoalStatus.RUNNING


def test_progress_is_reported_on_the_way(world: ToyWorld) -> None:
    goal = world.apply_action("navigate_to", room="kitchen")
    for _ in range(10):
        world.step(0.1)
    reports = goal.feedback()
    assert reports
    assert reports[-1] == {"progress": 0.25, "distance_m": 3.0}


def test_driving_costs_charge(world: ToyWorld) -> None:
    world.apply_action("navigate_to", room="kitchen")
    world.step(10.0)
    assert done(world.apply_action("battery_level")) == {"battery_pct": 99.2}


def test_reset_puts_everything_back_and_cancels_the_drive(world: ToyWorld) -> None:
    fresh = world.get_world_state()
    goal = world.apply_action("navigate_to", room="kitchen")
    world.apply_action("set_light", room="office", on=True)
    world.step(1.0)
    world.reset()
    assert goal.status is GoalStatus.CANCELLED
    assert world.get_world_state() == fresh


def test_the_state_is_a_copy(world: ToyWorld) -> None:
    world.get_world_state()["rooms"]["kitchen"]["light_on"] = True
    assert world.get_world_state()["rooms"]["kitchen"]["light_on"] is False


def test_a_world_of_your_own_has_your_rooms_pose_and_speed() -> None:
    world = ToyWorld(rooms=[("dock", 1, 1), ("lab", 3, 1)], robot_pose=(1, 1, 450), navigate_speed=2.0, threaded=False)
    assert done(world.apply_action("get_pose")) == {"x": 1.0, "y": 1.0, "heading_deg": 90.0}
    goal = world.apply_action("navigate_to", room="lab")
    world.step(1.0)
    assert goal.status is GoalStatus.SUCCEEDED


def test_a_world_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        ToyWorld(navigate_speed=0)
    with pytest.raises(ValueError, match="name of its own"):
        ToyWorld(rooms=[("a", 0, 0), ("a", 1, 1)])


def test_the_robot_moves_by_itself_in_real_time() -> None:
    world = ToyWorld(navigate_speed=20.0)
    goal = world.apply_action("navigate_to", room="kitchen")
    assert goal.poll(2.0) is GoalStatus.SUCCEEDED
    world.close()


def test_a_halt_acts_at_once_from_any_thread() -> None:
    world = ToyWorld(navigate_speed=1.0)
    goal = world.apply_action("navigate_to", room="bedroom")
    time.sleep(0.03)
    started = time.perf_counter()
    halting = threading.Thread(target=world.halt)
    halting.start()
    halting.join()
    assert world.get_world_state()["robot"]["velocity"] == 0.0
    assert time.perf_counter() - started < 0.05
    assert goal.poll(0.1) is GoalStatus.CANCELLED


def test_a_halted_world_can_drive_again() -> None:
    world = ToyWorld(navigate_speed=20.0)
    world.apply_action("navigate_to", room="kitchen")
    world.halt()
    assert world.apply_action("navigate_to", room="office").poll(2.0) is GoalStatus.SUCCEEDED
    world.close()


def test_no_thread_is_left_when_the_robot_rests_or_the_world_is_closed() -> None:
    def physics() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name == "toyworld"]

    before = len(physics())
    worlds = [ToyWorld(navigate_speed=50.0) for _ in range(5)]
    for world in worlds:
        assert world.apply_action("navigate_to", x=0.5, y=0).poll(2.0) is GoalStatus.SUCCEEDED
    world = ToyWorld()
    world.apply_action("navigate_to", room="bedroom")
    world.close()
    world.close()
    deadline = time.monotonic() + 2.0
    while len(physics()) > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(physics()) <= before, "a thread of these worlds is left"


def test_a_closed_world_can_be_read_and_does_not_drive() -> None:
    world = ToyWorld()
    world.close()
    goal = world.apply_action("navigate_to", room="kitchen")
    assert goal.status is GoalStatus.FAILED
    assert world.get_world_state()["robot"]["velocity"] == 0.0


@pytest.mark.parametrize(
    ("rooms", "words"),
    [([], "a room at least"), ([("hall",)], "a list of names"), ([("hall", "x", 0)], "a list of names")],
)
def test_rooms_that_are_none_are_one_sentence(rooms: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ToyWorld(rooms=rooms)
