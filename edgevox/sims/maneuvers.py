"""Finds the way of a base that steers like a car: forwards and backwards on arcs, never tighter than it can turn.

Hybrid A* (Dolgov, Thrun, Montemerlo, Diebel, "Path Planning for Autonomous Vehicles in Unknown Semi-structured
Environments", 2010): cells hold a real pose each, steps are short arcs, and the length of the way for a base that can
turn on the spot guides the search. Knows nothing of speeds.
"""

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from edgevox.sims.clearance import ClearanceMap
from edgevox.sims.planner import MARGIN_M, Abandoned, NoWay, check_target, never, ways_to
from edgevox.sims.scene import Point

ARC_M = 0.15
"""Length of one step of the search, metres."""

HEADINGS = 36
"""Directions that count as different."""

REVERSE_COST = 1.6
"""How many times longer a way backwards counts."""

SWITCH_COST_M = 0.5
"""What a change between forwards and backwards counts, metres."""

STEERING_COST = 1.05
"""How many times longer an arc counts than a straight piece."""

REACHED_M = 0.12
"""Distance from the target at which the search ends, metres."""

MAX_POSES = 60_000
"""Poses looked at before the search gives up; some seconds on a small machine."""

ABANDON_EVERY = 64


@dataclass(frozen=True, slots=True)
class CarShape:
    """What a planner knows of a base that steers like a car."""

    turning_radius: float
    """Metres, of the reference point between the rear wheels."""
    radius: float
    """Of the circle around the body, metres."""
    middle: float = 0.0
    """From the reference point to the middle of the body, forwards, metres."""


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A pose on the way, and how it was driven to."""

    x: float
    y: float
    heading: float
    """Radians."""
    gear: int
    """1 forwards, -1 backwards."""


_Key = tuple[int, int, int]


@dataclass(slots=True)
class _Node:
    pose: Waypoint
    cost: float
    before: _Key | None
    steering: int


def plan_maneuver(
    floor: ClearanceMap,
    start: tuple[float, float, float],
    target: Point,
    car: CarShape,
    unwanted: Callable[[], bool] = never,
) -> list[Waypoint]:
    """Return poses from `start` to within `REACHED_M` of `target`, `ARC_M` apart; the heading there is free.

    Args:
        floor: where walls are.
        start: x, y in metres and the heading in radians.
        target: metres.
        car: how it turns and how large it is.
        unwanted: asked now and then; True ends the search.

    Raises:
        NoWay: the target cannot be reached.
        Abandoned: `unwanted` said so.
    """
    check_target(floor, target, car.radius)
    return _Search(floor, car, target, unwanted).run(Waypoint(*start, gear=1))


class _Search:
    """One search; the nodes are kept by cell, heading and gear."""

    def __init__(self, floor: ClearanceMap, car: CarShape, target: Point, unwanted: Callable[[], bool]) -> None:
        self._floor = floor
        self._car = car
        self._target = target
        self._unwanted = unwanted
        self._room = car.radius + MARGIN_M
        # The middle of the body is not the reference point: the guide may be a little more generous than the search.
        self._ways = ways_to(floor, floor.cell_of(target), max(self._room - car.middle, car.radius / 2), unwanted)
        self._nodes: dict[_Key, _Node] = {}
        self._waiting: list[tuple[float, _Key]] = []
        self._done: set[_Key] = set()

    def run(self, start: Waypoint) -> list[Waypoint]:
        self._offer(self._key(start), _Node(start, 0.0, None, 0))
        while self._waiting and len(self._done) < MAX_POSES:
            _, key = heapq.heappop(self._waiting)
            if key in self._done:
                continue
            self._done.add(key)
            if len(self._done) % ABANDON_EVERY == 0 and self._unwanted():
                raise Abandoned
            node = self._nodes[key]
            if math.dist((node.pose.x, node.pose.y), self._target) <= REACHED_M:
                return self._way_to(key)
            for steering, pose in self._steps(node.pose):
                cost = node.cost + self._cost(node, steering, pose)
                self._offer(self._key(pose), _Node(pose, cost, key, steering))
        x, y = self._target
        raise NoWay(f"({x:g}, {y:g}) cannot be reached: there is no way that this base can turn into")

    def _offer(self, key: _Key, node: _Node) -> None:
        known = self._nodes.get(key)
        left = self._ways.get(self._floor.cell_of((node.pose.x, node.pose.y)))
        if left is None or key in self._done or (known is not None and known.cost <= node.cost):
            return  # a pose that others follow from stays as it is, or their arcs would not join
        self._nodes[key] = node
        heapq.heappush(self._waiting, (node.cost + left, key))

    def _steps(self, pose: Waypoint) -> Iterator[tuple[int, Waypoint]]:
        here = self._clearance(pose)
        for gear in (1, -1):
            for steering in (0, 1, -1):
                after = arc(pose, gear, steering / self._car.turning_radius, ARC_M)
                there = self._clearance(after)
                if there >= self._room or there > here:
                    yield steering, after

    def _cost(self, node: _Node, steering: int, pose: Waypoint) -> float:
        cost = ARC_M if pose.gear > 0 else ARC_M * REVERSE_COST
        if steering:
            cost *= STEERING_COST
        if steering != node.steering:
            cost += 0.02
        if pose.gear != node.pose.gear and node.before is not None:
            cost += SWITCH_COST_M
        return cost

    def _clearance(self, pose: Waypoint) -> float:
        middle = self._car.middle
        return self._floor.near((pose.x + middle * math.cos(pose.heading), pose.y + middle * math.sin(pose.heading)))

    def _key(self, pose: Waypoint) -> _Key:
        column, row = self._floor.cell_of((pose.x, pose.y))
        turn = round(pose.heading / (2 * math.pi) * HEADINGS) % HEADINGS
        return column, row, turn if pose.gear > 0 else turn + HEADINGS

    def _way_to(self, key: _Key) -> list[Waypoint]:
        way: list[Waypoint] = []
        step: _Key | None = key
        while step is not None:
            node = self._nodes[step]
            way.append(node.pose)
            step = node.before
        return way[::-1]


def arc(pose: Waypoint, gear: int, curvature: float, length: float) -> Waypoint:
    """Return the pose after an arc.

    Args:
        pose: where it begins.
        gear: 1 forwards, -1 backwards.
        curvature: of the arc, 1/metres, positive to the left; 0 is straight.
        length: metres.
    """
    turned = gear * curvature * length
    middle = pose.heading + turned / 2
    chord = length if abs(turned) < 1e-9 else 2 * math.sin(abs(turned) / 2) / abs(curvature)
    x, y = pose.x + gear * chord * math.cos(middle), pose.y + gear * chord * math.sin(middle)
    return Waypoint(x, y, math.remainder(pose.heading + turned, 2 * math.pi), gear)
