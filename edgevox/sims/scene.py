"""What a terminal needs to draw a world: rooms, walls, the robot, where it was, where it goes, what it sees.

Values and a little geometry; knows neither how a world moves nor how a screen draws.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
"""Metres, x to the right and y up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Where something is and where it looks."""

    x: float
    y: float
    heading_deg: float
    """Degrees from the x axis, counter-clockwise, 0 to 360."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A named place."""

    name: str
    x: float
    y: float
    """Its middle, metres."""
    light_on: bool | None = None
    """`None` where the world has no lights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A straight piece that nothing passes and lidar sees."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A named thing that can be moved."""

    name: str
    x: float
    y: float
    """Its middle, metres."""
    held: bool = False
    """Whether a gripper holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LidarScan:
    """One turn of a planar laser scanner."""

    ranges: tuple[float, ...]
    """Metres, counter-clockwise, the first straight ahead; `max_range_m` where nothing was hit."""
    max_range_m: float

    def points(self, pose: Pose) -> list[Point]:
        """Where the beams ended that hit something, in the world."""
        step = 2 * math.pi / len(self.ranges) if self.ranges else 0.0
        start = math.radians(pose.heading_deg)
        return [
            (pose.x + distance * math.cos(start + index * step), pose.y + distance * math.sin(start + index * step))
            for index, distance in enumerate(self.ranges)
            if distance < self.max_range_m
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A world at one moment."""

    robot: Pose | None
    """Of an arm it is the gripper seen from above; `None` in a world without a robot."""
    rooms: tuple[Room, ...] = ()
    walls: tuple[Wall, ...] = ()
    path: tuple[Point, ...] = ()
    """Where the robot has been, oldest first."""
    goal: Point | None = None
    lidar: LidarScan | None = None
    moving: bool = False
    things: tuple[Thing, ...] = ()

    def bounds(self) -> tuple[float, float, float, float]:
        """The rectangle that holds everything: least x, least y, greatest x, greatest y; metres."""
        points: list[Point] = [(room.x, room.y) for room in self.rooms]
        points.extend((thing.x, thing.y) for thing in self.things)
        points.extend(point for wall in self.walls for point in (wall.start, wall.end))
        points.extend(self.path)
        points.extend([self.goal] if self.goal is not None else [])
        points.extend([(self.robot.x, self.robot.y)] if self.robot is not None else [])
        if not points:
            return (0.0, 0.0, 0.0, 0.0)
        xs, ys = zip(*points, strict=True)
        return (min(xs), min(ys), max(xs), max(ys))


def box(least: Point, greatest: Point) -> tuple[Wall, ...]:
    """Return the four walls of a rectangle."""
    (left, bottom), (right, top) = least, greatest
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return tuple(Wall(start=corners[i], end=corners[(i + 1) % 4]) for i in range(4))


def scan(pose: Pose, walls: Sequence[Wall], *, beams: int = 36, max_range_m: float = 8.0) -> LidarScan:
    """Measure the distance to the nearest wall in every direction.

    Args:
        pose: where the scanner stands; its first beam looks along the heading.
        walls: what stops a beam.
        beams: how many, spread evenly over a full turn.
        max_range_m: what a beam reports that hits nothing.
    """
    step = 2 * math.pi / beams
    start = math.radians(pose.heading_deg)
    ranges = tuple(_distance(pose, start + index * step, walls, max_range_m) for index in range(beams))
    return LidarScan(ranges=ranges, max_range_m=max_range_m)


def _distance(pose: Pose, angle: float, walls: Sequence[Wall], farthest: float) -> float:
    direction = (math.cos(angle), math.sin(angle))
    hits = (_hit((pose.x, pose.y), direction, wall) for wall in walls)
    return min((hit for hit in hits if hit is not None and hit < farthest), default=farthest)


def _hit(origin: Point, direction: Point, wall: Wall) -> float | None:
    """Distance along a ray to a wall, or `None`: the two lines solved for their common point."""
    wall_x, wall_y = wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]
    across = direction[0] * wall_y - direction[1] * wall_x
    if abs(across) < 1e-12:
        return None
    to_x, to_y = wall.start[0] - origin[0], wall.start[1] - origin[1]
    along_ray = (to_x * wall_y - to_y * wall_x) / across
    along_wall = (to_x * direction[1] - to_y * direction[0]) / across
    return along_ray if along_ray >= 0 and 0 <= along_wall <= 1 else None
