"""Speech without models: a recogniser with a script, a detector that measures loudness, a voice that hums.

They implement the ports of `edgevox.core.ports` and pass the same contract suites as the real back ends.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import SpeechError
from edgevox.core.frames import SAMPLE_RATE
from edgevox.core.ports import Transcript, Voice

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

Said = str | Transcript | BaseException


class ScriptedRecognizer:
    """Hears what its script says.

    Args:
        script: what is heard, utterance by utterance, or a function of the samples. An exception is raised; an
            exhausted script hears nothing.
        language: code of the transcripts.
        delay_s: how long each final transcription takes.
        sleep: how time passes; give `FakeClock.advance` to keep a test quick.
        partials: what partial transcriptions hear, in order; `None` means the words that the next final one will hear.
        scores: how well words fit whatever is heard, as natural logarithms, or a function that returns them; a word
            that is not there does not fit.
    """

    def __init__(
        self,
        script: "Iterable[Said] | Callable[[Samples], Said]" = (),
        *,
        language: str | None = "en",
        delay_s: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        partials: Iterable[str] | None = None,
        scores: Mapping[str, float] | Callable[[], Mapping[str, float]] | None = None,
    ) -> None:
        self.language = language
        self._scores = scores if scores is not None else dict[str, float]()
        self.heard: list[Samples] = []
        """The samples of every final transcription."""
        self.opened = False
        self._hear = _hearing(script)
        self._pending: Said | None = None
        self._partials = iter(partials) if partials is not None else None
        self._delay_s = delay_s
        self._sleep = sleep

    def open(self) -> None:
        """Get ready. Opening twice is fine."""
        self.opened = True

    def transcribe(self, samples: "Samples", *, partial: bool = False) -> Transcript:
        """Return the next words of the script; silence is no words and uses none up."""
        if not self.opened:
            raise SpeechError("The recogniser was used before it was opened.")
        if samples.size == 0 or not np.any(samples):
            return Transcript(text="", language=self.language or "en", rejected="no_speech")
        if partial and self._partials is not None:
            return self._transcript(next(self._partials, ""))
        said = self._pending if self._pending is not None else self._hear(samples)
        self._pending = said if partial else None
        if not partial:
            self.heard.append(samples)
            self._sleep(self._delay_s)
        return self._transcript(said)

    def score(self, samples: "Samples", words: Sequence[str]) -> Sequence[float]:
        """Return what the script says about each word; silence fits none."""
        if not self.opened:
            raise SpeechError("The recogniser was used before it was opened.")
        scores = self._scores() if callable(self._scores) else self._scores
        heard = bool(np.any(samples))
        return [scores.get(word, float("-inf")) if heard else float("-inf") for word in words]

    def close(self) -> None:
        """Stop. Closing twice is fine."""
        self.opened = False

    def _transcript(self, said: Said) -> Transcript:
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, Transcript):
            return said
        return Transcript(text=said, language=self.language or "en", took_ms=self._delay_s * 1000)


def _hearing(script: "Iterable[Said] | Callable[[Samples], Said]") -> "Callable[[Samples], Said]":
    if callable(script):
        return script
    lines = iter(script)
    return lambda _samples: next(lines, "")


class ScriptedVad:
    """Judges by loudness, or by a script of probabilities.

    Args:
        probabilities: what to answer frame by frame; afterwards, and without any, loudness decides.
        threshold: root mean square at which the probability is one half.
    """

    def __init__(self, probabilities: Iterable[float] = (), *, threshold: float = 0.01) -> None:
        self.opened = False
        self._script = list(probabilities)
        self._threshold = threshold

    def open(self) -> None:
        """Get ready. Opening twice is fine."""
        self.opened = True

    def probability(self, frame: "Samples") -> float:
        """Return a number between 0 and 1 that grows with loudness."""
        if not self.opened:
            raise SpeechError("The detector was used before it was opened.")
        if frame.shape != (512,):
            raise SpeechError(f"Voice activity is judged on 512 samples at a time, not {frame.shape}.")
        if self._script:
            return self._script.pop(0)
        loudness = float(np.sqrt(np.mean(np.square(np.nan_to_num(frame), dtype=np.float64))))
        return loudness**2 / (loudness**2 + self._threshold**2)

    def reset(self) -> None:
        """Forget nothing: every frame is judged by itself."""

    def close(self) -> None:
        """Stop. Closing twice is fine."""
        self.opened = False


class ToneTalk:
    """Speaks in tones: one piece of sound per word, as long as the word.

    Args:
        seconds_per_character: how long a character sounds.
        fail_at: number of the piece, counted from 0 over all texts, that raises instead of sounding.
        delay_s: how long a piece takes to make.
        sleep: how time passes; give `FakeClock.advance` to keep a test quick.
        sample_rate: samples per second.
    """

    def __init__(
        self,
        *,
        seconds_per_character: float = 0.02,
        fail_at: int | None = None,
        delay_s: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        sample_rate: int = SAMPLE_RATE,
    ) -> None:
        self.sample_rate = sample_rate
        self.said: list[str] = []
        """Every text that was asked for, in order."""
        self.opened = False
        self._seconds = seconds_per_character
        self._fail_at = fail_at
        self._made = 0
        self._delay_s = delay_s
        self._sleep = sleep

    def open(self) -> None:
        """Get ready. Opening twice is fine."""
        self.opened = True

    def voices(self) -> Sequence[Voice]:
        """The one voice there is."""
        return (Voice(name="tone", language="en", description="sine waves"),)

    def duration_s(self, text: str) -> float:
        """Return how long `text` sounds, seconds."""
        return sum(self._samples_of(word) for word in _words(text)) / self.sample_rate

    def synthesize(self, text: str, scope: CancelScope | None = None) -> "Iterator[Samples]":
        """Yield one tone per word; the end of the scope ends the stream."""
        if not self.opened:
            raise SpeechError("The voice was used before it was opened.")
        self.said.append(text)
        for word in _words(text):
            if scope is not None and scope.cancelled:
                return
            self._sleep(self._delay_s)
            number, self._made = self._made, self._made + 1
            if number == self._fail_at:
                raise SpeechError(f"The voice cannot say {word!r}.")
            times = np.arange(self._samples_of(word), dtype=np.float32) / self.sample_rate
            yield (0.2 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)

    def close(self) -> None:
        """Stop. Closing twice is fine."""
        self.opened = False

    def _samples_of(self, word: str) -> int:
        return round(len(word) * self._seconds * self.sample_rate)


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(each.isalnum() for each in word)]
