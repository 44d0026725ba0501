"""Finds the way around what stands in it, for a round base that can turn on the spot.

A* over the cells that leave the base enough room, with a liking for the middle of a door, then shortened to straight
pieces. Knows neither how a base steers nor how fast it is; `edgevox.sims.maneuvers` plans for one that cannot turn on
the spot.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Sequence

from edgevox.sims.clearance import Cell, ClearanceMap
from edgevox.sims.scene import Point

MARGIN_M = 0.08
"""Room beside the base that a plan keeps, metres: a follower cuts corners a little."""

COMFORT_M = 0.3
"""Beside the base; a way that is narrower than this costs more, metres."""

NARROW_COST = 3.0
"""How many times longer a way along a wall counts."""

ABANDON_EVERY = 256
"""Cells between two looks at whether the plan is still wanted."""

_STEPS = [(dx, dy, math.hypot(dx, dy)) for dx, dy in itertools.product((-1, 0, 1), repeat=2) if dx or dy]


class NoWay(Exception):  # a result for the caller, not an error for people: worlds turn it into a FAILED goal
    """There is no way to the target; the text says why."""


class Abandoned(Exception):  # the caller no longer wants the plan
    """Nobody wants the plan any more."""


def never() -> bool:
    """Want the plan to the end."""
    return False


def check_target(floor: ClearanceMap, target: Point, radius: float) -> None:
    """Make sure that a base fits where it is sent.

    Args:
        floor: where walls are.
        target: metres.
        radius: of the base, metres.

    Raises:
        NoWay: the target is off the floor, or too near to a wall.
    """
    where = f"({target[0]:g}, {target[1]:g})"
    if not floor.contains(target):
        raise NoWay(f"{where} is outside the world")
    if floor.at(target) < radius + MARGIN_M:
        raise NoWay(f"{where} cannot be reached: there is no room for the robot between the obstacles")


def plan_path(
    floor: ClearanceMap, start: Point, target: Point, radius: float, unwanted: Callable[[], bool] = never
) -> list[Point]:
    """Return the corners of a way from `start` to `target`, both included.

    Args:
        floor: where walls are.
        start: metres; may be nearer to a wall than a plan would go.
        target: metres.
        radius: of the base, metres.
        unwanted: asked now and then; True ends the search.

    Raises:
        NoWay: the target cannot be reached.
        Abandoned: `unwanted` said so.
    """
    check_target(floor, target, radius)
    room = radius + MARGIN_M
    first, last = floor.cell_of(start), floor.cell_of(target)
    came_from = _search(floor, first, last, min(room, floor.near(target)), unwanted)
    cells = [last]
    while cells[-1] != first:
        cells.append(came_from[cells[-1]])
    middles = [floor.middle_of(cell) for cell in reversed(cells)]
    return shortened(floor, [start, *middles[1:-1], target], room)


def shortened(floor: ClearanceMap, path: Sequence[Point], room: float) -> list[Point]:
    """Leave out the corners that a straight way does not need.

    Args:
        floor: where walls are.
        path: points, metres.
        room: least distance to a wall, metres.
    """
    kept, index = [path[0]], 0
    while index < len(path) - 1:
        index = _farthest_seen(floor, path, index, room)
        kept.append(path[index])
    return kept


def ways_to(floor: ClearanceMap, target: Cell, room: float, unwanted: Callable[[], bool] = never) -> dict[Cell, float]:
    """Return the length of the way to `target` for every cell that has one, metres.

    Raises:
        Abandoned: `unwanted` said so.
    """
    lengths = {target: 0.0}
    waiting = [(0.0, target)]
    looked_at = 0
    while waiting:
        if looked_at % ABANDON_EVERY == 0 and unwanted():
            raise Abandoned
        looked_at += 1
        length, cell = heapq.heappop(waiting)
        if length > lengths[cell]:
            continue
        for neighbour, step in _neighbours(floor, cell, room):
            longer = length + step
            if longer < lengths.get(neighbour, math.inf):
                lengths[neighbour] = longer
                heapq.heappush(waiting, (longer, neighbour))
    return lengths


def _search(
    floor: ClearanceMap, first: Cell, last: Cell, room: float, unwanted: Callable[[], bool]
) -> dict[Cell, Cell]:
    """A*: for every cell that was looked at, the one before it on the best way."""
    came_from: dict[Cell, Cell] = {}
    costs = {first: 0.0}
    done: set[Cell] = set()
    waiting = [(0.0, first)]
    while waiting:
        _, cell = heapq.heappop(waiting)
        if cell == last:
            return came_from
        if cell in done:
            continue
        done.add(cell)
        if len(done) % ABANDON_EVERY == 0 and unwanted():
            raise Abandoned
        for neighbour, step in _neighbours(floor, cell, room):
            cost = costs[cell] + step * _dislike(floor, neighbour, room)
            if cost < costs.get(neighbour, math.inf):
                costs[neighbour], came_from[neighbour] = cost, cell
                left = math.dist(neighbour, last) * floor.cell_m
                heapq.heappush(waiting, (cost + left, neighbour))
    where = floor.middle_of(last)
    raise NoWay(f"({where[0]:.1f}, {where[1]:.1f}) cannot be reached: no way leads there that is wide enough")


def _neighbours(floor: ClearanceMap, cell: Cell, room: float) -> list[tuple[Cell, float]]:
    """The cells around that leave enough room, and the distance to each.

    From a place that is itself too near to a wall, every step away from the wall counts as one too.
    """
    column, row = cell
    here = floor.cells[row * floor.columns + column]
    found: list[tuple[Cell, float]] = []
    for dx, dy, length in _STEPS:
        x, y = column + dx, row + dy
        if 0 <= x < floor.columns and 0 <= y < floor.rows:
            there = floor.cells[y * floor.columns + x]
            if there >= room or there > here:
                found.append(((x, y), length * floor.cell_m))
    return found


def _dislike(floor: ClearanceMap, cell: Cell, room: float) -> float:
    spare = floor.cells[floor.index_of(cell)] - room
    return 1.0 + NARROW_COST * max(0.0, COMFORT_M - spare) / COMFORT_M


def _farthest_seen(floor: ClearanceMap, path: Sequence[Point], index: int, room: float) -> int:
    """The last point that can be driven to in a straight line; at least the next one."""
    low, high = index + 1, len(path) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if floor.along(path[index], path[middle]) >= min(room, floor.at(path[index])):
            low = middle
        else:
            high = middle - 1
    return low
