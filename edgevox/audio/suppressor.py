"""Takes the assistant's own voice out of a person's words that are spoken over it.

What the loudspeaker is expected to bring is subtracted from the spectrum (Boll 1979, power subtraction with a floor),
by a filter of minimum phase that changes sixty times a second: it delays nothing, and where nothing is to be taken away
the sound passes bit by bit. It needs no sample-exact clock, which devices do not have. Knows spectra; how loud and how
late an echo is, `coupling` knows.
"""

from typing import TYPE_CHECKING

import numpy as np

from edgevox.audio.bands import FFT, power_spectra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

    Spectrum = NDArray[np.float32]
    """Power of each of the `FFT // 2 + 1` lines."""

BLOCK = FFT // 2
"""Samples between two changes of the filter: 16 ms."""
OVER = 10.0
"""How much more than the expected echo is taken away: what is left of it sounds like words, what is lost does not."""
FLOOR = 0.05
"""What is left of a line that is only echo, as amplitude."""
DECAY = 0.69
"""How fast a room forgets, power from one block to the next: 1 dB in 10 ms."""


class EchoSuppressor:
    """Filters one stream. Every sample must pass through it, in order."""

    def __init__(self) -> None:
        self._past = np.zeros(BLOCK, dtype=np.float32)
        self._filter = _IDENTITY
        self._tail = np.zeros(BLOCK + 1, dtype=np.float32)

    def process(self, frame: "Samples", echo: "NDArray[np.float32] | None") -> "Samples":
        """Take the echo out of a frame.

        Args:
            frame: mono, 16 kHz, shape (n,), n a multiple of `BLOCK`; other lengths pass untouched.
            echo: power of the expected echo, one spectrum for each block; `None` where none is expected.
        """
        if len(frame) % BLOCK:
            return frame
        if echo is None and self._filter is _IDENTITY:
            self._past = frame[-BLOCK:]
            return frame
        blocks = frame.reshape(-1, BLOCK)
        if echo is None:
            self._tail[:] = 0.0
            echo = np.zeros((len(blocks), BLOCK + 1), dtype=np.float32)
        cleaned = [self._block(block, expected) for block, expected in zip(blocks, echo, strict=True)]
        return np.concatenate(cleaned)

    def _block(self, block: "Samples", expected: "Spectrum") -> "Samples":
        sound = np.concatenate([self._past, block])
        self._past = block
        self._tail = np.maximum(expected, self._tail * DECAY)
        before, self._filter = self._filter, self._next_filter(sound)
        if before is self._filter is _IDENTITY:
            return block
        spectrum = np.fft.rfft(sound)
        old, new = (np.fft.irfft(spectrum * np.fft.rfft(taps, FFT))[BLOCK:] for taps in (before, self._filter))
        return (old + (new - old) * _RAMP).astype(np.float32)

    def _next_filter(self, sound: "Samples") -> "NDArray[np.float64]":
        """The taps that turn the spectrum of now into what is not explained by the echo."""
        if not self._tail.any():
            return _IDENTITY
        power = power_spectra(sound, 1)[0]
        share = 1.0 - OVER * self._tail / np.maximum(power, 1e-12)
        return _minimum_phase(np.sqrt(np.maximum(share, FLOOR**2)))


def _minimum_phase(gain: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return taps with these gains that act as early as can be (the folded cepstrum, Oppenheim and Schafer)."""
    cepstrum = np.fft.irfft(np.log(gain), FFT)
    return np.fft.irfft(np.exp(np.fft.rfft(cepstrum * _FOLD)), FFT)[:BLOCK]


def _fold() -> "NDArray[np.float64]":
    fold = np.zeros(FFT)
    fold[0] = fold[FFT // 2] = 1.0
    fold[1 : FFT // 2] = 2.0
    return fold


_FOLD = _fold()
_IDENTITY = np.concatenate([[1.0], np.zeros(BLOCK - 1)])
_RAMP = np.linspace(0.0, 1.0, BLOCK, endpoint=False) + 1.0 / BLOCK
