"""Cuts sound that comes in blocks of any length into frames of one length.

Knows how many samples wait for the next block and when they were captured. Loses none and repeats none.
"""

from typing import TYPE_CHECKING

import numpy as np

from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME

if TYPE_CHECKING:
    from edgevox.core.frames import Samples


class FrameCutter:
    """Cuts blocks into frames.

    Args:
        length: samples per frame.
    """

    def __init__(self, length: int = VAD_FRAME) -> None:
        self._length = length
        self._rest = np.zeros(0, np.float32)
        self._rest_at = 0.0

    def feed(self, samples: "Samples", at: float) -> "list[tuple[Samples, float]]":
        """Return the whole frames that are complete now, each with the time of its first sample.

        Args:
            samples: mono, 16 kHz, shape (n,).
            at: when the first of them was captured, seconds on the monotonic clock.
        """
        waiting = self._rest.size
        joined = np.concatenate((self._rest, samples), dtype=np.float32)
        whole = joined.size - joined.size % self._length
        # A frame that begins in this block has this block's time: after a gap in capture the clock is right again.
        times = [
            self._rest_at if i < waiting else at + (i - waiting) / SAMPLE_RATE
            for i in range(0, whole + 1, self._length)
        ]
        frames = [(joined[i : i + self._length], times[i // self._length]) for i in range(0, whole, self._length)]
        self._rest, self._rest_at = joined[whole:], times[-1]
        return frames

    def rest(self) -> "tuple[Samples, float]":
        """Return, and forget, the samples that do not fill a frame, with the time of the first of them."""
        rest, self._rest = self._rest, np.zeros(0, np.float32)
        return rest, self._rest_at

    def padded_rest(self) -> "tuple[Samples, float]":
        """Return, and forget, the samples that do not fill a frame, made whole with silence."""
        rest, at = self.rest()
        return np.pad(rest, (0, self._length - rest.size)), at
