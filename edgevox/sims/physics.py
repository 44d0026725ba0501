"""A thread that lets a world's time pass while something in it moves, and is gone when all is at rest."""

import threading
import time
from collections.abc import Callable

PERIOD_S = 0.02
"""Seconds between two steps."""

LONGEST_STEP_S = 0.25
"""What a late step may cover: a process that was suspended does not wake up somewhere else."""


class PhysicsThread:
    """Starts with the first motion, ends when nothing moves.

    Args:
        step: lets seconds pass in the world.
        is_active: whether anything moves.
        name: of the thread.
        period_s: seconds between two steps.
    """

    def __init__(
        self,
        step: Callable[[float], object],
        is_active: Callable[[], bool],
        name: str,
        *,
        period_s: float = PERIOD_S,
    ) -> None:
        self._period_s = period_s
        self._step = step
        self._is_active = is_active
        self._name = name
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def ensure(self) -> None:
        """Start the thread if it does not run; call it after something began to move."""
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread for good. Closing twice is fine."""
        self._closed.set()
        with self._lock:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=1.0)

    def _run(self) -> None:
        before = time.monotonic()
        while not self._rests():
            self._closed.wait(self._period_s)
            now = time.monotonic()
            self._step(min(now - before, LONGEST_STEP_S))
            before = now

    def _rests(self) -> bool:
        # Under the lock, so that a motion that begins now either is seen here or starts another thread.
        with self._lock:
            if self._is_active() and not self._closed.is_set():
                return False
            self._thread = None
            return True
