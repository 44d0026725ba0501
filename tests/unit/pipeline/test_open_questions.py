"""Questions that are answered in words: one at a time, never past their time or the end of their turn."""

import threading
import time
from collections.abc import Callable

from edgevox.core.cancel import CancelScope
from edgevox.core.ports import InputRequest
from edgevox.pipeline.open_questions import OpenQuestions

AT_ONCE_S = 2.0


class Desk:
    """Open questions, with a record of what happened to them."""

    def __init__(
        self, hearing: Callable[[], bool] = lambda: False, blocked: Callable[[], bool] = lambda: False
    ) -> None:
        self.said: list[str] = []
        self.speech: list[CancelScope] = []
        self.over: list[tuple[str, str | None]] = []
        self.opened = threading.Semaphore(0)
        self.questions = OpenQuestions(
            ask_aloud=self._aloud,
            on_open=lambda _: self.opened.release(),
            on_over=lambda request, answer: self.over.append((request.question, answer)),
            tell=self.said.append,
            hearing=hearing,
            blocked=blocked,
        )
        self.answers: list[str | None] = []

    def ask(
        self, question: str = "Which one?", timeout_s: float | None = None, scope: CancelScope | None = None
    ) -> threading.Thread:
        """Put a question on a thread of its own."""
        turn = scope if scope is not None else CancelScope()
        asking = threading.Thread(
            target=lambda: self.answers.append(self.questions.request_input(question, timeout_s, turn)), daemon=True
        )
        asking.start()
        return asking

    def opens(self) -> None:
        """Wait until a question is open."""
        assert self.opened.acquire(timeout=5)

    def _aloud(self, text: str, scope: CancelScope) -> None:
        self.said.append(text)
        self.speech.append(scope)


def ended(asking: threading.Thread) -> None:
    asking.join(5)
    assert not asking.is_alive()


def test_the_next_words_are_the_answer_and_those_after_them_are_not() -> None:
    desk = Desk()
    assert not desk.questions.offer("nobody asked")
    asking = desk.ask("Which room?")
    desk.opens()
    pending = desk.questions.pending
    assert isinstance(pending, InputRequest)
    assert pending.question == "Which room?"
    assert not desk.questions.offer("   ")
    assert desk.questions.offer(" the kitchen ")
    assert not desk.questions.offer("the bedroom")
    ended(asking)
    assert desk.answers == ["the kitchen"]
    assert desk.over == [("Which room?", "the kitchen")]
    assert desk.questions.pending is None


def test_an_answer_ends_the_speaking_of_the_question_only() -> None:
    desk, turn = Desk(), CancelScope()
    asking = desk.ask(scope=turn)
    desk.opens()
    desk.questions.offer("that one")
    ended(asking)
    assert desk.speech[0].cancelled
    assert not turn.cancelled


def test_a_stop_ends_the_question_and_its_speech_at_once() -> None:
    desk, turn = Desk(), CancelScope()
    asking = desk.ask(timeout_s=60, scope=turn)
    desk.opens()
    began = time.monotonic()
    turn.cancel("stop")
    ended(asking)
    assert time.monotonic() - began < AT_ONCE_S
    assert desk.answers == [None]
    assert desk.speech[0].cancelled
    assert not desk.questions.offer("too late")


def test_silence_ends_the_question_when_its_time_is_over() -> None:
    desk, began = Desk(), time.monotonic()
    ended(desk.ask(timeout_s=0.1))
    assert 0.1 <= time.monotonic() - began < AT_ONCE_S
    assert desk.answers == [None]


def test_somebody_who_is_speaking_when_the_time_is_over_is_heard_out() -> None:
    speaking = threading.Event()
    speaking.set()
    desk = Desk(hearing=speaking.is_set)
    asking = desk.ask(timeout_s=0.05)
    desk.opens()
    time.sleep(0.4)
    assert desk.questions.pending is not None
    speaking.clear()
    assert desk.questions.offer("as I was saying")
    ended(asking)
    assert desk.answers == ["as I was saying"]


def test_a_second_question_waits_for_the_first() -> None:
    desk = Desk()
    first = desk.ask("First?")
    desk.opens()
    second = desk.ask("Second?")
    assert not desk.opened.acquire(timeout=0.15)
    desk.questions.offer("one")
    ended(first)
    desk.opens()
    desk.questions.offer("two")
    ended(second)
    assert desk.over == [("First?", "one"), ("Second?", "two")]


def test_a_question_that_waits_for_another_one_ends_with_its_turn() -> None:
    desk, turn = Desk(), CancelScope()
    first = desk.ask("First?")
    desk.opens()
    second = desk.ask("Second?", scope=turn)
    turn.cancel("stop")
    ended(second)
    desk.questions.offer("one")
    ended(first)
    assert desk.over == [("First?", "one")]


def test_a_question_for_yes_or_no_comes_first() -> None:
    asked = threading.Event()
    asked.set()
    desk = Desk(blocked=asked.is_set)
    asking = desk.ask()
    assert not desk.opened.acquire(timeout=0.15)
    asked.clear()
    desk.opens()
    desk.questions.offer("now")
    ended(asking)
    assert desk.answers == ["now"]


def test_a_question_that_waits_for_a_yes_lets_the_next_one_in_when_its_turn_ends() -> None:
    asked, turn = threading.Event(), CancelScope()
    asked.set()
    desk = Desk(blocked=asked.is_set)
    waiting = desk.ask("First?", scope=turn)
    turn.cancel("stop")
    ended(waiting)
    asked.clear()
    asking = desk.ask("Second?")
    desk.opens()
    desk.questions.offer("here")
    ended(asking)
    assert desk.over == [("Second?", "here")]


def test_when_no_more_words_can_come_the_question_is_over() -> None:
    desk = Desk()
    assert not desk.questions.give_up()
    asking = desk.ask()
    desk.opens()
    assert desk.questions.give_up()
    ended(asking)
    assert desk.answers == [None]


def test_telling_needs_no_answer() -> None:
    desk = Desk()
    desk.questions.notify("Dinner is ready.")
    assert desk.said == ["Dinner is ready."]
    assert desk.questions.pending is None
