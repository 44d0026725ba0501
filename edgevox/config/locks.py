"""A lock between processes, held on a file and let go by the operating system when its owner dies."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from edgevox.core.cancel import CancelScope

POLL_S = 0.1


class FileLock:
    """One owner at a time among all processes that use the same file. Use it in a `with` statement.

    Args:
        path: the lock's file; it is made when missing and stays, empty.
        scope: waiting ends with it.
        on_wait: called once when somebody else holds the lock.
    """

    def __init__(self, path: Path, scope: CancelScope, on_wait: Callable[[], object] = lambda: None) -> None:
        self._path = path
        self._scope = scope
        self._on_wait = on_wait
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        """Wait for the lock.

        Raises:
            Cancelled: the scope ended first.
        """
        told = False
        while not self.try_acquire():
            if not told:
                self._on_wait()
                told = True
            self._scope.wait(POLL_S)
            self._scope.check()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Let the lock go."""
        self.release()

    def try_acquire(self) -> bool:
        """Take the lock if nobody has it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Let the lock go; twice is fine."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
