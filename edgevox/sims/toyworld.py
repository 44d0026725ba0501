"""The reference world: a flat with four rooms, lights, and a robot that is a point.

Standard library only. Knows rooms and lights; obstacles it does not know. It is here to try agents, skills and stops on
before there is a robot.
"""

import inspect
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from edgevox.core.goals import GoalHandle
from edgevox.sims.physics import PhysicsThread
from edgevox.sims.point_robot import PointRobot
from edgevox.sims.scene import LidarScan, Point, Room, Scene, box, scan

ROOMS: tuple[tuple[str, float, float], ...] = (
    ("living_room", 0.0, 0.0),
    ("kitchen", 4.0, 0.0),
    ("bedroom", 4.0, 4.0),
    ("office", 0.0, 4.0),
)
"""Name and middle, metres."""

MARGIN_M = 2.0
"""From the middle of the outermost rooms to the outer wall."""


class ToyWorld:
    """A robot in a flat. Safe from any thread; every method returns at once.

    Args:
        rooms: name, x, y of each room's middle, metres.
        robot_pose: x, y in metres and the heading in degrees.
        navigate_speed: metres per second.
        threaded: `False` leaves time to the caller, who moves it with `step`.

    Raises:
        ValueError: the speed is not above zero, or the rooms are none, not triples, or two of one name.
    """

    def __init__(
        self,
        rooms: Sequence[tuple[str, float, float]] = ROOMS,
        robot_pose: tuple[float, float, float] = (0.0, 0.0, 0.0),
        navigate_speed: float = 1.0,
        *,
        threaded: bool = True,
    ) -> None:
        if navigate_speed <= 0:
            raise ValueError(f"navigate_speed must be above 0 metres per second, not {navigate_speed}")
        self._rooms = _named(rooms)
        self.render = False
        """This world has no window; the terminal draws its scene."""
        self._closed = False
        self._lock = threading.Lock()
        self._lights = dict.fromkeys(self._rooms, False)
        self._robot = PointRobot(robot_pose, navigate_speed)
        self._walls = box(*_around([*self._rooms.values(), (robot_pose[0], robot_pose[1])]))
        self._physics = PhysicsThread(self.step, self.is_moving, "toyworld") if threaded else None
        self._actions: dict[str, Callable[..., GoalHandle]] = {
            "navigate_to": self._navigate_to,
            "set_light": self._set_light,
            "get_pose": self._get_pose,
            "battery_level": self._battery_level,
            "list_rooms": self._list_rooms,
        }

    def open(self) -> None:
        """Need nothing: this world is there as soon as it is constructed."""

    def reset(self) -> None:
        """Put the robot back to its first pose, charge it, and turn the lights off; a running drive is cancelled."""
        self._robot.reset()
        with self._lock:
            self._lights = dict.fromkeys(self._rooms, False)

    def room_names(self) -> list[str]:
        """The rooms, in the order they were given."""
        return list(self._rooms)

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of the state: `robot` (pose, velocity in m/s, battery, goal) and `rooms` by name."""
        drive = self._robot.drive
        robot = self._pose() | {
            "velocity": self._robot.velocity,
            "moving": drive is not None,
            "battery_pct": self._robot.battery_pct,
            "goal": (drive.label or list(drive.target)) if drive is not None else None,
        }
        return {"robot": robot, "rooms": {room.name: _room_dict(room) for room in self._room_values()}}

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action by name.

        `navigate_to(room=)` or `navigate_to(x=, y=)` takes time; a new drive cancels the one before. `set_light(room=,
        on=)`, `get_pose()`, `battery_level()` and `list_rooms()` are over at once. What cannot be done is a FAILED
        handle that says why.
        """
        action = self._actions.get(name)
        if action is None:
            return _failed(f"unknown action '{name}'; this world knows {', '.join(self._actions)}")
        try:
            inspect.signature(action).bind(**arguments)
        except TypeError as error:
            return _failed(f"{name}: {error}")
        return action(**arguments)

    def halt(self) -> None:
        """Command velocity zero and cancel the drive."""
        self._robot.halt()

    def is_moving(self) -> bool:
        """Whether the robot moves."""
        return self._robot.drive is not None

    def scene(self) -> Scene:
        """The flat at this moment, for drawing."""
        drive = self._robot.drive
        return Scene(
            robot=self._robot.pose,
            rooms=tuple(self._room_values()),
            walls=self._walls,
            path=self._robot.path,
            goal=drive.target if drive is not None else None,
            lidar=self.lidar(),
            moving=drive is not None,
        )

    def lidar(self) -> LidarScan:
        """What a planar scanner on the robot sees of the outer walls."""
        return scan(self._robot.pose, self._walls)

    def step(self, dt: float) -> None:
        """Let `dt` seconds pass. A world that is not threaded leaves this to you."""
        self._robot.step(dt)

    def close(self) -> None:
        """Halt and end the physics thread. Closing twice is fine; the state can still be read."""
        self._closed = True
        self.halt()
        if self._physics is not None:
            self._physics.close()

    def _navigate_to(self, room: str | None = None, x: float | None = None, y: float | None = None) -> GoalHandle:
        if room is not None:
            known = self._find(room)
            return self._drive(self._rooms[known], known) if known is not None else self._no_room(room)
        if x is None or y is None:
            return _failed("navigate_to needs a room, or x and y in metres")
        try:
            target = (float(x), float(y))
        except (TypeError, ValueError):
            return _failed(f"x and y must be numbers in metres, not {x!r} and {y!r}")
        if not self._inside(target):
            return _failed(f"({x}, {y}) is outside the flat")
        return self._drive(target, "")

    def _drive(self, target: Point, label: str) -> GoalHandle:
        if self._closed:
            return _failed("this world is closed")
        handle = self._robot.go(target, label)
        if self._physics is not None:
            self._physics.ensure()
        if self._closed:  # closed in the meantime: nothing may be left that seems to move
            self.halt()
        return handle

    def _set_light(self, room: str, on: bool) -> GoalHandle:
        known = self._find(room)
        if known is None:
            return self._no_room(room)
        with self._lock:
            self._lights[known] = bool(on)
        return _done({"room": known, "light_on": bool(on)})

    def _get_pose(self) -> GoalHandle:
        return _done(self._pose())

    def _battery_level(self) -> GoalHandle:
        return _done({"battery_pct": self._robot.battery_pct})

    def _list_rooms(self) -> GoalHandle:
        return _done(self.room_names())

    def _find(self, room: object) -> str | None:
        """The room of that name; `Living Room` is `living_room`."""
        spelled = "_".join(str(room).casefold().split())
        return next((name for name in self._rooms if name in (room, spelled)), None)

    def _inside(self, target: Point) -> bool:
        least, greatest = self._walls[0].start, self._walls[2].start
        return all(low <= value <= high for low, value, high in zip(least, target, greatest, strict=True))

    def _no_room(self, room: object) -> GoalHandle:
        return _failed(f"there is no room '{room}'; the rooms are {', '.join(self._rooms)}")

    def _pose(self) -> dict[str, Any]:
        pose = self._robot.pose
        return {"x": round(pose.x, 3), "y": round(pose.y, 3), "heading_deg": round(pose.heading_deg, 1)}

    def _room_values(self) -> list[Room]:
        with self._lock:
            return [Room(name=name, x=x, y=y, light_on=self._lights[name]) for name, (x, y) in self._rooms.items()]


def _room_dict(room: Room) -> dict[str, Any]:
    return {"x": room.x, "y": room.y, "light_on": room.light_on}


def _named(rooms: Sequence[tuple[str, float, float]]) -> dict[str, Point]:
    try:
        named: dict[str, Point] = {name: (float(x), float(y)) for name, x, y in rooms}
    except (TypeError, ValueError):
        raise ValueError('rooms must be a list of names with their middles: rooms=[("kitchen", 4.0, 0.0)]') from None
    if not named:
        raise ValueError('a world needs a room at least: rooms=[("kitchen", 4.0, 0.0)]')
    if len(named) != len(rooms):
        raise ValueError("each room needs a name of its own")
    return named


def _around(points: Iterable[Point]) -> tuple[Point, Point]:
    xs, ys = zip(*points, strict=True)
    return (min(xs) - MARGIN_M, min(ys) - MARGIN_M), (max(xs) + MARGIN_M, max(ys) + MARGIN_M)


def _done(result: Any) -> GoalHandle:
    handle = GoalHandle()
    handle.succeed(result)
    return handle


def _failed(error: str) -> GoalHandle:
    handle = GoalHandle()
    handle.fail(error)
    return handle
