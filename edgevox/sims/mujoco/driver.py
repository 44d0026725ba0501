"""Drives the goals of a base: plans a way, follows it, notices when something stands in it, and settles at rest.

Everything but `plan` runs on the physics thread with the engine's lock held. Knows neither rooms nor actions.
"""

import math
from collections import deque
from dataclasses import dataclass
from typing import Any

from edgevox.sims.clearance import ClearanceMap
from edgevox.sims.follower import DiffFollower, Limits
from edgevox.sims.mujoco.engine import SETTLE_S, MujocoEngine
from edgevox.sims.mujoco.flat import Flat
from edgevox.sims.one_goal import Goal, OneGoal
from edgevox.sims.planner import Abandoned, NoWay, check_target, plan_path
from edgevox.sims.scene import Point, Scene

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
    follower: DiffFollower | None = None
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


class Driver:
    """Drives one base.

    Args:
        engine: of the world.
        flat: the parts of its model.
        goals: the one goal of the base.
        speed: metres per second.
    """

    def __init__(self, engine: MujocoEngine, flat: Flat, goals: OneGoal[Drive], speed: float) -> None:
        self._engine = engine
        self._flat = flat
        self._goals = goals
        self._speed = speed
        self._bounds = Scene(robot=None, walls=flat.walls).bounds()
        self._settling_s = 0.0
        self._driven = False
        self.battery_pct = 100.0
        self.path: deque[Point] = deque(maxlen=PATH_POINTS)
        """Where the base has been, oldest first."""

    def put_back(self, start: Point) -> None:
        """Charge the base and forget where it has been."""
        self.battery_pct = 100.0
        self._driven, self._settling_s = False, 0.0
        self.path.clear()
        self.path.append(start)

    def why_not(self, target: Point) -> str | None:
        """Return why the base cannot be sent somewhere; `None` when a way is worth looking for."""
        if not all(math.isfinite(value) for value in target):
            return f"({target[0]}, {target[1]}) is outside the world"
        with self._engine.lock:
            outlines = self._flat.outlines()
        try:
            check_target(ClearanceMap(outlines, self._bounds), target, self._flat.radius)
        except NoWay as error:
            return str(error)
        return None

    def drive_to(self, target: Point, label: str) -> Drive:
        """Return a goal; `label` is what it is called, empty for a bare position."""
        return Drive(target, label)

    def plan(self) -> None:
        """Find the way of a new goal, without the engine's lock: a stop and a reader wait for nothing."""
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

    def control(self) -> None:
        """Command the base before a physics step."""
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

    def _steer(self, goal: Goal[Drive], drive: Drive, follower: DiffFollower, dt: float) -> None:
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
        self.battery_pct = max(0.0, self.battery_pct - abs(self._flat.velocity()) * dt * DRAIN_PCT_PER_M)
        if math.dist(self.path[-1], (pose.x, pose.y)) >= PATH_STEP_M:
            self.path.append((pose.x, pose.y))

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
            self._goals.succeed(goal, arrival(self._flat, goal.plan))

    def fault(self) -> None:
        """End the goal: the simulation cannot go on."""
        goal = self._goals.current
        if goal is not None:
            self._goals.fail(goal, "the simulation failed")
        self._driven, self._settling_s = False, SETTLE_S
        self._goals.at_rest()

    def is_active(self) -> bool:
        """Whether time has to pass. Takes the engine's lock."""
        if self._goals.busy or self._driven:
            return True
        with self._engine.lock:
            rests = self._flat.is_still() and self._flat.things_are_still()
            return not rests and self._settling_s < SETTLE_S


def arrival(flat: Flat, drive: Drive) -> dict[str, Any]:
    """Return the result of a goal that is reached."""
    pose = flat.pose_fields()
    there = {"x": pose["x"], "y": pose["y"]}
    return {"room": drive.label, **there} if drive.label else there


def _spoken(name: str | None) -> str:
    words = (name or "something").replace("_", " ")
    return "wall" if words.startswith("wall ") else words
