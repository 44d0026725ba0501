"""Telling the assistant's own voice, heard back by the microphone, from a person's.

Hears what the loudspeaker plays and when (`reference`), learns how much of it the microphone hears and how late
(`coupling`), and says of every frame whether it is explained by that. Somebody who speaks at the same time is louder
than the prediction in some bands, and passes. Knows neither words nor devices.
"""

import threading
from typing import TYPE_CHECKING, cast

import numpy as np

from edgevox.audio.bands import BANDS, HOP, HOP_S, SILENCE_DB, WINDOW, BandHistory
from edgevox.audio.coupling import ACTIVE_DB, LATEST, Coupling
from edgevox.audio.suppressor import BLOCK, EchoSuppressor
from edgevox.core.frames import SAMPLE_RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

TAIL_ROWS = 25
"""Rows after the last sound that still count as echo: 250 ms."""
DECAY_DB = 1.0
"""How fast a room forgets, dB per row: 60 dB in 0.6 s, a furnished living room."""
MARGIN = 5.0
"""A band with this many times the predicted power holds something else."""
BANDS_NEEDED = 2
"""Bands in which somebody must stand out."""
SHARE_NEEDED = 0.05
"""Share of a row's power that must be unexplained."""
RECENT = 8
"""Rows over which a decision is made: 80 ms."""
ROWS_NEEDED = 4
"""Rows of `RECENT` in which somebody must stand out."""
HOLD_ROWS = 22
"""Rows for which somebody who stood out counts as still speaking."""
LEARN_EVERY = 4
"""Frames between two comparisons."""
NOISE_UP_DB = 0.05
"""How fast the estimate of the noise rises, dB per row."""
NOISE_DOWN = 0.1
"""How much of the way down it goes in a row that is quieter."""
LEAST_GAIN = 0.05
"""What is left of a frame that is only echo."""


class EchoGuard:
    """Keeps the assistant from hearing itself without making it deaf to others.

    `reference` and `cut` may be called from any thread; `process` belongs to one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._played = BandHistory(late=False, fine=True)
        self._heard = BandHistory(late=True)
        self._coupling = Coupling()
        self._suppressor = EchoSuppressor()
        self._noise = np.full(BANDS, SILENCE_DB, dtype=np.float32)
        self._noise_known = False
        self._tail = np.full(BANDS, SILENCE_DB, dtype=np.float32)
        self._recent = np.zeros(RECENT, dtype=bool)
        self._hold = 0
        self._frames = 0
        self._gain = 1.0

    @property
    def delay_s(self) -> float | None:
        """How late the microphone hears the loudspeaker, seconds; `None` before it was learned."""
        return None if self._coupling.delay is None else self._coupling.delay * HOP_S

    @property
    def coupling_db(self) -> float | None:
        """How much quieter the microphone hears it, dB; `None` before it was learned."""
        return None if self._coupling.delay is None else float(np.median(self._coupling.gain_db))

    def reference(self, samples: "Samples", at: float) -> None:
        """Hear what the loudspeaker plays.

        Args:
            samples: mono, 16 kHz, shape (n,).
            at: when the first of them leaves the loudspeaker, seconds on the monotonic clock.
        """
        with self._lock:
            self._played.push(samples, at)

    def cut(self, at: float) -> None:
        """Forget what was announced for `at` or later: the loudspeaker fell silent early."""
        with self._lock:
            self._played.forget_from(at)

    def process(self, frame: "Samples", at: float) -> "tuple[Samples, bool]":
        """Judge one frame from the microphone.

        Args:
            frame: mono, 16 kHz, shape (n,).
            at: when its last sample was captured, seconds on the monotonic clock; may be late.

        Returns:
            The frame without the echo that is expected in it, made quieter where it is nothing else, and whether it is
            nothing but echo. While nothing is played it is returned as it is.
        """
        with self._lock:
            first, rows = self._heard.push(frame, at - len(frame) / SAMPLE_RATE)
            playing = self._is_playing(first, len(rows))
            nearness = self._judge(first, rows, playing=playing)
            frame = self._suppressor.process(frame, self._expected(len(frame)) if playing else None)
            self._frames += 1
            if playing and self._frames % LEARN_EVERY == 0:
                self._coupling.learn(self._played, self._heard, self._noise)
        if not playing:
            self._hold = 0
            self._recent[:] = False
            return self._fade(frame, 1.0), False
        only_echo = self._hold == 0
        return self._fade(frame, max(LEAST_GAIN, nearness) if only_echo else 1.0), only_echo

    def _is_playing(self, first: int, count: int) -> bool:
        """Whether the loudspeaker can be heard in these rows, its tail included."""
        delay = self._coupling.delay
        late, early = (LATEST, 0) if delay is None else (delay, delay)
        rows = self._played.rows(first - late - TAIL_ROWS, count + late + TAIL_ROWS + 2 - early)
        return bool((rows > ACTIVE_DB).any())

    def _expected(self, samples: int) -> "NDArray[np.float32] | None":
        """The echo to take out of a frame that has just been heard, one spectrum for each block."""
        ends = [self._heard.end - behind for behind in range(0, samples, BLOCK)][::-1]
        return self._coupling.predict_spectra(self._played, [round((end - WINDOW) / HOP) for end in ends])

    def _judge(self, first: int, rows: "NDArray[np.float32]", *, playing: bool) -> float:
        """Follow the rows one by one; return how much of their energy is not explained, 0 to 1."""
        if len(rows) == 0:
            return 0.0
        if not playing:
            self._tail[:] = SILENCE_DB
            for row in rows:
                self._follow_noise(row)
            return 1.0
        expected = self._coupling.predict(self._played, first, len(rows))
        unexplained = total = 0.0
        for row, echo in zip(rows, expected, strict=True):
            self._tail = np.maximum(echo, self._tail - DECAY_DB)
            explained = _power(self._tail) + _power(self._noise)
            power = _power(row)
            bands = int(np.count_nonzero(power > MARGIN * explained))
            rest = float(np.maximum(power - 2.0 * explained, 0.0).sum())
            self._note(bands >= BANDS_NEEDED and rest > SHARE_NEEDED * float(power.sum()))
            unexplained += rest
            total += float(power.sum())
            self._follow_noise(row)
        return (unexplained / total) ** 0.5 if total > 0 else 0.0

    def _note(self, stands_out: bool) -> None:
        self._recent = np.roll(self._recent, -1)
        self._recent[-1] = stands_out
        if np.count_nonzero(self._recent) >= ROWS_NEEDED:
            self._hold = HOLD_ROWS
        else:
            self._hold = max(0, self._hold - 1)

    def _follow_noise(self, row: "NDArray[np.float32]") -> None:
        """Follow the quiet parts: down soon, up slowly (minimum statistics, Martin 2001, simplified)."""
        if not self._noise_known:
            self._noise, self._noise_known = row.copy(), True
        below = row < self._noise
        self._noise += np.where(below, NOISE_DOWN * (row - self._noise), NOISE_UP_DB)

    def _fade(self, frame: "Samples", gain: float) -> "Samples":
        """Move from the gain of the frame before to this one, so that nothing clicks."""
        before, self._gain = self._gain, gain
        if before == gain == 1.0:
            return frame
        ramp = np.linspace(before, gain, len(frame), dtype=np.float32)
        return cast("Samples", frame * ramp)


def _power(db: "NDArray[np.float32]") -> "NDArray[np.float32]":
    return cast("NDArray[np.float32]", np.power(10.0, db / 10.0))
