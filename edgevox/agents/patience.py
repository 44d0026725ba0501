"""How long an agent is waited for that was told to end, and how its answer is heard on a thread of its own meanwhile.

An agent is other people's code: it may block, or go on speaking. Whoever asks it must be able to leave.
"""

import contextvars
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

from edgevox.core.cancel import POLL_S, CancelReason, CancelScope
from edgevox.core.relay import relayed
from edgevox.core.session import AgentContext

PATIENCE_S = 0.3
"""Seconds that an agent has to end after it was told to."""
SKILLS_PATIENCE_S = 0.7
"""The same for an agent with skills: it waits half a second itself for an action that does not confirm its halt."""
STEP_S = 0.05
"""What each agent above adds, so that the one below is never given up while it is giving up on its own child."""
SETTLE_S = 0.15
"""What the lowest of them adds: it waits a moment for the one who stopped it to say so."""
LATE_PIECES = 8
"""Pieces that an agent may still hand over after it was told to end; then its stream is closed."""


def not_ended(name: str) -> str:
    """Say that an agent goes on although it was told to end."""
    return f"{name} did not end when it was told to; it may still be at work."


class Patience:
    """Says when an agent has had its time to end.

    Args:
        scope: of its run.
        seconds: how long it may go on after the scope has ended.
    """

    def __init__(self, scope: CancelScope, seconds: float) -> None:
        self._scope = scope
        self._seconds = seconds
        self._told_at: float | None = None
        scope.on_cancel(lambda _: self._note())

    def over(self) -> bool:
        """Whether it was told to end, and should have."""
        told = self._scope.cancelled and self._told_at is not None
        return told and time.monotonic() - (self._told_at or 0.0) > self._seconds

    def _note(self) -> None:
        self._told_at = time.monotonic()


def patience_of(agent: Any, known: dict[int, float] | None = None) -> float:
    """Return how long an agent is waited for after it was told to end, seconds.

    Args:
        agent: who may have agents below; they may point at each other.
        known: of the agents that were looked at already, by identity.
    """
    known = {} if known is None else known
    if id(agent) not in known:
        known[id(agent)] = own = SKILLS_PATIENCE_S if getattr(agent, "skills", ()) else PATIENCE_S
        below = [
            patience_of(child, known) + (STEP_S if getattr(child, "children", ()) else SETTLE_S)
            for child in getattr(agent, "children", ())
        ]
        known[id(agent)] = max([own, *below])
    return known[id(agent)]


def hand_over(agent: Any, task: str, ctx: AgentContext, put: Callable[[str], bool]) -> Any:
    """Run an agent and hand its pieces over.

    Args:
        agent: who answers.
        task: what it is asked.
        ctx: of its run.
        put: takes a piece and returns whether more are wanted; if not, the agent's stream is closed.

    Returns:
        What the agent returned; `None` when it was closed.
    """
    stream = getattr(agent, "run_stream", None)
    if not callable(stream):
        return agent.run(task, ctx)
    pieces: Any = stream(task, ctx)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            return end.value
        if not put(str(piece)):
            pieces.close()
            return None


def heard_out(
    agent: Any, task: str, ctx: AgentContext, *, grace_s: float = 0.0
) -> Generator[str, None, tuple[Any] | None]:
    """Yield the pieces of an agent's answer, each when it is asked for; closing the generator interrupts the agent.

    Args:
        agent: who answers.
        task: what it is asked.
        ctx: of its run, with a scope of its own.
        grace_s: seconds that it is given beside its own, where nobody but the next turn waits.

    Returns:
        What it returned, in a tuple; `None` when it was given up.

    Raises:
        BaseException: what the agent raised.
    """
    hearing = _Hearing(ctx.scope, patience_of(agent) + grace_s)
    context = contextvars.copy_context()
    returned = list[Any]()

    def read(put: Callable[[str], None]) -> None:
        returned.append(context.run(hand_over, agent, task, ctx, lambda piece: hearing.offer(piece, put)))

    pieces = relayed(read, over=hearing.patience.over, name=f"agent-{agent.name}")
    try:
        for piece in pieces:
            yield piece
            hearing.wanted.release()
    except GeneratorExit:
        hearing.leave()
        for _ in pieces:
            pass
        raise
    return (returned[0],) if returned else None


class _Hearing:
    """Keeps an agent and its listener in step: what nobody has asked for yet is not said."""

    def __init__(self, scope: CancelScope, seconds: float) -> None:
        self.patience = Patience(scope, seconds)
        self.wanted = threading.Semaphore(0)
        self._scope = scope
        self._late = 0
        self._left = False

    def offer(self, piece: str, put: Callable[[str], None]) -> bool:
        """On the agent's thread: hand a piece over and wait for the next to be wanted; returns whether it is."""
        put(piece)
        while not self.wanted.acquire(timeout=POLL_S) and not self._scope.cancelled:
            pass
        self._late += self._scope.cancelled
        return not self._left and self._late < LATE_PIECES

    def leave(self) -> None:
        """The listener has gone: tell the agent to end."""
        self._left = True
        self._scope.cancel(CancelReason.BARGE_IN)
