"""What a terminal draws: geometry."""

import math

import pytest

from edgevox.sims import Pose, Scene, ToyWorld, Wall
from edgevox.sims.scene import box, scan

ROOM = box((-2.0, -1.0), (2.0, 1.0))


def test_a_scan_measures_the_walls_around() -> None:
    lidar = scan(Pose(x=0.0, y=0.0, heading_deg=0.0), ROOM, beams=4)
    assert lidar.ranges == pytest.approx((2.0, 1.0, 2.0, 1.0))


def test_a_scan_turns_with_the_robot() -> None:
    lidar = scan(Pose(x=0.0, y=0.0, heading_deg=90.0), ROOM, beams=4)
    assert lidar.ranges == pytest.approx((1.0, 2.0, 1.0, 2.0))


def test_what_is_too_far_is_the_maximum_and_no_point() -> None:
    lidar = scan(Pose(x=0.0, y=0.0, heading_deg=0.0), [Wall(start=(5.0, -9.0), end=(5.0, 9.0))], beams=4, max_range_m=3)
    assert lidar.ranges == (3, 3, 3, 3)
    assert lidar.points(Pose(x=0.0, y=0.0, heading_deg=0.0)) == []


def test_the_points_of_a_scan_lie_on_the_walls() -> None:
    pose = Pose(x=0.5, y=-0.2, heading_deg=33.0)
    for x, y in scan(pose, ROOM, beams=37).points(pose):
        assert math.isclose(abs(x), 2.0) or math.isclose(abs(y), 1.0)


def test_a_wall_along_the_beam_is_not_hit() -> None:
    lidar = scan(Pose(x=0.0, y=0.0, heading_deg=0.0), [Wall(start=(1.0, 0.0), end=(3.0, 0.0))], beams=1)
    assert lidar.ranges == (8.0,)


def test_the_bounds_hold_everything() -> None:
    scene = Scene(robot=Pose(x=9.0, y=0.0, heading_deg=0.0), walls=ROOM, goal=(0.0, -7.0))
    assert scene.bounds() == (-2.0, -7.0, 9.0, 1.0)
    assert Scene(robot=None).bounds() == (0.0, 0.0, 0.0, 0.0)


def test_the_world_draws_its_rooms_path_goal_and_scan() -> None:
    world = ToyWorld(threaded=False)
    world.apply_action("set_light", room="kitchen", on=True)
    world.apply_action("navigate_to", room="kitchen")
    world.step(1.0)
    scene = world.scene()
    assert scene.moving
    assert scene.goal == (4.0, 0.0)
    assert scene.robot == Pose(x=1.0, y=0.0, heading_deg=0.0)
    assert scene.path == ((0.0, 0.0), (1.0, 0.0))
    assert {room.name: room.light_on for room in scene.rooms}["kitchen"] is True
    assert scene.bounds() == (-2.0, -2.0, 6.0, 6.0)
    assert scene.lidar is not None
    assert scene.lidar.ranges[0] == pytest.approx(5.0)


def test_the_path_of_a_long_day_is_bounded() -> None:
    world = ToyWorld(threaded=False)
    for index in range(100):
        world.apply_action("navigate_to", room=("kitchen", "office")[index % 2])
        for _ in range(100):
            world.step(0.1)
    assert len(world.scene().path) == 500
