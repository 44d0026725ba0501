"""One run of a chain agent while it lasts: its messages, what it may take, and what is told about it.

Knows nothing of tools and models. After a run has been given up, what still comes from its thread is dropped here.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from edgevox.chains.budget import Budget
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import Cancelled
from edgevox.core.messages import Message, ToolResultBlock
from edgevox.core.results import AgentResult
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult


class RunStatus(StrEnum):
    """How far a run is."""

    IDLE = "idle"
    """The agent has not run yet."""
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(slots=True, kw_only=True)
class RunState:
    """What the parts of one run share."""

    agent_name: str
    ctx: AgentContext
    messages: list[Message]
    """The live list: tools are given it, and may change it."""
    budget: Budget
    also_keep: Callable[[Message], object] | None = None
    """Where messages go beside the run's own list: the conversation that it is a turn of."""
    on_words: Callable[[str], object] | None = None
    """Told the words of a reply while the model writes them; `None` where nobody waits for them."""
    status: RunStatus = RunStatus.RUNNING
    tool_calls: list[ToolCallResult] = field(default_factory=list[ToolCallResult])
    """What ran, in order."""
    reply: str = ""
    """The words for whoever asked."""
    error: str | None = None
    result: AgentResult | None = None
    """What the run came to, when it is over."""
    asking: CancelScope | None = None
    """The scope of the model calls since the last interruption."""
    _interrupted: bool = False
    _closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, message: Message) -> Message:
        """Add a message.

        Raises:
            Cancelled: nobody waits for this run any more.
        """
        with self._lock:
            if self._closed:
                raise Cancelled(self.ctx.scope.reason or "given up")
            self.messages.append(message)
            if self.also_keep is not None:
                self.also_keep(message)
        return message

    def close(self, status: RunStatus) -> None:
        """Let nothing be added any more."""
        with self._lock:
            if not self._closed:
                self._closed, self.status = True, status

    def emit(self, kind: str, payload: object) -> None:
        """Publish, unless the run has been given up."""
        if not self._closed:
            self.ctx.emit(kind, self.agent_name, payload)

    def heeds(self, kind: str) -> bool:
        """Whether anybody would learn of an event of a kind."""
        return self.ctx.on_event is not None or self.ctx.bus.heeds(kind)

    def ran(self, result: ToolCallResult, block: ToolResultBlock) -> None:
        """Publish that a tool ran and what it answered."""
        self.tool_calls.append(result)
        self.emit("tool_call", result)
        self.emit("tool_result", block)

    def asking_scope(self) -> CancelScope:
        """The scope of model calls: an interruption ends it, and the call under way, without ending the run."""
        self.ctx.scope.check()
        with self._lock:
            if self.asking is None or self.asking.cancelled:
                self.asking = self.ctx.scope.child()
            if self._interrupted:
                self.asking.cancel(CancelReason.BARGE_IN)
            return self.asking

    def interrupt(self) -> None:
        """End the model call under way, or the next one; from any thread."""
        with self._lock:
            self._interrupted = True
            asking = self.asking
        if asking is not None:
            asking.cancel(CancelReason.BARGE_IN)

    def take_interrupt(self) -> bool:
        """Whether the run was interrupted since the last time this was asked."""
        with self._lock:
            interrupted, self._interrupted = self._interrupted, False
        return interrupted
