"""The person who sits there: what they say answers a question that is open, before it becomes a turn.

Knows both kinds of questions, those for yes or no and those for words, and which of them an answer is for.
"""

from collections.abc import Callable
from typing import Any, Protocol

from edgevox.core.cancel import CancelScope
from edgevox.core.frames import TranscriptionFrame
from edgevox.core.ports import InputRequest
from edgevox.pipeline.hear import is_back_channel
from edgevox.pipeline.open_questions import OpenQuestions
from edgevox.pipeline.questions import Questions
from edgevox.pipeline.state import StateBoard


class Publish(Protocol):
    """Publishes an event of the assistant."""

    def __call__(self, kind: str, payload: Any = None) -> None:
        """Publish it."""
        ...


class Person:
    """Takes answers. `words` is the channel by which runs ask for words.

    Args:
        approvals: the questions for yes or no.
        speak: says a sentence within a scope.
        board: shows that a question is open; knows whether somebody speaks.
        publish: takes an event's kind and payload.
        tell: shows and speaks a text outside any reply.
    """

    def __init__(
        self,
        approvals: Questions,
        *,
        speak: Callable[[str, CancelScope], object],
        board: StateBoard,
        publish: Publish,
        tell: Callable[[str], object],
    ) -> None:
        self._approvals = approvals
        self._board = board
        self._publish = publish
        self.words = OpenQuestions(
            ask_aloud=speak,
            on_open=self._opened,
            on_over=self._over,
            tell=tell,
            hearing=lambda: board.is_up("hearing"),
            blocked=lambda: approvals.pending is not None,
        )

    @property
    def asked(self) -> bool:
        """Whether a question of either kind is open."""
        return self._approvals.pending is not None or self.words.pending is not None

    def typed(self, text: str) -> bool:
        """Offer what was typed; returns whether it answered a question."""
        return self._approvals.offer(text, "typed") or self.words.offer(text)

    def spoken(self, text: str) -> bool:
        """Offer what was said; returns whether it answered a question. A sound of listening is no answer in words."""
        if self._approvals.offer(text):
            return True
        if is_back_channel(text) or not self.words.offer(text):
            return False
        self._publish("heard", TranscriptionFrame(text=text))
        return True

    def no_answer(self) -> bool:
        """Say that nobody will answer; returns whether a question was open."""
        return self._approvals.give_up() or self.words.give_up()

    def _opened(self, request: InputRequest) -> None:
        self._board.set("waiting", True)
        self._publish("input_requested", request)

    def _over(self, request: InputRequest, answer: str | None) -> None:
        self._board.set("waiting", False)
        self._publish("input_received", (request, answer))
