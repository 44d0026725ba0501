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
from edgevox.core.messages import Message
from edgevox.core.session import AgentContext


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
    status: RunStatus = RunStatus.RUNNING
    asking: CancelScope | None = None
    """The scope of the model call under way."""
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
