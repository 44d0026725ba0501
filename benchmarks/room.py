"""A room in this process: a microphone that hears a person, noise and the loudspeaker, in real time and to the sample.

It stands where a sound card would, so that the moment a word ends is known exactly. Everything behind the microphone
is the product.
"""

import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from edgevox.audio.echo import EchoGuard
from edgevox.audio.files import NullSpeaker
from edgevox.audio.resample import Resampler
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

ECHO_S = 0.1
"""How late the microphone hears the loudspeaker."""
ECHO_GAIN = 0.1
"""-20 dB."""
TAPS = ((0.0, 1.0), (0.011, 0.5), (0.023, -0.3), (0.047, 0.2), (0.09, 0.1))
"""Reflections: seconds after the direct sound, and gain."""
KEPT_S = 0.5
"""How long sound that was played may still be heard."""
SPEECH_RMS = 0.06
"""Level of a person at the microphone, about -24 dB of full scale."""


class RoomSpeaker(NullSpeaker):
    """A loudspeaker that plays into the room, and tells the echo guard what it plays."""

    def __init__(self, guard: EchoGuard) -> None:
        super().__init__(realtime=True)
        self.silent_at = 0.0
        """When it was flushed last while it sounded, monotonic seconds."""
        self._guard = guard
        self._resampler: tuple[int, Resampler] | None = None
        self._played: list[tuple[float, Samples]] = []
        self._playing = threading.Lock()

    def flush(self) -> None:
        """Fall silent at once, as a device whose buffer is thrown away does."""
        sounding = self.written_s > self.heard_s + 0.001
        super().flush()
        now = time.monotonic()
        self._guard.cut(now)
        with self._playing:
            self._played = [(at, sound[: max(0, int((now - at) * SAMPLE_RATE))]) for at, sound in self._played]
        if sounding:
            self.silent_at = now

    def heard_in_room(self, first: float, count: int) -> "Samples":
        """Return `count` samples of the echo from the moment `first` on, monotonic seconds."""
        out = np.zeros(count, dtype=np.float32)
        with self._playing:
            self._played = [piece for piece in self._played if piece[0] + len(piece[1]) / SAMPLE_RATE > first - KEPT_S]
            for at, sound in self._played:
                for delay, gain in TAPS:
                    _add(out, sound, round((at + ECHO_S + delay - first) * SAMPLE_RATE), ECHO_GAIN * gain)
        return out

    def _keep(self, samples: "Samples", rate: int) -> None:
        if self._resampler is None or self._resampler[0] != rate:
            self._resampler = rate, Resampler(rate, SAMPLE_RATE)
        sound = self._resampler[1].process(samples)
        at = self._play_clock.starts_at(self._now())
        with self._playing:
            self._played.append((at, sound))
        self._guard.reference(sound, at)


class RoomMicrophone:
    """A microphone of a `RoomSpeaker`'s room that brings 32 ms at a time, when they are due.

    Args:
        speaker: whose echo it hears.
        noise: noise that never ends, shape (n,), longer than 32 ms; it is repeated.
    """

    def __init__(self, speaker: RoomSpeaker, noise: "Samples | None" = None) -> None:
        self.noise = noise
        self._speaker = speaker
        self._said: list[tuple[int, Samples]] = []
        self._lock = threading.Lock()
        self._position = 0
        self._began = 0.0
        self._closing = threading.Event()

    @property
    def ended(self) -> bool:
        """Whether it was closed."""
        return self._closing.is_set()

    def open(self) -> None:
        """Begin to hear."""
        self._began = self._began or time.monotonic()

    def say(self, sound: "Samples", after_s: float) -> float:
        """Let the person say something in so many seconds; returns the monotonic moment of its last sample."""
        with self._lock:
            # Counted from now, not from what was read: a reader that is late is late, as with a real device.
            start = round((time.monotonic() - self._began + after_s) * SAMPLE_RATE)
            self._said = [*self._said[-4:], (start, sound)]
        return self._began + (start + len(sound)) / SAMPLE_RATE

    def read(self, timeout: float) -> "Samples | None":
        """Return the next 32 ms once they are over."""
        due = self._began + (self._position + VAD_FRAME) / SAMPLE_RATE
        wait = due - time.monotonic()
        if wait > 0 and self._closing.wait(min(wait, timeout)):
            return None
        if wait > timeout:
            return None
        with self._lock:
            first = self._began + self._position / SAMPLE_RATE
            block = self._speaker.heard_in_room(first, VAD_FRAME)
            for start, sound in self._said:
                _add(block, sound, start - self._position, 1.0)
            if self.noise is not None:
                at = self._position % (len(self.noise) - VAD_FRAME)
                block += self.noise[at : at + VAD_FRAME]
            self._position += VAD_FRAME
        return np.clip(block, -1.0, 1.0)

    def close(self) -> None:
        """Stop hearing."""
        self._closing.set()


def pink_noise(seconds: float, rms: float, seed: int = 1) -> "Samples":
    """Return noise whose power falls with the frequency, as a ventilator's does."""
    count = int(seconds * SAMPLE_RATE)
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=count))
    frequencies = np.maximum(np.fft.rfftfreq(count, 1 / SAMPLE_RATE), 50.0)
    noise = np.fft.irfft(spectrum / np.sqrt(frequencies), count)
    return (noise * (rms / np.sqrt(np.mean(noise**2)))).astype(np.float32)


def _add(out: "Samples", sound: "Samples", offset: int, gain: float) -> None:
    """Add a sound that begins `offset` samples after the beginning of `out`, as far as it reaches in."""
    start, end = max(0, offset), min(len(out), offset + len(sound))
    if start < end:
        out[start:end] += gain * sound[start - offset : end - offset]
