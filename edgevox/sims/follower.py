"""Turns a planned way into velocities, step by step, for three kinds of base.

Geometry alone: told where the base is, a follower says how fast each part should go now. It does not move anything and
knows no walls. Pure pursuit after Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm" (1992).
"""

import itertools
import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from edgevox.sims.maneuvers import Waypoint
from edgevox.sims.scene import Point

Placed = tuple[float, float, float]
"""x, y in metres, heading in radians."""

Command = tuple[float, ...]
"""What a base is told; each follower says what its numbers mean."""

LOOK_AHEAD_M = 0.4
"""How far ahead on the way a base steers, metres."""

ARRIVED_M = 0.06
"""Distance from the end at which a way has been driven, metres."""

SLOWDOWN_PER_S = 1.6
"""Speed per metre that is left: the last half metre is driven slower."""

CREEP_M_S = 0.08
"""The least speed of a base that has not arrived, metres per second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a base can do."""

    speed: float
    """Metres per second."""
    turn: float = 1.5
    """Radians per second; of a car, the greatest steering angle in radians."""


class Follower(Protocol):
    """Drives one way to its end."""

    def command(self, placed: Placed) -> Command | None:
        """Return what to tell the base now, or `None` when it has arrived."""
        ...

    @property
    def left_m(self) -> float:
        """Metres of the way that were left when `command` was last asked."""
        ...


class Track:
    """A polyline and how much of it has been driven.

    Args:
        points: at least one, metres.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = list(points) if len(points) > 1 else [points[0], points[0]]
        lengths = [math.dist(a, b) for a, b in itertools.pairwise(self._points)]
        self._starts = [sum(lengths[:index]) for index in range(len(lengths) + 1)]
        self.length_m = self._starts[-1]
        self._driven = 0.0

    @property
    def left_m(self) -> float:
        """Metres to the end along the way."""
        return self.length_m - self._driven

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self._points[-1]

    def advance(self, position: Point) -> None:
        """Note where the base is: the nearest place on the next two metres of the way, never one behind."""
        best, nearest = self._driven, math.dist(position, self.at(self._driven))
        for index, start in enumerate(self._starts[:-1]):
            if self._starts[index + 1] < self._driven or start > self._driven + 2.0:
                continue
            along = min(max(self._projected(index, position), self._driven), self._starts[index + 1])
            distance = math.dist(position, self.at(along))
            if distance < nearest - 1e-9:
                best, nearest = along, distance
        self._driven = best

    def ahead(self, distance: float) -> Point:
        """Return the place that is `distance` metres further."""
        return self.at(min(self._driven + distance, self.length_m))

    def at(self, along: float) -> Point:
        """Return the place `along` metres from the start."""
        index = min(bisect_left(self._starts, along, lo=1), len(self._starts) - 1) - 1
        length = self._starts[index + 1] - self._starts[index]
        share = min(1.0, (along - self._starts[index]) / length) if length > 0 else 1.0
        (ax, ay), (bx, by) = self._points[index], self._points[index + 1]
        return ax + (bx - ax) * share, ay + (by - ay) * share

    def _projected(self, index: int, position: Point) -> float:
        (ax, ay), (bx, by) = self._points[index], self._points[index + 1]
        length = math.hypot(bx - ax, by - ay)
        if length == 0:
            return self._starts[index]
        return self._starts[index] + ((position[0] - ax) * (bx - ax) + (position[1] - ay) * (by - ay)) / length


class DiffFollower:
    """A base with two driven wheels: it turns towards the way on the spot, then drives and steers.

    Commands are metres per second forwards and radians per second counter-clockwise.

    Args:
        path: corners, metres.
        limits: of the base.
    """

    TURN_FIRST = math.radians(50)
    """A way that begins more to the side than this is turned to on the spot."""

    def __init__(self, path: Sequence[Point], limits: Limits) -> None:
        self._track = Track(path)
        self._limits = limits

    @property
    def left_m(self) -> float:
        """Metres that are left."""
        return self._track.left_m

    def command(self, placed: Placed) -> Command | None:
        """Return forward and turning speed, or `None` at the end."""
        x, y, heading = placed
        self._track.advance((x, y))
        if math.dist((x, y), self._track.end) <= ARRIVED_M:
            return None
        aim_x, aim_y = self._track.ahead(LOOK_AHEAD_M)
        aside = math.remainder(math.atan2(aim_y - y, aim_x - x) - heading, 2 * math.pi)
        turn = _clipped(3.0 * aside, self._limits.turn)
        if abs(aside) > self.TURN_FIRST:
            return 0.0, turn
        left = max(self._track.left_m, math.dist((x, y), self._track.end))
        return _slowed(self._limits.speed, left) * math.cos(aside) ** 2, turn


class OmniFollower:
    """A base that drives in any direction without turning.

    Commands are metres per second forwards and to the left, as the base looks.

    Args:
        path: corners, metres.
        limits: of the base.
    """

    def __init__(self, path: Sequence[Point], limits: Limits) -> None:
        self._track = Track(path)
        self._limits = limits

    @property
    def left_m(self) -> float:
        """Metres that are left."""
        return self._track.left_m

    def command(self, placed: Placed) -> Command | None:
        """Return speed forwards and to the left, or `None` at the end."""
        x, y, heading = placed
        self._track.advance((x, y))
        if math.dist((x, y), self._track.end) <= ARRIVED_M:
            return None
        aim_x, aim_y = self._track.ahead(LOOK_AHEAD_M / 2)
        direction = math.atan2(aim_y - y, aim_x - x) - heading
        left = max(self._track.left_m, math.dist((x, y), self._track.end))
        speed = _slowed(self._limits.speed, left)
        return speed * math.cos(direction), speed * math.sin(direction)


class CarFollower:
    """A base that steers like a car, piece by piece of one gear each.

    Commands are metres per second, negative backwards, and the steering angle in radians, positive to the left.

    Args:
        way: poses of a plan.
        limits: of the base; `turn` is the greatest steering angle.
        wheelbase: metres between the axles.
    """

    PIECE_END_M = 0.04

    def __init__(self, way: Sequence[Waypoint], limits: Limits, wheelbase: float) -> None:
        self._pieces = _pieces(way)
        self._limits = limits
        self._wheelbase = wheelbase

    @property
    def left_m(self) -> float:
        """Metres that are left, backwards ones included."""
        return sum(track.left_m for _, track in self._pieces)

    def command(self, placed: Placed) -> Command | None:
        """Return speed and steering angle, or `None` at the end."""
        x, y, heading = placed
        while self._pieces:
            gear, track = self._pieces[0]
            track.advance((x, y))
            if track.left_m > self.PIECE_END_M:
                break
            self._pieces.pop(0)
        else:
            return None
        look = LOOK_AHEAD_M * 0.75
        aim_x, aim_y = track.ahead(look)
        if track.left_m < look:  # beyond the end, in its direction, so that the last metre is steered steadily
            aim_x, aim_y = _beyond(track, look)
        reach = math.hypot(aim_x - x, aim_y - y)
        aside = math.atan2(aim_y - y, aim_x - x) - heading
        # Coulter's curvature through the aim; backwards the same arc is driven the other way round.
        steering = math.atan(2 * self._wheelbase * math.sin(aside) / max(reach, 1e-6))
        speed = _slowed(self._limits.speed, track.left_m)
        return gear * speed, _clipped(steering, self._limits.turn)


def _pieces(way: Sequence[Waypoint]) -> list[tuple[int, Track]]:
    """Cut a way where the gear changes."""
    pieces: list[tuple[int, Track]] = []
    points = [(way[0].x, way[0].y)]
    for before, after in itertools.pairwise(way):
        if len(points) > 1 and after.gear != before.gear:
            pieces.append((before.gear, Track(points)))
            points = [(before.x, before.y)]
        points.append((after.x, after.y))
    if len(points) > 1:
        pieces.append((way[-1].gear, Track(points)))
    return pieces


def _beyond(track: Track, distance: float) -> Point:
    (ax, ay), (bx, by) = track.at(max(0.0, track.length_m - 0.1)), track.end
    length = math.hypot(bx - ax, by - ay) or 1.0
    more = distance - track.left_m
    return bx + (bx - ax) / length * more, by + (by - ay) / length * more


def _slowed(speed: float, left: float) -> float:
    return min(speed, max(CREEP_M_S, SLOWDOWN_PER_S * left))


def _clipped(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))
