"""A process that is fed through a pipe and shows what it is fed: the window of a world.

Feeding never holds up the world: a slow window sees the latest and misses others. The process ends with the pipe, so it
never outlives the program, however that ends; and a person who closes the window changes nothing else. Does not know
what is shown.
"""

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from edgevox.config.child_env import scrubbed_environment

log = logging.getLogger(__name__)

CLOSES_WITHIN_S = 2.0
"""Seconds that a window has to close before it is ended."""

T = TypeVar("T")


class WindowFeed(Generic[T]):
    """The window of one world.

    Args:
        command: the program that reads the pipe, one line for each state.
        encode: turns a state into its line, without the end of the line; runs on the feeder's thread.
        first: the line that goes before all others; `None` for none.
        closes_within_s: seconds it has to end by itself when it is closed.
        on_gone: told the exit code of a window that went away by itself.
    """

    def __init__(
        self,
        command: Sequence[str],
        encode: Callable[[T], bytes],
        *,
        first: bytes | None = None,
        closes_within_s: float = CLOSES_WITHIN_S,
        on_gone: Callable[[int], object] | None = None,
    ) -> None:
        self._encode = encode
        self._closes_within_s = closes_within_s
        self._on_gone = on_gone
        # A session of its own: Ctrl+C in the terminal is for the robot, not for its window.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=scrubbed_environment(),
            start_new_session=True,
        )
        self._changed = threading.Condition()
        self._latest: T | None = None
        self._over = False
        self._feeder = threading.Thread(target=self._feed, args=(first,), name="window feeder", daemon=True)
        self._feeder.start()

    @property
    def pid(self) -> int:
        """The window's process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the window is there."""
        return self._process.poll() is None

    @property
    def waiting(self) -> bool:
        """Whether a state waits to be taken to the window."""
        return self._latest is not None

    def show(self, state: T) -> None:
        """Show this state soon; one that still waits is dropped."""
        with self._changed:
            self._latest = state
            self._changed.notify()

    def close(self) -> None:
        """Close the window and wait for its process. Twice is fine."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._feeder.join(self._closes_within_s)
        try:
            self._process.wait(self._closes_within_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._feeder.join(self._closes_within_s)

    def _feed(self, first: bytes | None) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with pipe:
                if first is not None:
                    pipe.write(first + b"\n")
                while (state := self._next()) is not None:
                    pipe.write(self._encode(state) + b"\n")
                    pipe.flush()
        except OSError:  # the person closed the window
            code = self._process.wait()
            log.info("the window of the world is closed")
            if self._on_gone is not None:
                self._on_gone(code)

    def _next(self) -> T | None:
        """Wait for a state; `None` at the end. The last one is still passed on."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._latest is not None)
            state, self._latest = self._latest, None
            return state
