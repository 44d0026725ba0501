"""A running action: its handle, the states it goes through, and the list of those that are under way."""

import logging
import queue
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from edgevox.core.cancel import CancelReason, CancelScope

log = logging.getLogger(__name__)


class GoalStatus(StrEnum):
    """Where an action is in its life."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    CANCELLED = "cancelled"
    FAILED = "failed"

    def is_terminal(self) -> bool:
        """Whether the action is over."""
        return self in (GoalStatus.SUCCEEDED, GoalStatus.CANCELLED, GoalStatus.FAILED)


class GoalHandle:
    """Both ends of a running action: the caller polls and cancels, the body reports.

    A terminal status is final, and a reader that sees SUCCEEDED sees the result. Safe from any thread.

    Args:
        status: `RUNNING`, or `PENDING` for an action that waits its turn.
        on_cancel: called once, on the thread that cancels, before `cancel` returns. This is the way to tell hardware to
            halt; it must not block.
    """

    def __init__(self, status: GoalStatus = GoalStatus.RUNNING, *, on_cancel: Callable[[], None] | None = None) -> None:
        self._status = status
        self._result: Any = None
        self._error: str | None = None
        self._over = threading.Event()
        self._on_end: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._cancelling = CancelScope()
        self._feedback: queue.SimpleQueue[Any] = queue.SimpleQueue()
        if on_cancel is not None:
            self._cancelling.on_cancel(lambda _: on_cancel())

    @property
    def status(self) -> GoalStatus:
        """Where the action is now."""
        return self._status

    @property
    def result(self) -> Any:
        """What the action returned; `None` until it has succeeded."""
        return self._result

    @property
    def error(self) -> str | None:
        """Why the action failed or how it was cancelled; `None` otherwise."""
        return self._error

    def poll(self, timeout: float | None = None) -> GoalStatus:
        """Wait until the action is over, but no longer than `timeout` seconds, and return where it is.

        Args:
            timeout: seconds; `None` does not wait at all.
        """
        if timeout is not None:
            self._over.wait(timeout)
        return self._status

    def cancel(self) -> None:
        """Ask the action to end. The body decides how soon; `poll` says when it has."""
        self._cancelling.cancel()

    def should_cancel(self) -> bool:
        """Whether somebody asked the action to end; a body looks here often."""
        return self._cancelling.cancelled

    def wait_cancel(self, timeout: float) -> bool:
        """Sleep for `timeout` seconds, but wake as soon as somebody asks the action to end."""
        return self._cancelling.wait(timeout)

    def on_cancel(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Have `callback()` called once when somebody asks the action to end, at once if somebody has.

        It runs on the thread that asks, so it must set a flag and leave. Returns a function that forgets it.
        """
        return self._cancelling.on_cancel(lambda _: callback())

    def on_end(self, callback: Callable[[], object]) -> None:
        """Have `callback()` called once when the action is over, at once if it is; it must set a flag and leave."""
        with self._lock:
            if not self._status.is_terminal():
                self._on_end.append(callback)
                return
        callback()

    def start(self) -> bool:
        """Go from PENDING to RUNNING."""
        with self._lock:
            if self._status is not GoalStatus.PENDING:
                return False
            self._status = GoalStatus.RUNNING
            return True

    def succeed(self, result: Any = None) -> bool:
        """End with a result. Returns whether this call ended the action."""
        return self._end(GoalStatus.SUCCEEDED, result=result)

    def fail(self, error: str) -> bool:
        """End with the reason it could not be done. Returns whether this call ended the action."""
        return self._end(GoalStatus.FAILED, error=error)

    def mark_cancelled(self, error: str | None = None) -> bool:
        """End because somebody asked for it. Returns whether this call ended the action."""
        return self._end(GoalStatus.CANCELLED, error=error)

    def set_feedback(self, feedback: Any = None, /, **fields: Any) -> None:
        """Report progress: a value, or named fields (`set_feedback(progress=0.3)`)."""
        self._feedback.put(fields if feedback is None else feedback)

    def feedback(self) -> list[Any]:
        """Take what was reported since the last call, oldest first."""
        reports: list[Any] = []
        while True:
            try:
                reports.append(self._feedback.get_nowait())
            except queue.Empty:
                return reports

    def _end(self, status: GoalStatus, *, result: Any = None, error: str | None = None) -> bool:
        with self._lock:
            if self._status.is_terminal():
                return False
            self._result, self._error = result, error
            self._status = status
            callbacks, self._on_end = self._on_end, []
        self._over.set()
        for callback in callbacks:
            callback()
        return True


class RunningGoals:
    """The actions of one assistant that are under way, so that a stop reaches those whose turn is over too.

    Safe from any thread.
    """

    def __init__(self) -> None:
        self._goals: dict[int, tuple[str, GoalHandle]] = {}
        self._lock = threading.Lock()

    def add(self, name: str, handle: GoalHandle) -> None:
        """Remember an action until it is over."""
        with self._lock:
            self._goals[id(handle)] = (name, handle)
        handle.on_end(lambda: self._forget(handle))

    def names(self) -> list[str]:
        """The actions that have not ended."""
        with self._lock:
            return [name for name, _ in self._goals.values()]

    def cancel_all(self, reason: str = CancelReason.STOP) -> int:
        """Ask every action to end and return how many were asked. Never waits: each is asked on a thread of its own."""
        with self._lock:
            goals = list(self._goals.values())
        for name, handle in goals:
            log.info("cancelling %s: %s", name, reason)
            threading.Thread(target=handle.cancel, name=f"cancel of {name}", daemon=True).start()
        return len(goals)

    def _forget(self, handle: GoalHandle) -> None:
        with self._lock:
            self._goals.pop(id(handle), None)
