"""What lies between a sentence and the loudspeaker: a bounded buffer at the device's rate, and an account of time.

Knows no device: `speaker` moves blocks from here to one.
"""

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from edgevox.audio.resample import Resampler

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

SLICE_S = 0.1
"""Sound is taken over in slices of this length, so that a cancelled turn is noticed soon, seconds."""


class PlayClock:
    """Works out what has been heard from what was handed to the device and when.

    A device plays in real time once it has begun: the first block sounds when it is handed over, the next ones follow
    without a gap. What it holds at most is known, so the estimate can never run ahead of it.
    """

    def __init__(self) -> None:
        self._ends_at = 0.0
        self._handed_s = 0.0
        self._pending: deque[tuple[float, float]] = deque()
        self._floor_s = 0.0
        """What was said to be heard is never taken back, however the estimate moves."""

    @property
    def handed_s(self) -> float:
        """Seconds of sound handed over, less what was cut."""
        return self._handed_s

    @property
    def ends_at(self) -> float:
        """When the device will have played everything, silence included; seconds on the monotonic clock."""
        return self._ends_at

    def starts_at(self, now: float) -> float:
        """Return when a block handed over now begins to sound."""
        return max(self._ends_at, now)

    def handed(self, seconds: float, now: float, *, silence: bool = False) -> None:
        """Note a block that goes to the device.

        Args:
            seconds: its length.
            now: seconds on the monotonic clock.
            silence: it belongs to nobody and counts as no sound.
        """
        start = self.starts_at(now)
        self._ends_at = start + seconds
        if not silence:
            self._handed_s += seconds
            self._pending.append((start, seconds))

    def holds(self, least: float, most: float, now: float) -> None:
        """Correct the estimate by what the device is known to hold.

        Args:
            least: seconds of sound that it holds at least; a write that had to wait proves it.
            most: seconds of sound that it can hold.
            now: seconds on the monotonic clock.
        """
        ends_at = min(max(self._ends_at, now + least), now + most)
        shift = ends_at - self._ends_at
        if shift:
            self._ends_at = ends_at
            self._pending = deque((start + shift, length) for start, length in self._pending)

    def heard_s(self, now: float) -> float:
        """Return the seconds of sound that left the loudspeaker up to `now`."""
        while self._pending and sum(self._pending[0]) <= now:
            self._pending.popleft()
        waiting = sum(min(length, start + length - now) for start, length in self._pending)
        self._floor_s = max(self._floor_s, self._handed_s - waiting)
        return self._floor_s

    def finished(self, now: float) -> bool:
        """Whether everything handed over has been heard."""
        return self.heard_s(now) >= self._handed_s

    def cut(self, now: float) -> float:
        """Forget what was not heard: the device was told to be silent. Returns the seconds heard."""
        self._handed_s = self.heard_s(now)
        self._pending.clear()
        self._ends_at = now
        return self._handed_s


class PlaybackBuffer:
    """Sound that waits for the device, at the device's rate. Its owner holds a lock around every call.

    Args:
        rate: samples per second of the device.
        seconds: how much it holds.
    """

    def __init__(self, rate: int, seconds: float) -> None:
        self._rate = rate
        self._room = int(rate * seconds)
        self._blocks: deque[Samples] = deque()
        self._frames = 0
        self._resampler: Resampler | None = None

    @property
    def full(self) -> bool:
        """Whether there is no room for another slice."""
        return self._frames >= self._room

    @property
    def frames(self) -> int:
        """Frames that can be taken now."""
        return self._frames

    @property
    def empty(self) -> bool:
        """Whether nothing waits, not even inside the resampler."""
        return self._frames == 0 and self._resampler is None

    def put(self, samples: "Samples", rate: int) -> None:
        """Add one slice of sound at `rate`."""
        if self._resampler is None or self._resampler.rate_in != rate:
            self.finish()
            self._resampler = Resampler(rate, self._rate)
        self._append(self._resampler.process(samples))

    def finish(self) -> bool:
        """Bring out what the resampler holds back: nothing follows. Returns whether that was anything."""
        if self._resampler is None:
            return False
        rest = self._resampler.flush()
        self._resampler = None
        self._append(rest)
        return len(rest) > 0

    def take(self, frames: int) -> "Samples":
        """Remove and return up to `frames` samples."""
        parts: list[Samples] = []
        while frames > 0 and self._blocks:
            block = self._blocks.popleft()
            if len(block) > frames:
                self._blocks.appendleft(block[frames:])
                block = block[:frames]
            parts.append(block)
            frames -= len(block)
        self._frames -= sum(len(part) for part in parts)
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)

    def clear(self) -> None:
        """Forget everything."""
        self._blocks.clear()
        self._frames = 0
        self._resampler = None

    def _append(self, samples: "Samples") -> None:
        if len(samples):
            self._blocks.append(np.array(samples, dtype=np.float32))
            self._frames += len(samples)


class ReferenceTap:
    """Brings what goes to the device to 16 kHz, each piece with the moment it begins to sound.

    Args:
        rate_in: samples per second of the device.
        rate_out: samples per second of the reference.
    """

    def __init__(self, rate_in: int, rate_out: int) -> None:
        self._resampler = Resampler(rate_in, rate_out)
        self._rate_in = rate_in
        self._rate_out = rate_out
        self._inside = 0.0
        self._ends_at = 0.0

    def feed(self, samples: "Samples", starts_at: float) -> "list[tuple[Samples, float]]":
        """Return pieces of reference and the moments they begin to sound."""
        pieces: list[tuple[Samples, float]] = []
        if starts_at - self._ends_at > 1.0 / self._rate_in:
            pieces += self.finish()
        out = self._resampler.process(samples)
        if len(out):
            pieces.append((out, starts_at - self._inside))
        self._inside += len(samples) / self._rate_in - len(out) / self._rate_out
        self._ends_at = starts_at + len(samples) / self._rate_in
        return pieces

    def finish(self) -> "list[tuple[Samples, float]]":
        """Return what the resampler held back: silence follows."""
        rest = self._resampler.flush()
        at = self._ends_at - self._inside
        self._inside = 0.0
        return [(rest, at)] if len(rest) else []
