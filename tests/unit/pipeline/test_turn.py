import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

import pytest

from edgevox.agents.protocol import AgentResult
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import LanguageModelError
from edgevox.core.frames import SpokenFrame, StopFrame, TranscriptionFrame
from edgevox.core.messages import Message, Role
from edgevox.core.session import AgentContext, Session
from edgevox.pipeline.agent_processor import AgentProcessor
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome
from edgevox.pipeline.turn import TurnRunner

Pieces = Callable[[str, AgentContext], Iterator[str]]


class PiecewiseAgent:
    """An agent whose reply is whatever pieces its function yields."""

    def __init__(self, pieces: Pieces) -> None:
        self.name = "casa"
        self.description = "For tests."
        self.tasks: list[str] = []
        self._pieces = pieces

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        reply = "".join(self.run_stream(task, ctx))
        return AgentResult(reply=reply, agent_name=self.name)

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        context = ctx if ctx is not None else AgentContext()
        self.tasks.append(task)
        context.session.add(Message.text(task))
        said = ""
        for piece in self._pieces(task, context):
            said += piece
            yield piece
        context.session.add(Message.text(said, Role.ASSISTANT))
        return AgentResult(reply=said, agent_name=self.name, model_calls=1)


class Told:
    """Remembers what the turns told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.began: list[int] = []
        self.ended: list[TurnOutcome] = []
        self.text_came_at = threading.Event()

    def turn_began(self, handle: TurnHandle) -> None:
        self.began.append(handle.turn)

    def text_came(self, handle: TurnHandle, text: str) -> None:
        self.texts.append(text)
        self.text_came_at.set()

    def turn_ended(self, handle: TurnHandle, outcome: TurnOutcome, spoken: SpokenFrame) -> None:
        self.ended.append(outcome)


@contextmanager
def running(pieces: Pieces) -> Generator[tuple[TurnRunner, Told, Session]]:
    told, session = Told(), Session()

    def context(turn: int, scope: CancelScope) -> AgentContext:
        return AgentContext(session=session, scope=scope, turn=turn)

    runner = TurnRunner(PiecewiseAgent(pieces), context, told)
    runner.start()
    try:
        yield runner, told, session
    finally:
        runner.close()
        runner.join(2.0)


def typed(text: str) -> TranscriptionFrame:
    return TranscriptionFrame(text=text, typed=True)


def outcome_of(handle: TurnHandle) -> TurnOutcome:
    outcome = handle.wait(5.0)
    assert outcome is not None
    return outcome


def echo(task: str, _: AgentContext) -> Iterator[str]:
    yield "You said "
    yield f"{task}."


def until_cancelled(_: str, ctx: AgentContext) -> Iterator[str]:
    yield "I will go on "
    while not ctx.scope.wait(0.005):
        yield "and on "


def test_a_turn_is_answered_and_its_pieces_are_shown_as_they_come() -> None:
    with running(echo) as (runner, told, session):
        outcome = outcome_of(runner.submit(typed("hello")))
    assert outcome.reply == "You said hello."
    assert told.texts == ["You said ", "hello."]
    assert [message.plain for message in session.messages] == ["hello", "You said hello."]
    assert outcome.times.total_ms is not None
    assert outcome.times.stt_ms is None
    assert outcome.times.model_calls == 1


def test_turns_are_taken_one_after_the_other() -> None:
    with running(echo) as (runner, told, _):
        handles = [runner.submit(typed(text)) for text in ("one", "two", "three")]
        assert [outcome_of(handle).text for handle in handles] == ["one", "two", "three"]
    assert told.began == [1, 2, 3]


@pytest.mark.parametrize("reason", [CancelReason.STOP, CancelReason.BARGE_IN])
def test_a_cancelled_turn_ends_at_once_and_says_why(reason: CancelReason) -> None:
    with running(until_cancelled) as (runner, told, _):
        handle = runner.submit(typed("talk"))
        assert told.text_came_at.wait(2.0)
        started = time.monotonic()
        runner.cancel(reason)
        outcome = outcome_of(handle)
    assert time.monotonic() - started < 0.5
    assert outcome.cancelled == reason
    assert outcome.reply.startswith("I will go on")


def test_cancelling_drops_the_turns_that_wait() -> None:
    with running(until_cancelled) as (runner, told, _):
        first = runner.submit(typed("talk"))
        waiting = runner.submit(typed("later"))
        assert told.text_came_at.wait(2.0)
        runner.cancel(CancelReason.STOP)
        assert outcome_of(waiting).cancelled == CancelReason.STOP
        assert outcome_of(first).cancelled == CancelReason.STOP
    assert told.began == [1]


def test_after_a_stop_the_next_turn_is_answered() -> None:
    def first_hangs(task: str, ctx: AgentContext) -> Iterator[str]:
        return until_cancelled(task, ctx) if task == "talk" else echo(task, ctx)

    with running(first_hangs) as (runner, told, _):
        runner.submit(typed("talk"))
        assert told.text_came_at.wait(2.0)
        runner.cancel(CancelReason.STOP)
        assert outcome_of(runner.submit(typed("hello"))).reply == "You said hello."


def test_agent_error_spoken() -> None:
    def fails(_: str, ctx: AgentContext) -> Iterator[str]:
        yield "Let me see. "
        raise ValueError("the moon is full")

    with running(fails) as (runner, told, _):
        outcome = outcome_of(runner.submit(typed("hello")))
        assert outcome_of(runner.submit(typed("again"))).error is not None
    assert outcome.error is not None
    assert "the moon is full" in outcome.error
    assert told.texts[:2] == ["Let me see. ", outcome.error]


def test_an_error_for_people_is_said_in_its_own_words() -> None:
    def fails(_: str, ctx: AgentContext) -> Iterator[str]:
        raise LanguageModelError("The model is tired; ask again.")
        yield ""

    with running(fails) as (runner, _, _session):
        assert outcome_of(runner.submit(typed("hello"))).error == "The model is tired; ask again."


def test_closing_ends_the_turn_that_runs() -> None:
    with running(until_cancelled) as (runner, told, _):
        handle = runner.submit(typed("talk"))
        assert told.text_came_at.wait(2.0)
        runner.close()
        assert outcome_of(handle).cancelled == CancelReason.SHUTDOWN
        assert outcome_of(runner.submit(typed("late"))).cancelled == CancelReason.SHUTDOWN


def test_a_spoken_turn_counts_from_the_end_of_speech() -> None:
    with running(echo) as (runner, _, _session):
        ended = time.monotonic() - 0.5
        times = outcome_of(runner.submit(TranscriptionFrame(text="hi", ended=ended, stt_ms=120.0))).times
    assert times.stt_ms == 120.0
    assert times.end_ms is not None
    assert times.total_ms is not None
    assert 300 <= times.end_ms <= 2000
    assert times.total_ms >= 500


def test_agentprocessor_stopframe_cancels() -> None:
    processor = AgentProcessor(PiecewiseAgent(until_cancelled))
    frames = processor.process(TranscriptionFrame(text="talk"))
    next(frames)
    stop = StopFrame(reason="stop")
    assert list(processor.process(stop)) == [stop]
    started = time.monotonic()
    list(frames)
    assert time.monotonic() - started < 0.5


def test_an_agent_processor_remembers_the_conversation() -> None:
    processor = AgentProcessor(PiecewiseAgent(echo))
    for text in ("one", "two"):
        list(processor.process(TranscriptionFrame(text=text)))
    assert [message.plain for message in processor.ctx.session.messages] == [
        "one",
        "You said one.",
        "two",
        "You said two.",
    ]


def test_a_stop_reaches_a_turn_that_has_just_left_the_queue() -> None:
    told = Told()
    runner = TurnRunner(PiecewiseAgent(echo), lambda turn, scope: AgentContext(scope=scope, turn=turn), told)
    handle = runner.submit(typed("drive"))
    taken = runner._waiting.get(0.1)
    assert taken is not None
    runner.cancel(CancelReason.STOP)
    runner._waiting.put(taken)
    runner.start()
    try:
        assert outcome_of(handle).cancelled == CancelReason.STOP
        assert told.began == []
        assert outcome_of(runner.submit(typed("hello"))).reply == "You said hello."
    finally:
        runner.close()
        runner.join(2.0)
