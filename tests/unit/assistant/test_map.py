"""The world in characters: what is where, however small the map, and where the robot is and goes."""

import pytest

from edgevox.assistant.map import GOAL, HELD, THING, draw_scene
from edgevox.sims import Pose, Room, Scene, Thing, ToyWorld
from edgevox.sims.scene import box


@pytest.fixture
def world() -> ToyWorld:
    """A flat with a light on and the robot on its way to the bedroom."""
    world = ToyWorld(threaded=False)
    world.apply_action("set_light", room="office", on=True)
    world.apply_action("navigate_to", room="bedroom")
    for _ in range(20):
        world.step(0.1)
    return world


def test_rooms_light_goal_and_robot_are_where_they_are(world: ToyWorld) -> None:
    *drawn, caption = draw_scene(world.scene())
    rows = {
        name: next(i for i, line in enumerate(drawn) if name in line) for name in ("office ●", "bedroom", "kitchen")
    }
    assert rows["office ●"] == rows["bedroom"] < rows["kitchen"]
    assert drawn[rows["bedroom"]].index("office") < drawn[rows["bedroom"]].index("bedroom")
    robot = next(i for i, line in enumerate(drawn) if "↗" in line)
    assert rows["bedroom"] < robot < rows["kitchen"]
    assert any(GOAL in line for line in drawn)
    assert caption == "↗ 1.4, 1.4 m · ✕ 4.0, 4.0 m, 3.7 m to go"


def test_walls_are_drawn_all_round(world: ToyWorld) -> None:
    *drawn, _ = draw_scene(world.scene())
    assert set(drawn[0][1:-1]) == {"⠉"}
    assert set(drawn[-1][1:-1]) == {"⣀"}
    assert all(line[0] in "⡏⡇⣇" and line[-1] in "⢹⢸⣸" for line in drawn)


@pytest.mark.parametrize(("columns", "rows"), [(10, 4), (24, 8), (40, 12), (60, 18), (120, 40), (1, 1)])
def test_the_map_keeps_within_its_size(world: ToyWorld, columns: int, rows: int) -> None:
    *drawn, _ = draw_scene(world.scene(), columns, rows)
    assert len(drawn) <= max(rows, 4)
    assert len({len(line) for line in drawn}) == 1
    assert len(drawn[0]) <= max(columns, 10)


def test_names_that_do_not_fit_are_cut_with_a_mark(world: ToyWorld) -> None:
    drawn = "\n".join(draw_scene(world.scene(), 24, 8))
    assert "office…bedroom" in drawn


def test_the_names_of_things_that_lie_close_together_stay_whole() -> None:
    things = [("red cube", 2.0, 1.2), ("yellow cube", 2.2, 1.4), ("green cube", 2.4, 1.1), ("bin", 2.0, 1.6)]
    scene = Scene(
        robot=None,
        things=tuple(Thing(name=name, x=x, y=y) for name, x, y in things),
        walls=box((0.0, 0.0), (4.0, 3.0)),
    )
    drawn = "\n".join(draw_scene(scene))
    assert all(name in drawn for name, _, _ in things)
    assert drawn.count(THING) == len(things)


def test_a_world_without_a_robot_has_no_line_about_it() -> None:
    scene = Scene(robot=None, rooms=(Room(name="hall", x=1.0, y=1.0),), walls=box((0.0, 0.0), (2.0, 2.0)))
    drawn = draw_scene(scene, 20, 8)
    assert any("hall" in line for line in drawn)
    assert not any("m" in line.replace("hall", "") for line in drawn)


def test_an_empty_world_is_drawn_too() -> None:
    assert draw_scene(Scene(robot=Pose(x=0.0, y=0.0, heading_deg=270.0)))[-1] == "↓ 0.0, 0.0 m · at rest"


def test_things_are_named_and_one_in_a_gripper_is_marked() -> None:
    things = (Thing(name="red_cube", x=1.0, y=1.0), Thing(name="ball", x=3.0, y=3.0, held=True))
    scene = Scene(robot=Pose(x=3.0, y=3.0, heading_deg=0.0), walls=box((0.0, 0.0), (4.0, 4.0)), things=things)
    drawn = "\n".join(draw_scene(scene))
    assert "red cube" in drawn
    assert drawn.count(THING) == 1
    assert drawn.count(HELD) == 1
