"""The mouth: sentences in, sound out, and an account of what was heard.

One thread owns the synthesiser and the loudspeaker's producer side. It knows sentences and seconds; it does not know
who wrote them or why. `silence` may be called from any thread and takes effect at once.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.frames import SentenceFrame, SpokenFrame
from edgevox.core.ports import SpeakerSink, TextToSpeech
from edgevox.pipeline.queues import FrameQueue

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

POLL_S = 0.02
"""How often a wait for the end of speech looks at its scope, seconds."""
QUEUED_SENTENCES = 256


@dataclass(slots=True)
class _Spoken:
    """One sentence on its way to the ear."""

    generation: int
    text: str
    start_s: float
    """Where its sound begins, in the loudspeaker's own seconds."""
    end_s: float
    done: bool = False
    """Whether all of its sound has been handed over."""

    def heard(self, heard_s: float) -> str:
        if self.done and heard_s >= self.end_s - 0.01:
            return self.text
        length = self.end_s - self.start_s
        if length <= 0 or heard_s <= self.start_s:
            return ""
        words = self.text.split()
        return " ".join(words[: int(len(words) * min(1.0, (heard_s - self.start_s) / length))])


@dataclass(slots=True)
class _Job:
    frame: SentenceFrame
    scope: CancelScope
    silences: int
    """How often the mouth had been silenced when this was said."""


class Mouth:
    """Speaks sentences one after the other, each only while its turn is alive.

    Args:
        tts: the synthesiser.
        speaker: the loudspeaker.
        on_speaking: called with True when sound begins and False when the last of it is over.
        on_first_sound: called with the generation and the moment its first sound was handed over (monotonic seconds).
        on_error: called with one sentence when a piece of text could not be spoken; the next one is tried.
    """

    def __init__(
        self,
        tts: TextToSpeech,
        speaker: SpeakerSink,
        *,
        on_speaking: Callable[[bool], object] = lambda _: None,
        on_first_sound: Callable[[int, float], object] = lambda _g, _t: None,
        on_error: Callable[[str], object] = lambda _: None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._tts = tts
        self._speaker = speaker
        self._on_speaking = on_speaking
        self._on_first_sound = on_first_sound
        self._on_error = on_error
        self._clock = clock
        self._jobs: FrameQueue[_Job] = FrameQueue(QUEUED_SENTENCES)
        self._idle = threading.Event()
        self._idle.set()
        self._lock = threading.Lock()
        self._ledger: deque[_Spoken] = deque(maxlen=2 * QUEUED_SENTENCES)
        self._silenced: deque[int] = deque(maxlen=64)
        """Generations that were told to be silent: nothing more of them is spoken."""
        self._silences = 0
        self._current = CancelScope()
        self._thread = threading.Thread(target=self._run, name="speak", daemon=True)

    def start(self) -> None:
        """Begin to speak what is queued. The synthesiser and the loudspeaker are open."""
        self._thread.start()

    def close(self) -> None:
        """Fall silent for good."""
        self._jobs.close()
        self._speaker.flush()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended: the sentence it is synthesising is the last one."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def replace_voice(self, tts: TextToSpeech) -> None:
        """Speak with another synthesiser, already open, from the next sentence on."""
        self._tts = tts

    @property
    def speaking(self) -> bool:
        """Whether sound is on its way."""
        return not self._idle.is_set()

    def say(self, frame: SentenceFrame, scope: CancelScope) -> None:
        """Queue one sentence of the turn that `scope` belongs to; never blocks."""
        with self._lock:
            if scope.cancelled or self._jobs.closed or scope.generation in self._silenced:
                return
            self._idle.clear()
            self._jobs.put(_Job(frame, scope, self._silences))

    def silence(self) -> None:
        """Fall silent now and speak nothing more of what was begun; from any thread."""
        self._silences += 1
        current = self._current
        self._silenced.append(current.generation)
        current.cancel(CancelReason.STOP)
        self._speaker.flush()
        self._silenced.extend(job.scope.generation for job in self._jobs.clear())

    def finish(self, scope: CancelScope) -> SpokenFrame:
        """Wait until the turn's sentences have been heard, or the turn is cut, and say what was heard."""
        while not self._idle.wait(POLL_S):
            if scope.cancelled:
                return self._account(scope, cut=True)
        return self._account(scope, cut=scope.cancelled)

    def _account(self, scope: CancelScope, *, cut: bool) -> SpokenFrame:
        heard_s = self._speaker.heard_s
        with self._lock:
            turn = [entry for entry in self._ledger if entry.generation == scope.generation]
        heard = [entry.heard(heard_s) if cut else entry.text for entry in turn]
        text = " ".join(part for part in heard if part)
        return SpokenFrame(generation=scope.generation, text=text, cut=cut, words=tuple(text.split()))

    def _run(self) -> None:
        for job in self._jobs:
            try:
                self._speak(job)
            except EdgeVoxError as error:
                self._on_error(str(error))
            except Exception as error:  # a synthesiser's fault ends its sentence, not the turn
                log.exception("speaking failed")
                self._on_error(f"This sentence could not be spoken: {error}.")
            self._rest_when_done(job.scope)

    def _speak(self, job: _Job) -> None:
        with job.scope.child() as scope:
            self._current = scope
            if scope.cancelled or job.silences != self._silences:
                return
            entry = _Spoken(scope.generation, job.frame.text, self._speaker.written_s, self._speaker.written_s)
            with self._lock:
                self._ledger.append(entry)
            for samples in self._tts.synthesize(job.frame.text, scope):
                if not self._play(entry, samples, scope):
                    return
            entry.done = True

    def _play(self, entry: _Spoken, samples: "Samples", scope: CancelScope) -> bool:
        first = entry.start_s == entry.end_s
        if scope.cancelled:
            return False
        if first:
            self._on_speaking(True)
        if not self._speaker.write(samples, self._tts.sample_rate, scope=scope):
            return False
        if first:
            self._on_first_sound(scope.generation, self._clock.monotonic())
        entry.end_s = self._speaker.written_s
        return True

    def _rest_when_done(self, scope: CancelScope) -> None:
        """Fall idle once nothing is queued and everything handed over has been heard."""
        while not len(self._jobs) and not self._jobs.closed:
            heard = self._speaker.heard_s >= self._speaker.written_s - 0.001
            if heard or scope.cancelled or scope.generation in self._silenced:
                break
            self._speaker.drain(scope)
        with self._lock:
            if not len(self._jobs):
                self._idle.set()
        if self._idle.is_set():
            self._on_speaking(False)
