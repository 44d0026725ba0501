"""The one goal of a robot: a new one takes the place of the old one, and *cancelled* is said when the robot stands.

Knows handles and their order; does not know what moves. The one who moves reads `current` before every step, commands
zero when it is gone, and calls `at_rest` when the velocity is.
"""

import threading
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from edgevox.core.goals import GoalHandle

Plan = TypeVar("Plan")


@dataclass(slots=True, eq=False)
class Goal(Generic[Plan]):
    """What a robot is doing."""

    plan: Plan
    handle: GoalHandle = field(default_factory=GoalHandle)
    why: str = "cancelled"
    """What its handle says when it ends as cancelled."""


class OneGoal(Generic[Plan]):
    """Safe from any thread; no method waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._current: Goal[Plan] | None = None
        self._stopping: list[Goal[Plan]] = []

    @property
    def current(self) -> Goal[Plan] | None:
        """What it is to do now; `None` commands zero."""
        return self._current

    @property
    def busy(self) -> bool:
        """Whether there is a goal, or one that waits for the robot to stand still."""
        return self._current is not None or bool(self._stopping)

    def begin(self, plan: Plan) -> GoalHandle:
        """Make this the goal; the one before ends CANCELLED at once, for the robot goes on under the new one."""
        goal = Goal(plan)
        goal.handle = GoalHandle(on_cancel=lambda: self._take_back(goal, "cancelled"))
        with self._lock:
            before, self._current = self._current, goal
            stopping, self._stopping = self._stopping, []
        for old in (*stopping, *([before] if before is not None else [])):
            old.handle.mark_cancelled("a new goal took its place" if old is before else old.why)
        return goal.handle

    def succeed(self, goal: Goal[Plan], result: Any) -> None:
        """The goal is reached."""
        self._leave(goal)
        goal.handle.succeed(result)

    def fail(self, goal: Goal[Plan], error: str) -> None:
        """The goal cannot be reached; `error` says why."""
        self._leave(goal)
        goal.handle.fail(error)

    def halt(self) -> None:
        """Command zero."""
        goal = self._current
        if goal is not None:
            self._take_back(goal, "halted")

    def at_rest(self) -> None:
        """The robot stands: say so to those who asked for it."""
        with self._lock:
            stopping, self._stopping = self._stopping, []
        for goal in stopping:
            goal.handle.mark_cancelled(goal.why)

    def _take_back(self, goal: Goal[Plan], why: str) -> None:
        with self._lock:
            if self._current is not goal:
                return
            self._current = None
            goal.why = why
            self._stopping.append(goal)

    def _leave(self, goal: Goal[Plan]) -> None:
        with self._lock:
            if self._current is goal:
                self._current = None
