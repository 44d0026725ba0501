"""Sound as energies in a dozen bands every 10 ms, placed on one time line that two streams can share.

Knows nothing of echo; `coupling` compares two of these.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from edgevox.core.frames import SAMPLE_RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

HOP = 160
"""Samples between two rows: 10 ms."""
HOP_S = HOP / SAMPLE_RATE
WINDOW = 320
FFT = 512
BANDS = 12
LOWEST_HZ, HIGHEST_HZ = 150.0, 7000.0
SILENCE_DB = -100.0
HISTORY = 1024
"""Rows that are kept: ten seconds."""
LATE_S = 0.25
"""A stream with late time stamps that are off by more has been interrupted, seconds."""
EXACT_S = 0.015
"""A stream with exact time stamps that are off by more has been interrupted, seconds."""
DRIFT = 0.0005
"""How fast the clock of a stream may run away from ours: 0.5 ms a second, a bad crystal."""


class SampleClock:
    """Turns jittering time stamps into the time of every sample, by counting samples.

    Args:
        late: time stamps can be late by however long a thread had to wait, never early, so the earliest is believed;
            otherwise they are exact, and a pause between two pieces is one.
    """

    def __init__(self, *, late: bool) -> None:
        self._late = late
        self._count = 0
        self._origin: float | None = None

    def place(self, samples: int, at: float) -> tuple[float, bool]:
        """Note `samples` that begin at about `at` seconds.

        Returns:
            When they begin, and whether they follow the ones before.
        """
        origin = at - self._count / SAMPLE_RATE
        jump = LATE_S if self._late else EXACT_S
        follows = self._origin is not None and abs(origin - self._origin) < jump
        if self._origin is None or not follows:
            self._origin, self._count = at, 0
        elif self._late:
            self._origin = min(origin, self._origin + DRIFT * samples / SAMPLE_RATE)
        starts = self._origin + self._count / SAMPLE_RATE
        self._count += samples
        return starts, follows


class BandHistory:
    """The last seconds of one stream, as rows of band energies in dB on a grid of 10 ms.

    Args:
        late: whether its time stamps can be late, as those of a microphone, or are exact.
        fine: whether a finer spectrum is kept too for each row (`spectra`).
    """

    def __init__(self, *, late: bool, fine: bool = False) -> None:
        self._rows = np.full((HISTORY, BANDS), SILENCE_DB, dtype=np.float32)
        self._spectra = np.zeros((HISTORY, FFT // 2 + 1), dtype=np.float32) if fine else None
        self._stamps = np.full(HISTORY, -1, dtype=np.int64)
        self._late = late
        self._clock = SampleClock(late=late)
        self._rest = np.zeros(0, dtype=np.float32)
        self._before = np.zeros(FFT - WINDOW, dtype=np.float32)
        """The samples before the rest, for the windows of the finer spectra."""
        self._next = 0
        self.latest = -1
        """Number of the newest row; -1 before the first."""

    def push(self, samples: "Samples", at: float) -> "tuple[int, NDArray[np.float32]]":
        """Add sound that begins at about `at` seconds.

        Returns:
            The number of the first new row, and the new rows; there may be none yet.
        """
        starts, follows = self._clock.place(len(samples), at)
        if not follows:
            self._rest = np.zeros(0, dtype=np.float32)
            self._before[:] = 0.0
            self._next = max(round(starts / HOP_S), 0)
        sound = np.concatenate([self._rest, samples])
        count = max(0, (len(sound) - WINDOW) // HOP + 1)
        if follows and count:
            self._follow_drift(starts - len(self._rest) / SAMPLE_RATE)
        first = self._next
        rows = band_energies(sound, count)
        numbers = np.arange(first, first + count)
        self._rows[numbers % HISTORY] = rows
        if self._spectra is not None:
            whole = np.concatenate([self._before, sound])
            self._spectra[numbers % HISTORY] = power_spectra(whole, count)
            self._before = whole[count * HOP :][: len(self._before)]
        self._stamps[numbers % HISTORY] = numbers
        self._rest = sound[count * HOP :]
        self._next = first + count
        if count:
            self.latest = self._next - 1
        return first, rows

    def rows(self, first: int, count: int) -> "NDArray[np.float32]":
        """Return `count` rows from number `first` on; what was never heard is silence."""
        numbers = np.arange(first, first + count)
        rows = self._rows[numbers % HISTORY].copy()
        rows[self._stamps[numbers % HISTORY] != numbers] = SILENCE_DB
        return rows

    @property
    def end(self) -> int:
        """Where the sound ends, in samples on the grid; row number n ends at sample `n * HOP + WINDOW`."""
        return self._next * HOP + len(self._rest)

    def spectra(self, first: int, count: int) -> "NDArray[np.float32]":
        """Return `count` finer spectra from row number `first` on: the last 32 ms at the end of each row."""
        assert self._spectra is not None, "spectra are not kept"
        numbers = np.arange(first, first + count)
        spectra = self._spectra[numbers % HISTORY].copy()
        spectra[self._stamps[numbers % HISTORY] != numbers] = 0.0
        return spectra

    def forget_from(self, at: float) -> None:
        """Forget what was to begin at `at` seconds or later."""
        self._stamps[self._stamps >= round(at / HOP_S)] = -1
        self._clock = SampleClock(late=self._late)

    def _follow_drift(self, starts: float) -> None:
        """Skip or repeat a row when the grid has moved by more than one against the clock."""
        off = starts / HOP_S - self._next
        if abs(off) > 1.0:
            self._next += round(off)


def power_spectra(sound: "Samples", count: int) -> "NDArray[np.float32]":
    """Return the spectra of `count` windows of 32 ms, 10 ms apart, as mean square amplitude, shape (count, lines).

    The window rises slowly and falls soon: what has just begun counts at once.
    """
    if count == 0:
        return np.zeros((0, FFT // 2 + 1), dtype=np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(sound, FFT)[::HOP][:count]
    spectrum = np.fft.rfft(windows * _LATE_WINDOW, axis=1)
    return ((spectrum.real**2 + spectrum.imag**2) * _LATE_SCALE).astype(np.float32)


def band_energies(sound: "Samples", count: int) -> "NDArray[np.float32]":
    """Return the energies of `count` windows, 10 ms apart, in dB below full scale, shape (count, bands)."""
    if count == 0:
        return np.zeros((0, BANDS), dtype=np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP][:count]
    spectrum = np.fft.rfft(windows * _WINDOW, n=FFT, axis=1)
    power = (spectrum.real**2 + spectrum.imag**2) @ _FILTERS
    return (10.0 * np.log10(np.maximum(power, 1e-10))).astype(np.float32)


def band_of_lines() -> "NDArray[np.int64]":
    """Return the band of each line of a spectrum; lines outside count to the nearest band."""
    frequencies = np.fft.rfftfreq(FFT, 1 / SAMPLE_RATE)
    return np.clip(np.searchsorted(_EDGES, frequencies, side="right") - 1, 0, BANDS - 1)


def _band_edges() -> "NDArray[np.float64]":
    low, high = (2595 * math.log10(1 + hz / 700) for hz in (LOWEST_HZ, HIGHEST_HZ))
    return np.array([700 * (10 ** (mel / 2595) - 1) for mel in np.linspace(low, high, BANDS + 1)])


def _band_filters() -> "NDArray[np.float64]":
    """Rectangular bands, equally wide on the mel scale (O'Shaughnessy's formula), scaled to mean square amplitude."""
    frequencies = np.fft.rfftfreq(FFT, 1 / SAMPLE_RATE)
    band = np.searchsorted(_EDGES, frequencies, side="right") - 1
    filters = np.zeros((len(frequencies), BANDS))
    inside = (band >= 0) & (band < BANDS)
    filters[np.flatnonzero(inside), band[inside]] = 2.0 / (FFT * float((_WINDOW**2).sum()))
    return filters


_WINDOW = np.hanning(WINDOW)
_RISE, _FALL = 400, FFT - 400
_LATE_WINDOW = np.concatenate([np.hanning(2 * _RISE + 1)[:_RISE], np.hanning(2 * _FALL + 1)[_FALL : 2 * _FALL]])
_LATE_SCALE = 2.0 / (FFT * float((_LATE_WINDOW**2).sum()))
_EDGES = _band_edges()
_FILTERS = _band_filters()
