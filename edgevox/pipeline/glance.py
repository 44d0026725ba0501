"""A quick look at speech that has not ended: is somebody saying a stop word?

A recogniser that writes down what it hears has to choose, and a word by itself is where it chooses worst: a shouted
"stop" becomes "dub". Asked how well *stop* fits the sound it is much surer, and sooner. Knows thresholds; what a stop
does and whether anything is there to be stopped is the safety monitor's business.
"""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from edgevox.core.frames import SAMPLE_RATE
from edgevox.core.ports import SpeechToText, WordScorer

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

NOISE_RMS, LOWEST_HZ = 0.05, 50
"""Level and lower end of the noise on which the readiness of a recogniser is measured."""

WORDS = 4
"""Words that are looked for at most; each costs a few milliseconds."""

PAUSING = -4.5
"""Logarithm of the probability above which a word was said that has just ended. `docs/safety.md` has the figures."""

SPEAKING = -2.0
"""The same while the voice goes on: it may become another word that begins alike ("start")."""

READINESS = 0.7
"""How far the bar follows the readiness of a recogniser to write a word: a rare one never fits as well as *stop*."""

LEAST_SPEECH_S = 0.25
"""Voice that a look into a word needs, seconds: before, every word that begins alike is the same."""


class Glance:
    """Looks for the safety monitor's words in sound, with a recogniser that can score words.

    Args:
        words: returns the words to look for, most usual first.
        is_active: whether there is anything to stop; at rest nothing is looked at.
    """

    def __init__(self, words: Callable[[], Sequence[str]], is_active: Callable[[], bool]) -> None:
        self._words = words
        self._is_active = is_active
        self._bars: tuple[WordScorer | None, tuple[str, ...], list[float]] = (None, (), [])

    def word_in(self, stt: SpeechToText, samples: "Samples", speech_s: float, *, pausing: bool) -> str | None:
        """Return the word that the sound begins with, or `None`.

        Args:
            stt: the recogniser; one that cannot score words is not asked.
            samples: mono, 16 kHz, shape (n,): one run of voice with a little sound before it.
            speech_s: how much of it was voiced, seconds.
            pausing: whether the voice has fallen silent.
        """
        if not isinstance(stt, WordScorer) or not (pausing or speech_s >= LEAST_SPEECH_S) or not self._is_active():
            return None
        words = tuple(self._words()[:WORDS])
        scores, bar = stt.score(samples, words), PAUSING if pausing else SPEAKING
        if max(scores, default=bar) < bar:  # a word that fits anyway does not wait for the bars to be measured
            scores = [score + less for score, less in zip(scores, self._lower_bars(stt, words), strict=True)]
        word, score = max(zip(words, scores, strict=True), key=lambda each: each[1], default=("", float("-inf")))
        if score < bar:
            return None
        log.debug("%r fits %.2f s of voice (%.1f)", word, speech_s, score)
        return word

    def _lower_bars(self, stt: "WordScorer", words: tuple[str, ...]) -> list[float]:
        """How much lower the bar is for each word than for the first: measured once, on noise that says nothing."""
        known, of, bars = self._bars
        if known is not stt or of != words:
            scores = stt.score(_noise(), words)
            bars = [READINESS * max(0.0, scores[0] - score) for score in scores]
            self._bars = (stt, words, bars)
        return bars


def _noise() -> "Samples":
    """A second of noise whose power falls with the frequency, as speech's does on the whole."""
    import numpy as np

    spectrum = np.fft.rfft(np.random.default_rng(1).normal(size=SAMPLE_RATE))
    lines = np.maximum(np.arange(len(spectrum)), LOWEST_HZ)
    noise = np.fft.irfft(spectrum / np.sqrt(lines), SAMPLE_RATE)
    return (NOISE_RMS * noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
