"""A quick look at speech that has not ended: is somebody saying a stop word?

A recogniser that writes down what it hears has to choose, and a word by itself is where it chooses worst: a shouted
"stop" becomes "dub". Asked how well *stop* fits the sound it is much surer, and sooner. Knows thresholds; what a stop
does and whether anything is there to be stopped is the safety monitor's business.
"""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from edgevox.core.ports import SpeechToText, WordScorer

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

WORDS = 4
"""Words that are looked for at most; each costs a few milliseconds."""

PAUSING = -4.5
"""Logarithm of the probability above which a word was said that has just ended. `docs/safety.md` has the figures."""

SPEAKING = -2.0
"""The same while the voice goes on: it may become another word that begins alike ("start")."""

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
        words = self._words()[:WORDS]
        scores = stt.score(samples, words)
        word, score = max(zip(words, scores, strict=True), key=lambda each: each[1], default=("", float("-inf")))
        if score < (PAUSING if pausing else SPEAKING):
            return None
        log.debug("%r fits %.2f s of voice (%.1f)", word, speech_s, score)
        return word
