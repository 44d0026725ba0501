"""A bounded ring between the sound library's thread and ours.

The callback puts a block and leaves: one copy, no waiting, no allocation. When the reader is too slow the oldest sound
goes, since the newest may hold a stop word, and the loss is counted.
"""

import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from edgevox.audio.backend import Block


class SampleRing:
    """Frames of one format, first in, first out.

    Args:
        frames: how many it holds.
        channels: samples per frame.
    """

    def __init__(self, frames: int, channels: int = 1) -> None:
        self._data = np.zeros((frames, channels), dtype=np.float32)
        self._start = 0
        self._count = 0
        self._closed = False
        self._ready = threading.Condition()
        self.dropped = 0
        """Frames that were lost because the reader was too slow."""
        self.blocks = 0
        """Blocks that were put."""

    def __len__(self) -> int:
        """How many frames wait."""
        return self._count

    @property
    def closed(self) -> bool:
        """Whether nothing more will be put; what waits can still be taken."""
        return self._closed

    def put(self, block: "Block") -> None:
        """Copy a block, shape (frames, channels), and wake the reader; never waits for room."""
        with self._ready:
            size = len(self._data)
            if len(block) > size:
                self.dropped += len(block) - size
                block = block[-size:]
            self._make_room(len(block))
            end = (self._start + self._count) % size
            head = min(len(block), size - end)
            self._data[end : end + head] = block[:head]
            self._data[: len(block) - head] = block[head:]
            self._count += len(block)
            self.blocks += 1
            self._ready.notify()

    def get(self, timeout: float) -> "Block | None":
        """Take everything that waits; `None` when nothing came within `timeout` seconds, or the ring is closed."""
        with self._ready:
            self._ready.wait_for(lambda: self._count > 0 or self._closed, timeout)
            if self._count == 0:
                return None
            size = len(self._data)
            head = min(self._count, size - self._start)
            block = np.concatenate([self._data[self._start : self._start + head], self._data[: self._count - head]])
            self._start = 0
            self._count = 0
            return block

    def close(self) -> None:
        """Wake the reader for good. Closing twice is fine."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    def _make_room(self, frames: int) -> None:
        excess = self._count + frames - len(self._data)
        if excess > 0:
            self._start = (self._start + excess) % len(self._data)
            self._count -= excess
            self.dropped += excess
