"""A robot in an ir-sim world: rooms to drive to, around furniture, on one of three bases.

Knows actions, rooms, the clock and the window. How the robot moves, `edgevox.sims.irsim.motion` knows; it and ir-sim
are imported by `open`, not before.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from edgevox.core.goals import GoalHandle
from edgevox.core.mainthread import MainThreadScheduler
from edgevox.sims.actions import done, failed, named, perform
from edgevox.sims.irsim.bases import Base
from edgevox.sims.irsim.world_file import APARTMENT, STEP_S, WorldFile, read_world
from edgevox.sims.physics import PhysicsThread
from edgevox.sims.scene import Point, Room, Scene
from edgevox.sims.window import SceneView, open_view

if TYPE_CHECKING:
    from edgevox.sims.irsim.motion import Motion

FRAME_S = 1 / 15
"""Seconds between two pictures for the window."""

MOST_STEPS = 500
"""Steps that one turn of the physics thread may take; what is more is dropped, as on a machine that is too slow."""


class IrSimEnvironment:
    """A robot in an ir-sim world. Safe from any thread; every method but `open` returns at once.

    Constructing touches nothing. What is asked of a world that is not open opens it.

    Args:
        world: a world file in ir-sim's format; the flat that comes with edgevox when not given.
        base: what the robot stands on; `None` is what the file says, in the flat `diff`.
        render: whether to show a window where there is a display.
        threaded: `False` leaves time to the caller, who moves it with `tick_physics` or `step`.
        time_scale: seconds of the world per second; tests let it run faster.
        window: `process` draws in a process of its own, `inline` in this one, on the main thread, whenever
            `pump_render` is called there; a path keeps a PNG of the world up to date instead of a window.
        scheduler: calls `pump_render` on the main thread for a window that is `inline`.

    Raises:
        ValueError: the time scale is not above zero.
    """

    def __init__(
        self,
        world: str | Path | None = None,
        *,
        base: Base | None = None,
        render: bool = True,
        threaded: bool = True,
        time_scale: float = 1.0,
        window: Literal["process", "inline"] | str | Path = "process",
        scheduler: MainThreadScheduler | None = None,
    ) -> None:
        if not time_scale > 0:
            raise ValueError(f"time_scale must be above 0, not {time_scale}")
        self.render = render
        self._path = Path(world).expanduser() if world is not None else APARTMENT
        self._base = base
        self._time_scale = time_scale
        self._window: Literal["process", "inline"] | Path = "process"
        if window != "process":
            self._window = "inline" if window == "inline" else Path(window).expanduser()
        self._scheduler = scheduler
        self._opening = threading.RLock()
        self._file: WorldFile | None = None
        self._motion: Motion | None = None
        self._view: SceneView | None = None
        self._closed = False
        self._owed_s = 0.0
        self._since_frame_s = 0.0
        self._physics = PhysicsThread(self.step, self._is_active, "ir-sim", period_s=STEP_S) if threaded else None
        self._actions: dict[str, Callable[..., GoalHandle]] = {
            "navigate_to": self._navigate_to,
            "get_pose": self._get_pose,
            "battery_level": self._battery_level,
            "list_rooms": self._list_rooms,
        }

    def open(self) -> None:
        """Read the world, start ir-sim, and show the window where one is wanted and possible. Twice is fine.

        Raises:
            LibraryMissing: ir-sim is not installed.
            ConfigError: the world file cannot be used; the sentence says what is missing in it.
        """
        with self._opening:
            if self._motion is not None:
                return
            self._file = read_world(self._path, self._base)
            from edgevox.sims.irsim.motion import Motion

            self._motion = Motion(self._file, draws_here=self.render and self._window == "inline")
            if self.render and self._window != "inline":
                self._view = open_view(self._window, self._file.path.stem)
        self._show()
        if self._motion.restless and self._physics is not None:
            self._physics.ensure()

    def reset(self) -> None:
        """Put everything back to where it was first and charge the robot; a running drive is cancelled."""
        self._moving().reset()
        self._show()

    def room_names(self) -> list[str]:
        """The places the robot can be sent to, in the order of the file."""
        self._moving()
        return list(self._waypoints)

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of the state.

        `robot` has the pose, the commanded velocity in m/s, the battery, the goal, the base and the distance to the
        nearest thing that the scanner sees; `waypoints` has x and y by name, metres.
        """
        motion = self._moving()
        seen, goal = motion.seen, motion.goal
        robot = self._pose() | {
            "velocity": round(motion.velocity, 3),
            "moving": motion.busy,
            "battery_pct": seen.battery_pct,
            "goal": (goal.label or list(goal.target)) if goal is not None else None,
            "base": motion.body.kind,
            "nearest_obstacle_m": round(min(seen.lidar.ranges), 2) if seen.lidar is not None else None,
        }
        return {"robot": robot, "waypoints": {name: {"x": x, "y": y} for name, (x, y) in self._waypoints.items()}}

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action by name.

        `navigate_to(room=)` or `navigate_to(x=, y=)` takes time; a new drive cancels the one before. `get_pose()`,
        `battery_level()` and `list_rooms()` are over at once. What cannot be done is a FAILED handle that says why.
        """
        return perform(self._actions, name, arguments)

    def halt(self) -> None:
        """Command velocity zero and cancel the drive."""
        if self._motion is not None:
            self._motion.halt()

    def is_moving(self) -> bool:
        """Whether the robot moves, or is about to."""
        return self._motion is not None and self._motion.busy

    def scene(self) -> Scene:
        """The world at this moment, for drawing."""
        motion = self._moving()
        seen, goal = motion.seen, motion.goal
        return Scene(
            robot=seen.pose,
            rooms=tuple(Room(name=name, x=x, y=y) for name, (x, y) in self._waypoints.items()),
            walls=seen.walls,
            path=seen.path,
            goal=goal.target if goal is not None else None,
            lidar=seen.lidar,
            moving=motion.busy,
        )

    def tick_physics(self) -> None:
        """Let one step of the world pass: `STEP_S` seconds. Any thread may call it, also beside the physics thread."""
        self._moving().tick()

    def step(self, dt: float) -> None:
        """Let `dt` seconds pass, times the time scale; what is left of a step is kept for the next call."""
        motion = self._moving()
        self._owed_s = min(self._owed_s + dt * self._time_scale, MOST_STEPS * STEP_S)
        while self._owed_s >= STEP_S and not self._closed:
            self._owed_s -= STEP_S
            motion.tick()
            if not self._is_active():
                self._owed_s = 0.0
        self._since_frame_s += dt
        if self._since_frame_s >= FRAME_S or not motion.busy:
            self._since_frame_s = 0.0
            self._show()

    def pump_render(self) -> None:
        """Draw the world as it is now: bring the window, or the picture, up to date and let it answer the person.

        Draws only on the main thread and silently does nothing elsewhere, nor when nothing is to be drawn.
        """
        if threading.current_thread() is not threading.main_thread() or self._closed or not self.render:
            return
        if self._view is None and self._window == "inline":
            from edgevox.sims.inline_window import InlineWindow

            self._view = InlineWindow(self._path.stem)
        if self._view is not None:
            self._view.show(self.scene())

    def close(self) -> None:
        """Halt, end the physics thread, and close the window. Closing twice is fine; the state can still be read."""
        self._closed = True
        if self._physics is not None:
            self._physics.close()
        with self._opening:
            if self._motion is not None:
                self._motion.close()
            view = self._view
        if view is None:
            return
        if self._window != "inline" or threading.current_thread() is threading.main_thread():
            view.close()
        elif self._scheduler is not None:
            self._scheduler.submit_latest("ir-sim window closes", view.close)

    @property
    def _waypoints(self) -> dict[str, Point]:
        return self._file.waypoints if self._file is not None else {}

    def _moving(self) -> "Motion":
        if self._motion is None:
            self.open()
        assert self._motion is not None
        return self._motion

    def _is_active(self) -> bool:
        return self._motion is not None and (self._motion.busy or self._motion.restless)

    def _show(self) -> None:
        """Bring the window up to date from whatever thread this is."""
        if self._window != "inline":
            if self._view is not None:
                self._view.show(self.scene())
        elif self._scheduler is not None and self.render:
            self._scheduler.submit_latest("ir-sim window", self.pump_render)

    def _navigate_to(self, room: str | None = None, x: float | None = None, y: float | None = None) -> GoalHandle:
        motion = self._moving()
        if room is not None:
            known = named(self._waypoints, room)
            return self._drive(motion, self._waypoints[known], known) if known is not None else self._no_room(room)
        if x is None or y is None:
            return failed("navigate_to needs a room, or x and y in metres")
        try:
            target = (float(x), float(y))
        except (TypeError, ValueError):
            return failed(f"x and y must be numbers in metres, not {x!r} and {y!r}")
        return self._drive(motion, target, "")

    def _drive(self, motion: "Motion", target: Point, label: str) -> GoalHandle:
        if self._closed:
            return failed("this world is closed")
        handle = motion.go(target, label)
        if self._physics is not None:
            self._physics.ensure()
        if self._closed:  # closed in the meantime: nothing may be left that seems to move
            self.halt()
        return handle

    def _get_pose(self) -> GoalHandle:
        return done(self._pose())

    def _battery_level(self) -> GoalHandle:
        return done({"battery_pct": self._moving().seen.battery_pct})

    def _list_rooms(self) -> GoalHandle:
        return done(self.room_names())

    def _no_room(self, room: object) -> GoalHandle:
        if not self._waypoints:
            return failed(f"there is no room '{room}': the world file {self._path} names no waypoints under custom")
        return failed(f"there is no room '{room}'; the rooms are {', '.join(self._waypoints)}")

    def _pose(self) -> dict[str, Any]:
        pose = self._moving().seen.pose
        return {"x": round(pose.x, 3), "y": round(pose.y, 3), "heading_deg": round(pose.heading_deg, 1)}
