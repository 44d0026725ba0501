"""How the body of a skill runs: inline, as the start of a goal that it hands over, or on a worker with its own goal.

Knows how a body hears that it should end, whichever way it listens: its context, its handle, or the place it awaits.
Does not know what a skill declares beyond its tool.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import Cancelled, ToolFailure
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext
from edgevox.core.tools import LatencyClass
from edgevox.tools import Tool

Body = Callable[..., Any]

RELAY_S = 0.02
"""How often the progress of an action that a body handed over is passed on, seconds."""


def runner(fn: Body, tool: Tool) -> Body:
    """What dispatch calls: the body itself where it hands a goal over or is fast, a start on a worker otherwise."""
    if tool.latency_class is LatencyClass.FAST:
        return fn
    if _hands_over(tool):
        return _handing_over(fn, tool.name)
    if tool.signature.handle is not None:
        return partial(_run_with_handle, fn, tool)
    return partial(_start_on_worker, fn, tool)


def _hands_over(tool: Tool) -> bool:
    returns = tool.signature.returns
    return tool.signature.handle is None and isinstance(returns, type) and issubclass(returns, GoalHandle)


def _handing_over(fn: Body, name: str) -> Body:
    """Call a body that promised the handle of what it began, and take nothing else for one."""
    if not inspect.iscoroutinefunction(fn):

        def hand_over(**kwargs: Any) -> Any:
            return _promised(fn(**kwargs), name)

        return hand_over

    async def begin(**kwargs: Any) -> GoalHandle:
        return _promised(await fn(**kwargs), name)

    return begin


def _promised(value: Any, name: str) -> Any:
    if isinstance(value, GoalHandle) or inspect.isawaitable(value):
        return value
    raise ToolFailure(
        f"{name} began nothing that can be followed: it should return the GoalHandle of what it began, "
        f"and returned {type(value).__name__}.",
        error_code="no_goal",
    )


def _start_on_worker(fn: Body, tool: Tool, /, **kwargs: Any) -> GoalHandle:
    from edgevox.tools.bodies import start_body  # brings the workers: declaring a skill needs none

    return start_body(lambda handle: _body(fn, tool, handle, kwargs), tool.name)


def _run_with_handle(fn: Body, tool: Tool, /, **kwargs: Any) -> Any:
    handle = next(value for value in kwargs.values() if isinstance(value, GoalHandle))
    return _body(fn, tool, handle, kwargs)


def _body(fn: Body, tool: Tool, handle: GoalHandle, kwargs: Mapping[str, Any]) -> Any:
    """Run the body with contexts that end when its own goal does."""
    contexts = {name: _own_context(kwargs[name], handle) for name in tool.inject if name in kwargs}
    try:
        value = awaited(fn(**{**kwargs, **contexts}), handle)
    finally:
        _note_early_end(handle, contexts.values())
    if value is handle:
        return None
    return _relayed(value, handle) if isinstance(value, GoalHandle) else value


def _note_early_end(handle: GoalHandle, contexts: Iterable[AgentContext]) -> None:
    """Count a body that saw the end of its context, before anybody told its goal, as one that was told to end."""
    for ctx in contexts:
        if ctx.scope.cancelled:
            handle.cancel(ctx.scope.reason or CancelReason.USER)


def _own_context(ctx: AgentContext, handle: GoalHandle) -> AgentContext:
    """A context whose scope ends with the goal: when it is cancelled or timed out, not when a voice is interrupted.

    The turn's own scope ends at a barge-in; the skill goes on then unless the policy of the agent says otherwise.
    """
    scope = CancelScope()
    scope.generation = ctx.scope.generation
    handle.on_cancel(lambda: scope.cancel(handle.cancel_reason or CancelReason.USER))
    ends_at_barge_in = bool(getattr(ctx.interrupt, "cancel_skills", False))

    def turn_ended(reason: str) -> None:
        if reason != CancelReason.BARGE_IN or ends_at_barge_in:
            scope.cancel(reason)

    forget = ctx.scope.on_cancel(turn_ended)
    handle.on_end(forget)
    own = ctx.child()
    own.scope.close()
    own.scope = scope
    return own


def _relayed(inner: GoalHandle, outer: GoalHandle) -> GoalHandle:
    """Stay with a goal that a body handed over until it is over, so that the promised handle speaks for it."""
    forget = outer.on_cancel(lambda: inner.cancel(outer.cancel_reason or CancelReason.USER))
    try:
        while not inner.poll(RELAY_S).is_terminal():
            _pass_on(inner, outer)
        _pass_on(inner, outer)
    finally:
        forget()
    return inner


def _pass_on(inner: GoalHandle, outer: GoalHandle) -> None:
    for report in inner.feedback():
        outer.set_feedback(report)


def awaited(value: Any, handle: GoalHandle | None = None) -> Any:
    """Await what an async body returned, on the thread that runs it; cancelling its goal cancels it where it waits."""
    if not inspect.isawaitable(value):
        return value
    import asyncio

    async def outcome() -> Any:
        task = asyncio.ensure_future(value)
        loop = asyncio.get_running_loop()
        forget = handle.on_cancel(lambda: loop.call_soon_threadsafe(task.cancel)) if handle is not None else None
        try:
            return await task
        except asyncio.CancelledError as error:
            raise Cancelled("cancelled") from error
        finally:
            if forget is not None:
                forget()

    return asyncio.run(outcome())
