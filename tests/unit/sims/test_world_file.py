"""World files of a person's own: what is missing is one sentence that names the file."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("yaml")

from edgevox.core.errors import ConfigError
from edgevox.core.goals import GoalStatus
from edgevox.sims.irsim.environment import IrSimEnvironment
from edgevox.sims.irsim.world_file import APARTMENT, STEP_S, read_world

Write = Callable[[str], Path]

ROBOT = "robot: [{kinematics: {name: diff}, shape: {name: circle, radius: 0.2}, state: [1, 1, 0]}]\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(text: str) -> Path:
        path = tmp_path / "my_world.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_the_flat_that_comes_with_edgevox_has_four_rooms_on_ten_metres() -> None:
    world = read_world(APARTMENT)
    assert list(world.waypoints) == ["kitchen", "living_room", "bedroom", "office"]
    assert world.bounds == (0.0, 0.0, 10.0, 10.0)
    assert world.content["robot"][0]["state"] == [5.0, 5.0, 0.0]
    assert world.content["world"]["step_time"] == STEP_S


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; it needs the sections world, robot and obstacle"),
        ("# only a comment\n", "is empty"),
        ("world: [", "is not YAML in line"),
        ("world: {width: 5\nrobot: 1", "is not YAML in line 2"),
        ("just words", "a file that is not made of names and values"),
        ("world: {}\n", "has no robot; add a section robot"),
        ("robot: []\n", "has no robot"),
        ("robot: 3\n", "has no robot"),
        ("robots: []\n", "unknown section 'robots'; did you mean robot?"),
        ("zebra: 1\n", "unknown section 'zebra'; its sections are world"),
        ("robot: [{shape: {name: circle}}]\n", "moves by nothing; its kinematics need a name: diff, acker"),
        ("robot: [{kinematics: {name: tank}}]\n", "moves by 'tank'; its kinematics need a name"),
        ("robot: [{kinematics: diff}]\n", "robot's kinematics that is not made of names and values"),
        ("world: {width: 0}\n" + ROBOT, "needs a width and a height above 0"),
        ("world: {height: tall}\n" + ROBOT, "needs a width and a height above 0"),
        ("world: {offset: 3}\n" + ROBOT, "needs a width and a height above 0"),
        ("world: 5\n" + ROBOT, "has a world that is not made of names and values"),
        (ROBOT + "custom: {waypoints: [kitchen]}\n", "list of waypoints that is not made of names"),
        (ROBOT + "custom: {waypoints: {kitchen: }}\n", "no usable place for the waypoint 'kitchen'; write [x, y]"),
        (ROBOT + "custom: {waypoints: {kitchen: [1]}}\n", "no usable place for the waypoint 'kitchen'"),
        (ROBOT + "custom: {waypoints: {kitchen: {x: 1}}}\n", "no usable place for the waypoint 'kitchen'"),
        (ROBOT + "custom: {waypoints: {kitchen: [a, b]}}\n", "no usable place for the waypoint 'kitchen'"),
        (ROBOT + "custom: {waypoints: {kitchen: [.nan, 1]}}\n", "no usable place for the waypoint 'kitchen'"),
        (ROBOT + "custom: {waypoints: {kitchen: [11, 1]}}\n", "waypoint 'kitchen' in the world file"),
    ],
)
def test_what_is_wrong_is_one_sentence_that_names_the_file(write: Write, text: str, words: str) -> None:
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        read_world(path)
    sentence = str(caught.value)
    assert words in sentence
    assert str(path) in sentence
    assert "\n" not in sentence


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"There is no world file .*nowhere\.yaml"):
        read_world(tmp_path / "nowhere.yaml")


def test_a_folder_and_a_picture_are_no_worlds(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        read_world(tmp_path)
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read: it is not text"):
        read_world(picture)


def test_a_base_that_there_is_not_is_said(write: Write) -> None:
    with pytest.raises(ConfigError, match="There is no base 'legs'; choose one of diff, acker, omni"):
        read_world(write(ROBOT), "legs")


def test_a_base_changes_how_the_robot_moves_and_leaves_where_it_stands(write: Write) -> None:
    (robot,) = read_world(write(ROBOT), "acker").content["robot"]
    assert robot["kinematics"]["name"] == "acker"
    assert robot["shape"]["name"] == "rectangle"
    assert robot["state"] == [1, 1, 0]


def test_waypoints_may_be_pairs_or_named_numbers(write: Write) -> None:
    path = write(ROBOT + "custom: {waypoints: {door: [1, 2], lamp: {x: 3, y: 4.5}, 7: [5, 5, 0]}}\n")
    assert read_world(path).waypoints == {"door": (1.0, 2.0), "lamp": (3.0, 4.5), "7": (5.0, 5.0)}


def test_a_world_may_lie_off_the_origin_and_under_its_simulators_name(write: Write) -> None:
    path = write("irsim:\n  world: {width: 4, height: 3, offset: [-2, -1]}\n  robot: {kinematics: {name: omni}}\n")
    world = read_world(path)
    assert world.bounds == (-2.0, -1.0, 2.0, 2.0)
    assert world.waypoints == {}


def test_a_picture_of_obstacles_is_looked_for_beside_the_file(write: Write, tmp_path: Path) -> None:
    (tmp_path / "cave.png").write_bytes(b"")
    world = read_world(write("world: {obstacle_map: cave.png}\n" + ROBOT))
    assert world.content["world"]["obstacle_map"] == str(tmp_path / "cave.png")


def test_an_action_in_a_world_that_cannot_be_opened_fails_and_raises_nothing(tmp_path: Path) -> None:
    world = IrSimEnvironment(tmp_path / "nowhere.yaml", render=False)
    handle = world.apply_action("navigate_to", room="kitchen")
    assert handle.status is GoalStatus.FAILED
    assert str(handle.error).startswith("There is no world file")
