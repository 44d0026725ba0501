"""Lets calls that need the same resource run one after the other, and never past a stop."""

import contextvars
import threading
import time
from collections import defaultdict
from collections.abc import Iterable

from edgevox.core.cancel import POLL_S, CancelScope
from edgevox.tools.workers import Waited

_held: contextvars.ContextVar[frozenset[str]] = contextvars.ContextVar("edgevox_held_resources", default=frozenset())


class Hold:
    """Resources that one call has; given back once, from any thread."""

    def __init__(self, locks: list[threading.Lock], names: frozenset[str]) -> None:
        self._locks = locks
        self.names = names
        """Everything held, by this call or by the one it was made from."""
        self._guard = threading.Lock()

    def release(self) -> None:
        """Give the resources back; twice is fine."""
        with self._guard:
            locks, self._locks = self._locks, []
        for lock in locks:
            lock.release()


class ResourceLocks:
    """One lock for each resource name.

    A call made from inside another does not wait for what that one holds already.
    """

    def __init__(self) -> None:
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._guard = threading.Lock()

    def acquire(self, names: Iterable[str], scope: CancelScope | None, timeout: float | None) -> Hold | Waited:
        """Wait for all of `names`, but not past the end of the scope or `timeout` seconds.

        Returns:
            What is held, or why the wait ended without it.
        """
        inherited = _held.get()
        wanted = frozenset(names)
        deadline = None if timeout is None else time.monotonic() + timeout
        taken: list[threading.Lock] = []
        for name in sorted(wanted - inherited):
            with self._guard:
                lock = self._locks[name]
            outcome = _take(lock, scope, deadline)
            if outcome is not Waited.DONE:
                Hold(taken, wanted).release()
                return outcome
            taken.append(lock)
        return Hold(taken, inherited | wanted)


def note_held(hold: Hold) -> None:
    """Tell calls made from this context what is held already."""
    _held.set(hold.names)


def _take(lock: threading.Lock, scope: CancelScope | None, deadline: float | None) -> Waited:
    while not lock.acquire(timeout=POLL_S):
        if scope is not None and scope.cancelled:
            return Waited.CANCELLED
        if deadline is not None and time.monotonic() >= deadline:
            return Waited.TIMEOUT
    return Waited.DONE


LOCKS = ResourceLocks()
"""Shared by every registry: two agents that drive one arm name the same resource."""
