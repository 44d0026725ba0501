"""Questions to the person that are answered with yes or no, by voice, by keyboard or by a key."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from edgevox.core.answers import Answer, read_answer, understand
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.ports import Approval, ApprovalRequest, Remembered

POLL_S = 0.05
"""How often a waiting question looks whether its turn is still alive, seconds."""

AnswerSource = Literal["voice", "typed", "key"]


@dataclass(slots=True)
class _Open:
    request: ApprovalRequest
    answered: threading.Event = field(default_factory=threading.Event)
    approval: Approval | None = None


class Questions:
    """The `Approver` of a running assistant: one open question at a time, the next one waits its turn.

    Args:
        ask_aloud: called with the question when it opens; speaks and shows it.
        on_open: called with the request when it opens and with `None` when it is answered.
        on_decided: called with the request and its answer.
        language: two-letter code whose words for yes and no are understood beside the English ones.
    """

    def __init__(
        self,
        *,
        ask_aloud: Callable[[ApprovalRequest, CancelScope], object],
        on_open: Callable[[ApprovalRequest], object],
        on_decided: Callable[[ApprovalRequest, Approval], object],
        language: str = "en",
    ) -> None:
        self.language = language
        self._ask_aloud = ask_aloud
        self._on_open = on_open
        self._on_decided = on_decided
        self._one_at_a_time = threading.Lock()
        self._open: _Open | None = None

    @property
    def pending(self) -> ApprovalRequest | None:
        """The question that is open now."""
        waiting = self._open
        return waiting.request if waiting else None

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        """Ask and wait; silence, a stop or the end of the turn is *no*."""
        while not self._one_at_a_time.acquire(timeout=POLL_S):
            if scope.cancelled:
                return Approval(approved=False, by="stop")
        try:
            waiting = _Open(request)
            self._open = waiting
            self._on_open(request)
            self._ask_aloud(request, scope)
            approval = self._wait(waiting, scope)
        finally:
            self._open = None
            self._one_at_a_time.release()
        self._on_decided(request, approval)
        return approval

    def offer(self, text: str, source: AnswerSource = "voice") -> bool:
        """Offer what the person said; returns whether it answered the open question."""
        waiting = self._open
        if waiting is None:
            return False
        answer = self._understood(text, waiting.request)
        return answer is not None and self._decide(answer, source, text.strip())

    def answer(self, approved: bool, source: AnswerSource = "key", *, remember: Remembered = "once") -> bool:
        """Answer the open question; returns whether there was one.

        Args:
            approved: whether it is a yes.
            source: how the answer came.
            remember: how long a yes holds, where the question lets the person choose.
        """
        return self._decide(Answer(approved, remember), source)

    def give_up(self) -> bool:
        """Say that nobody will answer any more, which is a no; returns whether there was a question."""
        waiting = self._open
        if waiting is None or waiting.answered.is_set():
            return False
        waiting.approval = Approval(approved=False, by="nobody")
        waiting.answered.set()
        return True

    def _understood(self, text: str, request: ApprovalRequest) -> Answer | None:
        if request.scopes:
            return read_answer(text, self.language)
        approved = understand(text, self.language)
        return Answer(approved) if approved is not None else None

    def _decide(self, answer: Answer, source: AnswerSource, words: str = "") -> bool:
        waiting = self._open
        if waiting is None or waiting.answered.is_set():
            return False
        offered = answer.approved and answer.remember in waiting.request.scopes
        remember: Remembered = answer.remember if offered else "once"
        waiting.approval = Approval(approved=answer.approved, by=source, remember=remember, words=words)
        waiting.answered.set()
        return True

    def _wait(self, waiting: _Open, scope: CancelScope) -> Approval:
        forget = scope.on_cancel(lambda _: waiting.answered.set())
        try:
            remaining = waiting.request.timeout_s
            while remaining > 0 and not waiting.answered.wait(min(POLL_S, remaining)) and not scope.cancelled:
                remaining -= POLL_S
        finally:
            forget()
        if waiting.approval is not None:
            return waiting.approval
        if scope.cancelled:
            return Approval(approved=False, by="stop" if scope.reason == CancelReason.STOP else "nobody")
        return Approval(approved=False, by="timeout")
