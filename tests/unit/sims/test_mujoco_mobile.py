"""The base in its flat: ways through doors, things in the way, standing still."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.sims import MujocoMobileEnvironment, SimEnvironment

pytest.importorskip("mujoco")

TICK_S = 0.02

CORRIDOR = """
<mujoco>
  <option timestep="0.004" integrator="implicitfast"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <geom type="box" size="2.6 0.05 0.3" pos="2 -1 0.3"/>
    <geom type="box" size="2.6 0.05 0.3" pos="2 1 0.3"/>
    <geom type="box" size="0.05 1 0.3" pos="-0.6 0 0.3"/>
    <geom type="box" size="0.05 1 0.3" pos="4.6 0 0.3"/>
    <geom type="box" size="0.05 0.25 0.3" pos="2 0.75 0.3"/>
    <geom type="box" size="0.05 0.25 0.3" pos="2 -0.75 0.3"/>
    <site name="room_hall" pos="3.5 0 0"/>
    <body name="crate" pos="4 0.6 0.2">
      <freejoint/><geom type="box" size="0.25 0.25 0.2" mass="150"/>
    </body>
    <body name="base">
      <joint name="base_x" type="slide" axis="1 0 0"/>
      <joint name="base_y" type="slide" axis="0 1 0"/>
      <joint name="base_turn" type="hinge" axis="0 0 1"/>
      <geom name="base" type="cylinder" size="0.15 0.1" pos="0 0 0.14" mass="14"/>
    </body>
  </worldbody>
  <actuator>
    <velocity name="base_x" joint="base_x" kv="3000" forcerange="-700 700"/>
    <velocity name="base_y" joint="base_y" kv="3000" forcerange="-700 700"/>
    <velocity name="base_turn" joint="base_turn" kv="60" forcerange="-30 30"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def flat() -> Iterator[MujocoMobileEnvironment]:
    """A flat whose time the test moves."""
    world = MujocoMobileEnvironment(threaded=False)
    yield world
    world.close()


def finish(world: MujocoMobileEnvironment, handle: GoalHandle, limit_s: float = 90.0) -> GoalStatus:
    passed = 0.0
    while not handle.status.is_terminal():
        assert passed < limit_s, "the drive never ended"
        world.step(TICK_S)
        passed += TICK_S
    return handle.status


def drive(world: MujocoMobileEnvironment, seconds: float, **target: Any) -> GoalHandle:
    """Set out and let some seconds pass."""
    handle = world.apply_action("navigate_to", **target)
    for _ in range(round(seconds / TICK_S)):
        world.step(TICK_S)
    return handle


def robot(world: MujocoMobileEnvironment) -> dict[str, Any]:
    return world.get_world_state()["robot"]


def clearance(world: MujocoMobileEnvironment) -> float:
    """From the middle of the base to the nearest wall or piece of furniture, metres."""
    scene = world.scene()
    assert scene.robot is not None
    assert scene.lidar is not None
    return min(scene.lidar.ranges)


def test_it_is_an_environment_and_touches_nothing_when_it_is_made() -> None:
    world = MujocoMobileEnvironment()
    assert isinstance(world, SimEnvironment)
    assert not world.is_moving()
    world.close()


def test_the_rooms_have_the_names_of_the_other_worlds(flat: MujocoMobileEnvironment) -> None:
    assert flat.room_names() == ["living_room", "kitchen", "bedroom", "office"]


def test_it_drives_through_doors_and_touches_nothing(flat: MujocoMobileEnvironment) -> None:
    handle = flat.apply_action("navigate_to", room="bedroom")
    nearest = math.inf
    while not handle.status.is_terminal():
        flat.step(0.1)
        nearest = min(nearest, clearance(flat))
    assert handle.status is GoalStatus.SUCCEEDED, handle.error
    assert nearest > 0.2  # the radius of the base
    assert robot(flat)["velocity"] == 0.0
    assert robot(flat)["battery_pct"] < 100


def test_a_stop_at_full_speed_stands_within_50_ms_of_its_time(flat: MujocoMobileEnvironment) -> None:
    handle = drive(flat, 3.0, room="kitchen")
    assert robot(flat)["velocity"] > 0.5
    before = robot(flat)["x"]
    flat.halt()
    flat.step(0.05)
    assert handle.status is GoalStatus.CANCELLED
    assert not flat.is_moving()
    assert robot(flat)["x"] - before < 0.03
    x = robot(flat)["x"]
    flat.step(2.0)
    assert robot(flat)["x"] == x


def test_cancelled_is_said_when_the_base_stands_and_not_before(flat: MujocoMobileEnvironment) -> None:
    handle = drive(flat, 3.0, room="kitchen")
    speeds: list[float] = []
    handle.on_end(lambda: speeds.append(robot(flat)["velocity"]))
    handle.cancel()
    assert handle.status is GoalStatus.RUNNING
    assert flat.is_moving()
    flat.step(0.1)
    assert speeds == [0.0]


def test_a_crate_in_the_door_is_driven_around(flat: MujocoMobileEnvironment) -> None:
    handle = drive(flat, 0.5, room="kitchen")
    flat.put("crate", 2.0, 0.0)
    assert finish(flat, handle) is GoalStatus.SUCCEEDED, handle.error
    assert max(y for _, y in flat.scene().path) > 2.0, "it took the other doors"


def test_a_target_in_the_furniture_cannot_be_reached(flat: MujocoMobileEnvironment) -> None:
    handle = flat.apply_action("navigate_to", x=5.1, y=4.9)
    assert finish(flat, handle) is GoalStatus.FAILED
    assert "cannot be reached" in (handle.error or "")
    assert not flat.is_moving()


@pytest.fixture
def corridor(tmp_path: Path) -> Iterator[MujocoMobileEnvironment]:
    """A model of one's own: two rooms and one door."""
    path = tmp_path / "corridor.xml"
    path.write_text(CORRIDOR)
    world = MujocoMobileEnvironment(path, threaded=False)
    yield world
    world.close()


def test_a_crate_in_the_only_door_is_named(corridor: MujocoMobileEnvironment) -> None:
    assert corridor.room_names() == ["hall"]
    handle = drive(corridor, 0.5, room="hall")
    corridor.put("crate", 2.0, 0.0)
    assert finish(corridor, handle) is GoalStatus.FAILED
    assert handle.error == "the crate is in the way, and there is no other"
    assert not corridor.is_moving()


def test_a_crate_that_was_there_before_is_no_way(corridor: MujocoMobileEnvironment) -> None:
    corridor.put("crate", 2.0, 0.0)
    handle = corridor.apply_action("navigate_to", room="hall")
    assert finish(corridor, handle) is GoalStatus.FAILED
    assert "cannot be reached" in (handle.error or "")


def test_a_ball_is_pushed_aside(flat: MujocoMobileEnvironment) -> None:
    handle = drive(flat, 0.3, x=1.3, y=0.0)
    flat.put("ball", 0.6, 0.0)
    assert finish(flat, handle) is GoalStatus.SUCCEEDED, handle.error
    ball = flat.get_world_state()["objects"]["ball"]
    assert math.dist((ball["x"], ball["y"]), (0.6, 0.0)) > 0.2


def test_lights_are_told_apart_by_room(flat: MujocoMobileEnvironment) -> None:
    assert flat.apply_action("set_light", room="Living Room", on=True).status is GoalStatus.SUCCEEDED
    rooms = flat.get_world_state()["rooms"]
    assert [name for name, room in rooms.items() if room["light_on"]] == ["living_room"]
    assert flat.apply_action("set_light", room="garage", on=True).status is GoalStatus.FAILED


def test_the_lidar_sees_the_crate(flat: MujocoMobileEnvironment) -> None:
    flat.put("crate", 1.0, 0.0)
    assert flat.lidar().ranges[0] == pytest.approx(0.75, abs=0.02)


def test_a_base_of_your_own_starts_where_you_say() -> None:
    world = MujocoMobileEnvironment(robot_pose=(4.0, 4.0, 450.0), threaded=False)
    assert world.apply_action("get_pose").result == {"x": 4.0, "y": 4.0, "heading_deg": 90.0}
    world.close()


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
def test_a_speed_that_makes_no_sense_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        MujocoMobileEnvironment(navigate_speed=speed)
    with pytest.raises(ValueError, match="above 0"):
        MujocoMobileEnvironment(time_scale=speed)
