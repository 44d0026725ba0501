"""Which run the code on this thread belongs to, for what is called without a context: a typed tool's body.

A context variable, so it follows a body to its worker. Knows whose run it is and how deep agents call each other;
what a run may do, its `AgentContext` says.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from edgevox.core.cancel import CancelScope
from edgevox.core.session import AgentContext


@dataclass(frozen=True, slots=True)
class Running:
    """One run of one agent."""

    ctx: AgentContext
    agent_name: str = ""
    depth: int = 1
    """How many runs lie within each other here, this one included."""
    asking: Callable[[], CancelScope] | None = None
    """Returns the scope of model calls, where a person can break these off without ending the run."""

    @property
    def asking_scope(self) -> CancelScope:
        """What ends a model call that is made now.

        Raises:
            Cancelled: the run has ended.
        """
        return self.asking() if self.asking is not None else self.ctx.scope


_CURRENT: ContextVar[Running | None] = ContextVar("edgevox_running", default=None)


def current_run() -> Running | None:
    """The run that the calling code belongs to; `None` outside any."""
    return _CURRENT.get()


@contextmanager
def running(
    ctx: AgentContext, agent_name: str = "", asking: Callable[[], CancelScope] | None = None
) -> Generator[Running]:
    """Let what is called within the block know that it belongs to a run.

    Args:
        ctx: of the run; within a block of the same run nothing becomes deeper.
        agent_name: whose run it is.
        asking: returns the scope of model calls (`Running.asking`).
    """
    around = _CURRENT.get()
    if around is not None and around.ctx is ctx:
        depth, agent_name, asking = around.depth, agent_name or around.agent_name, asking or around.asking
    else:
        depth = around.depth + 1 if around is not None else 1
    run = Running(ctx, agent_name, depth, asking)
    token = _CURRENT.set(run)
    try:
        yield run
    finally:
        _CURRENT.reset(token)
