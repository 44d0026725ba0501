"""One way to cancel: a scope that a turn owns and everything it starts carries.

A scope knows whether it was cancelled, why, and whom to tell. It does not know what it cancels.
"""

import itertools
import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Self

from edgevox.core.errors import FAULTS, Cancelled

log = logging.getLogger(__name__)

POLL_S = 0.02
"""How often a wait looks at an event that somebody else made, seconds."""

_generations = itertools.count(1)


class CancelReason(StrEnum):
    """Why a scope ended before its work did."""

    STOP = "stop"
    """A safety stop: everything ends, the robot first."""
    BARGE_IN = "barge_in"
    """The person began to speak: speech and model end, skills go on unless the policy says otherwise."""
    TIMEOUT = "timeout"
    USER = "user"
    """Asked for by a key, a button or a call that was not a stop."""
    SHUTDOWN = "shutdown"


class CancelScope:
    """The life of a turn, or of a part of one.

    Cancelling reaches every child; a child's cancelling never reaches its parent. All methods are safe from any thread,
    and `cancel` never waits: callbacks run on the thread that cancels, so they must set a flag and leave.

    Args:
        parent: the scope whose cancelling includes this one.
        event: an event of the caller's; when somebody sets it, the scope counts as cancelled.
    """

    def __init__(self, parent: "CancelScope | None" = None, *, event: threading.Event | None = None) -> None:
        self.generation = parent.generation if parent else next(_generations)
        """Grows with every turn; what arrives with an older number is dropped where it is received."""
        self._reason: str | None = None
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[str], object]] = []
        self._parent = parent
        self._foreign = event is not None or (parent is not None and parent._foreign)
        self.event: threading.Event = event if event is not None else _ScopeEvent(self)
        """Set exactly when the scope is cancelled; setting it cancels the scope."""
        if parent is not None:
            self._detach = parent.on_cancel(self.cancel)

    @property
    def cancelled(self) -> bool:
        """Whether the scope, or one above it, has been cancelled."""
        if self._reason is not None:
            return True
        if threading.Event.is_set(self.event):
            self.cancel(CancelReason.STOP)
        elif self._foreign and self._parent is not None and self._parent.cancelled:
            self.cancel(self._parent.reason or CancelReason.STOP)
        return self._reason is not None

    @property
    def reason(self) -> str | None:
        """Why the scope was cancelled, or `None` while it lives."""
        return self._reason if self.cancelled else None

    def cancel(self, reason: str = CancelReason.USER) -> bool:
        """End the scope and everything below it.

        Returns:
            Whether this call was the one that ended it; the first reason stays.
        """
        with self._lock:
            if self._reason is not None:
                return False
            self._reason = reason
            callbacks, self._callbacks = self._callbacks, []
        threading.Event.set(self.event)
        for callback in callbacks:
            _tell(callback, reason)
        return True

    def check(self) -> None:
        """Raise `Cancelled` if the scope has ended."""
        if self.cancelled:
            raise Cancelled(self._reason)

    def wait(self, timeout: float | None = None) -> bool:
        """Block until the scope ends or the time is over.

        Args:
            timeout: seconds; `None` waits for the end of the scope.

        Returns:
            Whether the scope has ended.
        """
        if not self._foreign:
            self.event.wait(timeout)
            return self.cancelled
        remaining = timeout
        while not self.cancelled:
            if remaining is not None and remaining <= 0:
                return False
            step = POLL_S if remaining is None else min(POLL_S, remaining)
            self.event.wait(step)
            remaining = None if remaining is None else remaining - step
        return True

    def on_cancel(self, callback: Callable[[str], object]) -> Callable[[], None]:
        """Have `callback(reason)` called once when the scope ends, at once if it has already.

        Returns:
            A function that forgets the callback; calling it twice is fine.
        """
        with self._lock:
            if self._reason is None:
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        _tell(callback, self._reason)
        return lambda: None

    def child(self, event: threading.Event | None = None) -> "CancelScope":
        """Return a scope that this one's end includes."""
        return CancelScope(self, event=event)

    def close(self) -> None:
        """Let go of the parent without cancelling: the work is done."""
        if self._parent is not None:
            self._detach()

    def __enter__(self) -> Self:
        """Use the scope for one piece of work."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the parent."""
        self.close()

    def _forget(self, callback: Callable[[str], object]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)


class _ScopeEvent(threading.Event):
    """The `threading.Event` face of a scope: setting it cancels the scope."""

    def __init__(self, scope: CancelScope) -> None:
        super().__init__()
        self._scope = scope

    def set(self) -> None:
        self._scope.cancel(CancelReason.STOP)

    def is_set(self) -> bool:
        return super().is_set() or self._scope.cancelled

    def clear(self) -> None:
        raise RuntimeError("a cancelled scope stays cancelled; make a new one for the next turn")


def _tell(callback: Callable[[str], object], reason: str) -> None:
    try:
        callback(reason)
    except FAULTS:  # one listener's fault must not keep the others from hearing of the stop
        log.exception("a cancel callback failed")
