"""Bounded queues of frames between the threads of a turn."""

import threading
from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FrameQueue(Generic[T]):
    """A queue that never blocks its producer and can always be left by its consumer.

    A full queue drops its oldest entry and counts it: late sound is worth less than sound that is on time. `coalesce`
    names the types of which only the newest entry matters.

    Args:
        maxsize: entries it holds.
        coalesce: types of which an older waiting entry is replaced by a newer one.
    """

    def __init__(self, maxsize: int, coalesce: tuple[type, ...] = ()) -> None:
        self._entries: deque[T] = deque()
        self._maxsize = maxsize
        self._coalesce = coalesce
        self._ready = threading.Condition()
        self._closed = False
        self.dropped = 0
        """Entries that were lost because the queue was full."""

    def put(self, entry: T) -> T | None:
        """Add an entry; returns the one that had to go for it, if any."""
        lost: T | None = None
        with self._ready:
            if self._closed:
                return entry
            if isinstance(entry, self._coalesce):
                self._drop_waiting(type(entry))
            if len(self._entries) >= self._maxsize:
                lost = self._entries.popleft()
                self.dropped += 1
            self._entries.append(entry)
            self._ready.notify()
        return lost

    def get(self, timeout: float | None = None) -> T | None:
        """Take the oldest entry; `None` when there is none within `timeout` seconds or the queue is closed."""
        with self._ready:
            self._ready.wait_for(lambda: bool(self._entries) or self._closed, timeout)
            return None if self._closed or not self._entries else self._entries.popleft()

    def clear(self) -> list[T]:
        """Take everything that waits."""
        with self._ready:
            waiting = list(self._entries)
            self._entries.clear()
        return waiting

    def close(self) -> None:
        """Wake the consumer for good; closing twice is fine."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the queue has been closed."""
        return self._closed

    def __iter__(self) -> Iterator[T]:
        """Yield entries until the queue is closed."""
        while not self._closed:
            entry = self.get()
            if entry is not None:
                yield entry

    def __len__(self) -> int:
        """How many entries wait."""
        return len(self._entries)

    def _drop_waiting(self, kind: type) -> None:
        for index, waiting in enumerate(self._entries):
            if isinstance(waiting, kind):
                del self._entries[index]
                return
