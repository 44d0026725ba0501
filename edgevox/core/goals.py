"""A running action: its handle, the states it goes through, and the list of those that are under way."""

import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import FAULTS

log = logging.getLogger(__name__)


FEEDBACK_KEPT = 1000
"""Reports that wait to be taken; where nobody takes them, the oldest go."""


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
        self._feedback: deque[Any] = deque(maxlen=FEEDBACK_KEPT)
        self._latest: Any = None
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

    def cancel(self, reason: str = CancelReason.USER) -> None:
        """Ask the action to end. The body decides how soon; `poll` says when it has.

        Args:
            reason: why, in one word; the first one stays (`cancel_reason`).
        """
        self._cancelling.cancel(reason)

    def should_cancel(self) -> bool:
        """Whether somebody asked the action to end; a body looks here often."""
        return self._cancelling.cancelled

    @property
    def cancel_reason(self) -> str | None:
        """Why somebody asked the action to end; `None` while nobody has."""
        return self._cancelling.reason

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
        _tell(callback)

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
        self._latest = fields if feedback is None else feedback
        self._feedback.append(self._latest)

    def feedback(self) -> list[Any]:
        """Take what was reported since the last call, oldest first."""
        reports: list[Any] = []
        while True:
            try:
                reports.append(self._feedback.popleft())
            except IndexError:
                return reports

    @property
    def latest_feedback(self) -> Any:
        """What was reported last, whoever has taken it; `None` before the first report."""
        return self._latest

    def _end(self, status: GoalStatus, *, result: Any = None, error: str | None = None) -> bool:
        with self._lock:
            if self._status.is_terminal():
                return False
            self._result, self._error = result, error
            self._status = status
            callbacks, self._on_end = self._on_end, []
        self._over.set()
        for callback in callbacks:
            _tell(callback)
        return True


def _tell(callback: Callable[[], object]) -> None:
    try:
        callback()
    except FAULTS:  # one listener's fault must keep neither the others nor the body from going on
        log.exception("what should follow the end of an action failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningGoal:
    """One action that is under way, as a person sees it."""

    goal_id: str
    """Short, and unique within its list."""
    name: str
    arguments: Mapping[str, Any]
    """As they may be shown: secrets are covered."""
    started: float
    """Seconds since 1970, UTC."""
    running_s: float
    """Seconds since it began."""
    feedback: Any
    """What it reported last; `None` before its first report."""
    ending: bool
    """Whether it has been asked to end and has not ended yet."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Entry:
    goal_id: str
    name: str
    handle: GoalHandle
    arguments: Mapping[str, Any]
    moves: frozenset[str]
    left: bool = False
    started: float = field(default_factory=time.time)
    began: float = field(default_factory=time.monotonic)


class RunningGoals:
    """The actions of one assistant that are under way: for a person who looks, and for a stop that must reach them all.

    An action stays here until it has ended, also when its turn is over and when it did not obey. Safe from any thread.
    """

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}
        self._ids = itertools.count(1)
        self._lock = threading.Lock()

    def add(
        self,
        name: str,
        handle: GoalHandle,
        arguments: Mapping[str, Any] | None = None,
        *,
        moves: Iterable[str] = (),
    ) -> str:
        """Remember an action until it is over and return its identifier; the same handle twice is one action.

        Args:
            name: of the skill.
            handle: of the action.
            arguments: as they may be shown.
            moves: names of what it moves; an action of a later turn that moves the same takes its place.
        """
        with self._lock:
            known = self._entries.get(id(handle))
            if known is not None:
                return known.goal_id
            entry = _Entry(
                goal_id=str(next(self._ids)),
                name=name,
                handle=handle,
                arguments=dict(arguments or {}),
                moves=frozenset(moves),
            )
            self._entries[id(handle)] = entry
        handle.on_end(lambda: self._forget(handle))
        return entry.goal_id

    def names(self) -> list[str]:
        """The actions that have not ended."""
        return [entry.name for entry in self._all()]

    def running(self) -> list[RunningGoal]:
        """The actions that have not ended, oldest first."""
        return [_seen(entry) for entry in self._all()]

    def cancel(self, goal_id: str, reason: str = CancelReason.USER) -> bool:
        """Ask one action to end and leave the others alone. Never waits.

        Returns:
            Whether there is an action of that identifier.
        """
        found = [entry for entry in self._all() if entry.goal_id == goal_id]
        for entry in found:
            _ask_to_end(entry, reason)
        return bool(found)

    def cancel_all(self, reason: str = CancelReason.STOP) -> int:
        """Ask every action to end and return how many were asked. Never waits: each is asked on a thread of its own."""
        entries = self._all()
        for entry in entries:
            _ask_to_end(entry, reason)
        return len(entries)

    def leave(self, handle: GoalHandle) -> None:
        """Note that an action goes on although the turn that began it is over."""
        with self._lock:
            entry = self._entries.get(id(handle))
            if entry is not None:
                entry.left = True

    def left_moving(self, moves: Iterable[str]) -> list[tuple[str, GoalHandle]]:
        """The actions that are in the way of a new one, with their names.

        Those whose turn is over, and those that were asked to end and have not.

        Args:
            moves: names of what the new one moves.
        """
        moving = [entry for entry in self._all() if not entry.moves.isdisjoint(moves)]
        return [(entry.name, entry.handle) for entry in moving if entry.left or entry.handle.should_cancel()]

    def _all(self) -> list[_Entry]:
        with self._lock:
            return list(self._entries.values())

    def _forget(self, handle: GoalHandle) -> None:
        with self._lock:
            self._entries.pop(id(handle), None)


def _ask_to_end(entry: _Entry, reason: str) -> None:
    log.info("cancelling %s: %s", entry.name, reason)
    threading.Thread(target=entry.handle.cancel, args=(reason,), name=f"cancel of {entry.name}", daemon=True).start()


def _seen(entry: _Entry) -> RunningGoal:
    return RunningGoal(
        goal_id=entry.goal_id,
        name=entry.name,
        arguments=entry.arguments,
        started=entry.started,
        running_s=time.monotonic() - entry.began,
        feedback=entry.handle.latest_feedback,
        ending=entry.handle.should_cancel(),
    )
