"""What an agent may expect of every world, simulated or real: one suite over all of them.

A world joins by a line in `WORLDS`: how to make it, and one action that takes some seconds when time is not sped up.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import pytest

from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.sims import (
    IrSimEnvironment,
    MotionSource,
    MujocoArmEnvironment,
    MujocoMobileEnvironment,
    Scene,
    SimEnvironment,
    ToyWorld,
)

ROOMS = ["kitchen", "living_room", "bedroom", "office"]
HALT_S = 0.05
FAST = 15.0


@dataclass(frozen=True)
class World:
    """One line of the suite."""

    name: str
    make: Callable[[float], SimEnvironment]
    """Takes how many times faster than a clock its time passes."""
    action: str = "navigate_to"
    arguments: Mapping[str, Any] = field(default_factory=lambda: {"room": "bedroom"})
    """Of an action that takes at least two seconds of the world's time."""
    other: Mapping[str, Any] = field(default_factory=lambda: {"room": "office"})
    """Arguments of the same action for another goal."""
    mobile: bool = True
    """Whether it has the actions of mobile worlds and a pose."""
    library: str = ""


WORLDS = [
    World("toy", lambda speed: ToyWorld(navigate_speed=speed)),
    World("irsim-diff", lambda speed: IrSimEnvironment(render=False, time_scale=speed), library="irsim"),
    World("irsim-acker", lambda speed: IrSimEnvironment(base="acker", render=False, time_scale=speed), library="irsim"),
    World("irsim-omni", lambda speed: IrSimEnvironment(base="omni", render=False, time_scale=speed), library="irsim"),
    World("mujoco-mobile", lambda speed: MujocoMobileEnvironment(time_scale=speed), library="mujoco"),
    World(
        "mujoco-arm",
        lambda speed: MujocoArmEnvironment(time_scale=min(speed, 3.0)),  # its way is short: a busy test must catch it
        action="move_to",
        arguments={"x": -0.3, "y": 0.35, "z": 0.3},
        other={"x": -0.3, "y": -0.35, "z": 0.3},
        mobile=False,
        library="mujoco",
    ),
]


_SLOW = {world.name: [pytest.mark.slow] for world in WORLDS if world.library}
"""Worlds that reckon with physics, which takes its time."""


def params(*, mobile: bool = False) -> list[Any]:
    return [
        pytest.param(world, id=world.name, marks=[*_skipped_without(world.library), *_SLOW.get(world.name, ())])
        for world in WORLDS
        if world.mobile or not mobile
    ]


def _skipped_without(library: str) -> list[pytest.MarkDecorator]:
    missing = bool(library) and find_spec(library) is None
    return [pytest.mark.skipif(missing, reason=f"{library} is not installed")]


@pytest.fixture(params=params())
def case(request: pytest.FixtureRequest) -> World:
    return request.param


@pytest.fixture(params=params(mobile=True))
def mobile(request: pytest.FixtureRequest) -> World:
    return request.param


@pytest.fixture
def opened() -> Iterator[Callable[..., SimEnvironment]]:
    worlds: list[SimEnvironment] = []

    def make(case: World, speed: float = FAST) -> SimEnvironment:
        world = case.make(speed)
        world.open()
        worlds.append(world)
        return world

    yield make
    for world in worlds:
        world.close()


Opened = Callable[..., SimEnvironment]


def begin(world: SimEnvironment, case: World) -> GoalHandle:
    """Start the action that takes its time and wait until something moves."""
    handle = world.apply_action(case.action, **case.arguments)
    assert handle.status is GoalStatus.RUNNING, handle.error
    wait_for(lambda: bool(handle.feedback()))
    return handle


def wait_for(condition: Callable[[], bool], timeout: float = 20.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def place(world: SimEnvironment) -> Any:
    """Everything that moves when the robot does."""
    return world.get_world_state()["robot"]


def test_it_is_an_environment_that_a_stop_can_halt(case: World, opened: Opened) -> None:
    world = opened(case)
    assert isinstance(world, SimEnvironment)
    assert isinstance(world, MotionSource)
    assert not world.is_moving()


def test_opening_twice_and_closing_twice_are_fine(case: World) -> None:
    world = case.make(FAST)
    assert world.render in (True, False)
    world.render = False
    world.open()
    world.open()
    world.close()
    world.close()
    assert "robot" in world.get_world_state()
    assert not world.is_moving()


def test_its_state_is_json_and_a_copy(case: World, opened: Opened) -> None:
    world = opened(case)
    state = world.get_world_state()
    assert json.loads(json.dumps(state)) == state
    state["robot"].clear()
    assert world.get_world_state()["robot"]


def test_an_action_takes_its_time_and_succeeds(case: World, opened: Opened) -> None:
    world = opened(case)
    before = place(world)
    handle = world.apply_action(case.action, **case.arguments)
    assert world.is_moving() or handle.status.is_terminal()
    assert handle.poll(30.0) is GoalStatus.SUCCEEDED, handle.error
    json.dumps(handle.result)
    assert place(world) != before
    wait_for(lambda: not world.is_moving())


def test_progress_is_reported_on_the_way(case: World, opened: Opened) -> None:
    world = opened(case, 4.0)
    handle = world.apply_action(case.action, **case.arguments)
    reports: list[Any] = []

    def several() -> bool:
        reports.extend(handle.feedback())
        return len(reports) >= 3 or handle.status.is_terminal()

    wait_for(several)
    progress = [report["progress"] for report in reports]
    assert len(progress) >= 3
    assert progress == sorted(progress)
    assert all(0 <= share <= 1 for share in progress)


@pytest.mark.parametrize(("action", "arguments", "word"), [("fly", {}, "fly"), ("", {}, "unknown")])
def test_an_unknown_action_fails_in_words(
    case: World, opened: Opened, action: str, arguments: dict[str, Any], word: str
) -> None:
    handle = opened(case).apply_action(action, **arguments)
    assert handle.status is GoalStatus.FAILED
    assert word in (handle.error or "")


def test_arguments_it_does_not_know_fail_in_words(case: World, opened: Opened) -> None:
    handle = opened(case).apply_action(case.action, **case.arguments, colour="blue")
    assert handle.status is GoalStatus.FAILED
    assert "colour" in (handle.error or "")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "room"),
        ({"x": 1.0}, "room"),
        ({"room": "garage"}, "garage"),
        ({"x": "left", "y": 0}, "left"),
        ({"x": 1e6, "y": 0}, "outside"),
        ({"x": float("nan"), "y": 0}, "outside"),
    ],
)
def test_a_target_that_makes_no_sense_fails_in_words(
    mobile: World, opened: Opened, arguments: dict[str, Any], word: str
) -> None:
    world = opened(mobile)
    handle = world.apply_action("navigate_to", **arguments)
    assert handle.poll(10.0) is GoalStatus.FAILED
    assert word in (handle.error or "")
    assert not world.is_moving()


def test_the_quick_actions_are_over_at_once(mobile: World, opened: Opened) -> None:
    world = opened(mobile)
    pose = world.apply_action("get_pose").result
    robot = world.get_world_state()["robot"]
    assert {key: robot[key] for key in ("x", "y", "heading_deg")} == pose
    assert world.apply_action("battery_level").result == {"battery_pct": robot["battery_pct"]}
    assert sorted(world.apply_action("list_rooms").result) == sorted(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_reached_and_named(mobile: World, opened: Opened, room: str) -> None:
    world = opened(mobile)
    handle = world.apply_action("navigate_to", room=room.replace("_", " ").title())
    assert handle.poll(30.0) is GoalStatus.SUCCEEDED, handle.error
    assert handle.result["room"] == room
    robot = world.get_world_state()["robot"]
    (middle,) = [found for found in world.scene().rooms if found.name == room]
    assert robot["x"] == pytest.approx(middle.x, abs=0.3)
    assert robot["y"] == pytest.approx(middle.y, abs=0.3)
    assert robot["velocity"] == 0.0


def test_one_robot_has_one_goal(case: World, opened: Opened) -> None:
    world = opened(case, 4.0)
    first = begin(world, case)
    second = world.apply_action(case.action, **case.other)
    assert first.poll(1.0) is GoalStatus.CANCELLED
    assert "new goal" in (first.error or "")
    assert second.poll(30.0) is GoalStatus.SUCCEEDED, second.error
    wait_for(lambda: not world.is_moving())


def test_a_halt_stops_what_moves_within_50_ms(case: World, opened: Opened) -> None:
    world = opened(case, 1.0)
    took: list[float] = []
    for _ in range(4):  # the best counts: a machine that does other things too may take its time
        handle = begin(world, case)
        asked = time.monotonic()
        world.halt()
        assert handle.poll(5.0) is GoalStatus.CANCELLED
        took.append(time.monotonic() - asked)
        stands(world)
    assert min(took) <= HALT_S, took


def test_a_cancel_is_confirmed_when_the_robot_stands(case: World, opened: Opened) -> None:
    world = opened(case, 1.0)
    handle = begin(world, case)
    seen: list[float] = []
    if case.mobile:
        handle.on_end(lambda: seen.append(world.get_world_state()["robot"]["velocity"]))
    handle.cancel()
    assert handle.poll(5.0) is GoalStatus.CANCELLED
    assert seen == [0.0] * len(seen)
    stands(world)


def stands(world: SimEnvironment) -> None:
    assert not world.is_moving()
    before = place(world)
    time.sleep(0.1)
    assert place(world) == before


def test_it_can_be_sent_on_after_a_halt(case: World, opened: Opened) -> None:
    world = opened(case)
    begin(world, case)
    world.halt()
    world.halt()
    assert world.apply_action(case.action, **case.other).poll(30.0) is GoalStatus.SUCCEEDED


def test_a_reset_puts_everything_back(case: World, opened: Opened) -> None:
    world = opened(case)
    first = world.get_world_state()
    assert world.apply_action(case.action, **case.arguments).poll(30.0) is GoalStatus.SUCCEEDED
    running = begin(world, World(case.name, case.make, case.action, case.other))
    world.reset()
    assert running.poll(1.0) is GoalStatus.CANCELLED
    assert world.get_world_state() == first


def test_it_can_be_drawn_at_any_moment(case: World, opened: Opened) -> None:
    world = opened(case, 2.0)
    begin(world, case)
    scene = world.scene()
    assert isinstance(scene, Scene)
    assert scene.moving
    left, bottom, right, top = scene.bounds()
    assert left < right
    assert bottom < top
    if case.mobile:
        assert scene.robot is not None
        assert scene.goal is not None
        assert [room.name for room in scene.rooms]
        assert scene.walls
        assert scene.lidar is not None
    world.halt()
    wait_for(lambda: not world.scene().moving)


def test_a_closed_world_takes_no_orders(case: World) -> None:
    world = case.make(1.0)
    handle = begin(world, case)
    world.close()
    assert handle.poll(1.0) is GoalStatus.CANCELLED
    late = world.apply_action(case.action, **case.arguments)
    assert late.poll(1.0) is GoalStatus.FAILED
    assert "closed" in (late.error or "")
    assert not world.is_moving()


def test_many_callers_at_once_leave_one_goal(case: World, opened: Opened) -> None:
    world = opened(case, 4.0)
    handles: list[GoalHandle] = []
    broken: list[BaseException] = []

    def caller(number: int) -> None:
        try:
            for turn in range(4):
                handles.append(world.apply_action(case.action, **(case.arguments, case.other)[(number + turn) % 2]))
                json.dumps(world.get_world_state())
                world.scene()
                if turn == 2 and number == 0:
                    world.halt()
        except BaseException as error:
            broken.append(error)

    callers = [threading.Thread(target=caller, args=(number,)) for number in range(6)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join(20)
    assert not broken
    wait_for(lambda: sum(not handle.status.is_terminal() for handle in handles) <= 1)
    world.halt()
    wait_for(lambda: all(handle.status.is_terminal() for handle in handles))
    assert len(handles) == 24


def test_nothing_is_left_when_it_is_closed(case: World) -> None:
    before = set(threading.enumerate())
    for _ in range(3):
        world = case.make(FAST)
        world.apply_action(case.action, **case.arguments)
        world.close()
    wait_for(lambda: set(threading.enumerate()) <= before, 5.0)
