"""Drives a running action to its end: passes its progress on, ends it when the turn ends, and says so when it will not.

A stop reaches the action within one wake-up; whether it really halted is never assumed. Knows handles, scopes and
events; does not know what moves, and starts nothing (`edgevox.tools.bodies` does).
"""

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

from edgevox.core.cancel import CancelReason
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.core.session import AgentContext
from edgevox.tools.workers import POOL

log = logging.getLogger(__name__)

CADENCE_S = 0.02
"""How often progress is passed on, seconds; ends and stops wake the driver at once."""
HALT_GRACE_S = 0.5
"""Seconds an action has to end after it was told to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNews:
    """Payload of `skill_goal`, `skill_feedback` and `skill_cancelled`."""

    name: str
    tool_use_id: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status: GoalStatus = GoalStatus.RUNNING
    feedback: Any = None
    reason: str | None = None
    """Why it was cancelled; `None` while nobody asked for that."""
    confirmed: bool = True
    """Whether the action is known to have ended; False after a halt that it did not confirm."""


class GoalEnd(Enum):
    """How the driving of an action ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    HALT_UNCONFIRMED = "halt_unconfirmed"
    LEFT_RUNNING = "left_running"
    """The person spoke and the policy lets the action go on without its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalOutcome:
    """What an action came to."""

    end: GoalEnd
    result: Any = None
    error: str = ""


class GoalDriver:
    """Drives one action on the caller's thread.

    Args:
        handle: the action.
        news: name, identifier and arguments for the events.
        ctx: whose scope ends the action and whose bus hears of it; `None` drives without either.
        agent_name: for the events.
        timeout_s: seconds it may take in all; `None` has no limit.
        spent_s: seconds of these that are gone.
        moves: names of what it moves.
    """

    def __init__(
        self,
        handle: GoalHandle,
        news: GoalNews,
        ctx: AgentContext | None,
        agent_name: str,
        timeout_s: float | None,
        *,
        spent_s: float = 0.0,
        moves: frozenset[str] = frozenset(),
    ) -> None:
        self._handle = handle
        self._news = news
        self._ctx = ctx
        self._agent = agent_name
        self._timeout = timeout_s
        self._deadline = None if timeout_s is None else time.monotonic() + timeout_s - spent_s
        self._moves = moves
        self._wake = threading.Event()

    def drive(self) -> GoalOutcome:
        """Wait until the action is over, timed out, or was told to end and has had its time to."""
        if self._ctx is not None:
            self._ctx.goals.add(self._news.name, self._handle, self._news.arguments, moves=self._moves)
        self._handle.on_end(self._wake.set)
        self._handle.on_cancel(self._wake.set)
        self._emit("skill_goal", self._handle.status)
        scope = self._ctx.scope if self._ctx is not None else None
        forget = scope.on_cancel(lambda _: self._wake.set()) if scope is not None else None
        try:
            return self._driven()
        finally:
            self._pass_feedback()
            if forget is not None:
                forget()

    def _driven(self) -> GoalOutcome:
        while not self._handle.status.is_terminal():
            if self._ctx is not None and self._ctx.scope.cancelled:
                return self._turn_over(self._ctx.scope.reason or CancelReason.STOP)
            if self._handle.should_cancel():
                return self._told_to_end()
            if self._deadline is not None and time.monotonic() >= self._deadline:
                return self._timed_out()
            self._wake.wait(self._step())
            self._pass_feedback()
        return self._ended()

    def _step(self) -> float:
        return CADENCE_S if self._deadline is None else max(0.0, min(CADENCE_S, self._deadline - time.monotonic()))

    def _ended(self) -> GoalOutcome:
        match self._handle.status:
            case GoalStatus.SUCCEEDED:
                return GoalOutcome(end=GoalEnd.SUCCEEDED, result=self._handle.result)
            case GoalStatus.CANCELLED:
                self._emit("skill_cancelled", GoalStatus.CANCELLED, reason=self._why())
                return GoalOutcome(end=GoalEnd.CANCELLED, error=f"{self._news.name} was cancelled ({self._why()}).")
            case _:
                return GoalOutcome(end=GoalEnd.FAILED, error=self._handle.error or f"{self._news.name} failed.")

    def _turn_over(self, reason: str) -> GoalOutcome:
        if reason == CancelReason.BARGE_IN and not getattr(
            self._ctx.interrupt if self._ctx else None, "cancel_skills", False
        ):
            if self._ctx is not None:
                self._ctx.goals.leave(self._handle)
            POOL.submit(self._watch_alone, f"watching {self._news.name}")
            return GoalOutcome(end=GoalEnd.LEFT_RUNNING, error=f"{self._news.name} goes on.")
        return self._halt(reason, GoalEnd.CANCELLED, f"{self._news.name} was cancelled ({reason}).")

    def _told_to_end(self) -> GoalOutcome:
        reason = self._handle.cancel_reason or CancelReason.USER
        return self._halt(reason, GoalEnd.CANCELLED, f"{self._news.name} was cancelled ({reason}).")

    def _timed_out(self) -> GoalOutcome:
        return self._halt(
            CancelReason.TIMEOUT, GoalEnd.TIMEOUT, f"{self._news.name} timed out after {self._timeout:g} seconds."
        )

    def _halt(self, reason: str, end: GoalEnd, words: str) -> GoalOutcome:
        """Tell the action to end and wait for it; telling it happens elsewhere, for it may hang."""
        POOL.submit(partial(self._handle.cancel, reason), f"cancel of {self._news.name}")
        status = self._handle.poll(HALT_GRACE_S)
        confirmed = status.is_terminal()
        if status is GoalStatus.SUCCEEDED and end is GoalEnd.CANCELLED:
            return GoalOutcome(end=GoalEnd.SUCCEEDED, result=self._handle.result)
        self._emit("skill_cancelled", status, reason=reason, confirmed=confirmed)
        if confirmed:
            return GoalOutcome(end=end, error=words)
        return GoalOutcome(
            end=GoalEnd.HALT_UNCONFIRMED,
            error=f"{words} The halt is not confirmed; {HALT_GRACE_S:g} s after it was told to, it may still move.",
        )

    def _watch_alone(self) -> None:
        """Pass on what an action reports after its turn, and keep its time limit."""
        while not self._handle.poll(self._step()).is_terminal():
            self._pass_feedback()
            if self._deadline is not None and time.monotonic() >= self._deadline:
                self._timed_out()
                return
            if self._handle.should_cancel():
                self._told_to_end()
                return
        self._pass_feedback()
        if self._handle.status is GoalStatus.CANCELLED:
            self._emit("skill_cancelled", GoalStatus.CANCELLED, reason=self._why())
        else:
            self._emit("skill_feedback", self._handle.status, feedback=self._handle.error or self._handle.result)

    def _why(self) -> str:
        scope = self._ctx.scope.reason if self._ctx is not None else None
        return self._handle.cancel_reason or self._handle.error or scope or "cancelled"

    def _pass_feedback(self) -> None:
        for report in self._handle.feedback():
            self._emit("skill_feedback", self._handle.status, feedback=report)

    def _emit(self, kind: str, status: GoalStatus, **details: Any) -> None:
        if self._ctx is None:
            return
        news = GoalNews(
            name=self._news.name,
            tool_use_id=self._news.tool_use_id,
            arguments=self._news.arguments,
            status=status,
            **details,
        )
        try:
            self._ctx.emit(kind, self._agent, news)
        except Exception:  # an observer's fault must not leave the action without its driver
            log.exception("an observer of %s failed", kind)
