"""One drive of the robot: from a target to a plan, from a plan to a command per step, and when to give up.

Knows what kind of base needs which planner and follower. Does not know ir-sim: it is told where the robot is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from edgevox.sims.clearance import ClearanceMap
from edgevox.sims.follower import CarFollower, Command, DiffFollower, Follower, OmniFollower, Placed
from edgevox.sims.irsim.engine import Body
from edgevox.sims.maneuvers import plan_maneuver
from edgevox.sims.planner import plan_path
from edgevox.sims.scene import Point

FEEDBACK_PERIOD_S = 0.2
"""Seconds of driving between two reports of progress."""

STUCK_S = 5.0
"""Seconds without progress after which a drive has failed."""

PROGRESS_M = 0.05
"""What counts as progress, metres."""


@dataclass(slots=True, eq=False)
class Drive:
    """A target and how far the robot has come on its way there."""

    target: Point
    label: str
    """What the target is called; empty for a bare position."""
    follower: Follower | None = None
    """`None` while there is no plan."""
    length_m: float = 0.0
    command: Command | None = None
    """The latest; `None` is zero."""
    _since_report_s: float = 0.0
    _since_progress_s: float = 0.0
    _least_left_m: float = math.inf

    def follow(self, follower: Follower) -> None:
        """Take this plan, if there is none yet."""
        if self.follower is None:
            self.follower = follower
            self.length_m = max(follower.left_m, 1e-6)

    def report(self, seconds: float) -> dict[str, float] | None:
        """Return the progress when it is time to say something, else `None`.

        Args:
            seconds: that have passed since the last call.
        """
        self._since_report_s += seconds
        if self.follower is None or self._since_report_s < FEEDBACK_PERIOD_S:
            return None
        self._since_report_s = 0.0
        left = self.follower.left_m
        return {"progress": round(max(0.0, 1 - left / self.length_m), 3), "distance_m": round(left, 2)}

    def stuck(self, seconds: float) -> bool:
        """Whether the robot has come no nearer for `STUCK_S`, this step included."""
        left = self.follower.left_m if self.follower is not None else 0.0
        if left < self._least_left_m - PROGRESS_M:
            self._least_left_m, self._since_progress_s = left, 0.0
            return False
        self._since_progress_s += seconds
        return self._since_progress_s >= STUCK_S

    def arrival(self, placed: Placed) -> dict[str, Any]:
        """Return the result: where the robot is, and the room."""
        there = {"x": round(placed[0], 3), "y": round(placed[1], 3)}
        return {"room": self.label, **there} if self.label else there


def plan(floor: ClearanceMap, body: Body, placed: Placed, target: Point, unwanted: Callable[[], bool]) -> Follower:
    """Plan a way for a base and return what drives it.

    Args:
        floor: where walls are.
        body: of the robot.
        placed: where it is.
        target: metres.
        unwanted: asked now and then; True ends the search.

    Raises:
        NoWay: the target cannot be reached.
        Abandoned: `unwanted` said so.
    """
    if body.kind == "acker":
        way = plan_maneuver(floor, placed, target, body.shape, unwanted)
        return CarFollower(way, body.limits, body.wheelbase)
    path = plan_path(floor, (placed[0], placed[1]), target, body.shape.radius, unwanted)
    return DiffFollower(path, body.limits) if body.kind == "diff" else OmniFollower(path, body.limits)
