"""The hearing: speech in, words out, and who they are for.

One thread owns the recogniser. What it hears goes to the safety monitor first, then to an open question, and only then
becomes a turn. It goes on hearing while a turn runs: that is how a person interrupts.
"""

import logging
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.frames import (
    SAMPLE_RATE,
    EndFrame,
    Frame,
    GlanceFrame,
    PartialSpeechFrame,
    SoftEndFrame,
    StopFrame,
    TranscriptionFrame,
    UtteranceFrame,
)
from edgevox.core.ports import SpeechToText, Transcript
from edgevox.pipeline.glance import Glance
from edgevox.pipeline.listen import Monitor
from edgevox.pipeline.queues import FrameQueue

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

MIN_SPEECH_S = 0.15
"""Shorter sounds are no turn; a stop word among them is still heard."""
MIN_INTERRUPTION_S = 0.3
"""Voiced seconds before speech over the assistant's own may interrupt it."""
ASK_AGAIN = "foreign_script"
"""Why a transcript is thrown away although somebody said something: the words are not of the language."""
SILENCE_AROUND_S = 0.7
"""Sound of an utterance that is silence: pre-roll and the pause that may be its end, seconds."""
WORDS_BESIDE_A_STOP = 3
"""An utterance in which a stop was acted upon becomes a turn from so many words on: fewer are the stop, misheard."""
BACK_CHANNELS = frozenset({"mhm", "mm", "hm", "hmm", "uh", "um", "huh", "uh huh", "mm hmm", "ah", "oh", "aha"})
"""Sounds of listening: they never interrupt."""


@dataclass(frozen=True, slots=True)
class _Guess:
    """A transcript that was made while the silence had not yet lasted long enough."""

    ended: float
    transcript: Transcript


class StopMonitor(Monitor, Protocol):
    """The safety monitor, as far as the hearing needs it."""

    def goes_on(self, text: str) -> bool:
        """Whether the agent hears a text although a stop in it was acted upon already."""
        ...


class Hearer:
    """Runs the hear thread.

    Args:
        stt: the recogniser, open; it is the caller's to close once the thread has ended.
        monitor: decides about stop words before anybody else.
        inbox: what the listen thread sends.
        answers: offered every transcript first; returns whether an open question took it.
        on_heard: called with what becomes a turn.
        on_partial: called with words of speech that goes on.
        is_complete: whether words are a whole command, so that a pause after them need not be long.
        on_complete: called with the moment the person fell silent (monotonic seconds) when they are.
        min_speech_s: shorter sounds are no turn, seconds of voice; a stop word among them is still heard.
        interrupts: returns whether there is speech or thought that a person's words should cut off.
        on_interrupt: cuts it off.
        glance: looks for a stop word in sound that is not transcribed yet; `None` where nobody looks.
        moves: returns whether anything moves: then a stop that was acted upon already acts again.
        asks: returns whether a question is open: words that go on may be its answer and cut nothing off.
        last_stop: returns when something was stopped last, monotonic seconds: words from before do nothing any more.
        on_error: called with one sentence when recognition failed.
        on_unclear: called when there were words that cannot be trusted: the person should say them again.
        on_end: called when the recording is over and everything in it has been heard.
        clock: where time comes from.
    """

    def __init__(
        self,
        stt: SpeechToText,
        monitor: StopMonitor,
        inbox: FrameQueue[Frame],
        *,
        answers: Callable[[str], bool],
        on_heard: Callable[[TranscriptionFrame], object],
        on_partial: Callable[[TranscriptionFrame], object] = lambda _: None,
        is_complete: Callable[[str], bool] = lambda _: False,
        on_complete: Callable[[float], object] = lambda _: None,
        min_speech_s: float = MIN_SPEECH_S,
        interrupts: Callable[[], bool] = lambda: False,
        on_interrupt: Callable[[str], object] = lambda _: None,
        glance: Glance | None = None,
        moves: Callable[[], bool] = lambda: False,
        asks: Callable[[], bool] = lambda: False,
        last_stop: Callable[[], float] = lambda: float("-inf"),
        on_error: Callable[[str], object] = lambda _: None,
        on_unclear: Callable[[], object] = lambda: None,
        on_end: Callable[[], object] = lambda: None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._stt = stt
        self._next_stt: SpeechToText | None = None
        self._monitor = monitor
        self._inbox = inbox
        self._answers = answers
        self._on_heard = on_heard
        self._on_partial = on_partial
        self._is_complete = is_complete
        self._on_complete = on_complete
        self._min_speech_s = min_speech_s
        self._interrupts = interrupts
        self._on_interrupt = on_interrupt
        self._glance = glance
        self._moves = moves
        self._asks = asks
        self._last_stop = last_stop
        self._on_error = on_error
        self._on_unclear = on_unclear
        self._on_end = on_end
        self._clock = clock
        self._guess: _Guess | None = None
        self._stopped = False
        """Whether a stop word was acted upon in the utterance that goes on; its end only decides the words."""
        self._thread = threading.Thread(target=self._run, name="hear", daemon=True)

    def start(self) -> None:
        """Begin to hear."""
        self._thread.start()

    def replace_recognizer(self, stt: SpeechToText) -> None:
        """Hear with another recogniser, already open, from the next utterance on; the old one is closed."""
        self._next_stt = stt

    def close(self) -> None:
        """Stop hearing."""
        self._inbox.close()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        for frame in self._inbox:
            try:
                self.take(frame)
            except EdgeVoxError as error:
                self._on_error(str(error))
            except Exception as error:  # a recogniser's fault loses one utterance, not the hearing
                log.exception("recognition failed")
                self._on_error(f"That could not be understood because the recogniser failed: {error}.")

    def take(self, frame: Frame) -> None:
        """Take one frame from the listen thread."""
        match frame:
            case GlanceFrame():
                self._look(frame)
            case PartialSpeechFrame():
                self._read(frame)
            case SoftEndFrame():
                self._guess_at(frame)
            case UtteranceFrame():
                self._hear(frame)
            case EndFrame():
                self._on_end()
            case _:
                pass

    def _guess_at(self, frame: SoftEndFrame) -> None:
        """Transcribe what may be the whole utterance; after a whole command the silence need not last as long.

        A stop in it acts at once if there is anything to stop.
        """
        transcript = self._transcribe(frame.samples)
        self._guess = _Guess(frame.ended, transcript)
        if not transcript.text or self._stops(transcript.text, transcript.language):
            return
        if self._is_complete(transcript.text):
            self._on_complete(frame.ended)

    def _hear(self, frame: UtteranceFrame) -> None:
        """Turn a finished utterance into words, and the words into a stop, an answer or a turn."""
        arrived = self._clock.monotonic()
        guess, self._guess = self._guess, None
        stopped, self._stopped = self._stopped, False
        ready = guess is not None and guess.ended == frame.ended
        transcript = guess.transcript if guess and ready else self._transcribe(frame.samples)
        if transcript.rejected == ASK_AGAIN:
            self._on_unclear()
        if not transcript.text:
            return
        heard = TranscriptionFrame(
            text=transcript.text,
            language=transcript.language,
            ended=frame.ended,
            stt_ms=(self._clock.monotonic() - arrived) * 1000,
            confidence=transcript.confidence,
        )
        if stopped and not self._moves():
            self._after_stop(heard)
            return
        overtaken = not stopped and self._last_stop() > _began(frame)
        for out in self._monitor.process(heard):
            if isinstance(out, TranscriptionFrame) and frame.speech_s >= self._min_speech_s and not overtaken:
                self._pass_on(out)

    def _after_stop(self, heard: TranscriptionFrame) -> None:
        """Pass on what was said beside a stop that has been acted upon; the stop itself is over and not done twice."""
        phrase = self._is_complete(heard.text)
        if self._monitor.goes_on(heard.text) and (phrase or len(heard.text.split()) >= WORDS_BESIDE_A_STOP):
            self._pass_on(heard)

    def _pass_on(self, heard: TranscriptionFrame) -> None:
        if self._answers(heard.text):
            return
        if is_back_channel(heard.text) and self._interrupts():
            return
        if self._interrupts():
            self._on_interrupt(heard.text)
        self._on_heard(heard)

    def _look(self, frame: GlanceFrame) -> None:
        """Look for a stop word alone: quicker than reading, and surer of a word by itself."""
        if self._stopped or self._glance is None:
            return
        word = self._glance.word_in(self._recognizer(), frame.samples, frame.speech_s, pausing=frame.pausing)
        if word is not None:
            self._stops(word)

    def _read(self, frame: PartialSpeechFrame) -> None:
        """Read speech that goes on: a stop word acts at once, other words cut the assistant's own speech off."""
        if self._stopped:
            return
        transcript = self._transcribe(frame.samples, partial=True)
        if not transcript.text or self._stops(transcript.text, transcript.language):
            return
        partial = TranscriptionFrame(text=transcript.text, language=transcript.language, final=False)
        self._on_partial(partial)
        enough = frame.speech_s >= MIN_INTERRUPTION_S and not is_back_channel(partial.text)
        if enough and not self._asks() and self._interrupts():
            self._on_interrupt(partial.text)

    def _stops(self, text: str, language: str = "en") -> bool:
        """Let the monitor judge words of speech that goes on; returns whether they stopped something."""
        if self._stopped:
            return True
        partial = TranscriptionFrame(text=text, language=language, final=False)
        self._stopped = any(isinstance(out, StopFrame) for out in self._monitor.process(partial))
        return self._stopped

    def _recognizer(self) -> SpeechToText:
        if self._next_stt is not None:
            old, self._stt, self._next_stt = self._stt, self._next_stt, None
            old.close()
        return self._stt

    def _transcribe(self, samples: "Samples", *, partial: bool = False) -> Transcript:
        transcript = self._recognizer().transcribe(samples, partial=partial)
        log.debug("heard %.1f s as %r (%s)", len(samples) / SAMPLE_RATE, transcript.text, transcript.rejected)
        return replace(transcript, text="") if transcript.rejected else transcript


def _began(frame: UtteranceFrame) -> float:
    """When the person began to speak, or a little later: the silence at both ends of the samples is not known."""
    return frame.ended - max(0.0, len(frame.samples) / SAMPLE_RATE - SILENCE_AROUND_S)


def is_back_channel(text: str) -> bool:
    """Whether the words only say that somebody listens."""
    return " ".join(re.findall(r"[a-z]+", text.casefold())) in BACK_CHANNELS
