"""One turn: what happens to a sentence, from the ear to the loudspeaker.

    listen thread   sound -> safety monitor -> speech             listen.py
    hear thread     speech -> words -> safety monitor             hear.py     a stop word ends here, and so does an
                                                                              answer to an open question
    turn thread     words -> agent -> sentences                   this file
    speak thread    sentence -> sound -> loudspeaker              speak.py

A turn is taken like this:

1. The words arrive as a `TranscriptionFrame`, heard or typed. They are queued; only one turn runs at a time.
2. The agent answers. It tries the phrases its tools declare first, which costs a few milliseconds; only when none
   matches does it ask the language model. Tools run on the way. The reply comes in pieces.
3. Pieces become sentences as soon as they can be told apart, and each sentence goes to the mouth at once: the first is
   spoken while the rest is still being generated.
4. The turn waits until the loudspeaker has said the last word, or until its scope ends: the person began to speak
   (barge-in), pressed a key, or said stop.
5. The conversation keeps what was *heard*: a reply that was cut off ends where the sound ended. What a tool did stays.

Everything the turn starts carries its `CancelScope`. When the scope ends, the model leaves at the next token, sound
that is under way is thrown away, and whatever still arrives from this turn is dropped.
"""

import logging
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Protocol

from edgevox.agents.history import keep_cut
from edgevox.agents.patience import heard_out, not_ended
from edgevox.agents.protocol import AgentResult
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import FAULTS, Cancelled, EdgeVoxError, described
from edgevox.core.frames import SentenceFrame, SpokenFrame, TextFrame, TranscriptionFrame
from edgevox.core.ports import RunAgent
from edgevox.core.redaction import redacted
from edgevox.core.session import AgentContext
from edgevox.pipeline.outcome import StageTimes, TurnHandle, TurnOutcome
from edgevox.pipeline.queues import FrameQueue
from edgevox.pipeline.speak import Mouth
from edgevox.speech.splitter import SentenceSplitter

log = logging.getLogger(__name__)

WAITING_TURNS = 8
"""Turns that may wait; the oldest is dropped beyond that."""
GRACE_S = 0.5
"""Seconds that an agent has to end beside its own, on a machine that is busy; everything that moves stands by then."""
APOLOGY = "Sorry, something went wrong with that."

Reply = Generator[TextFrame | SentenceFrame, None, AgentResult]


class Listeners(Protocol):
    """What a turn tells the rest of the assistant, as it happens."""

    def turn_began(self, handle: TurnHandle) -> None:
        """The turn is being answered."""
        ...

    def text_came(self, handle: TurnHandle, text: str) -> None:
        """A piece of the reply was generated."""
        ...

    def turn_ended(self, handle: TurnHandle, outcome: TurnOutcome, spoken: SpokenFrame) -> None:
        """The turn is over and the conversation is settled."""
        ...


@dataclass(slots=True)
class _Stopwatch:
    """The moments of one turn, monotonic seconds; `None` for those that have not come."""

    heard: TranscriptionFrame
    began: float
    first_text: float | None = None
    first_sentence: float | None = None
    first_sound: float | None = None

    def times(self, model_calls: int) -> StageTimes:
        spoken_at, typed = self.first_sound or self.first_text, self.heard.typed or not self.heard.ended
        start = self.began if typed else self.heard.ended
        stt_ms = None if typed else self.heard.stt_ms
        return StageTimes(
            end_ms=None if typed else max(0.0, _ms(self.heard.ended, self.began) - self.heard.stt_ms),
            stt_ms=stt_ms,
            decide_ms=_ms(self.began, self.first_text) if self.first_text else None,
            tts_ms=_ms(self.first_sentence, self.first_sound) if self.first_sentence and self.first_sound else None,
            total_ms=_ms(start, spoken_at) if spoken_at else None,
            model_calls=model_calls,
        )


@dataclass(slots=True)
class _Turn:
    """One turn while it is waiting or running."""

    handle: TurnHandle
    watch: _Stopwatch
    pieces: list[str] = field(default_factory=list[str])
    result: AgentResult | None = None
    error: str | None = None


class TurnRunner:
    """Takes turns, one at a time.

    Args:
        agent: who answers.
        make_context: builds the context of a turn from its number and its scope.
        listeners: told what happens.
        mouth: speaks; `None` where replies are only shown.
        language: two-letter code, for telling sentences apart.
        clock: where time comes from.
    """

    def __init__(
        self,
        agent: RunAgent,
        make_context: Callable[[int, CancelScope], AgentContext],
        listeners: Listeners,
        *,
        mouth: Mouth | None = None,
        language: str = "en",
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.agent = agent
        self.mouth = mouth
        self.language = language
        self._make_context = make_context
        self._listeners = listeners
        self._clock = clock
        self._waiting: FrameQueue[_Turn] = FrameQueue(WAITING_TURNS)
        self._current: _Turn | None = None
        self._latest: TurnHandle | None = None
        self._count = 0
        self._over: tuple[int, str] = (0, "")
        """The last turn that a cancel reached, and its reason: one just taken from the queue must not slip through."""
        self._counting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="turn", daemon=True)

    def start(self) -> None:
        """Begin to take turns."""
        self._thread.start()

    def close(self) -> None:
        """End the turn that runs and take no more."""
        self.cancel(CancelReason.SHUTDOWN)
        self._waiting.close()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def latest(self) -> TurnHandle | None:
        """The turn that was submitted last, whatever became of it."""
        return self._latest

    @property
    def busy(self) -> bool:
        """Whether a turn is being answered or spoken."""
        return self._current is not None

    @property
    def scope(self) -> CancelScope | None:
        """The scope of the turn that runs."""
        turn = self._current
        return turn.handle.scope if turn else None

    def submit(self, heard: TranscriptionFrame) -> TurnHandle:
        """Queue what the person said or typed and return a hold on its turn."""
        with self._counting:
            self._count += 1
            handle = self._latest = TurnHandle(self._count, heard.text)
        dropped = self._waiting.put(_Turn(handle, _Stopwatch(heard, self._clock.monotonic())))
        if dropped is not None:
            self._drop(dropped, CancelReason.SHUTDOWN if self._waiting.closed else CancelReason.USER)
        return handle

    def about_to_cancel(self, reason: str) -> None:
        """Let the turn that runs say nothing more, without ending it yet: what moves is stopped first."""
        turn = self._current
        if turn is not None:
            turn.handle.ending = reason

    def cancel(self, reason: str) -> None:
        """End the turn that runs and drop those that wait; never blocks."""
        self._over = (self._count, reason)
        turn = self._current
        if turn is not None:
            turn.handle.scope.cancel(reason)
        for waiting in self._waiting.clear():
            self._drop(waiting, reason)

    def sound_began(self, generation: int, at: float) -> None:
        """Note when the first sound of a turn was handed to the loudspeaker (monotonic seconds)."""
        turn = self._current
        if turn is not None and turn.handle.scope.generation == generation and turn.watch.first_sound is None:
            turn.watch.first_sound = at

    def _run(self) -> None:
        for turn in self._waiting:
            self._current = turn
            try:
                last, reason = self._over
                if turn.handle.turn <= last:
                    self._drop(turn, reason)
                else:
                    self._take(turn)
            except FAULTS:  # a fault in one turn must not cost the next one
                log.exception("turn %d failed", turn.handle.turn)
                turn.handle.finish(TurnOutcome(text=turn.handle.text, error=APOLOGY))
            finally:
                self._current = None

    def _take(self, turn: _Turn) -> None:
        """Answer, speak, and settle what the conversation remembers."""
        handle, scope = turn.handle, turn.handle.scope
        # A scope below the turn's: an agent that ends itself at its own time limit can still say so.
        context = self._make_context(handle.turn, scope.child())
        self._listeners.turn_began(handle)
        self._answer(turn, context)
        if handle.ending is not None:  # the answer has seen that it is over before its scope was told
            scope.cancel(handle.ending)
        spoken = self.mouth.finish(scope) if self.mouth else SpokenFrame(text="", cut=scope.cancelled)
        if self.mouth and spoken.cut:
            context.session.keep_heard(spoken.text)
        outcome = self._outcome(turn, spoken)
        self._listeners.turn_ended(handle, outcome, spoken)
        handle.finish(outcome)

    def _answer(self, turn: _Turn, context: AgentContext) -> None:
        """Let the agent answer, showing each piece and speaking each sentence as it comes."""
        reply = reply_to(self.agent, turn.handle.text, context, SentenceSplitter(self.language))
        try:
            turn.result = self._speak_along(turn, reply)
        except Cancelled:
            pass
        except EdgeVoxError as error:
            self._apologise(turn, str(error))
        except FAULTS as error:  # an agent's fault is said aloud, never silence
            log.exception("the agent failed")
            self._apologise(turn, f"{APOLOGY} ({described(error)})", spoken=APOLOGY)
        finally:
            reply.close()

    def _speak_along(self, turn: _Turn, reply: Reply) -> AgentResult | None:
        while turn.handle.cut is None:
            try:
                frame = next(reply)
            except StopIteration as end:
                return end.value
            if turn.handle.cut is not None:
                break
            if isinstance(frame, TextFrame):
                self._show(turn, frame.text)
            else:
                self._say(turn, frame)
        return None

    def _show(self, turn: _Turn, text: str) -> None:
        if turn.watch.first_text is None:
            turn.watch.first_text = self._clock.monotonic()
        turn.pieces.append(text)
        self._listeners.text_came(turn.handle, text)

    def _say(self, turn: _Turn, sentence: SentenceFrame) -> None:
        if turn.watch.first_sentence is None:
            turn.watch.first_sentence = self._clock.monotonic()
        if self.mouth:
            self.mouth.say(sentence, turn.handle.scope)

    def _apologise(self, turn: _Turn, error: str, spoken: str | None = None) -> None:
        turn.error = redacted(error)
        self._show(turn, turn.error)
        self._say(turn, SentenceFrame(generation=turn.handle.scope.generation, text=spoken or turn.error))

    def _outcome(self, turn: _Turn, spoken: SpokenFrame) -> TurnOutcome:
        result = turn.result
        model_calls = result.model_calls if result else 0
        return TurnOutcome(
            text=turn.handle.text,
            reply="".join(turn.pieces),
            spoken=spoken.text,
            tool_calls=result.tool_calls if result else (),
            model_calls=model_calls,
            times=turn.watch.times(model_calls),
            error=turn.error or (result.error if result else None),
            cancelled=turn.handle.cut,
        )

    def _drop(self, turn: _Turn, reason: str) -> None:
        turn.handle.scope.cancel(reason)
        turn.handle.finish(TurnOutcome(text=turn.handle.text, cancelled=reason))


def reply_to(agent: RunAgent, text: str, context: AgentContext, splitter: SentenceSplitter) -> Reply:
    """Answer `text`, yielding pieces of the reply and, as soon as they are whole, its sentences.

    The agent works on a thread of its own: one that does not end with its scope is left behind.

    Returns:
        The agent's result; it is the generator's return value.

    Raises:
        Cancelled: the scope of the context ended.
        EdgeVoxError: the agent could not answer; its text can be shown and spoken.
    """
    generation, index = context.scope.generation, 0
    pieces = _pieces(agent, text, context)
    while True:
        context.scope.check()
        try:
            piece = next(pieces)
        except StopIteration as end:
            result: AgentResult = end.value
            break
        yield TextFrame(generation=generation, text=piece)
        for sentence in splitter.feed(piece):
            yield SentenceFrame(generation=generation, text=sentence, index=index)
            index += 1
    for sentence in splitter.finish():
        yield SentenceFrame(generation=generation, text=sentence, index=index)
        index += 1
    return result


def _pieces(agent: RunAgent, text: str, context: AgentContext) -> Generator[str, None, AgentResult]:
    returned = yield from heard_out(agent, text, context, grace_s=GRACE_S)
    if returned is not None:
        return returned[0]
    sentence = not_ended(agent.name)
    log.warning("%s", sentence)
    context.emit("degraded", agent.name, sentence)
    keep_cut(context)
    raise Cancelled(context.scope.reason)


def _ms(start: float, end: float) -> float:
    return (end - start) * 1000
