"""Speech to text with Whisper: windows, a bounded number of tries, one transcript.

Knows when to try again and how to join windows. What a decoding takes is in `whisper_model`, what its words are worth
in `hearing`.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.core.errors import LanguageUnsupported, SpeechError
from edgevox.core.frames import SAMPLE_RATE
from edgevox.core.ports import Transcript
from edgevox.speech.hearing import collapse, loops, rejection
from edgevox.speech.whisper_model import FULL_CONTEXT, Attempt, Decoder, context_frames

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

MIN_SAMPLES = SAMPLE_RATE // 20
"""Less than 50 ms cannot hold a word."""

QUIET = 1e-4
"""Sound whose peak stays below this is digital silence: the model is not asked."""

WINDOW_S = 28.0
"""Longest window; Whisper's own limit is 30 s."""

CUT_SEARCH_S = 6.0
"""A longer recording is cut at the quietest moment of the last part of a window."""

TOKENS_PER_S = 15
TOKENS_AT_LEAST = 24
"""Fast speech has some 7 tokens a second, in scripts that are rare in training twice that: what is longer is a loop."""

RETRY_TEMPERATURE = 0.4

SCORE_CONTEXT = 300
"""Mel frames (3 s) that the encoder sees when words are only scored: nothing can loop there, so it needs no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How hard to try."""

    beam: int
    temperature: float
    full_context: bool = False


class WhisperRecognizer:
    """Turns utterances into words with a Whisper model.

    Args:
        load: loads the model when `open` is called.
        language: two-letter code that it listens for; `None` detects it for every utterance.
        beam_size: hypotheses kept in final transcriptions; partial ones keep one.
    """

    def __init__(self, load: Callable[[], Decoder], *, language: str | None = "en", beam_size: int = 1) -> None:
        self.language = language
        self._load = load
        self._beam = beam_size
        self._decoder: Decoder | None = None

    def open(self) -> None:
        """Load the model. Opening twice is fine.

        Raises:
            ModelError, LibraryMissing: what is missing and the command that gets it.
            LanguageUnsupported: this model does not hear the language.
        """
        if self._decoder is not None:
            return
        decoder = self._load()
        if self.language not in (None, "en") and not decoder.multilingual:
            raise LanguageUnsupported(
                f"This speech model hears English alone, not {self.language}: "
                "get the multilingual one with `edgevox models get whisper-base`."
            )
        self._decoder = decoder

    def transcribe(self, samples: "Samples", *, partial: bool = False) -> Transcript:
        """Return the words in `samples`; silence and noise are no words.

        Args:
            samples: mono, 16 kHz, float32, shape (n,), any length.
            partial: one quick try: the speech goes on.

        Raises:
            SpeechError: not opened, or the library failed.
        """
        if self._decoder is None:
            raise SpeechError("The recogniser was used before it was opened.")
        if samples.ndim != 1:
            raise SpeechError(f"Speech is recognised in one channel, not in sound of shape {samples.shape}.")
        began = time.perf_counter()
        sound = np.nan_to_num(samples.astype(np.float32, copy=False))
        heard = [self._hear(self._decoder, window, partial) for window in windows(sound)]
        return replace(_joined(heard, self.language or "en"), took_ms=(time.perf_counter() - began) * 1000)

    def score(self, samples: "Samples", words: Sequence[str]) -> Sequence[float]:
        """Return how likely the sound begins with each of the words, as natural logarithms (`core.ports.WordScorer`).

        Args:
            samples: mono, 16 kHz, float32, shape (n,); what is longer than 3 s is not looked at.
            words: words or phrases; each is tried as the beginning of a sentence and in the middle of one.

        Raises:
            SpeechError: not opened, or the library failed.
        """
        if self._decoder is None:
            raise SpeechError("The recogniser was used before it was opened.")
        sound = np.nan_to_num(samples.astype(np.float32, copy=False))
        if not words or sound.size < MIN_SAMPLES or float(np.max(np.abs(sound))) < QUIET:
            return [float("-inf")] * len(words)
        encoded = self._decoder.encode(self._decoder.features(sound), SCORE_CONTEXT)
        texts = [spelled for word in words for spelled in (f" {word}", f" {word[:1].upper()}{word[1:]}")]
        scores = self._decoder.score(encoded, self.language or "en", texts)
        return [max(pair) for pair in zip(scores[::2], scores[1::2], strict=True)]

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        self._decoder = None

    def _hear(self, decoder: Decoder, window: "Samples", partial: bool) -> Transcript:
        language = self.language
        if window.size < MIN_SAMPLES or float(np.max(np.abs(window))) < QUIET:
            return Transcript(text="", language=language or "en", rejected="no_speech")
        tries = _Tries(decoder, window)
        language = language or tries.detect_language()
        attempt = tries.best(self._plan(partial), language)
        reason = rejection(attempt, language)
        return Transcript(
            text="" if reason else collapse(attempt.text),
            language=language,
            confidence=float(np.exp(min(0.0, attempt.avg_logprob))),
            rejected=reason,
        )

    def _plan(self, partial: bool) -> Iterator[Decoding]:
        """Yield what to try while the words loop. Unsure words are not tried again: that made them no surer."""
        yield Decoding(beam=1 if partial else self._beam, temperature=0.0)
        if not partial:
            yield Decoding(beam=self._beam, temperature=0.0, full_context=True)
            yield Decoding(beam=1, temperature=RETRY_TEMPERATURE, full_context=True)


class _Tries:
    """Decodings of one window, each harder than the one before."""

    def __init__(self, decoder: Decoder, window: "Samples") -> None:
        self._decoder = decoder
        self._features = decoder.features(window)
        self._short = context_frames(window.size)
        self._encoded: dict[int, Any] = {}
        self._max_tokens = TOKENS_AT_LEAST + round(TOKENS_PER_S * window.size / SAMPLE_RATE)

    def detect_language(self) -> str:
        return self._decoder.detect_language(self._encode(self._short))

    def best(self, plan: Iterator[Decoding], language: str) -> Attempt:
        """Return the first attempt that does not repeat itself, else the surest."""
        attempts: list[Attempt] = []
        for each in plan:
            if each.full_context and each.temperature == 0 and self._short == FULL_CONTEXT:
                continue  # that was the first try
            attempt = self._decoder.decode(
                self._encode(FULL_CONTEXT if each.full_context else self._short),
                language,
                beam=each.beam,
                temperature=each.temperature,
                max_tokens=self._max_tokens,
            )
            attempts.append(attempt)
            if not loops(attempt):
                return attempt
        return max(attempts, key=lambda each: each.avg_logprob)

    def _encode(self, frames: int) -> Any:
        if frames not in self._encoded:
            self._encoded[frames] = self._decoder.encode(self._features, frames)
        return self._encoded[frames]


def windows(samples: "Samples") -> "Iterator[Samples]":
    """Cut a recording into windows of at most 28 s, each at a quiet moment; together they are the recording.

    Args:
        samples: mono, 16 kHz, shape (n,).
    """
    longest, search = round(WINDOW_S * SAMPLE_RATE), round(CUT_SEARCH_S * SAMPLE_RATE)
    while samples.size > longest:
        block = SAMPLE_RATE // 10
        energy = np.square(samples[longest - search : longest]).reshape(-1, block).mean(axis=1)
        smooth = np.convolve(energy, np.ones(3), mode="same")
        cut = longest - search + int(np.argmin(smooth)) * block + block // 2
        yield samples[:cut]
        samples = samples[cut:]
    yield samples


def _joined(heard: list[Transcript], language: str) -> Transcript:
    """Return one transcript of several windows; it is rejected only when all of them are."""
    spoken = [each for each in heard if each.rejected is None and each.text]
    if not spoken:
        reasons = [each.rejected for each in heard if each.rejected is not None]
        return replace(heard[0], text="", rejected=reasons[0] if reasons else "no_speech")
    sure = [each.confidence for each in spoken if each.confidence is not None]
    return Transcript(
        text=" ".join(each.text for each in spoken),
        language=spoken[0].language or language,
        confidence=sum(sure) / len(sure) if sure else None,
    )
