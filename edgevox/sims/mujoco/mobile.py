"""A base with two driven wheels in a flat with four rooms: it plans its way, drives it, and meets what is in it.

Knows the actions and the state; the way is found by `edgevox.sims.planner` and followed by `edgevox.sims.follower`.
"""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.goals import GoalHandle
from edgevox.sims.actions import done, failed, named, perform
from edgevox.sims.mujoco.engine import MujocoEngine
from edgevox.sims.one_goal import OneGoal
from edgevox.sims.scene import LidarScan, Point, Room, Scene, Thing, scan

if TYPE_CHECKING:
    from edgevox.sims.mujoco.driver import Drive


class MujocoMobileEnvironment:
    """A flat with a base that drives. Safe from any thread; every method returns at once.

    Constructing it touches nothing; `open` loads the library and the model, and so does the first use.

    Args:
        model: an MJCF file of your own with the same named parts; `None` takes the one that comes with the product.
        robot_pose: x, y in metres and the heading in degrees.
        navigate_speed: metres per second.
        time_scale: simulated seconds per second.
        threaded: `False` leaves time to the caller, who moves it with `step`.
        render: whether `open` shows a window, where there is a display.

    Raises:
        ValueError: `navigate_speed` or `time_scale` is not above 0.
    """

    def __init__(
        self,
        model: Path | str | None = None,
        robot_pose: tuple[float, float, float] = (0.0, 0.0, 0.0),
        navigate_speed: float = 0.7,
        *,
        time_scale: float = 1.0,
        threaded: bool = True,
        render: bool = False,
    ) -> None:
        if not navigate_speed > 0:
            raise ValueError(f"navigate_speed must be above 0 metres per second, not {navigate_speed}")
        self.render = render
        self._start = robot_pose
        self._speed = navigate_speed
        self._goals: OneGoal[Drive] = OneGoal()
        self._engine = MujocoEngine(
            Path(model) if model is not None else "flat",
            control=self._control,
            before=self._plan,
            is_active=self._is_active,
            time_scale=time_scale,
            threaded=threaded,
            name="mujoco-mobile",
            on_fault=self._fault,
        )
        self._lights_lock = threading.Lock()
        self._lights: dict[str, bool] = {}
        self._actions: Mapping[str, Callable[..., GoalHandle]] = {
            "navigate_to": self._navigate_to,
            "set_light": self._set_light,
            "get_pose": self._get_pose,
            "battery_level": self._battery_level,
            "list_rooms": self._list_rooms,
        }

    def open(self) -> None:
        """Load the library and the model; show the window if `render` is set and there is a display. Twice is fine.

        Raises:
            LibraryMissing: `mujoco` is not installed.
            ConfigError: the model cannot be read, or lacks a part that a flat needs.
        """
        self._ready()
        if self.render:
            self._engine.show()

    def reset(self) -> None:
        """Put the base and everything else back, charge it, and turn the lights off; a running drive is cancelled."""
        self._ready()
        self._goals.halt()
        with self._engine.lock:
            self._put_back()
        self._goals.at_rest()

    def room_names(self) -> list[str]:
        """The rooms, as the model names them."""
        self._ready()
        return list(self._flat.rooms)

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of the state, JSON-compatible: `robot`, `rooms` and loose `objects` by name.

        `robot` holds x, y in metres, `heading_deg`, `velocity` as it is in m/s, moving, `battery_pct` and goal.
        """
        self._ready()
        goal = self._goals.current
        with self._engine.lock:
            robot = self._flat.pose_fields() | {
                "velocity": 0.0 if self._flat.is_still() else round(self._flat.velocity(), 3),
                "moving": self.is_moving(),
                "battery_pct": round(self._driver.battery_pct, 1),
                "goal": (goal.plan.label or list(goal.plan.target)) if goal is not None else None,
            }
            places = {name: self._flat.where(thing) for name, thing in self._flat.loose.items()}
        return {
            "robot": robot,
            "rooms": {room.name: {"x": room.x, "y": room.y, "light_on": room.light_on} for room in self._rooms()},
            "objects": {name: {"x": round(x, 3), "y": round(y, 3)} for name, (x, y) in places.items()},
        }

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action by name.

        `navigate_to(room=)` or `navigate_to(x=, y=)` takes time; a new drive cancels the one before. `set_light(room=,
        on=)`, `get_pose()`, `battery_level()` and `list_rooms()` are over at once. What cannot be done is a FAILED
        handle that says why.
        """
        try:
            self._ready()
        except EdgeVoxError as error:
            return failed(str(error))
        return perform(self._actions, name, arguments)

    def halt(self) -> None:
        """Command velocity zero; the goal is CANCELLED when the base stands."""
        self._goals.halt()

    def is_moving(self) -> bool:
        """Whether the base moves, or is commanded to."""
        if self._goals.current is not None:
            return True
        if not self._engine.is_open:
            return False
        with self._engine.lock:
            return not self._flat.is_still()

    def put(self, name: str, x: float, y: float) -> None:
        """Set a loose thing somewhere, metres, as a person would: for demonstrations and tests.

        Raises:
            KeyError: there is no such thing.
        """
        self._ready()
        with self._engine.lock:
            self._flat.put(self._flat.loose[name], x, y)

    def scene(self) -> Scene:
        """The flat at this moment, for drawing."""
        self._ready()
        goal = self._goals.current
        with self._engine.lock:
            pose = self._flat.pose()
            path = tuple(self._driver.path)
            places = {name: self._flat.where(thing) for name, thing in self._flat.loose.items()}
            outlines = self._flat.outlines()
        return Scene(
            robot=pose,
            rooms=tuple(self._rooms()),
            walls=self._flat.walls,
            path=path,
            goal=goal.plan.target if goal is not None else None,
            lidar=scan(pose, outlines),
            moving=self.is_moving(),
            things=tuple(Thing(name=name, x=x, y=y) for name, (x, y) in places.items()),
        )

    def lidar(self) -> LidarScan:
        """What a planar scanner on the base sees of walls, furniture and loose things."""
        self._ready()
        with self._engine.lock:
            pose, outlines = self._flat.pose(), self._flat.outlines()
        return scan(pose, outlines)

    def step(self, dt: float) -> None:
        """Let `dt` simulated seconds pass. A world that is not threaded leaves this to you."""
        self._ready()
        self._engine.advance(dt)

    def close(self) -> None:
        """Halt, and end the thread and the window. Twice is fine; the state can still be read."""
        self._goals.halt()
        self._engine.close()
        if self._engine.is_open:
            with self._engine.lock:
                self._engine.data.qvel[:] = 0.0
        self._goals.at_rest()

    # Actions

    def _navigate_to(self, room: str | None = None, x: float | None = None, y: float | None = None) -> GoalHandle:
        if room is not None:
            known = named(self._flat.rooms, room)
            return self._begin(self._flat.rooms[known], known) if known is not None else self._no_room(room)
        if x is None or y is None:
            return failed("navigate_to needs a room, or x and y in metres")
        try:
            target = (float(x), float(y))
        except (TypeError, ValueError):
            return failed(f"x and y must be numbers in metres, not {x!r} and {y!r}")
        return self._begin(target, "")

    def _begin(self, target: Point, label: str) -> GoalHandle:
        if self._engine.closed:
            return failed("this world is closed")
        impossible = self._driver.why_not(target)
        if impossible is not None:
            return failed(impossible)
        handle = self._goals.begin(self._driver.drive_to(target, label))
        self._engine.ensure()
        if self._engine.closed:  # closed in the meantime: nothing may be left that seems to move
            self.halt()
            self._goals.at_rest()
        return handle

    def _set_light(self, room: str, on: bool) -> GoalHandle:
        known = named(self._flat.rooms, room)
        if known is None:
            return self._no_room(room)
        with self._lights_lock:
            self._lights[known] = bool(on)
        return done({"room": known, "light_on": bool(on)})

    def _get_pose(self) -> GoalHandle:
        with self._engine.lock:
            return done(self._flat.pose_fields())

    def _battery_level(self) -> GoalHandle:
        return done({"battery_pct": round(self._driver.battery_pct, 1)})

    def _list_rooms(self) -> GoalHandle:
        return done(self.room_names())

    # For the engine, which is made before there is a driver

    def _control(self) -> None:
        self._driver.control()

    def _plan(self) -> None:
        self._driver.plan()

    def _is_active(self) -> bool:
        return self._driver.is_active()

    def _fault(self) -> None:
        self._driver.fault()

    # Reading

    def _ready(self) -> None:
        """Load what is not loaded yet; shows nothing."""
        self._engine.open(self._set_up)

    def _set_up(self) -> None:
        from edgevox.sims.mujoco.driver import Driver
        from edgevox.sims.mujoco.flat import Flat

        self._flat = Flat(self._engine.mj, self._engine.model, self._engine.data)
        self._driver = Driver(self._engine, self._flat, self._goals, self._speed)
        self._put_back()

    def _put_back(self) -> None:
        self._engine.rewind()
        self._flat.stand()
        self._flat.place_base(self._start)
        self._driver.put_back((self._start[0], self._start[1]))
        with self._lights_lock:
            self._lights = dict.fromkeys(self._flat.rooms, False)
        self._engine.publish()

    def _rooms(self) -> list[Room]:
        with self._lights_lock:
            return [Room(name=name, x=x, y=y, light_on=self._lights[name]) for name, (x, y) in self._flat.rooms.items()]

    def _no_room(self, room: object) -> GoalHandle:
        return failed(f"there is no room '{room}'; the rooms are {', '.join(self._flat.rooms)}")
