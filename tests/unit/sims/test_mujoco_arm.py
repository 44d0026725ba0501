"""The arm at its table: picking, putting, failing in words, holding on to what it has."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.sims import MujocoArmEnvironment, SimEnvironment

pytest.importorskip("mujoco")

TICK_S = 0.01


@pytest.fixture
def table() -> Iterator[MujocoArmEnvironment]:
    """A table whose time the test moves."""
    world = MujocoArmEnvironment(threaded=False)
    yield world
    world.close()


def finish(world: MujocoArmEnvironment, handle: GoalHandle, limit_s: float = 20.0) -> GoalStatus:
    """Let time pass until the action is over."""
    passed = 0.0
    while not handle.status.is_terminal():
        assert passed < limit_s, "the action never ended"
        world.step(TICK_S)
        passed += TICK_S
    return handle.status


def do(world: MujocoArmEnvironment, action: str, **arguments: Any) -> Any:
    handle = world.apply_action(action, **arguments)
    assert finish(world, handle) is GoalStatus.SUCCEEDED, handle.error
    return handle.result


def until_phase(world: MujocoArmEnvironment, handle: GoalHandle, phase: str) -> None:
    """Let time pass until a motion is reported."""
    for _ in range(2000):
        world.step(TICK_S)
        if any(report["phase"] == phase for report in handle.feedback()):
            return
    raise AssertionError(f"never {phase}")


def thing(world: MujocoArmEnvironment, name: str) -> dict[str, Any]:
    return world.get_world_state()["objects"][name]


def test_it_is_an_environment_and_touches_nothing_when_it_is_made() -> None:
    world = MujocoArmEnvironment()
    assert isinstance(world, SimEnvironment)
    assert not world.is_moving()
    world.halt()
    world.close()


@pytest.mark.parametrize("name", ["red_cube", "green_cube", "yellow_cube", "blue_cylinder"])
def test_everything_on_the_table_can_be_lifted(table: MujocoArmEnvironment, name: str) -> None:
    before = thing(table, name)
    assert do(table, "pick", object=name) == {"object": name}
    held = thing(table, name)
    assert held["z"] > before["z"] + 0.1
    assert held["held"]
    assert table.get_world_state()["holding"] == name


@pytest.mark.parametrize("place", ["bin", "tray", "left", "right", "middle"])
def test_a_thing_can_be_put_in_every_place(table: MujocoArmEnvironment, place: str) -> None:
    do(table, "pick", object="red_cube")
    assert do(table, "place", place=place) == {"object": "red_cube", "place": place}
    assert thing(table, "red_cube")["place"] == place
    assert table.get_world_state()["holding"] is None


def test_one_thing_after_the_other_fits_into_the_bin_and_comes_out_again(table: MujocoArmEnvironment) -> None:
    names = table.object_names()
    for name in names:
        do(table, "pick", object=name)
        do(table, "place", place="bin")
    assert {thing(table, name)["place"] for name in names} == {"bin"}
    do(table, "pick", object=names[0])
    do(table, "place", place="middle")
    assert thing(table, names[0])["place"] == "middle"


@pytest.mark.parametrize("spelled", ["red_cube", "Red Cube", "the red cube", "red"])
def test_a_thing_may_be_spelled_as_it_is_said(table: MujocoArmEnvironment, spelled: str) -> None:
    assert do(table, "where_is", object=spelled)["object"] == "red_cube"


def test_a_name_that_fits_several_things_is_asked_back(table: MujocoArmEnvironment) -> None:
    handle = table.apply_action("pick", object="cube")
    assert handle.status is GoalStatus.FAILED
    assert "red cube or green cube or yellow cube" in (handle.error or "")


@pytest.mark.parametrize(
    ("action", "arguments", "words"),
    [
        ("fly", {}, "unknown action 'fly'"),
        ("pick", {}, "object"),
        ("pick", {"object": "banana"}, "no object 'banana'"),
        ("place", {"place": "bin"}, "holds nothing"),
        ("place", {"place": "moon"}, "no place 'moon'"),
        ("move_to", {}, "needs a place"),
        ("move_to", {"x": 1, "y": 1}, "needs a place"),
        ("move_to", {"x": "left", "y": 0, "z": 0.3}, "must be numbers"),
        ("move_to", {"x": 3, "y": 0, "z": 0.3}, "out of reach"),
        ("move_to", {"x": float("nan"), "y": 0, "z": 0.3}, "out of reach"),
        ("move_to", {"x": 0.5, "y": 0, "z": 0.0}, "collision"),
        ("where_is", {"object": "banana"}, "no object"),
    ],
)
def test_what_cannot_be_done_is_a_failed_handle_that_says_why(
    table: MujocoArmEnvironment, action: str, arguments: dict[str, Any], words: str
) -> None:
    handle = table.apply_action(action, **arguments)
    assert handle.status is GoalStatus.FAILED
    assert words in (handle.error or "")
    assert not table.is_moving()


def test_two_things_do_not_fit_into_one_gripper(table: MujocoArmEnvironment) -> None:
    do(table, "pick", object="red_cube")
    assert "already holds the red cube" in (table.apply_action("pick", object="green_cube").error or "")
    assert table.apply_action("pick", object="red_cube").status is GoalStatus.SUCCEEDED


def test_a_thing_on_the_floor_is_out_of_reach(table: MujocoArmEnvironment) -> None:
    table.put("red_cube", 1.2, 0.0, -0.7)
    table.step(0.5)
    assert thing(table, "red_cube")["place"] == "floor"
    assert "fallen" in (table.apply_action("pick", object="red_cube").error or "")
    assert "red_cube" not in do(table, "list_objects")


def test_a_halt_on_the_way_keeps_the_thing_in_the_gripper(table: MujocoArmEnvironment) -> None:
    do(table, "pick", object="red_cube")
    goal = table.apply_action("place", place="tray")
    until_phase(table, goal, "carrying")
    table.halt()
    table.step(0.3)
    assert goal.status is GoalStatus.CANCELLED
    height = thing(table, "red_cube")["z"]
    table.step(10.0)
    state = table.get_world_state()
    assert state["holding"] == "red_cube"
    assert state["objects"]["red_cube"]["z"] == pytest.approx(height, abs=0.003)
    do(table, "place", place="tray")
    assert thing(table, "red_cube")["place"] == "tray"


@pytest.mark.parametrize("phase", ["approaching", "reaching", "gripping", "lifting"])
def test_a_halt_stands_the_arm_within_50_ms_of_its_time(table: MujocoArmEnvironment, phase: str) -> None:
    goal = table.apply_action("pick", object="green_cube")
    until_phase(table, goal, phase)
    table.halt()
    table.step(0.05)
    assert not table.is_moving()
    assert goal.status is GoalStatus.CANCELLED
    joints = table.get_world_state()["joints"]
    table.step(1.0)
    assert table.get_world_state()["joints"] == pytest.approx(joints, abs=0.01)


def test_cancelled_is_said_when_the_arm_stands_and_not_before(table: MujocoArmEnvironment) -> None:
    goal = table.apply_action("move_to", place="bin")
    table.step(0.5)
    moving: list[bool] = []
    goal.on_end(lambda: moving.append(table.is_moving()))
    goal.cancel()
    assert goal.status is GoalStatus.RUNNING
    table.step(0.1)
    assert moving == [False]


def test_a_thing_taken_out_of_the_gripper_is_dropped(table: MujocoArmEnvironment) -> None:
    do(table, "pick", object="red_cube")
    goal = table.apply_action("place", place="tray")
    table.step(0.3)
    table.put("red_cube", 0.5, 0.2, 0.03)
    assert finish(table, goal) is GoalStatus.FAILED
    assert goal.error == "dropped the red cube"
    assert table.get_world_state()["holding"] is None


def test_something_put_in_the_way_is_a_collision(table: MujocoArmEnvironment) -> None:
    goal = table.apply_action("pick", object="green_cube")
    until_phase(table, goal, "reaching")
    table.put("blue_cylinder", 0.42, -0.06, 0.06)  # under a finger
    assert finish(table, goal) is GoalStatus.FAILED
    assert "collision" in (goal.error or "")
    table.step(0.2)
    assert not table.is_moving()


def test_a_thing_that_is_gone_slips_out_of_the_fingers(table: MujocoArmEnvironment) -> None:
    goal = table.apply_action("pick", object="green_cube")
    until_phase(table, goal, "reaching")
    table.put("green_cube", 0.6, -0.3, 0.022)
    assert finish(table, goal) is GoalStatus.FAILED
    assert "slipped" in (goal.error or "")


def test_opening_lets_the_thing_fall(table: MujocoArmEnvironment) -> None:
    do(table, "pick", object="red_cube")
    do(table, "open_gripper")
    table.step(1.0)
    assert thing(table, "red_cube")["z"] < 0.05
    state = table.get_world_state()
    assert state["holding"] is None
    assert state["gripper"]["open"]


def test_closing_the_fingers_around_a_thing_holds_it(table: MujocoArmEnvironment) -> None:
    do(table, "move_to", x=0.42, y=0.1, z=0.022)
    do(table, "close_gripper")
    assert table.get_world_state()["holding"] == "red_cube"
    do(table, "move_to", place="tray")
    assert thing(table, "red_cube")["held"]


def test_closed_fingers_are_not_driven_into_a_thing(table: MujocoArmEnvironment) -> None:
    do(table, "close_gripper")
    handle = table.apply_action("move_to", x=0.42, y=0.1, z=0.022)
    assert handle.status is GoalStatus.FAILED
    assert "touch the red cube" in (handle.error or "")


def test_home_is_where_it_began_and_keeps_what_it_holds(table: MujocoArmEnvironment) -> None:
    first = table.get_world_state()["joints"]
    do(table, "pick", object="yellow_cube")
    do(table, "home")
    state = table.get_world_state()
    assert state["joints"] == pytest.approx(first, abs=0.03)
    assert state["holding"] == "yellow_cube"


def test_an_impossible_goal_leaves_the_running_one_alone(table: MujocoArmEnvironment) -> None:
    goal = table.apply_action("pick", object="red_cube")
    table.step(0.2)
    table.apply_action("pick", object="banana")
    table.apply_action("move_to", x=9, y=9, z=9)
    assert goal.status is GoalStatus.RUNNING
    assert finish(table, goal) is GoalStatus.SUCCEEDED


def test_the_state_is_json_with_objects_gripper_holding_and_joints(table: MujocoArmEnvironment) -> None:
    state = json.loads(json.dumps(table.get_world_state()))
    assert set(state) == {"robot", "gripper", "holding", "joints", "objects", "places"}
    assert len(state["joints"]) == 7
    assert state["holding"] is None
    assert set(state["objects"]["red_cube"]) == {"x", "y", "z", "place", "held"}


def test_the_scene_shows_table_places_and_things(table: MujocoArmEnvironment) -> None:
    do(table, "pick", object="red_cube")
    scene = table.scene()
    assert {room.name for room in scene.rooms} == set(table.place_names())
    assert {seen.name: seen.held for seen in scene.things}["red_cube"] is True
    left, bottom, right, top = scene.bounds()
    assert (left, bottom, right, top) == pytest.approx((-0.25, -0.65, 0.85, 0.65), abs=0.001)
    assert scene.robot is not None
    red = next(seen for seen in scene.things if seen.name == "red_cube")
    assert (scene.robot.x, scene.robot.y) == pytest.approx((red.x, red.y), abs=0.02)
    table.apply_action("place", place="bin")
    assert table.scene().goal == pytest.approx((0.35, 0.42))


def test_the_same_orders_end_the_same_way(table: MujocoArmEnvironment) -> None:
    def tidied() -> dict[str, Any]:
        do(table, "pick", object="blue_cylinder")
        do(table, "place", place="left")
        return table.get_world_state()["objects"]

    first = tidied()
    table.reset()
    assert tidied() == first
