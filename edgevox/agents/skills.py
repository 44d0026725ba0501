"""`@skill`: actions that take time and can be cancelled, declared with the builder that tools use.

A fast skill runs inline like a tool. A slow one either returns the `GoalHandle` of the robot or simulator that does the
work, which is adopted as it is, or does the work itself on a worker. Knows how a body hears that it should end; driving
a running goal is `edgevox.tools.goals`' business.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, overload

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, LatencyClass, ToolSite
from edgevox.tools import Tool, build_tool
from edgevox.tools.coercion import Refused

Body = Callable[..., Any]

RELAY_S = 0.02
"""How often the progress of an action that a body handed over is passed on, seconds."""


class Skill:
    """An action with a name, a schema and a way to start it. Calling it calls the plain function.

    Args:
        fn: the function as it was written.
        tool: what it declares; its `fn` starts the action.
    """

    def __init__(self, fn: Body, tool: Tool) -> None:
        self.fn = fn
        self.tool = tool
        self.__doc__ = fn.__doc__
        self.__name__ = tool.name
        self.__module__ = fn.__module__
        self.__wrapped__ = fn

    @property
    def name(self) -> str:
        """What a model calls it."""
        return self.tool.name

    @property
    def description(self) -> str:
        """What a model is told it does."""
        return self.tool.description

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return self.tool.parameters

    @property
    def latency_class(self) -> LatencyClass:
        """`fast` runs inline, `slow` on a worker."""
        return self.tool.latency_class

    @property
    def timeout_s(self) -> float | None:
        """Seconds after which it is cancelled; `None` has no limit."""
        return self.tool.timeout_s

    def start(self, ctx: AgentContext | None = None, /, **arguments: Any) -> GoalHandle:
        """Begin the action and return its handle at once; nobody waits for it and nobody enforces its time limit.

        Arguments that do not fit, and a body that raises before it returns, give a handle that has FAILED and says why.
        """
        try:
            call = self._bound(ctx if ctx is not None else AgentContext(), arguments)
        except Refused as refused:
            return _ended(str(refused))
        handle_name = self.tool.signature.handle
        if handle_name is not None:
            return _on_worker(lambda handle: call(**{handle_name: handle}), self.name)
        try:
            value = _awaited(call())
        except Exception as error:  # the body's fault is the action's end, as it is on a worker
            return _ended(str(error) or type(error).__name__)
        return value if isinstance(value, GoalHandle) else _succeeded(value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as it was written."""
        return self.fn(*args, **kwargs)

    def __get__(self, owner: Any, kind: type | None = None) -> "Skill":
        """Take the skill from an object, as a method is."""
        if owner is None or not self.tool.signature.unbound:
            return self
        method = partial(self.fn, owner)
        bound = Skill(self.fn, self.tool.bound_to(_runner(method, self.tool)))
        bound.fn = method
        return bound

    def __repr__(self) -> str:
        """Name and kind."""
        return f"<Skill {self.name} ({self.latency_class})>"

    def _bound(self, ctx: AgentContext, arguments: Mapping[str, Any]) -> Body:
        kwargs = self.tool.bind(arguments)
        return partial(self.tool.fn, **kwargs, **dict.fromkeys(self.tool.inject, ctx))


@overload
def skill(fn: Body, /) -> Skill: ...
@overload
def skill(
    *,
    latency_class: LatencyClass | str = LatencyClass.SLOW,
    timeout_s: float | None = None,
    name: str | None = None,
    description: str | None = None,
    phrases: Iterable[str] | Mapping[str, Iterable[str]] | None = None,
    says: str | Mapping[str, str] | None = None,
    confirm: bool | str = False,
    effect: Effect | str = Effect.ONCE,
    secret_fields: Iterable[str] = (),
    resources: Iterable[str] = (),
) -> Callable[[Body], Skill]: ...
def skill(fn: Body | None = None, /, **options: Any) -> Any:
    """Make a function a skill.

    The body may take `ctx` (`AgentContext`) and a parameter annotated `GoalHandle`. A slow body that does the work
    itself looks at `ctx.should_stop()` or `handle.should_cancel()` often and returns when either is true; a body that
    is annotated `-> GoalHandle` returns the handle of whatever does the work, at once.

    Args:
        fn: the function.
        options: as `edgevox.tools.build_tool` takes them; `latency_class` is `slow` unless given.

    Raises:
        ToolDefinitionError: the function cannot become a skill; the sentence says what to change.
    """
    if fn is None:
        return partial(_build, **options)
    return _build(fn, **options)


def as_skill(obj: Any) -> Skill:
    """Return the skill that `obj` is; a plain function becomes a slow one.

    Raises:
        ToolDefinitionError: it is a tool, or nothing that can be called.
    """
    if isinstance(obj, Skill):
        return obj
    if isinstance(obj, Tool) or hasattr(obj, "__edgevox_tool__"):
        raise ToolDefinitionError(
            f"{getattr(obj, 'name', getattr(obj, '__name__', obj))} is a tool: pass it as a tool."
        )
    if not callable(obj):
        raise ToolDefinitionError(f"{obj!r:.80} is not a skill: pass a function decorated with @skill.")
    return _build(obj)


def _build(fn: Body, *, latency_class: LatencyClass | str = LatencyClass.SLOW, **options: Any) -> Skill:
    slow = latency_class == LatencyClass.SLOW
    site = ToolSite.WORKER if slow else ToolSite.INLINE
    built = build_tool(fn, site=site, latency_class=latency_class, **options)
    built.fn = _runner(fn, built)
    return Skill(fn, built)


def _runner(fn: Body, tool: Tool) -> Body:
    """What dispatch calls: the body itself where it hands a goal over or is fast, a start on a worker otherwise."""
    if tool.latency_class is LatencyClass.FAST or _hands_over(tool):
        return fn
    if tool.signature.handle is not None:
        return partial(_run_with_handle, fn, tool)
    return partial(_start_on_worker, fn, tool)


def _hands_over(tool: Tool) -> bool:
    returns = tool.signature.returns
    return tool.signature.handle is None and isinstance(returns, type) and issubclass(returns, GoalHandle)


def _start_on_worker(fn: Body, tool: Tool, /, **kwargs: Any) -> GoalHandle:
    return _on_worker(lambda handle: _body(fn, tool, handle, kwargs), tool.name)


def _on_worker(body: Callable[[GoalHandle], Any], name: str) -> GoalHandle:
    from edgevox.tools.goals import (
        start_body,
    )  # brings the workers and their event loop: declaring a skill needs neither

    return start_body(body, name)


def _run_with_handle(fn: Body, tool: Tool, /, **kwargs: Any) -> Any:
    handle = next(value for value in kwargs.values() if isinstance(value, GoalHandle))
    return _body(fn, tool, handle, kwargs)


def _body(fn: Body, tool: Tool, handle: GoalHandle, kwargs: Mapping[str, Any]) -> Any:
    """Run the body with contexts that end when its own goal does."""
    contexts = {name: _own_context(kwargs[name], handle) for name in tool.inject if name in kwargs}
    value = _awaited(fn(**{**kwargs, **contexts}))
    if value is handle:
        return None
    return _relayed(value, handle) if isinstance(value, GoalHandle) else value


def _own_context(ctx: AgentContext, handle: GoalHandle) -> AgentContext:
    """A context whose scope ends with the goal: when it is cancelled or timed out, not when a voice is interrupted.

    The turn's own scope ends at a barge-in; the skill goes on then unless the policy of the agent says otherwise.
    """
    scope = CancelScope()
    scope.generation = ctx.scope.generation
    handle.on_cancel(lambda: scope.cancel(ctx.scope.reason or CancelReason.USER))
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
    forget = outer.on_cancel(inner.cancel)
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


def _awaited(value: Any) -> Any:
    """Await what an async body returned, on the thread that runs it."""
    if not inspect.isawaitable(value):
        return value
    import asyncio

    async def outcome() -> Any:
        return await value

    return asyncio.run(outcome())


def _succeeded(value: Any) -> GoalHandle:
    handle = GoalHandle()
    handle.succeed(value)
    return handle


def _ended(error: str) -> GoalHandle:
    handle = GoalHandle()
    handle.fail(error)
    return handle
