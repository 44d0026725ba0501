"""How loud and how late the microphone hears the loudspeaker.

The delay is where the ups and downs of both agree best; the coupling of a band is the usual distance between the two
there. Both are learned from what is played anyway, and learned anew when the volume or the room changes. The method is
plain envelope correlation: it needs no sample-exact clock, which devices do not have.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from edgevox.audio.bands import BANDS, BandHistory, band_of_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Row = NDArray[np.float32]
    Rows = NDArray[np.float32]

WINDOW_ROWS = 250
"""Rows that are compared: 2.5 s."""
EARLIEST, LATEST = -6, 60
"""Delays that are looked for, in rows of 10 ms; below zero when a device's clock is told too early."""
SMEAR = 2
"""Rows by which an echo may be earlier or later than the delay says."""
ENOUGH_ROWS = 40
"""Rows with sound from the loudspeaker that a judgement needs."""
ACTIVE_DB = -62.0
"""A band of the reference above this counts as sound."""
BELOW_PEAK_DB = 30.0
"""What is so much quieter than the loudest does not take part in learning."""
SURE = 0.6
"""Correlation from which a delay is believed, once it was found twice running."""
FLOOR_BELOW_DB = 45.0
"""What is so far below the loudest counts as silence when envelopes are compared."""
LEAST_VARIANCE = 4.0
"""A band whose level varied less says nothing about the delay, dB²."""
LEARN = 0.4
"""How much of a newly measured coupling is taken over when the agreement is perfect."""
USUAL = 55
"""Percentile of the measured distances that counts as usual: somebody who speaks too moves the upper ones only."""
UNKNOWN_DB = 6.0
"""Coupling that is assumed before any was measured: a loud loudspeaker right beside the microphone."""
QUIET_DB = 9.0
"""A microphone that stays so close to its own noise, averaged over the bands, does not hear the loudspeaker at all."""
LEAST_NOISE_DB = -78.0
"""Noise of a band that is taken for granted: a virtual device is silent to the last bit, and any breath stands out."""


_BAND_OF_LINES = band_of_lines()


class Coupling:
    """The path from the loudspeaker to the microphone as far as it is known."""

    def __init__(self) -> None:
        self.delay: int | None = None
        """In rows of 10 ms; `None` before it was found."""
        self.gain_db: Row = np.full(BANDS, UNKNOWN_DB, dtype=np.float32)
        """Per band, what is added to the reference to predict the echo."""
        self.correlation = 0.0
        """How well the two agreed when they were compared last, 0 to 1."""
        self._candidate: int | None = None
        self._measured = False

    def learn(self, reference: BandHistory, microphone: BandHistory, noise_db: "Row") -> None:
        """Compare the last seconds of both.

        Args:
            reference: what was played.
            microphone: what was heard.
            noise_db: the microphone's own noise, per band.
        """
        last = microphone.latest
        heard = microphone.rows(last - WINDOW_ROWS + 1, WINDOW_ROWS)
        played = reference.rows(last - WINDOW_ROWS + 1 - LATEST, WINDOW_ROWS + LATEST - EARLIEST)
        if np.count_nonzero((played > ACTIVE_DB).any(axis=1)) < ENOUGH_ROWS:
            return
        scores = _agreements(heard, played)
        best = int(scores.argmax())
        self.correlation = float(scores[best])
        if self.correlation < SURE:
            self._candidate = None
            if self.delay is None:
                self._look_for_headphones(heard, played, noise_db)
        elif self._believe(best + EARLIEST):
            self._measure(heard, self._smeared(played), noise_db)

    def predict(self, reference: BandHistory, first: int, count: int) -> "Rows":
        """Return the echo to expect in `count` rows from `first` on, in dB, shape (count, bands)."""
        if self.delay is None:
            played = reference.rows(first - LATEST, count + LATEST - EARLIEST)
            widest = _running_max(played, LATEST - EARLIEST + 1)[:count]
            return widest + self.gain_db
        played = reference.rows(first - self.delay - SMEAR, count + 2 * SMEAR)
        return _running_max(played, 2 * SMEAR + 1) + self.gain_db

    def predict_spectra(self, reference: BandHistory, rows: Sequence[int]) -> "Rows | None":
        """Return the echo to expect at the end of some rows, as power of every line, shape (len(rows), lines).

        `None` before the coupling was learned.
        """
        if self.delay is None:
            return None
        around = [reference.spectra(row - self.delay - SMEAR, 2 * SMEAR + 1).max(axis=0) for row in rows]
        return np.stack(around) * np.power(10.0, self.gain_db[_BAND_OF_LINES] / 10.0)

    def _believe(self, delay: int) -> bool:
        """Take a delay over that was found twice running. Returns whether it is the one in use."""
        # The smear covers small changes; following every one would make the prediction jump.
        if self.delay is not None and abs(delay - self.delay) <= 1:
            self._candidate = None
            return True
        found_before = self._candidate is not None and abs(delay - self._candidate) <= 1
        self._candidate = delay
        if found_before:
            self.delay = delay
        return found_before

    def _smeared(self, played: "Rows") -> "Rows":
        assert self.delay is not None
        start = LATEST - self.delay - SMEAR
        padded = np.pad(played, ((SMEAR, SMEAR), (0, 0)), mode="edge")
        return _running_max(padded[start + SMEAR : start + SMEAR + WINDOW_ROWS + 2 * SMEAR], 2 * SMEAR + 1)

    def _measure(self, heard: "Rows", expected: "Rows", noise_db: "Row") -> None:
        """Take over the usual distance per band, over the rows in which the echo should stand out of the noise."""
        loud = (expected > ACTIVE_DB) & (expected > expected.max(axis=0) - BELOW_PEAK_DB)
        share = LEARN * (self.correlation - SURE) / (1.0 - SURE) if self._measured else 1.0
        for band in range(BANDS):
            rows = loud[:, band]
            if np.count_nonzero(rows) < ENOUGH_ROWS // 2:
                continue
            audible = rows & (heard[:, band] > noise_db[band] + 3.0)
            if np.count_nonzero(audible) >= ENOUGH_ROWS // 2:
                usual = float(np.percentile(heard[audible, band] - expected[audible, band], USUAL))
            else:
                # Nothing of this band comes through: the noise is all that the echo can be.
                usual = min(float(np.median(noise_db[band] - expected[rows, band])), 0.0)
            self.gain_db[band] += share * (usual - self.gain_db[band])
        self._measured = True

    def _look_for_headphones(self, heard: "Rows", played: "Rows", noise_db: "Row") -> None:
        """Lower the assumed coupling when the loudspeaker plays and the microphone hears only its own noise."""
        widest = _running_max(played, LATEST - EARLIEST + 1)[:WINDOW_ROWS]
        active = (widest > ACTIVE_DB).any(axis=1)
        if np.count_nonzero(active) < 2 * ENOUGH_ROWS:
            return
        noise_db = np.maximum(noise_db, LEAST_NOISE_DB)
        if float(np.percentile((heard[active] - noise_db).mean(axis=1), 90)) > QUIET_DB:
            return
        for band in range(BANDS):
            rows = widest[:, band] > ACTIVE_DB
            if np.count_nonzero(rows) >= ENOUGH_ROWS:
                bound = float(np.percentile(noise_db[band] + QUIET_DB - widest[rows, band], 50))
                self.gain_db[band] = min(float(self.gain_db[band]), bound)


def _agreements(heard: "Rows", played: "Rows") -> "NDArray[np.float32]":
    """Correlation of the two envelopes for every delay, averaged over the bands in which something was played."""
    a = np.maximum(played, played.max() - FLOOR_BELOW_DB)
    b = np.maximum(heard, heard.max() - FLOOR_BELOW_DB)
    b = b - b.mean(axis=0)
    windows = np.lib.stride_tricks.sliding_window_view(a, WINDOW_ROWS, axis=0)
    products = np.einsum("lbw,wb->lb", windows, b, optimize=True)
    sums = np.cumsum(np.pad(np.stack([a, a * a]).astype(np.float64), ((0, 0), (1, 0), (0, 0))), axis=1)
    total, squares = sums[:, WINDOW_ROWS:] - sums[:, :-WINDOW_ROWS]
    variance = np.maximum(squares / WINDOW_ROWS - (total / WINDOW_ROWS) ** 2, 0.0)
    useful = variance > LEAST_VARIANCE
    power = WINDOW_ROWS * np.sqrt(variance * np.maximum((b * b).mean(axis=0), 1e-6))
    scores = np.where(useful, products / np.maximum(power, 1e-6), 0.0).sum(axis=1) / np.maximum(useful.sum(axis=1), 1)
    return np.where(useful.sum(axis=1) >= BANDS // 3, scores, 0.0)[::-1].astype(np.float32)


def _running_max(rows: "Rows", width: int) -> "Rows":
    """Maximum over `width` rows, for every row from which so many follow."""
    return np.lib.stride_tricks.sliding_window_view(rows, width, axis=0).max(axis=-1)
