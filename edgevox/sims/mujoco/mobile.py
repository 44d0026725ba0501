"""A base with two driven wheels in a flat with four rooms: it plans its way, drives it, and meets what is in it.

Knows the actions and the state; the way is found by `edgevox.sims.planner` and followed by `edgevox.sims.follower`.
"""

import math
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.goals import GoalHandle
from edgevox.sims.actions import done, failed, named, perform
from edgevox.sims.mujoco.engine import SETTLE_S, MujocoEngine
from edgevox.sims.mujoco.flat import Flat
from edgevox.sims.one_goal import Goal, OneGoal
from edgevox.sims.scene import LidarScan, Point, Pose, Room, Scene, Thing, scan

if TYPE_CHECKING:
    from edgevox.sims.follower import DiffFollower

DRAIN_PCT_PER_M = 0.2
"""Battery charge that a metre costs, percent."""

FEEDBACK_S = 0.2
"""Simulated seconds between two reports of progress."""

STEER_S = 0.02
"""Simulated seconds between two commands of the follower."""

STUCK_S = 2.0
"""Without getting nearer: something is in the way."""

NEARER_M = 0.05

DETOURS = 2
"""How many times another way is looked for before the goal fails."""

PATH_STEP_M = 0.1
PATH_POINTS = 500


@dataclass(slots=True, eq=False)
class Drive:
    """A goal of the base."""

    target: Point
    label: str
    """What the goal is called; empty for a bare position."""
    follower: "DiffFollower | None" = None
    """`None` until a way is planned, and when another one is wanted."""
    length_m: float = 0.0
    nearest_m: float = math.inf
    """The shortest way that was left so far."""
    stuck_s: float = 0.0
    detours: int = 0
    command: tuple[float, float] = (0.0, 0.0)
    since_steered_s: float = math.inf
    since_report_s: float = 0.0
    progress: float = 0.0
    in_the_way: str | None = None
    arrived: bool = False
    """At its target; the goal is reached when the base stands."""


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
        self._settling_s = 0.0
        self._driven = False
        self._battery = 100.0
        self._path: deque[Point] = deque(maxlen=PATH_POINTS)
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
            robot = self._pose() | {
                "velocity": 0.0 if self._flat.is_still() else round(self._flat.velocity(), 3),
                "moving": self.is_moving(),
                "battery_pct": round(self._battery, 1),
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
            path = tuple(self._path)
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
        from edgevox.sims.clearance import ClearanceMap
        from edgevox.sims.planner import NoWay, check_target

        if self._engine.closed:
            return failed("this world is closed")
        if not all(math.isfinite(value) for value in target):
            return failed(f"({target[0]}, {target[1]}) is outside the world")
        with self._engine.lock:
            outlines = self._flat.outlines()
        try:
            check_target(ClearanceMap(outlines, self._bounds), target, self._flat.radius)
        except NoWay as error:
            return failed(str(error))
        handle = self._goals.begin(Drive(target, label))
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
            return done(self._pose())

    def _battery_level(self) -> GoalHandle:
        return done({"battery_pct": round(self._battery, 1)})

    def _list_rooms(self) -> GoalHandle:
        return done(self.room_names())

    # On the physics thread

    def _plan(self) -> None:
        """Find the way of a new goal, without the engine's lock: a stop and a reader wait for nothing."""
        from edgevox.sims.clearance import ClearanceMap
        from edgevox.sims.follower import DiffFollower, Limits
        from edgevox.sims.planner import Abandoned, NoWay, plan_path

        goal = self._goals.current
        if goal is None or goal.plan.follower is not None:
            return
        drive = goal.plan
        with self._engine.lock:
            pose, outlines = self._flat.pose(), self._flat.outlines()
        floor = ClearanceMap(outlines, self._bounds)
        try:
            path = plan_path(
                floor, (pose.x, pose.y), drive.target, self._flat.radius, lambda: self._goals.current is not goal
            )
        except Abandoned:
            return
        except NoWay as error:
            why = f"the {_spoken(drive.in_the_way)} is in the way, and there is no other" if drive.in_the_way else error
            self._goals.fail(goal, str(why))
            return
        follower = DiffFollower(path, Limits(speed=self._speed, turn=2.0))
        drive.length_m = drive.length_m or follower.left_m
        drive.nearest_m, drive.stuck_s = math.inf, 0.0
        drive.follower = follower

    def _control(self) -> None:
        goal, flat = self._goals.current, self._flat
        dt = float(self._engine.model.opt.timestep)
        if goal is None or goal.plan.follower is None or goal.plan.arrived:
            flat.stand()
            self._settle(dt, goal)
            return
        self._driven = True
        self._settling_s = 0.0
        self._steer(goal, goal.plan, goal.plan.follower, dt)
        flat.drive(*goal.plan.command, dt)
        self._note_way(dt)

    def _steer(self, goal: Goal[Drive], drive: Drive, follower: "DiffFollower", dt: float) -> None:
        drive.since_steered_s += dt
        if drive.since_steered_s < STEER_S:
            return
        passed, drive.since_steered_s = min(drive.since_steered_s, STEER_S), 0.0
        pose = self._flat.pose()
        command = follower.command((pose.x, pose.y, math.radians(pose.heading_deg)))
        if command is None:
            drive.command, drive.arrived = (0.0, 0.0), True
            return
        drive.command = (command[0], command[1])
        self._watch(goal, drive, follower.left_m, passed)
        self._report(goal, drive, follower.left_m, passed)

    def _watch(self, goal: Goal[Drive], drive: Drive, left: float, passed: float) -> None:
        """See whether the base gets on; if not, look for another way, and at last give up."""
        if left < drive.nearest_m - NEARER_M or abs(drive.command[0]) < 1e-6:
            drive.nearest_m, drive.stuck_s = min(left, drive.nearest_m), 0.0
            return
        drive.stuck_s += passed
        if drive.stuck_s < STUCK_S:
            return
        drive.in_the_way = self._flat.pressed() or drive.in_the_way or "something"
        if drive.detours >= DETOURS:
            self._goals.fail(goal, f"stuck: the {_spoken(drive.in_the_way)} is in the way")
            return
        drive.detours += 1
        drive.follower = None

    def _report(self, goal: Goal[Drive], drive: Drive, left: float, passed: float) -> None:
        drive.since_report_s += passed
        if drive.since_report_s >= FEEDBACK_S:
            drive.since_report_s = 0.0
            share = max(0.0, min(1.0, 1 - left / drive.length_m)) if drive.length_m else 1.0
            drive.progress = max(drive.progress, round(share, 3))  # a detour does not undo what was driven
            goal.handle.set_feedback({"progress": drive.progress, "distance_m": round(left, 2)})

    def _note_way(self, dt: float) -> None:
        pose = self._flat.pose()
        self._battery = max(0.0, self._battery - abs(self._flat.velocity()) * dt * DRAIN_PCT_PER_M)
        if math.dist(self._path[-1], (pose.x, pose.y)) >= PATH_STEP_M:
            self._path.append((pose.x, pose.y))

    def _settle(self, dt: float, goal: Goal[Drive] | None) -> None:
        self._driven = False
        self._settling_s += dt
        if not self._flat.is_still():
            return
        if goal is None or goal.plan.arrived:
            self._flat.brake()
        if goal is None:
            self._goals.at_rest()
        elif goal.plan.arrived:
            self._goals.succeed(goal, self._arrival(goal.plan))

    def _fault(self) -> None:
        goal = self._goals.current
        if goal is not None:
            self._goals.fail(goal, "the simulation failed")
        self._driven, self._settling_s = False, SETTLE_S
        self._goals.at_rest()

    def _is_active(self) -> bool:
        if self._goals.busy or self._driven:
            return True
        with self._engine.lock:
            rests = self._flat.is_still() and self._flat.things_are_still()
            return not rests and self._settling_s < SETTLE_S

    # Reading

    def _ready(self) -> None:
        """Load what is not loaded yet; shows nothing."""
        self._engine.open(self._set_up)

    def _set_up(self) -> None:
        self._flat = Flat(self._engine.mj, self._engine.model, self._engine.data)
        self._put_back()

    @property
    def _bounds(self) -> tuple[float, float, float, float]:
        return Scene(robot=None, walls=self._flat.walls).bounds()

    def _put_back(self) -> None:
        self._engine.rewind()
        self._flat.stand()
        self._flat.place_base(self._start)
        self._battery = 100.0
        self._driven = False
        self._settling_s = 0.0
        self._path.clear()
        self._path.append((self._start[0], self._start[1]))
        with self._lights_lock:
            self._lights = dict.fromkeys(self._flat.rooms, False)
        self._engine.publish()

    def _pose(self) -> dict[str, Any]:
        pose: Pose = self._flat.pose()
        x, y = (round(value, 3) + 0.0 for value in (pose.x, pose.y))  # + 0.0: nobody is at minus zero
        return {"x": x, "y": y, "heading_deg": round(pose.heading_deg, 1) % 360}

    def _arrival(self, drive: Drive) -> dict[str, Any]:
        pose = self._pose()
        there = {"x": pose["x"], "y": pose["y"]}
        return {"room": drive.label, **there} if drive.label else there

    def _rooms(self) -> list[Room]:
        with self._lights_lock:
            return [Room(name=name, x=x, y=y, light_on=self._lights[name]) for name, (x, y) in self._flat.rooms.items()]

    def _no_room(self, room: object) -> GoalHandle:
        return failed(f"there is no room '{room}'; the rooms are {', '.join(self._flat.rooms)}")


def _spoken(name: str | None) -> str:
    words = (name or "something").replace("_", " ")
    return "wall" if words.startswith("wall ") else words
