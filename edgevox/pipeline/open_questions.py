"""Questions to the person that are answered in words: the next thing that is said or typed is the answer.

The `UserChannel` of a running assistant. Knows when a question is over: answered, too late, its turn ended, or nobody
left who could answer. How it is shown and spoken is the assistant's.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.ports import InputRequest

POLL_S = 0.05
"""How often a waiting question looks whether its turn is still alive, seconds."""
GRACE_S = 3.0
"""How long a question waits for the words of somebody who was speaking when its time was over, seconds."""
LONGEST_S = 20.0
"""The most that speech may add to the time of a question, seconds."""


@dataclass(slots=True)
class _Open:
    request: InputRequest
    over: threading.Event = field(default_factory=threading.Event)
    answer: str | None = None
    deciding: threading.Lock = field(default_factory=threading.Lock)

    def decide(self, answer: str | None) -> bool:
        """End the question; returns whether this call was the one that did."""
        with self.deciding:
            if self.over.is_set():
                return False
            self.answer = answer
            self.over.set()
            return True


class OpenQuestions:
    """Puts one question at a time; the next one waits its turn.

    Args:
        ask_aloud: called with the question and a scope that ends when it is answered; speaks it.
        on_open: called with the request when it is put.
        on_over: called with the request and its answer, `None` where none came.
        tell: shows and speaks a text that needs no answer.
        hearing: returns whether somebody is speaking right now.
        blocked: returns whether another kind of question is open, which has to be answered before.
    """

    def __init__(
        self,
        *,
        ask_aloud: Callable[[str, CancelScope], object],
        on_open: Callable[[InputRequest], object],
        on_over: Callable[[InputRequest, str | None], object],
        tell: Callable[[str], object],
        hearing: Callable[[], bool] = lambda: False,
        blocked: Callable[[], bool] = lambda: False,
    ) -> None:
        self._ask_aloud = ask_aloud
        self._on_open = on_open
        self._on_over = on_over
        self._tell = tell
        self._hearing = hearing
        self._blocked = blocked
        self._one_at_a_time = threading.Lock()
        self._open: _Open | None = None

    @property
    def pending(self) -> InputRequest | None:
        """The question that waits for words now."""
        waiting = self._open
        return waiting.request if waiting is not None and not waiting.over.is_set() else None

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Put a question and return the person's words; `None` when none came in time or the scope ended."""
        if not self._may_open(scope):
            return None
        waiting = _Open(InputRequest(question=message, timeout_s=timeout_s))
        speech = CancelScope()  # of its own: an answer silences the question and not what the turn says afterwards
        forget = scope.on_cancel(speech.cancel)
        try:
            self._open = waiting
            self._on_open(waiting.request)
            self._ask_aloud(message, speech)
            self._wait(waiting, scope)
        finally:
            self._open = None
            forget()
            speech.cancel(CancelReason.USER)
            self._one_at_a_time.release()
            self._on_over(waiting.request, waiting.answer)
        return waiting.answer

    def notify(self, message: str) -> None:
        """Show and speak a text; never waits."""
        self._tell(message)

    def offer(self, text: str) -> bool:
        """Offer what the person said; returns whether it answered the question."""
        waiting = self._open
        return waiting is not None and bool(text.strip()) and waiting.decide(text.strip())

    def give_up(self) -> bool:
        """Say that nobody will answer any more; returns whether there was a question."""
        waiting = self._open
        return waiting is not None and waiting.decide(None)

    def _may_open(self, scope: CancelScope) -> bool:
        """Wait for the questions before; False when the scope ended first. Leaves the lock held."""
        while not self._one_at_a_time.acquire(timeout=POLL_S):
            if scope.cancelled:
                return False
        while self._blocked() and not scope.cancelled:
            scope.wait(POLL_S)
        if scope.cancelled:
            self._one_at_a_time.release()
        return not scope.cancelled

    def _wait(self, waiting: _Open, scope: CancelScope) -> None:
        began, heard = time.monotonic(), float("-inf")
        limit = waiting.request.timeout_s
        forget = scope.on_cancel(lambda _: waiting.decide(None))
        try:
            while not waiting.over.wait(POLL_S if limit is None else min(POLL_S, limit)):
                now = time.monotonic()
                heard = now if self._hearing() else heard
                if scope.cancelled or (limit is not None and now >= _end(began + limit, heard)):
                    waiting.decide(None)
        finally:
            forget()


def _end(deadline: float, heard: float) -> float:
    """When a question is over for somebody who was heard speaking last at `heard`, monotonic seconds."""
    return min(max(deadline, heard + GRACE_S), deadline + LONGEST_S)
