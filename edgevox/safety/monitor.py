"""The first ear on every way in: sound before it is transcribed, transcripts and typed text before an agent sees them.

Decides; what has to stand still is `chain`'s business, behind `on_stop`.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from edgevox.core.frames import AudioFrame, Frame, StopFrame, TranscriptionFrame
from edgevox.core.ports import StopSpotter
from edgevox.safety.decide import StopDecider, Verdict

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StopDecision:
    """What to do with a text."""

    word: str | None
    """The stop word that it commands; `None` when it does not stop."""
    passes_on: bool
    """Whether the agent hears the text too."""


class SafetyMonitor:
    """Turns stop words into a `StopFrame`, and everything else into itself.

    Args:
        stop_words: words and phrases that stop; `None` takes the language's list with the English one, `()` disables.
        on_stop: called with the reason before the `StopFrame` is handed out; it must not wait.
        language: two-letter code of what is spoken.
        spotter: finds stop words in sound.
        is_active: whether anything moves, sounds or thinks: then a doubtful text stops too, and a partial transcript
            that commands a stop does so at once. `None` does not know: partial transcripts stop, doubtful texts do not.
        is_phrase: whether a text is a tool's own phrase ("stop the timer"): such a text passes on as well.
        names: what the assistant is called.
    """

    def __init__(
        self,
        stop_words: Sequence[str] | None = None,
        on_stop: Callable[[str], object] | None = None,
        *,
        language: str = "en",
        spotter: StopSpotter | None = None,
        is_active: Callable[[], bool] | None = None,
        is_phrase: Callable[[str], bool] = lambda _: False,
        names: Iterable[str] = (),
    ) -> None:
        self._words = (stop_words,) if isinstance(stop_words, str) else stop_words
        self._names = tuple(names)
        self._language = language
        self._decider = StopDecider(self._words, language=language, names=self._names)
        self._on_stop = on_stop
        self._spotter = spotter
        self._is_active = is_active
        self._is_phrase = is_phrase
        self._spotter_failed = False

    @property
    def enabled(self) -> bool:
        """Whether any word stops; the status line says so when none does."""
        return bool(self._decider.words)

    @property
    def stop_words(self) -> tuple[str, ...]:
        """The list in force."""
        return self._decider.words

    @property
    def key_words(self) -> tuple[str, ...]:
        """The stop words that are the command wherever they are said, single words first: what to look for in sound."""
        return self._decider.key_words

    def check(self, text: str) -> str | None:
        """Return the stop word that the text commands, or `None`."""
        return self.decide(text).word

    def decide(self, text: str) -> StopDecision:
        """Say whether the text stops and whether the agent hears it.

        A command stops always. A doubtful text ("stop the washing machine") stops while something is active; at rest
        there is nothing to stop and the agent may know what is meant. A tool's own phrase passes on in both cases.
        """
        finding = self._decider.judge(text)
        if finding.verdict is Verdict.COMMAND:
            return StopDecision(finding.word, passes_on=False)
        if finding.verdict is Verdict.DOUBTFUL and self._active(unknown=False):
            return StopDecision(finding.word, passes_on=_ask(lambda: self._is_phrase(text), default=False))
        return StopDecision(None, passes_on=True)

    def goes_on(self, text: str) -> bool:
        """Whether the agent hears a text although a stop in it was acted upon already, while it was being said."""
        finding = self._decider.judge(text)
        if finding.verdict is Verdict.DOUBTFUL:
            return _ask(lambda: self._is_phrase(text), default=False)
        return finding.verdict is not Verdict.COMMAND

    def process(self, frame: Frame) -> Iterator[Frame]:
        """Judge one frame. The judgement and `on_stop` have run when this returns, whoever reads the frames.

        Sound goes to the spotter and always passes on. A transcript that stops becomes a `StopFrame`, and passes on
        behind it only where it is a tool's own phrase. Everything else passes.
        """
        if isinstance(frame, AudioFrame):
            return iter(self._hear(frame))
        if isinstance(frame, TranscriptionFrame):
            return iter(self._read(frame))
        return iter((frame,))

    def set_language(self, language: str) -> None:
        """Listen for another language's stop words; words of your own stay, the company they keep changes."""
        self._language = language
        self._decider = StopDecider(self._words, language=language, names=self._names)

    def set_words(self, stop_words: Sequence[str] | None, *, names: Iterable[str] = ()) -> None:
        """Listen for the stop words of another agent, and know its name."""
        self._words = (stop_words,) if isinstance(stop_words, str) else stop_words
        self._names = tuple(names)
        self._decider = StopDecider(self._words, language=self._language, names=self._names)

    def reset(self) -> None:
        """Let the spotter forget the sound before: the microphone was muted or lost."""
        if self._spotter is not None:
            self._spotter.reset()

    def _active(self, *, unknown: bool) -> bool:
        return unknown if self._is_active is None else _ask(self._is_active, default=True)

    def _hear(self, frame: AudioFrame) -> list[Frame]:
        word = self._spot(frame)
        return [frame] if word is None else [self._stop(word, frame), frame]

    def _read(self, frame: TranscriptionFrame) -> list[Frame]:
        decision = self.decide(frame.text)
        # At rest there is nothing to stop yet, and "stop" may go on: "stop the timer". The final transcript decides.
        if decision.word is None or not (frame.final or self._active(unknown=True)):
            return [frame]
        stop = self._stop(decision.word, frame)
        return [stop, frame] if decision.passes_on else [stop]

    def _spot(self, frame: AudioFrame) -> str | None:
        if self._spotter is None or not self.enabled:
            return None
        try:
            return self._spotter.feed(frame.samples)
        except Exception:  # without its spotter the monitor still reads transcripts; hearing must go on
            if not self._spotter_failed:
                log.exception("the stop-word spotter failed; stop words are found in transcripts only")
            self._spotter_failed = True
            return None

    def _stop(self, word: str, frame: Frame) -> StopFrame:
        if self._on_stop is not None:
            try:
                self._on_stop(word)
            except Exception:  # the frame must still reach those who stop because of it
                log.exception("on_stop failed")
        return StopFrame(reason=word, generation=frame.generation)


def _ask(question: Callable[[], bool], *, default: bool) -> bool:
    try:
        return question()
    except Exception:  # a broken sensor must not keep a stop from being decided
        log.exception("a question of the safety monitor failed")
        return default
