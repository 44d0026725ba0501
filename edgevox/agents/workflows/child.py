"""One run of a child: on a thread of its own, so that a child that hangs keeps neither a stop nor a deadline waiting.

Knows how a run ended and how long to wait for one that was told to end. What follows from a failure is the workflow's
business.
"""

import contextvars
import logging
import queue
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from edgevox.agents.patience import LATE_PIECES, Patience, hand_over, patience_of
from edgevox.agents.protocol import AgentResult
from edgevox.agents.workflows.branches import branch_of, exchanges_in, exchanges_of, reply_kind_of
from edgevox.core.cancel import POLL_S, CancelReason
from edgevox.core.errors import Cancelled, EdgeVoxError, described
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Message, ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult

log = logging.getLogger(__name__)

CALLED_OFF = (ResultStatus.CANCELLED, ResultStatus.DECLINED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How the run of a child ended."""

    agent_name: str
    result: AgentResult
    fault: str | None = None
    """Why it counts as failed; `None` when it did not."""
    apology: str = ""
    """The words in which the child told the person about it; empty when it did not."""
    reply_kind: str | None = None
    """What its reply is for beside its words (`Message.kind`): a question that the next turn answers."""
    exchanges: tuple[Message, ...] = ()
    """What its tools did, for the conversation."""
    raised: bool = False
    """Whether it ended by an exception, which nobody has been told of."""
    called_off: bool = False
    """Whether somebody ended what it did: the action was halted or cancelled, the person said no, or it stopped itself.
    That is no failure and nothing to try again; a stop may be on its way that has halted the robot already."""
    timed_out: bool = False
    abandoned: bool = False
    """Whether it still runs: it did not end when it was told to."""

    @property
    def blame(self) -> str:
        """Who failed, and why."""
        return f"{self.agent_name}: {self.fault}"


@dataclass(frozen=True, slots=True)
class _Over:
    value: Any = None
    error: BaseException | None = None


class ChildRun:
    """Runs one child once.

    Args:
        agent: who answers.
        task: what it is asked.
        ctx: of the workflow; its end is the child's end.
        history: what the child's conversation begins with.
        seconds: how long it may take; `None` has no limit.
    """

    def __init__(
        self, agent: Any, task: str, ctx: AgentContext, history: Sequence[Message], *, seconds: float | None = None
    ) -> None:
        self.agent = agent
        self.seconds = seconds
        self._task = task
        self._began_with = len(history)
        self._ctx = branch_of(ctx, history)
        self._scope = self._ctx.scope
        self._outer = ctx.scope
        self._outer_listener = ctx.on_event
        self._ctx.on_event = self._overheard
        self._patience = Patience(self._scope, patience_of(agent))
        self._inbox: queue.SimpleQueue[str | _Over] = queue.SimpleQueue()
        self._said: list[str] = []
        self._tools: list[ToolCallResult] = []
        self._model_calls = 0
        self._deadline: float | None = None
        self._late = 0
        self._timed_out = False
        self._over: _Over | None = None
        self._ended: Ended | None = None

    def start(self) -> None:
        """Begin."""
        if self.seconds is not None:
            self._deadline = time.monotonic() + self.seconds
        context = contextvars.copy_context()
        threading.Thread(target=lambda: context.run(self._work), name=f"agent-{self.agent.name}", daemon=True).start()

    def pieces(self) -> Generator[str, None, None]:
        """Yield the reply as it comes, until the run is over, its time is, or it was told to end."""
        while self._over is None:
            piece = self._next()
            if piece is None:
                return
            self._said.append(piece)
            if not (self._timed_out or self._outer.cancelled):  # a child that ended itself may still say why
                yield piece

    def wait(self) -> Ended:
        """Wait for the end and return it."""
        for _ in self.pieces():
            pass
        return self.end()

    def tell(self) -> None:
        """Tell the child to end, unless it has: nobody listens any more."""
        if self._over is None:
            self._scope.cancel(CancelReason.BARGE_IN)

    def end(self) -> Ended:
        """Return how the run ended; one that goes on is told to end, and given up if it does not."""
        if self._ended is None:
            if self._over is None:
                self.tell()
                for _ in self.pieces():
                    pass
            self._scope.close()
            self._ended = self._summary()
        return self._ended

    # -- on the child's thread -----------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            over = _Over(
                value=None if self._scope.cancelled else hand_over(self.agent, self._task, self._ctx, self._put)
            )
        except BaseException as error:  # whatever a child raises is how its run ended; the workflow decides
            over = _Over(error=error)
        self._inbox.put(over)

    def _put(self, piece: str) -> bool:
        self._inbox.put(piece)
        self._late += self._scope.cancelled
        return self._late < LATE_PIECES

    def _overheard(self, event: AgentEvent) -> None:
        """Count what the child does, in case it never says so itself, and pass the event on."""
        if event.kind == "tool_call" and isinstance(event.payload, ToolCallResult):
            self._tools.append(event.payload)
        elif event.kind == "llm_call":
            self._model_calls += 1
        if self._outer_listener is not None:
            self._outer_listener(event)

    # -- on the workflow's thread --------------------------------------------------------------------------------

    def _next(self) -> str | None:
        """Return the next piece; `None` when there will be none, or none that is worth waiting for."""
        while not self._out_of_patience():
            try:
                item = self._inbox.get(timeout=POLL_S)
            except queue.Empty:
                continue
            if isinstance(item, str):
                if item:
                    return item
                continue
            self._over = item
            return None
        return None

    def _out_of_patience(self) -> bool:
        now = time.monotonic()
        late = self._deadline is not None and now >= self._deadline
        if late and not self._scope.cancelled:
            self._timed_out = self._scope.cancel(CancelReason.TIMEOUT)
        return self._patience.over()

    def _summary(self) -> Ended:
        name, over = str(self.agent.name), self._over
        result, fault = self._unknown(), None
        if over is None:
            fault = "did not end when it was told to"
        elif over.error is not None:
            fault = None if isinstance(over.error, Cancelled) else said_of(over.error)
        else:
            result, fault = self._as_result(over.value)
        raised = over is not None and over.error is not None and fault is not None
        if raised:
            log.warning("%s failed: %s", name, fault, exc_info=over.error if over is not None else None)
        called_off = fault is None and self._was_called_off(result)
        fault = fault or (None if called_off else failure_of(result))
        if self._timed_out and not raised:
            fault = f"took longer than {self.seconds:g} s" + ("" if over is not None else " and still runs")
        return Ended(
            agent_name=name,
            result=result,
            fault=fault,
            apology=result.reply if fault and self._has_said_why(result) else "",
            reply_kind=reply_kind_of(self._ctx.session.messages[self._began_with :]),
            exchanges=self._exchanges(result),
            raised=raised,
            called_off=called_off and not self._timed_out,
            timed_out=self._timed_out,
            abandoned=over is None,
        )

    def _was_called_off(self, result: AgentResult) -> bool:
        if result.error or self._over is None:
            return False
        recovers = hasattr(self.agent, "limits")  # a workflow may have gone on after that, and says so itself
        last = result.tool_calls[-1] if result.tool_calls and not recovers else None
        return result.preempted or (last is not None and last.status in CALLED_OFF)

    def _has_said_why(self, result: AgentResult) -> bool:
        """Whether the words of a run that failed are about its failure, and not what was cut off."""
        return not self._timed_out and (bool(result.error) or not result.preempted)

    def _unknown(self) -> AgentResult:
        """What can be said of a run that has no result: what was overheard."""
        return AgentResult(
            "".join(self._said).strip(),
            self.agent.name,
            preempted=True,
            tool_calls=tuple(self._tools),
            model_calls=self._model_calls,
        )

    def _as_result(self, value: Any) -> tuple[AgentResult, str | None]:
        """Read what an agent returned; one that only hands pieces over has said all it has to say."""
        if isinstance(value, AgentResult):
            return value, None
        words = value if isinstance(value, str) else "".join(self._said)
        result = AgentResult(
            words.strip(),
            self.agent.name,
            preempted=self._scope.cancelled,
            tool_calls=tuple(self._tools),
            model_calls=self._model_calls,
        )
        strange = value is not None and not isinstance(value, str)
        return result, f"returned {type(value).__name__} and not an AgentResult" if strange else None

    def _exchanges(self, result: AgentResult) -> tuple[Message, ...]:
        kept = exchanges_in(self._ctx.session.messages[self._began_with :])
        return kept or exchanges_of(result.tool_calls)


def failure_of(result: AgentResult) -> str | None:
    """Say why a result counts as failed: an error, no words, a cut, or a command that came to nothing."""
    if result.error:
        return result.error
    if result.preempted:
        return "was cut off"
    if not result.reply.strip():
        return "gave no reply"
    last = result.tool_calls[-1] if result.tool_calls and result.model_calls == 0 else None
    if last is not None and last.status is ResultStatus.ERROR:
        return last.error or f"{last.name} failed"
    return None


def said_of(error: BaseException) -> str:
    """Say what was raised: the sentence of an error for people, kind and words of any other."""
    if isinstance(error, EdgeVoxError) and str(error):
        return str(error)
    return described(error)
