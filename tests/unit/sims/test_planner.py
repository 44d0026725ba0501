"""The way around obstacles, for a base that can turn on the spot and for one that steers like a car."""

import itertools
import math

import pytest

from edgevox.sims import Wall
from edgevox.sims.clearance import MAX_CELLS, ClearanceMap
from edgevox.sims.maneuvers import ARC_M, REACHED_M, CarShape, Waypoint, arc, plan_maneuver
from edgevox.sims.planner import MARGIN_M, Abandoned, NoWay, plan_path, shortened
from edgevox.sims.scene import Point, box

BOUNDS = (0.0, 0.0, 6.0, 4.0)
RADIUS = 0.2
CAR = CarShape(turning_radius=0.5, radius=0.3, middle=0.15)


def flat(*walls: Wall) -> ClearanceMap:
    return ClearanceMap([*box((0, 0), (6, 4)), *walls], BOUNDS)


def split(door_from: float, door_to: float) -> ClearanceMap:
    """Two rooms with a door in the wall between them."""
    return flat(Wall(start=(3, 0), end=(3, door_from)), Wall(start=(3, door_to), end=(3, 4)))


def length(path: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def least_clearance(floor: ClearanceMap, path: list[Point]) -> float:
    return min(floor.along(a, b) for a, b in itertools.pairwise(path))


def test_clearance_is_the_distance_to_the_nearest_wall() -> None:
    floor = flat(Wall(start=(3, 1), end=(3, 3)))
    assert floor.at((2.5, 2.0)) == pytest.approx(0.5)
    assert floor.at((3.0, 3.6)) == pytest.approx(0.4)
    assert floor.near((1.0, 2.0)) == pytest.approx(1.0)
    assert floor.near((9.0, 2.0)) == 0.0
    assert floor.along((2.0, 2.0), (4.0, 2.0)) == pytest.approx(0.0, abs=0.03)


def test_a_point_as_a_wall_keeps_its_distance() -> None:
    floor = flat(Wall(start=(3, 2), end=(3, 2)))
    assert floor.at((3.0, 2.7)) == pytest.approx(0.7)


def test_a_huge_floor_gets_larger_cells() -> None:
    floor = ClearanceMap(box((0, 0), (300, 300)), (0, 0, 300, 300))
    assert len(floor.cells) <= MAX_CELLS * 1.02
    assert floor.cell_of(floor.middle_of((5, 7))) == (5, 7)


def test_a_free_way_is_straight() -> None:
    assert plan_path(flat(), (1.0, 1.0), (5.0, 3.0), RADIUS) == [(1.0, 1.0), (5.0, 3.0)]


def test_a_way_goes_through_the_door_and_keeps_its_distance() -> None:
    floor = split(2.5, 3.5)
    path = plan_path(floor, (1.0, 1.0), (5.0, 1.0), RADIUS)
    assert path[0] == (1.0, 1.0)
    assert path[-1] == (5.0, 1.0)
    assert least_clearance(floor, path) >= RADIUS
    assert 4.0 < length(path) < 6.2


def test_the_wider_door_is_worth_a_detour() -> None:
    narrow_first = flat(
        Wall(start=(3, 0), end=(3, 0.7)), Wall(start=(3, 1.3), end=(3, 1.9)), Wall(start=(3, 3.2), end=(3, 4))
    )
    path = plan_path(narrow_first, (2.0, 1.0), (4.0, 1.6), RADIUS)
    assert least_clearance(narrow_first, path) > 0.3


@pytest.mark.parametrize(
    ("floor", "target", "words"),
    [
        (split(2.0, 2.3), (5.0, 1.0), "cannot be reached"),
        (split(2.0, 2.0), (5.0, 1.0), "cannot be reached"),
        (flat(), (7.0, 1.0), "outside the world"),
        (flat(), (5.9, 1.0), "no room"),
        (flat(), (math.nan, 1.0), "outside the world"),
    ],
)
def test_what_cannot_be_reached_is_said(floor: ClearanceMap, target: Point, words: str) -> None:
    with pytest.raises(NoWay, match=words):
        plan_path(floor, (1.0, 1.0), target, RADIUS)
    with pytest.raises(NoWay):
        plan_maneuver(floor, (1.0, 1.0, 0.0), target, CAR)


def test_a_base_that_stands_too_near_to_a_wall_gets_away_from_it() -> None:
    path = plan_path(flat(), (0.1, 0.1), (5.0, 3.0), RADIUS)
    assert path[-1] == (5.0, 3.0)


def test_a_plan_that_nobody_wants_any_more_is_given_up() -> None:
    with pytest.raises(Abandoned):
        plan_path(split(2.5, 3.5), (1.0, 1.0), (5.0, 1.0), RADIUS, lambda: True)
    with pytest.raises(Abandoned):
        plan_maneuver(split(2.5, 3.5), (1.0, 1.0, 0.0), (5.0, 1.0), CAR, lambda: True)


def test_corners_that_are_not_needed_are_left_out() -> None:
    path = [(1.0, 1.0), (1.5, 1.2), (2.0, 1.1), (2.5, 1.0)]
    assert shortened(flat(), path, RADIUS + MARGIN_M) == [(1.0, 1.0), (2.5, 1.0)]


@pytest.mark.parametrize(("gear", "end"), [(1, (1.0, 1.0, math.pi / 2)), (-1, (-1.0, 1.0, -math.pi / 2))])
def test_a_quarter_of_a_circle_ends_where_it_should(gear: int, end: tuple[float, float, float]) -> None:
    after = arc(Waypoint(0.0, 0.0, 0.0, gear), gear, 1.0, math.pi / 2)
    assert (after.x, after.y, after.heading) == pytest.approx(end)


def test_a_straight_piece_keeps_the_heading() -> None:
    after = arc(Waypoint(1.0, 1.0, math.pi / 2, 1), -1, 0.0, 0.5)
    assert (after.x, after.y, after.heading) == pytest.approx((1.0, 0.5, math.pi / 2))


@pytest.mark.parametrize("heading", [0.0, math.pi / 2, math.pi, -math.pi / 2])
def test_a_car_gets_through_the_door_whatever_way_it_looks(heading: float) -> None:
    floor = split(2.2, 3.4)
    way = plan_maneuver(floor, (1.0, 1.0, heading), (5.0, 1.0), CAR)
    assert math.dist((way[-1].x, way[-1].y), (5.0, 1.0)) <= REACHED_M
    for before, after in itertools.pairwise(way):
        assert math.dist((before.x, before.y), (after.x, after.y)) <= ARC_M + 1e-9
        turned = abs(math.remainder(after.heading - before.heading, 2 * math.pi))
        assert turned <= ARC_M / CAR.turning_radius + 1e-9
        middle = (after.x + CAR.middle * math.cos(after.heading), after.y + CAR.middle * math.sin(after.heading))
        assert floor.at(middle) >= CAR.radius - 0.01


def test_a_car_before_a_wall_backs_out() -> None:
    floor = flat(Wall(start=(2, 0), end=(2, 4)))
    way = plan_maneuver(floor, (1.4, 2.0, 0.0), (0.7, 3.2), CAR)
    assert any(pose.gear < 0 for pose in way[1:])


def test_where_it_is_already_nothing_has_to_be_driven() -> None:
    assert len(plan_maneuver(flat(), (2.0, 2.0, 0.0), (2.05, 2.0), CAR)) == 1
    assert plan_path(flat(), (2.0, 2.0), (2.0, 2.0), RADIUS)[-1] == (2.0, 2.0)
