"""Recordings in place of devices: a microphone that is a WAV file, loudspeakers that are a file or nothing.

What plays as fast as it comes counts as heard at once; what plays in real time keeps the account a device would.
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from edgevox.audio.playback import SLICE_S, PlayClock
from edgevox.audio.resample import Resampler, resample, to_mono
from edgevox.audio.wav import WavWriter, read_wav
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import DeviceError, UsageError
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

TAIL_S = 1.5
"""Silence after a recording, so that its last words are followed by a pause, seconds."""
BUFFER_S = 1.0
POLL_S = 0.02


class FileMicrophone:
    """A `MicrophoneSource` that is a WAV file of any rate, width and number of channels.

    Args:
        path: the file.
        realtime: bring the sound as slowly as a microphone would.
        tail_s: silence that follows it, seconds.
        channel: which channel, from 0; `None` mixes.
    """

    def __init__(
        self,
        path: Path | str,
        realtime: bool = False,
        tail_s: float = TAIL_S,
        *,
        channel: int | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.path = Path(path)
        self._realtime = realtime
        self._tail_s = tail_s
        self._channel = channel
        self._clock = clock
        self._sound: Samples | None = None
        self._position = 0
        self._began = 0.0
        self._closing = threading.Event()

    @property
    def duration_s(self) -> float:
        """Seconds that it brings, with the silence after it; 0 before it is open."""
        return 0.0 if self._sound is None else len(self._sound) / SAMPLE_RATE

    @property
    def ended(self) -> bool:
        """Whether the recording is over."""
        return self._closing.is_set() or (self._sound is not None and self._position >= len(self._sound))

    def open(self) -> None:
        """Read the file. Opening twice is fine.

        Raises:
            UsageError: it is not there, or not a WAV file.
        """
        if self._sound is not None:
            return
        sound = read_wav(self.path)
        mono = resample(to_mono(sound.block, self._channel), sound.rate, SAMPLE_RATE)
        tail = np.zeros(int(self._tail_s * SAMPLE_RATE), dtype=np.float32)
        self._sound = np.concatenate([mono, tail]).astype(np.float32)
        self._began = self._clock.monotonic()

    def read(self, timeout: float) -> "Samples | None":
        """Return the next 32 ms; `None` when the recording is over or, in real time, they are not due yet."""
        if self._sound is None:
            raise DeviceError(f"The recording {self.path} is not open.")
        if self.ended or (self._realtime and not self._wait_until_due(timeout)):
            return None
        start, self._position = self._position, min(self._position + VAD_FRAME, len(self._sound))
        return self._sound[start : self._position]

    def close(self) -> None:
        """End the recording. Closing twice is fine."""
        self._closing.set()

    def _wait_until_due(self, timeout: float) -> bool:
        due = self._began + (self._position + VAD_FRAME) / SAMPLE_RATE
        wait = due - self._clock.monotonic()
        if wait > 0:
            self._closing.wait(min(wait, timeout))
        return wait <= timeout and not self._closing.is_set()


class NullSpeaker:
    """A `SpeakerSink` that nobody hears: for typed conversations and tests.

    Args:
        realtime: take as long as a device would, so that it can be interrupted.
    """

    def __init__(self, *, realtime: bool = False, clock: Clock = SYSTEM_CLOCK) -> None:
        self._realtime = realtime
        self._clock = clock
        self._play_clock = PlayClock()
        self._lock = threading.RLock()
        self._is_open = False
        self._flushes = 0

    @property
    def written_s(self) -> float:
        """Seconds of sound handed over, less what was flushed."""
        with self._lock:
            return self._play_clock.handed_s

    @property
    def heard_s(self) -> float:
        """Seconds of sound that would have been heard."""
        with self._lock:
            return self._play_clock.heard_s(self._now())

    def open(self) -> None:
        """Get ready. Opening twice is fine."""
        self._is_open = True

    def write(self, samples: "Samples", sample_rate: int, *, scope: CancelScope) -> bool:
        """Take sound over; in real time, blocks while a second of it waits."""
        if not self._is_open:
            raise DeviceError("The loudspeaker is not open.")
        flushes, step = self._flushes, max(1, int(sample_rate * SLICE_S))
        for start in range(0, len(samples), step):
            part = samples[start : start + step]
            if not self._wait_for_room(scope) or flushes != self._flushes:
                return False
            with self._lock:
                self._keep(part, sample_rate)
                self._play_clock.handed(len(part) / sample_rate, self._now())
        return not scope.cancelled

    def flush(self) -> None:
        """Forget what was not heard."""
        with self._lock:
            self._flushes += 1
            self._play_clock.cut(self._now())

    def drain(self, scope: CancelScope) -> bool:
        """Wait until everything handed over has been heard. Returns False when the scope ended first."""
        while not scope.cancelled:
            left = self.written_s - self.heard_s
            if left <= 0 or not self._is_open:
                return True
            scope.wait(min(POLL_S, max(left, 0.001)))
        return False

    def close(self) -> None:
        """Close. Closing twice is fine."""
        self._is_open = False

    def _keep(self, samples: "Samples", rate: int) -> None:
        """Do something with the sound; the file writes it."""

    def _wait_for_room(self, scope: CancelScope) -> bool:
        while not scope.cancelled and self._is_open:
            if not self._realtime or self.written_s - self.heard_s < BUFFER_S:
                return True
            scope.wait(POLL_S)
        return False

    def _now(self) -> float:
        """What plays as fast as it comes has always been heard already."""
        return self._clock.monotonic() if self._realtime else self._play_clock.ends_at


class FileSpeaker(NullSpeaker):
    """A `SpeakerSink` that writes a 16-bit WAV file, valid at every moment, also when the program is killed.

    The rate of the first sound is the rate of the file.

    Args:
        path: the file; an existing one is overwritten.
        realtime: take as long as a device would, so that it can be interrupted.
    """

    def __init__(self, path: Path | str, *, realtime: bool = False, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(realtime=realtime, clock=clock)
        self.path = Path(path)
        self._resampler: Resampler | None = None
        self._file: BinaryIO | None = None
        self._writer: WavWriter | None = None
        self._rate = 0

    def open(self) -> None:
        """Create the file, so that a place that cannot be written to is known before anything is spoken.

        Raises:
            UsageError: it cannot be written.
        """
        if self._file is not None:
            return
        try:
            self._file = self.path.open("wb")
            self._writer = WavWriter(self._file, SAMPLE_RATE)
        except OSError as error:
            raise UsageError(f"The reply cannot be written to {self.path}: {error.strerror or error}.") from error
        super().open()

    def close(self) -> None:
        """Finish the file. Closing twice is fine."""
        with self._lock:
            if self._file is None or self._file.closed:
                return
            try:
                self._finish_resampler()
            finally:
                self._file.close()
        super().close()

    def _keep(self, samples: "Samples", rate: int) -> None:
        if self._rate == 0:
            assert self._file is not None
            self._rate = rate
            self._writer = WavWriter(self._file, rate)
        if rate != self._rate and (self._resampler is None or self._resampler.rate_in != rate):
            self._finish_resampler()
            self._resampler = Resampler(rate, self._rate)
        elif rate == self._rate:
            self._finish_resampler()
        self._write(self._resampler.process(samples) if self._resampler else samples)

    def _finish_resampler(self) -> None:
        if self._resampler is not None:
            self._write(self._resampler.flush())
            self._resampler = None

    def _write(self, samples: "Samples") -> None:
        assert self._writer is not None
        try:
            self._writer.write(samples)
        except OSError as error:
            raise DeviceError(f"The reply cannot be written to {self.path}: {error.strerror or error}.") from error
