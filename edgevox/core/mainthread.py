"""Runs callables on the main thread, for front ends that own it: windows may be touched nowhere else.

Whoever owns the main thread pumps; everybody else submits and, if they like, waits for the future. Knows nothing of
what is run. A stop is never delayed by it: a waiting pump ends when the scope it was given does.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from edgevox.core.cancel import CancelScope

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[], Any]
    future: "Future[Any]"
    scope: CancelScope | None
    name: str | None


class MainThreadScheduler:
    """A queue of work for the main thread. `submit` is for any thread, `pump` for the main one alone."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def submit(
        self, work: Callable[[], Result], *, scope: CancelScope | None = None, name: str | None = None
    ) -> "Future[Result]":
        """Have `work()` run on the main thread and return the future of its result, or of what it raises.

        Args:
            work: what to run; it should be short, for it holds up what else the main thread does.
            scope: work whose scope has ended before its turn is not run; its future is cancelled.
            name: for `submit_latest`.

        Raises:
            RuntimeError: the scheduler is closed.
        """
        future: Future[Result] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the main thread takes no more work: its scheduler is closed")
            self._jobs.append(_Job(work, future, scope, name))
            self._changed.notify_all()
        return future

    def submit_latest(self, name: str, work: Callable[[], object]) -> bool:
        """Have `work()` run unless work of that name still waits: for drawing, where only the latest counts.

        Returns:
            Whether it was taken; a closed scheduler takes nothing and says nothing.
        """
        with self._changed:
            if self._closed or any(job.name == name for job in self._jobs):
                return False
            self._jobs.append(_Job(work, Future(), None, name))
            self._changed.notify_all()
            return True

    def call(self, work: Callable[[], Result], *, scope: CancelScope | None = None) -> Result:
        """Run `work()` on the main thread, wait for it, and return its result; on the main thread itself at once.

        Args:
            work: what to run.
            scope: ends the wait.

        Raises:
            Cancelled: the scope ended first.
            RuntimeError: the scheduler is closed, or was before the work's turn came.
            Exception: what `work` raised.
        """
        if threading.current_thread() is threading.main_thread():
            return work()
        future = self.submit(work, scope=scope)
        over = threading.Event()
        future.add_done_callback(lambda _: over.set())
        forget = scope.on_cancel(lambda _: over.set()) if scope is not None else None
        over.wait()
        if forget is not None:
            forget()
        if scope is not None and not (future.done() and not future.cancelled()):
            scope.check()
        if future.cancelled():
            raise RuntimeError("the main thread takes no more work: its scheduler is closed")
        return future.result()

    def pump(self, timeout: float = 0.0, *, scope: CancelScope | None = None) -> int:
        """Run what waits, and return how much it was.

        Args:
            timeout: seconds to wait for the first if nothing waits.
            scope: ends the wait; nothing is run after its end.

        Raises:
            RuntimeError: this is not the main thread.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("pump runs on the main thread alone; submit is for the others")
        self._wait(timeout, scope)
        ran = 0
        for _ in range(len(self._jobs)):  # what a job submits waits for the next pump, so that one pump ends
            job = self._next() if scope is None or not scope.cancelled else None
            if job is None:
                break
            ran += _run(job)
        return ran

    def run(self, scope: CancelScope, period_s: float = 0.05) -> None:
        """Pump until the scope ends.

        Args:
            scope: whose end ends it.
            period_s: the longest wait between two looks, seconds.
        """
        while not scope.cancelled and not self._closed:
            self.pump(period_s, scope=scope)

    def close(self) -> None:
        """Take no more work and cancel what waits. Closing twice is fine."""
        with self._changed:
            self._closed = True
            jobs, self._jobs = self._jobs, deque()
            self._changed.notify_all()
        for job in jobs:
            job.future.cancel()

    def _wait(self, timeout: float, scope: CancelScope | None) -> None:
        forget = scope.on_cancel(lambda _: self._wake()) if scope is not None else None
        deadline = time.monotonic() + timeout
        with self._changed:
            while not self._jobs and not self._closed and not (scope is not None and scope.cancelled):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
        if forget is not None:
            forget()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _next(self) -> _Job | None:
        with self._changed:
            return self._jobs.popleft() if self._jobs else None


def _run(job: _Job) -> int:
    if job.scope is not None and job.scope.cancelled:
        job.future.cancel()
        return 0
    if not job.future.set_running_or_notify_cancel():
        return 0
    try:
        job.future.set_result(job.work())
    except BaseException as error:  # it is the submitter's, whatever it is
        job.future.set_exception(error)
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
    return 1
