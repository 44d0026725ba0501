"""Moves the robot in a running ir-sim: one goal at a time, one step after the other.

Knows goals, plans and steps; does not know rooms, clocks or windows. Safe from any thread. Nothing waits for a plan: it
is made on the thread that steps, before the step, while the robot stands.
"""

import logging
import math
import threading
from collections import deque
from dataclasses import dataclass

from edgevox.core.errors import described
from edgevox.core.goals import GoalHandle
from edgevox.sims.actions import failed
from edgevox.sims.clearance import ClearanceMap
from edgevox.sims.irsim.drive import Drive, plan
from edgevox.sims.irsim.engine import Body, IrSimEngine
from edgevox.sims.irsim.world_file import STEP_S, WorldFile
from edgevox.sims.one_goal import Goal, OneGoal
from edgevox.sims.planner import Abandoned, NoWay, check_target
from edgevox.sims.scene import LidarScan, Point, Pose, Wall

log = logging.getLogger(__name__)

DRAIN_PCT_PER_M = 0.2
"""Battery charge that a metre costs, percent."""

PATH_STEP_M = 0.1
PATH_POINTS = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """The world after a step."""

    pose: Pose
    lidar: LidarScan | None
    walls: tuple[Wall, ...]
    path: tuple[Point, ...]
    battery_pct: float


class Motion:
    """The robot, its goal and the time of its world.

    Args:
        world: what to run.
        draws_here: whether this process shows a window of matplotlib's itself.

    Raises:
        EdgeVoxError: ir-sim is missing or refuses the world.
    """

    def __init__(self, world: WorldFile, *, draws_here: bool = False) -> None:
        self._world = world
        self._engine = IrSimEngine(world, draws_here=draws_here)
        self._lock = threading.RLock()
        self._goals: OneGoal[Drive] = OneGoal()
        self._broken: str | None = None
        self._walls = self._engine.outlines()
        self._floor = ClearanceMap(self._walls, world.bounds)
        self._put_back()

    @property
    def body(self) -> Body:
        """What the robot is."""
        return self._engine.body

    @property
    def seen(self) -> Seen:
        """The world after the latest step."""
        return self._seen

    @property
    def goal(self) -> Drive | None:
        """Where the robot drives to; `None` at rest."""
        goal = self._goals.current
        return goal.plan if goal is not None else None

    @property
    def velocity(self) -> float:
        """Commanded speed, metres per second, negative backwards."""
        goal = self.goal
        if goal is None or goal.command is None:
            return 0.0
        return math.hypot(*goal.command[:2]) if self.body.kind.startswith("omni") else goal.command[0]

    @property
    def busy(self) -> bool:
        """Whether the robot has a goal, or has not been told to stand still yet."""
        return self._goals.busy

    @property
    def restless(self) -> bool:
        """Whether something besides the robot moves by itself."""
        return self._broken is None and self._engine.restless

    def go(self, target: Point, label: str = "") -> GoalHandle:
        """Drive to a point, metres; the goal before, if there is one, ends CANCELLED."""
        if self._broken is not None:
            return failed(self._broken)
        try:
            if not self.restless:  # where things move, only the plan knows what is free
                check_target(self._floor, target, self.body.shape.radius)
        except NoWay as error:
            return failed(str(error))
        handle = self._goals.begin(Drive(target, label))
        handle.on_cancel(self._rest)
        if self._broken is not None:  # in the meantime
            self._give_up()
        return handle

    def halt(self) -> None:
        """Command velocity zero; then the goal is cancelled."""
        self._goals.halt()
        self._rest()

    def reset(self) -> None:
        """Halt, put everything back, and charge."""
        self.halt()
        with self._lock:
            self._engine.reset()
            self._broken = None
            self._put_back()

    def tick(self) -> None:
        """Let one step pass: plan if there is a goal without a plan, then drive."""
        goal = self._goals.current
        try:
            if goal is not None and goal.plan.follower is None:
                self._plan(goal)
            with self._lock:
                self._drive(self._goals.current)
        except Exception as error:  # whatever ir-sim raises ends this world, never the thread that steps it
            log.exception("ir-sim failed in %s", self._world.path)
            self._broken = f"ir-sim failed in {self._world.path}: {described(error)}".rstrip(".")
            self._give_up()

    def close(self) -> None:
        """Halt and end ir-sim. Twice is fine; what was seen can still be read."""
        self.halt()
        with self._lock:
            self._engine.close()

    def _plan(self, goal: Goal[Drive]) -> None:
        drive = goal.plan
        with self._lock:
            placed, walls = self._engine.placed, self._engine.outlines() if self._engine.restless else None
        floor = self._floor if walls is None else ClearanceMap(walls, self._world.bounds)
        try:
            drive.follow(plan(floor, self.body, placed, drive.target, lambda: self._goals.current is not goal))
        except NoWay as error:
            self._goals.fail(goal, str(error))
        except Abandoned:
            return

    def _drive(self, goal: Goal[Drive] | None) -> None:
        """One step with the lock held."""
        follower = goal.plan.follower if goal is not None else None
        if goal is None or follower is None:
            self._engine.step(None)
            self._publish()
            self._goals.at_rest()
            return
        before = self._engine.placed
        command = follower.command(before)
        goal.plan.command = command
        hit = self._engine.step(command)
        self._publish()
        if hit is not None:
            self._goals.fail(goal, f"the robot ran into {hit} and stands at {self._where()}")
        elif command is None:
            self._goals.succeed(goal, goal.plan.arrival(self._engine.placed))
        elif goal.plan.stuck(STEP_S):
            self._engine.rest()
            self._goals.fail(goal, f"the robot is stuck at {self._where()}")
        elif (report := goal.plan.report(STEP_S)) is not None:
            goal.handle.set_feedback(report)

    def _rest(self) -> None:
        # Velocity zero first; only then do the handles say that they are cancelled.
        with self._lock:
            if self._goals.current is None:
                self._engine.rest()
                self._goals.at_rest()

    def _give_up(self) -> None:
        goal = self._goals.current
        if goal is not None:
            self._goals.fail(goal, self._broken or "ir-sim failed")
        self._goals.at_rest()

    def _where(self) -> str:
        x, y, _ = self._engine.placed
        return f"({x:.1f}, {y:.1f})"

    def _put_back(self) -> None:
        x, y, _ = self._engine.placed
        self._battery = 100.0
        self._path: deque[Point] = deque([(x, y)], maxlen=PATH_POINTS)
        self._at = (x, y)
        self._publish()

    def _publish(self) -> None:
        x, y, heading = self._engine.placed
        self._battery = max(0.0, self._battery - math.dist(self._at, (x, y)) * DRAIN_PCT_PER_M)
        self._at = (x, y)
        if math.dist(self._path[-1], self._at) >= PATH_STEP_M:
            self._path.append(self._at)
        self._seen = Seen(
            pose=Pose(x=x, y=y, heading_deg=math.degrees(heading) % 360),
            lidar=self._engine.scan(),
            walls=self._engine.outlines() if self._engine.restless else self._walls,
            path=tuple(self._path),
            battery_pct=round(self._battery, 1),
        )
