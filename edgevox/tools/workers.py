"""Threads that run tool bodies, so that no body can keep a stop or a timeout from being seen.

A finished worker waits for the next body; one that hangs is left behind, and what it returns later goes to whoever
asked for it, never to the call that gave up. Async bodies share one loop thread. Knows nothing of tools.
"""

import contextvars
import inspect
import itertools
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any

from edgevox.core.cancel import POLL_S, CancelScope
from edgevox.core.errors import Cancelled, ToolFailure

if TYPE_CHECKING:
    import asyncio

log = logging.getLogger(__name__)

_IDLE = 8
"""Workers that stay when they have nothing to do."""


class Waited(Enum):
    """Why a wait for a job ended."""

    DONE = "done"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"


class Job:
    """One body that runs on another thread.

    Args:
        name: for the log.
        on_abandon: called when nobody waits any more.
    """

    def __init__(self, name: str, on_abandon: Callable[[], object] | None = None) -> None:
        self.name = name
        self.value: Any = None
        self.error: BaseException | None = None
        self.on_abandon = on_abandon
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._finished = False
        self._begun = False
        self._given_up = False
        self._on_end: list[Callable[[Job], object]] = []

    @property
    def finished(self) -> bool:
        """Whether the body has returned or raised."""
        return self._finished

    def finish(self, value: Any = None, error: BaseException | None = None) -> None:
        """Note how the body ended; only the first call counts."""
        with self._lock:
            if self._finished:
                return
            self.value, self.error = value, error
            self._finished = True
            callbacks, self._on_end = self._on_end, []
        self._wake.set()
        for callback in callbacks:
            _tell(callback, self)

    def on_end(self, callback: "Callable[[Job], object]") -> None:
        """Have `callback(job)` called when the body has ended, at once if it has."""
        with self._lock:
            if not self._finished:
                self._on_end.append(callback)
                return
        _tell(callback, self)

    def wait(self, scope: CancelScope | None, timeout: float | None) -> Waited:
        """Wait for the body, but not past the end of the scope or `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        forget = scope.on_cancel(lambda _: self._wake.set()) if scope is not None else None
        try:
            return self._waited(scope, deadline)
        finally:
            if forget is not None:
                forget()

    @property
    def begun(self) -> bool:
        """Whether the body has begun."""
        return self._begun

    def begin(self) -> bool:
        """Whether the body may begin: somebody waits for it still. One that may not has ended."""
        with self._lock:
            if not self._given_up:
                self._begun = True
                return True
        self.finish(error=Cancelled("given up before it began"))
        return False

    def abandon(self) -> None:
        """Give up on the body: one that has not begun never will, an async one is cancelled."""
        with self._lock:
            self._given_up = not self._begun
        if self.on_abandon is not None:
            self.on_abandon()

    def _waited(self, scope: CancelScope | None, deadline: float | None) -> Waited:
        while not self._finished:
            if scope is not None and scope.cancelled:
                return Waited.CANCELLED
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return Waited.TIMEOUT
            step = remaining if scope is None else min(POLL_S, POLL_S if remaining is None else remaining)
            self._wake.wait(step)
        return Waited.DONE


class WorkerPool:
    """Reusable daemon threads without an upper bound: a hanging body never makes the next one wait."""

    def __init__(self, name: str = "edgevox-tool") -> None:
        self._name = name
        self._idle: deque[queue.SimpleQueue[Callable[[], None]]] = deque()
        self._numbers = itertools.count(1)

    def submit(self, call: Callable[[], Any], name: str) -> Job:
        """Run `call` on a worker, with the caller's context variables."""
        job = Job(name)
        context = contextvars.copy_context()
        self._inbox().put(lambda: _run(job, lambda: context.run(call)))
        return job

    def _inbox(self) -> "queue.SimpleQueue[Callable[[], None]]":
        try:
            return self._idle.pop()
        except IndexError:
            inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
            name = f"{self._name}-{next(self._numbers)}"
            threading.Thread(target=self._work, args=(inbox,), name=name, daemon=True).start()
            return inbox

    def _work(self, inbox: "queue.SimpleQueue[Callable[[], None]]") -> None:
        while True:
            inbox.get()()
            if len(self._idle) >= _IDLE:
                return
            self._idle.append(inbox)


class LoopThread:
    """The one event loop on which async bodies are awaited; it starts with the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def is_current(self) -> bool:
        """Whether the caller runs on the loop's own thread, which must not wait for itself."""
        return threading.current_thread() is self._thread

    def submit(self, call: Callable[[], Any], name: str) -> Job:
        """Await what `call` returns, with the caller's context variables."""
        loop = self._running()
        job = Job(name)
        context = contextvars.copy_context()

        def begin() -> None:
            if not job.begin():
                return
            task = loop.create_task(_awaited(job, call))
            job.on_abandon = lambda: loop.call_soon_threadsafe(task.cancel)

        loop.call_soon_threadsafe(begin, context=context)
        return job

    def _running(self) -> "asyncio.AbstractEventLoop":
        import asyncio

        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="edgevox-async-tools", daemon=True)
                self._thread.start()
            return self._loop


POOL = WorkerPool()
LOOP = LoopThread()


def start(call: Callable[[], Any], name: str, *, is_async: bool) -> Job:
    """Start a body where it belongs: on the loop thread if it is async, on a worker otherwise."""
    if is_async and not LOOP.is_current:
        return LOOP.submit(call, name)
    return POOL.submit(lambda: _settled(call()), name)


def _settled(value: Any) -> Any:
    """Await what a plain function returned, if that has to be awaited."""
    if not inspect.isawaitable(value):
        return value

    import asyncio

    async def outcome() -> Any:
        return await value

    return asyncio.run(outcome())


async def _awaited(job: Job, call: Callable[[], Any]) -> None:
    import asyncio

    try:
        job.finish(await call())
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            job.finish(error=Cancelled("cancelled"))
            raise
        words = f"{job.name} failed: something that it waited for was cancelled."
        job.finish(error=ToolFailure(words, error_code="failed"))
    except BaseException as error:  # a tool that exits or is interrupted must not end the loop of all the others
        job.finish(error=error)


def _run(job: Job, call: Callable[[], Any]) -> None:
    if not job.begin():
        return
    try:
        value = call()
    except BaseException as error:  # whatever a body raises is its call's result; the worker lives on
        job.finish(error=error)
    else:
        job.finish(value)


def _tell(callback: Callable[[Job], object], job: Job) -> None:
    try:
        callback(job)
    except Exception:  # a listener's fault must not lose the worker
        log.exception("what should follow the end of %s failed", job.name)
