"""Reads one line that somebody types, for no longer than it may take.

Shares standard input with whoever else reads it: nothing is taken that was not asked for, so `input()` in a tool gets
the next line. Knows terminals, pipes and their buffers; what a line means is the caller's.
"""

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Generator
from typing import TextIO

from edgevox.core.cancel import POLL_S, CancelScope
from edgevox.tools.workers import POOL, Job, Waited


class TypedLines:
    """Lines of one input.

    Args:
        source: where they come from; the process's standard input, whatever it is at the time, when not given.
    """

    def __init__(self, source: TextIO | None = None) -> None:
        self._source = source
        self._reading: Job | None = None
        """A read that an earlier question gave up on; its line belongs to the next one."""
        self._one_at_a_time = threading.Lock()

    def read(self, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Return the next line without its end; `None` when none came in time or the scope ended.

        Args:
            timeout_s: seconds; `None` waits for the line or the end of the scope.
            scope: its end ends the waiting.

        Raises:
            EOFError: there will be no more lines.
            OSError, ValueError: the input cannot be read.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._one_at_a_time.acquire(timeout=POLL_S):
            if _over(deadline, scope):
                return None
        try:
            line = self._line(deadline, scope)
        finally:
            self._one_at_a_time.release()
        if line == "":
            raise EOFError("the input has ended")
        return None if line is None else line.rstrip("\r\n")

    def _line(self, deadline: float | None, scope: CancelScope) -> str | None:
        source = self._source if self._source is not None else sys.stdin
        descriptor = _descriptor(source)
        if self._reading is None and descriptor is not None:
            if (buffered := _buffered(source, descriptor)) is not None:
                return buffered
            if not _ready(descriptor, deadline, scope):
                return None
        if self._reading is None:
            self._reading = POOL.submit(source.readline, "reading a line")
        job = self._reading
        if job.wait(scope, None if deadline is None else deadline - time.monotonic()) is not Waited.DONE:
            return None
        self._reading = None
        if job.error is not None:
            raise job.error
        return str(job.value)


def _descriptor(source: TextIO) -> int | None:
    """The file behind an input that `select` can watch; `None` where there is none."""
    if os.name != "posix":
        return None
    try:
        return source.fileno()
    except (OSError, ValueError, AttributeError):
        return None


def _buffered(source: TextIO, descriptor: int) -> str | None:
    """A line of a pipe that Python has read ahead already; a terminal hands over one line at a time."""
    if source.isatty() or select.select([descriptor], [], [], 0)[0]:
        return None
    with _unblocked(descriptor), contextlib.suppress(TypeError, BlockingIOError):  # how an empty pipe shows itself
        return source.readline() or None  # an end would have been ready
    return None


@contextlib.contextmanager
def _unblocked(descriptor: int) -> Generator[None]:
    os.set_blocking(descriptor, False)
    try:
        yield
    finally:
        os.set_blocking(descriptor, True)


def _ready(descriptor: int, deadline: float | None, scope: CancelScope) -> bool:
    """Wait until there is something to read; False when the time or the scope ended first."""
    while not _over(deadline, scope):
        left = POLL_S if deadline is None else min(POLL_S, max(0.0, deadline - time.monotonic()))
        if select.select([descriptor], [], [], left)[0]:
            return True
    return False


def _over(deadline: float | None, scope: CancelScope) -> bool:
    return scope.cancelled or (deadline is not None and time.monotonic() >= deadline)
