"""Hearing with a transcription model behind an address, and with one on this machine beside it.

Stop words never wait for a network: what is heard while somebody speaks, and how well single words fit, is the local
recogniser's business wherever there is one. It also writes down what the provider cannot.
"""

import io
import logging
import threading
import time
import wave
from collections.abc import Sequence
from typing import TYPE_CHECKING

from edgevox.core.errors import Cancelled, EdgeVoxError, SpeechError
from edgevox.core.frames import SAMPLE_RATE
from edgevox.core.ports import SpeechToText, Transcript, WordScorer
from edgevox.endpoints.transcription import Transcriber

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

FINAL_S = 10.0
"""Longest wait for the words of an utterance, seconds: the person waits too."""
PARTIAL_S = 2.0
"""The same while the person speaks on, where nothing on this machine can hear."""
LEAST_SAMPLES = SAMPLE_RATE // 20
QUIET = 1e-3
"""Peak below which there is nothing to send."""


class EndpointRecognizer:
    """A `SpeechToText` that sends utterances to a transcription endpoint.

    Args:
        endpoint: what writes them down.
        language: two-letter code to listen for; `None` finds it out.
        beside: a recogniser on this machine, which this one owns; `None` where there is none.
        final_s: longest wait for the words of an utterance, seconds.
    """

    def __init__(
        self,
        endpoint: Transcriber,
        *,
        language: str | None = "en",
        beside: SpeechToText | None = None,
        final_s: float = FINAL_S,
    ) -> None:
        self.language = language
        self._endpoint = endpoint
        self._beside = beside
        self._final_s = final_s
        self._closing = threading.Event()
        self._opened = False

    def open(self) -> None:
        """Load the recogniser beside it, and look the key up. Opening twice is fine; nothing is sent.

        Raises:
            SpeechError: the endpoint cannot be used; one sentence.
            ModelError, LibraryMissing: the recogniser on this machine cannot be loaded.
        """
        self._closing.clear()
        materialize = getattr(self._endpoint, "materialize", None)
        try:
            if materialize is not None:
                materialize()
        except EdgeVoxError as error:
            raise SpeechError(f"Hearing with {self._endpoint.model_name} is not possible: {error}") from error
        if self._beside is not None:
            self._beside.open()
        self._opened = True

    def transcribe(self, samples: "Samples", *, partial: bool = False) -> Transcript:
        """Return the words in `samples`; silence is no words and is not sent.

        Args:
            samples: mono, 16 kHz, float32, shape (n,).
            partial: the speech goes on: the recogniser on this machine is asked, where there is one.

        Raises:
            SpeechError: not opened, or nobody could write it down.
        """
        if not self._opened:
            raise SpeechError("The recogniser was used before it was opened.")
        began = time.perf_counter()
        if samples.size < LEAST_SAMPLES or float(abs(samples).max()) < QUIET:
            return Transcript(text="", language=self.language or "en", rejected="no_speech")
        if partial and self._beside is not None:
            return self._beside.transcribe(samples, partial=True)
        try:
            text = self._endpoint.transcribe(
                wav_bytes(samples),
                stop_event=self._closing,
                language=self.language,
                timeout_s=PARTIAL_S if partial else self._final_s,
            )
        except Cancelled:
            return Transcript(text="", language=self.language or "en", rejected="no_speech")
        except EdgeVoxError as error:
            return self._otherwise(samples, error, partial)
        return self._judged(text, (time.perf_counter() - began) * 1000)

    def close(self) -> None:
        """Hang up, and let the recogniser beside it go. Closing twice is fine."""
        self._closing.set()
        self._opened = False
        if self._beside is not None:
            self._beside.close()

    def _otherwise(self, samples: "Samples", error: EdgeVoxError, partial: bool) -> Transcript:
        if self._beside is not None:
            log.warning("hearing on this machine instead: %s", error)
            return self._beside.transcribe(samples, partial=partial)
        if partial:
            return Transcript(text="", language=self.language or "en")
        raise SpeechError(str(error)) from error

    def _judged(self, text: str, took_ms: float) -> Transcript:
        """Throw away what such models write when nobody spoke; how sure they are, they do not say."""
        from edgevox.speech.hearing import collapse, rejection
        from edgevox.speech.whisper_model import Attempt

        language = self.language or "en"
        attempt = Attempt(text=text, avg_logprob=0.0, no_speech_prob=0.0)
        reason = rejection(attempt, language) if self.language is not None or not text else None
        return Transcript(text="" if reason else collapse(text), language=language, took_ms=took_ms, rejected=reason)


class ScoringEndpointRecognizer(EndpointRecognizer):
    """The same beside a recogniser that can score words: stop words are found by it.

    Args:
        endpoint: what writes utterances down.
        scorer: a recogniser on this machine that can score words.
        language: two-letter code to listen for.
    """

    def __init__(self, endpoint: Transcriber, scorer: SpeechToText, *, language: str | None = "en") -> None:
        super().__init__(endpoint, language=language, beside=scorer)
        self._scorer = scorer

    def score(self, samples: "Samples", words: Sequence[str]) -> Sequence[float]:
        """Return how well words fit the beginning of a sound (`core.ports.WordScorer`)."""
        assert isinstance(self._scorer, WordScorer)
        return self._scorer.score(samples, words)


def endpoint_recognizer(
    endpoint: Transcriber, *, language: str | None, beside: SpeechToText | None
) -> EndpointRecognizer:
    """Return a recogniser over an endpoint, with what the one beside it can do."""
    if isinstance(beside, WordScorer):
        return ScoringEndpointRecognizer(endpoint, beside, language=language)
    return EndpointRecognizer(endpoint, language=language, beside=beside)


def wav_bytes(samples: "Samples") -> bytes:
    """Return sound as the bytes of a 16-bit WAV file.

    Args:
        samples: mono, 16 kHz, between -1 and 1, shape (n,).
    """
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes((samples.clip(-1.0, 1.0) * 32767).astype("<i2").tobytes())
    return written.getvalue()
