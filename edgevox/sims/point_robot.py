"""A robot that is a point: it drives straight to a goal, one goal at a time.

Knows kinematics, charge and where it has been. Does not know what a room is, and moves only when it is stepped.
"""

import math
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.goals import GoalHandle
from edgevox.sims.scene import Point, Pose

DRAIN_PCT_PER_M = 0.2
"""Battery charge that a metre costs, percent."""

FEEDBACK_PERIOD_S = 0.2
"""Seconds of driving between two reports of progress."""

PATH_STEP_M = 0.1
PATH_POINTS = 500


@dataclass(slots=True, eq=False)
class Drive:
    """A goal of the robot."""

    target: Point
    label: str
    """What the goal is called; empty for a bare position."""
    length_m: float
    handle: GoalHandle = field(default_factory=GoalHandle)
    since_feedback_s: float = 0.0


class PointRobot:
    """Safe from any thread; no method waits.

    Args:
        pose: x, y in metres and the heading in degrees.
        speed: metres per second while it drives.
    """

    def __init__(self, pose: tuple[float, float, float], speed: float) -> None:
        self._start = pose
        self._speed = speed
        self._lock = threading.Lock()
        self._drive: Drive | None = None
        self._put_back()

    @property
    def drive(self) -> Drive | None:
        """The goal it drives to; `None` at rest."""
        return self._drive

    @property
    def velocity(self) -> float:
        """Commanded speed, metres per second."""
        return self._speed if self._drive is not None else 0.0

    @property
    def battery_pct(self) -> float:
        """Charge left, percent."""
        return round(self._battery, 1)

    @property
    def pose(self) -> Pose:
        """Where it is now."""
        with self._lock:
            return Pose(x=self._x, y=self._y, heading_deg=self._heading)

    @property
    def path(self) -> tuple[Point, ...]:
        """Where it has been, oldest first."""
        with self._lock:
            return tuple(self._path)

    def go(self, target: Point, label: str = "") -> GoalHandle:
        """Drive to a point, metres; the goal before, if there is one, ends CANCELLED."""
        drive = Drive(target, label, 0.0)
        drive.handle = GoalHandle(on_cancel=lambda: self._end(drive, "cancelled"))
        with self._lock:
            drive.length_m = math.dist((self._x, self._y), target)
            before, self._drive = self._drive, drive
        if before is not None:
            before.handle.mark_cancelled("a new goal took its place")
        return drive.handle

    def halt(self) -> None:
        """Command velocity zero and cancel the goal."""
        drive = self._drive
        if drive is not None:
            self._end(drive, "halted")

    def reset(self) -> None:
        """Halt, go back to the first pose, and charge."""
        self.halt()
        with self._lock:
            self._put_back()

    def step(self, dt: float) -> None:
        """Drive for `dt` seconds."""
        with self._lock:
            drive = self._drive
            if drive is None:
                return
            arrived = self._move(drive.target, self._speed * dt)
            if arrived:
                self._drive = None
            report = None if arrived else self._progress(drive, dt)
        if arrived:
            drive.handle.succeed(self._arrival(drive))
        elif report is not None:
            drive.handle.set_feedback(report)

    def _end(self, drive: Drive, why: str) -> None:
        # Velocity zero first; only then does the handle say that it is cancelled.
        with self._lock:
            if self._drive is drive:
                self._drive = None
        drive.handle.mark_cancelled(why)

    def _move(self, target: Point, reach: float) -> bool:
        """Move by at most `reach` metres towards the target and say whether it is there. The lock is held."""
        away_x, away_y = target[0] - self._x, target[1] - self._y
        distance = math.hypot(away_x, away_y)
        arrived = distance <= reach
        if distance > 1e-9:
            self._heading = math.degrees(math.atan2(away_y, away_x)) % 360
        self._battery = max(0.0, self._battery - min(reach, distance) * DRAIN_PCT_PER_M)
        share = 1.0 if arrived else reach / distance
        self._x, self._y = target if arrived else (self._x + away_x * share, self._y + away_y * share)
        if arrived or math.dist(self._path[-1], (self._x, self._y)) >= PATH_STEP_M:
            self._path.append((self._x, self._y))
        return arrived

    def _progress(self, drive: Drive, dt: float) -> dict[str, float] | None:
        drive.since_feedback_s += dt
        if drive.since_feedback_s < FEEDBACK_PERIOD_S:
            return None
        drive.since_feedback_s = 0.0
        left = math.dist((self._x, self._y), drive.target)
        return {"progress": round(1 - left / drive.length_m, 3), "distance_m": round(left, 2)}

    def _arrival(self, drive: Drive) -> dict[str, Any]:
        there = {"x": round(drive.target[0], 3), "y": round(drive.target[1], 3)}
        return {"room": drive.label, **there} if drive.label else there

    def _put_back(self) -> None:
        self._x, self._y, self._heading = (float(value) for value in self._start)
        self._heading %= 360
        self._battery = 100.0
        self._path: deque[Point] = deque([(self._x, self._y)], maxlen=PATH_POINTS)
