"""Turns *pick this*, *put it there*, *go there* into motions of an arm, or says why it cannot be done.

Plans on a snapshot and moves nothing. Everything goes up, across at a height that is clear of the table, and down.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from edgevox.sims.mujoco.kinematics import POINTING_DOWN, Held, Kinematics, Vector, about_z
from edgevox.sims.mujoco.moves import Fingers, Follow, Grip, Move, Programme, opening_fingers
from edgevox.sims.mujoco.table_terms import FLOOR_M, OPEN_M, MoveFailed, spoken
from edgevox.sims.mujoco.tabletop import Place, TableTop, Thing

CLEAR_M = 0.2
"""Height of the grip on its way across the table."""

DROP_M = 0.004
"""Between a thing that is put down and what it is put on."""

LOWEST_GRIP_M = 0.016
"""The finger tips are one centimetre lower."""

SPACE_M = 0.075
"""Between the middles of things that lie in one place."""

SPHERE, CYLINDER = 2, 5
"""MuJoCo's numbers of shapes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """How a table top is at one moment."""

    qpos: Vector
    joints: Vector
    grip: Vector
    """Metres."""
    yaw: float
    fingers: float
    """Opening of each, metres."""
    positions: Mapping[str, Vector]
    rotations: Mapping[str, Vector]
    holding: str | None
    held: Held | None


def snapshot(table: TableTop) -> Snapshot:
    """Take a snapshot; hold the engine's lock."""
    return Snapshot(
        qpos=table.qpos(),
        joints=table.joints(),
        grip=table.grip_position(),
        yaw=table.grip_yaw(),
        fingers=table.opening() / 2,
        positions={name: table.position(thing) for name, thing in table.things.items()},
        rotations={name: table.rotation(thing) for name, thing in table.things.items()},
        holding=table.holding,
        held=table.held(),
    )


class ArmPlanner:
    """Plans for one arm. Not safe from several threads.

    Args:
        kinematics: of the arm.
        rest: joint angles of its home, radians.
        sizes: MuJoCo's type and size of every thing's shape.
    """

    def __init__(self, kinematics: Kinematics, rest: Vector, sizes: Mapping[str, tuple[int, Vector]]) -> None:
        self._kinematics = kinematics
        self._rest = rest
        self._sizes = sizes

    def home(self, now: Snapshot) -> Programme:
        """Go to the resting pose.

        Raises:
            MoveFailed: it cannot be done; so do all others.
        """
        moves = [*self._rise(now), Follow([self._rest], "going home")]
        return Programme("home", moves, {"place": "home"}, carries=now.holding)

    def fingers(self, now: Snapshot, opening: float) -> Programme:
        """Open or close the gripper where it is."""
        label = "open_gripper" if opening else "close_gripper"
        moves: list[Move] = [opening_fingers() if opening else Fingers(0.0, "closing")]
        return Programme(label, moves, {"gripper": "open" if opening else "closed"}, ignoring=frozenset(now.positions))

    def move_to(self, now: Snapshot, position: tuple[float, float, float], label: str) -> Programme:
        """Bring the grip to a position, looking down."""
        self._kinematics.look(now.qpos)
        blocked: str | None = None
        for yaw in _turns(0.0, math.atan2(position[1], position[0]), math.pi / 4):
            way = self._across(now, position, yaw)
            if way is None:
                continue
            blocked = self._kinematics.touches(way[-1], now.fingers, now.held)
            if blocked is None:
                moves: list[Move] = [*self._rise(now), Follow(way, "moving")]
                where = dict(zip("xyz", position, strict=True))
                return Programme(label or "a point", moves, where, carries=now.holding)
        raise MoveFailed(_why(blocked, f"({position[0]:g}, {position[1]:g}, {position[2]:g})"))

    def pick(self, now: Snapshot, thing: Thing) -> Programme:
        """Grip a thing and lift it."""
        self._kinematics.look(now.qpos)
        there = now.positions[thing.name]
        if float(there[2]) < FLOOR_M:
            raise MoveFailed(f"the {spoken(thing.name)} is out of reach: it has fallen off the table")
        target = (float(there[0]), float(there[1]), max(float(there[2]), LOWEST_GRIP_M))
        blocked: str | None = None
        for yaw in self._grips(now, thing):
            way = self._across(now, target, yaw)
            if way is None:
                continue
            blocked = self._kinematics.touches(way[-1], OPEN_M, None, [thing.body])
            if blocked is None:
                return self._picking(now, thing, way)
        raise MoveFailed(_why(blocked, f"the {spoken(thing.name)}"))

    def place(self, now: Snapshot, place: Place, thing: Thing) -> Programme:
        """Put the held thing down in a place."""
        self._kinematics.look(now.qpos)
        blocked: str | None = None
        spots = list(self._free_spots(now, place, thing))
        for x, y in spots:
            for grip, yaw in self._puts(now, place, thing, (x, y)):
                way = self._across(now, grip, yaw)
                if way is None:
                    continue
                blocked = self._kinematics.touches(way[-1], now.fingers, now.held)
                if blocked is None:
                    return self._placing(now, place, thing, way, (x, y))
        if not spots:
            raise MoveFailed(f"there is no room left: {spoken(place.name)} is full")
        raise MoveFailed(_why(blocked, spoken(place.name)))

    def _picking(self, now: Snapshot, thing: Thing, way: Sequence[Vector]) -> Programme:
        moves: list[Move] = [
            *self._rise(now),
            opening_fingers(),
            Follow(way[:1], "approaching"),
            Follow(way[1:], "reaching"),
            Grip(thing),
            Follow(way[::-1][1:], "lifting"),
        ]
        ignoring = frozenset([thing.name])
        return Programme(f"pick {thing.name}", moves, {"object": thing.name}, ignoring=ignoring, carries=thing.name)

    def _placing(
        self, now: Snapshot, place: Place, thing: Thing, way: Sequence[Vector], spot: tuple[float, float]
    ) -> Programme:
        moves: list[Move] = [
            *self._rise(now),
            Follow(way[:1], "carrying"),
            Follow(way[1:], "lowering"),
            opening_fingers(),
            Follow(way[::-1][1:], "leaving"),
        ]
        result: dict[str, object] = {"object": thing.name, "place": place.name}
        label = f"place {place.name}"
        return Programme(label, moves, result, ignoring=frozenset([thing.name]), needs_thing_at=(thing, *spot))

    def _rise(self, now: Snapshot) -> list[Move]:
        """Go straight up to where the table is clear, if the grip is lower."""
        x, y, z = (float(value) for value in now.grip)
        if z >= CLEAR_M - 0.02:
            return []
        self._kinematics.look(now.qpos)
        path = self._kinematics.line((x, y, z), (x, y, CLEAR_M), now.yaw, now.joints)
        return [Follow(path, "rising")] if path is not None else []

    def _across(self, now: Snapshot, target: tuple[float, float, float], yaw: float) -> list[Vector] | None:
        """Joint angles over the target, then down to it; at least two points. `None` when it is out of reach."""
        x, y, z = target
        above = (x, y, max(CLEAR_M, z))
        over = self._kinematics.solve(above, yaw, now.joints)
        if over is None:
            return None
        down = self._kinematics.line(above, target, yaw, over)
        return [over, *down] if down is not None else None

    def _grips(self, now: Snapshot, thing: Thing) -> list[float]:
        """How the gripper may be turned to hold a thing, the most comfortable first."""
        kind, _ = self._sizes[thing.name]
        rotation, there = now.rotations[thing.name], now.positions[thing.name]
        comfortable = math.atan2(float(there[1]), float(there[0]))
        if kind == SPHERE or (kind == CYLINDER and abs(float(rotation[2, 2])) > 0.9):
            return _turns(comfortable, comfortable, math.pi / 6)
        if kind == CYLINDER:
            # It lies: the fingers, which close along the gripper's y, have to meet its sides.
            along = math.atan2(float(rotation[1, 2]), float(rotation[0, 2]))
            return _turns(along, comfortable, math.pi)
        return _turns(_yaw_of(rotation), comfortable, math.pi / 2)

    def _puts(
        self, now: Snapshot, place: Place, thing: Thing, spot: tuple[float, float]
    ) -> Iterator[tuple[tuple[float, float, float], float]]:
        """Poses of the grip with the thing squarely over a spot."""
        assert now.held is not None
        turn = np.array(now.held.turn).reshape(3, 3)
        square = -_yaw_of(POINTING_DOWN @ turn)
        for yaw in _turns(square, math.atan2(spot[1], spot[0]), math.pi / 2):
            rotation = about_z(yaw) @ POINTING_DOWN
            offset = rotation @ np.array(now.held.offset)
            height = place.height + DROP_M + self._half_height(thing, rotation @ turn) - float(offset[2])
            yield (spot[0] - float(offset[0]), spot[1] - float(offset[1]), max(height, LOWEST_GRIP_M)), yaw

    def _half_height(self, thing: Thing, rotation: Vector) -> float:
        kind, size = self._sizes[thing.name]
        up = np.abs(rotation[2])
        if kind == SPHERE:
            return float(size[0])
        if kind == CYLINDER:
            return float(up[2] * size[1] + math.hypot(up[0], up[1]) * size[0])
        return float(up @ size)

    def _free_spots(self, now: Snapshot, place: Place, thing: Thing) -> Iterator[tuple[float, float]]:
        """Points of a place that are far enough from the other things, the middle first."""
        others = [there for name, there in now.positions.items() if name != thing.name and float(there[2]) > FLOOR_M]
        steps = sorted(((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)), key=lambda step: math.hypot(*step))
        for dx, dy in steps:
            x, y = place.x + dx * place.half[0], place.y + dy * place.half[1]
            if all(math.dist((x, y), (float(there[0]), float(there[1]))) >= SPACE_M for there in others):
                yield x, y


def _turns(first: float, comfortable: float, step: float) -> list[float]:
    """Angles `step` apart that do the same as `first`, nearest to the comfortable one first."""
    count = round(2 * math.pi / step)
    angles = [math.remainder(first + index * step, 2 * math.pi) for index in range(count)]
    return sorted(angles, key=lambda angle: abs(math.remainder(angle - comfortable, 2 * math.pi)))


def _yaw_of(rotation: Vector) -> float:
    """How a box is turned about the vertical: the angle of its most level edge."""
    level = min(range(3), key=lambda axis: abs(float(rotation[2, axis])))
    return math.atan2(float(rotation[1, level]), float(rotation[0, level]))


def _why(blocked: str | None, what: str) -> str:
    if blocked is not None:
        return f"collision: on the way to {what} the gripper would touch the {spoken(blocked)}"
    return f"{what} is out of reach"
