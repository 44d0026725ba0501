import threading
import time

import pytest

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.pipeline.questions import Questions


class Asked:
    """Questions with a record of what they said, and a way to wait for them to open."""

    def __init__(self) -> None:
        self.aloud: list[str] = []
        self.decided: list[Approval] = []
        self.open = threading.Event()
        self.questions = Questions(
            ask_aloud=lambda request, _: self.aloud.append(request.question),
            on_open=lambda _: self.open.set(),
            on_decided=lambda _, approval: self.decided.append(approval),
        )

    def ask(self, timeout_s: float = 5.0, scope: CancelScope | None = None) -> "Pending":
        return Pending(self, ApprovalRequest(question="Delete it?", timeout_s=timeout_s), scope or CancelScope())


class Pending:
    def __init__(self, asked: Asked, request: ApprovalRequest, scope: CancelScope) -> None:
        self.answers: list[Approval] = []
        self._thread = threading.Thread(target=lambda: self.answers.append(asked.questions.ask(request, scope)))
        self._thread.start()
        assert asked.open.wait(2.0)

    def result(self) -> Approval:
        self._thread.join(3.0)
        assert not self._thread.is_alive()
        return self.answers[0]


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.mark.parametrize(("words", "approved"), [("Yes, please.", True), ("no", False)])
def test_a_spoken_answer_decides(asked: Asked, words: str, approved: bool) -> None:
    pending = asked.ask()
    assert asked.questions.offer(words)
    assert pending.result() == Approval(approved=approved, by="voice")
    assert asked.aloud == ["Delete it?"]
    assert asked.decided == [pending.answers[0]]
    assert asked.questions.pending is None


def test_nobody_who_will_answer_is_a_no_at_once(asked: Asked) -> None:
    assert not asked.questions.give_up()
    pending = asked.ask()
    assert asked.questions.give_up()
    assert pending.result() == Approval(approved=False, by="nobody")
    assert not asked.questions.give_up()


def test_words_that_are_no_answer_leave_the_question_open(asked: Asked) -> None:
    pending = asked.ask()
    assert not asked.questions.offer("turn on the light")
    assert asked.questions.pending is not None
    asked.questions.answer(True)
    assert pending.result() == Approval(approved=True, by="key")


def test_silence_is_no(asked: Asked) -> None:
    assert asked.ask(timeout_s=0.1).result() == Approval(approved=False, by="timeout")


def test_a_stop_is_no_and_is_not_waited_for(asked: Asked) -> None:
    scope = CancelScope()
    pending = asked.ask(timeout_s=60, scope=scope)
    started = time.monotonic()
    scope.cancel(CancelReason.STOP)
    assert pending.result() == Approval(approved=False, by="stop")
    assert time.monotonic() - started < 0.5


def test_without_a_question_nothing_is_an_answer(asked: Asked) -> None:
    assert not asked.questions.offer("yes")
    assert not asked.questions.answer(True)


def test_a_second_question_waits_for_the_first(asked: Asked) -> None:
    first = asked.ask()
    scope = CancelScope()
    answers: list[Approval] = []
    request = ApprovalRequest(question="And this one?")
    second = threading.Thread(target=lambda: answers.append(asked.questions.ask(request, scope)))
    second.start()
    time.sleep(0.1)
    assert asked.aloud == ["Delete it?"]
    scope.cancel(CancelReason.STOP)
    second.join(2.0)
    assert answers == [Approval(approved=False, by="stop")]
    asked.questions.answer(True)
    assert first.result().approved
