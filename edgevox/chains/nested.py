"""A tool that lets another agent do a piece of the work.

The other agent gets the caller's words as its task, publishes on the same bus and ends with the same stop. It has a
conversation of its own: what it said to itself is not the caller's. Knows agents by their protocol alone, so it runs
any of them: another chain agent, an agent with a model, a workflow.
"""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

from typing import Any, Protocol, runtime_checkable

from edgevox.core.cancel import CancelReason
from edgevox.core.errors import Cancelled, ToolDefinitionError, ToolFailure
from edgevox.core.messages import Message
from edgevox.core.running import Running, current_run
from edgevox.core.session import AgentContext, Session
from edgevox.core.values import Str
from edgevox.tools.factory import factory

MAX_DEPTH = 8
"""Runs that may lie within each other: the bound on agents that ask each other in a circle."""
PATIENCE_S = 86_400.0
"""How long an agent may take: its own limits and the end of the run are what ends it, seconds."""
NO_WORDS = "The agent is done; it said nothing."


@runtime_checkable
class Runnable(Protocol):
    """An agent, as far as it is run here."""

    name: str

    def run(self, task: str, ctx: AgentContext | None = None) -> Any:
        """Do the task; the result has `.reply`, `.preempted` and `.error`."""
        ...


@factory(timeout_s=PATIENCE_S)
def run_nested_agent(input: Str, messages: list[Message], ctx: Runnable) -> Str:
    """Give another agent a task in words and wait for its answer."""
    if not isinstance(ctx, Runnable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolDefinitionError(f"run_nested_agent needs an agent, not a {type(ctx).__name__}.")
    below = context_below(ctx.name)
    with below.scope:
        result = ctx.run(input.value, below)
    if getattr(result, "preempted", False):
        raise _ended(ctx.name)
    error = getattr(result, "error", None)
    if error:
        raise ToolFailure(f"{ctx.name} could not do that: {error}", error_code="agent_failed")
    if not hasattr(result, "reply"):
        raise ToolFailure(f"{ctx.name} returned {result!r:.80}, which has no reply.", error_code="agent_failed")
    return Str(value=str(result.reply) or NO_WORDS)


def context_below(name: str, **alone: Any) -> AgentContext:
    """Return the context in which an agent runs within the run that the calling code belongs to.

    Args:
        name: of the agent, for messages.
        alone: what the context has where there is no run around it.

    Raises:
        ToolFailure: too many runs lie within each other already.
    """
    around = run_around(name)
    return around.ctx.child(session=Session()) if around is not None else AgentContext(**alone)


def run_around(name: str) -> Running | None:
    """Return the run in which an agent is about to run; `None` outside any.

    Args:
        name: of the agent, for messages.

    Raises:
        ToolFailure: too many runs lie within each other already.
    """
    around = current_run()
    if around is not None and around.depth >= MAX_DEPTH:
        raise ToolFailure(
            f"{name} was not asked: {MAX_DEPTH} agents wait for each other already.", error_code="too_deep"
        )
    return around


def _ended(name: str) -> BaseException:
    """What an agent's early end is to its caller: the end of both, or news about the one."""
    around = current_run()
    if around is not None and around.ctx.scope.cancelled:
        return Cancelled(around.ctx.scope.reason or CancelReason.STOP)
    return ToolFailure(f"{name} was cancelled before it was done.", error_code="cancelled")
