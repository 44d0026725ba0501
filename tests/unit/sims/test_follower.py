"""From a way to velocities: every base, moved by its own kinematics, stays on the way and ends where it should."""

import itertools
import math
from collections.abc import Callable, Sequence

import pytest

from edgevox.sims.follower import (
    CarFollower,
    Command,
    DiffFollower,
    Follower,
    Limits,
    OmniFollower,
    Placed,
    Track,
)
from edgevox.sims.maneuvers import Waypoint, arc
from edgevox.sims.scene import Point

STEP_S = 0.05
LIMITS = Limits(speed=0.8, turn=2.0)
CORNERS: list[Point] = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]
WHEELBASE = 0.3

Moves = Callable[[Placed, Command], Placed]


def as_diff(placed: Placed, command: Command) -> Placed:
    x, y, heading = placed
    speed, turn = command
    return (
        x + speed * math.cos(heading) * STEP_S,
        y + speed * math.sin(heading) * STEP_S,
        math.remainder(heading + turn * STEP_S, 2 * math.pi),
    )


def as_omni(placed: Placed, command: Command) -> Placed:
    x, y, heading = placed
    forwards, left = command
    return (
        x + (forwards * math.cos(heading) - left * math.sin(heading)) * STEP_S,
        y + (forwards * math.sin(heading) + left * math.cos(heading)) * STEP_S,
        heading,
    )


def as_car(placed: Placed, command: Command) -> Placed:
    speed, steering = command
    return as_diff(placed, (speed, speed * math.tan(steering) / WHEELBASE))


def driven(follower: Follower, placed: Placed, moves: Moves, most_s: float = 40.0) -> list[tuple[Placed, Command]]:
    """Drive to the end and return where the base was and what it was told."""
    story: list[tuple[Placed, Command]] = []
    for _ in range(int(most_s / STEP_S)):
        command = follower.command(placed)
        if command is None:
            return [*story, (placed, (0.0, 0.0))]
        story.append((placed, command))
        placed = moves(placed, command)
    raise AssertionError(f"it never arrived; it is at {placed}")


def off_the_way(way: Sequence[Point], position: Point) -> float:
    track = Track(way)
    return min(math.dist(position, track.at(track.length_m * share / 400)) for share in range(401))


@pytest.mark.parametrize("heading", [0.0, math.pi, -math.pi / 2, 3.0])
@pytest.mark.parametrize(("make", "moves"), [(DiffFollower, as_diff), (OmniFollower, as_omni)], ids=["diff", "omni"])
def test_a_base_drives_around_the_corner_and_stays_on_the_way(
    make: Callable[[list[Point], Limits], Follower], moves: Moves, heading: float
) -> None:
    story = driven(make(CORNERS, LIMITS), (0.0, 0.0, heading), moves)
    (x, y, _), _ = story[-1]
    assert math.dist((x, y), CORNERS[-1]) <= 0.07
    assert max(off_the_way(CORNERS, (x, y)) for (x, y, _), _ in story) < 0.2
    assert max(abs(command[0]) for _, command in story) <= LIMITS.speed + 1e-9


def test_a_base_with_two_wheels_turns_on_the_spot_before_it_drives_off() -> None:
    story = driven(DiffFollower([(0.0, 0.0), (-2.0, 0.0)], LIMITS), (0.0, 0.0, 0.0), as_diff)
    _, (speed, turn) = story[0]
    assert speed == 0.0
    assert abs(turn) == LIMITS.turn


def test_an_omnidirectional_base_keeps_its_heading() -> None:
    story = driven(OmniFollower(CORNERS, LIMITS), (0.0, 0.0, 1.0), as_omni)
    assert {heading for (_, _, heading), _ in story} == {1.0}
    assert max(math.hypot(*command) for _, command in story) <= LIMITS.speed + 1e-9


def test_the_last_half_metre_is_driven_slower() -> None:
    story = driven(DiffFollower([(0.0, 0.0), (3.0, 0.0)], LIMITS), (0.0, 0.0, 0.0), as_diff)
    speeds = [command[0] for _, command in story[:-1]]
    assert speeds[5] == pytest.approx(LIMITS.speed)
    assert speeds[-1] < 0.2


def way_of(*pieces: tuple[int, float, float]) -> list[Waypoint]:
    """Poses along arcs: gear, curvature, metres."""
    way = [Waypoint(0.0, 0.0, 0.0, pieces[0][0])]
    for gear, curvature, metres in pieces:
        for _ in range(round(metres / 0.15)):
            way.append(arc(way[-1], gear, curvature, 0.15))
    return way


@pytest.mark.parametrize(
    "pieces",
    [
        [(1, 0.0, 2.0)],
        [(1, 1.5, 1.5), (1, 0.0, 1.0)],
        [(-1, 0.0, 1.0)],
        [(1, 1.5, 0.9), (-1, -1.5, 0.9), (1, 0.0, 1.2)],
    ],
    ids=["straight", "bend", "backwards", "three-point turn"],
)
def test_a_car_drives_a_maneuver_and_stays_near_it(pieces: list[tuple[int, float, float]]) -> None:
    way = way_of(*pieces)
    limits = Limits(speed=0.8, turn=0.6)
    story = driven(CarFollower(way, limits, WHEELBASE), (0.0, 0.0, 0.0), as_car)
    (x, y, _), _ = story[-1]
    assert math.dist((x, y), (way[-1].x, way[-1].y)) < 0.12
    points = [(pose.x, pose.y) for pose in way]
    assert max(off_the_way(points, (x, y)) for (x, y, _), _ in story) < 0.1
    assert max(abs(command[1]) for _, command in story) <= limits.turn
    gears = [math.copysign(1, command[0]) for _, command in story[:-1]]
    changes = sum(a != b for a, b in itertools.pairwise(gears))
    assert changes == sum(a[0] != b[0] for a, b in itertools.pairwise(pieces))


def test_what_is_left_only_becomes_less() -> None:
    follower = DiffFollower(CORNERS, LIMITS)
    placed, before = (0.0, 0.0, 0.0), follower.left_m
    assert before == pytest.approx(4.0)
    while (command := follower.command(placed)) is not None:
        assert follower.left_m <= before + 1e-9
        before, placed = follower.left_m, as_diff(placed, command)


def test_a_way_of_one_point_has_been_driven() -> None:
    assert DiffFollower([(1.0, 1.0)], LIMITS).command((1.0, 1.0, 0.0)) is None
    assert OmniFollower([(1.0, 1.0)], LIMITS).command((1.0, 1.0, 0.0)) is None
    assert CarFollower([Waypoint(1.0, 1.0, 0.0, 1)], LIMITS, 0.3).command((1.0, 1.0, 0.0)) is None


def test_a_base_that_was_pushed_off_comes_back() -> None:
    follower = DiffFollower([(0.0, 0.0), (4.0, 0.0)], LIMITS)
    assert follower.command((1.0, 0.0, 0.0)) is not None
    story = driven(follower, (1.0, 0.3, 0.0), as_diff)
    assert story[-1][0][1] == pytest.approx(0.0, abs=0.07)
