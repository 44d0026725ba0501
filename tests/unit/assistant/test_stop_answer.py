"""What is said after a stop waits until it is known, and the stop waits for nothing."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.assistant.stop_answer import REST_S, StopAnswer
from edgevox.assistant.words import words
from edgevox.safety import StopReport

CONFIRMED = StopReport(reason="stop", effects=())
OPEN = StopReport(reason="stop", effects=(), unconfirmed=("Base",))


class Room:
    """Something that may move, and what is said about it."""

    def __init__(self, comes_to_rest_after: float = 0.0) -> None:
        self.rests_at = time.monotonic() + comes_to_rest_after
        self.said: list[str] = []
        self.published: list[tuple[str, Any]] = []
        self._changed = threading.Condition()
        self.answer = StopAnswer(self.is_moving, self.say, self.publish, lambda: "en")

    def is_moving(self) -> bool:
        return time.monotonic() < self.rests_at

    def say(self, text: str) -> None:
        with self._changed:
            self.said.append(text)
            self._changed.notify_all()

    def publish(self, kind: str, payload: Any = None, turn: int | None = None) -> None:
        self.published.append((kind, payload))

    def wait_for(self, true: Callable[[], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(true, 5)


def test_a_halt_that_is_confirmed_is_answered_at_once() -> None:
    room = Room()
    room.answer.give(CONFIRMED)
    assert room.said == [words("stopped", "en")]


def test_a_robot_that_comes_to_rest_in_a_moment_has_stopped() -> None:
    room = Room(comes_to_rest_after=0.1)
    began = time.monotonic()
    room.answer.give(OPEN)
    assert time.monotonic() - began < 0.09, "nobody waits for the words"
    assert room.said == []
    assert room.wait_for(lambda: bool(room.said))
    assert room.said == [words("stopped", "en")]
    assert room.published == []


def test_a_robot_that_does_not_come_to_rest_is_said_to_be_not_confirmed() -> None:
    room = Room(comes_to_rest_after=60)
    began = time.monotonic()
    room.answer.give(OPEN)
    assert room.wait_for(lambda: bool(room.said))
    assert time.monotonic() - began >= REST_S
    assert room.said == [words("not_confirmed", "en")]
    assert room.published == [("degraded", words("not_confirmed", "en"))]


@pytest.mark.parametrize("report", [CONFIRMED, OPEN])
def test_a_stop_right_after_another_is_not_answered_again(report: StopReport) -> None:
    room = Room()
    room.answer.give(CONFIRMED)
    room.answer.give(report)
    time.sleep(0.05)
    assert room.said == [words("stopped", "en")]
