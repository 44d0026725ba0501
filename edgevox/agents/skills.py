"""`@skill`: actions that take time and can be cancelled, declared with the builder that tools use.

A fast skill runs inline like a tool. A slow one either returns the `GoalHandle` of the robot or simulator that does the
work, which is adopted as it is, or does the work itself on a worker (`edgevox.agents.skill_bodies`). Driving a running
goal is `edgevox.tools.goals`' business.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, overload

from edgevox.agents.skill_bodies import awaited, runner
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, LatencyClass, ToolSite
from edgevox.tools import Tool, build_tool
from edgevox.tools.coercion import Refused
from edgevox.tools.leave import CallResources

Body = Callable[..., Any]


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
        """Begin the action and return its handle at once; nobody waits for it.

        Arguments that do not fit, and a body that raises, give a handle that has FAILED and says why. The action is
        among `ctx.goals`, ends with the scope of `ctx` (at a barge-in only where its policy says so), and is cancelled
        with the reason `timeout` when its time limit is over. Nobody is asked: not for confirmation, and what a person
        would have to give leave for fails.

        Raises:
            ToolDefinitionError: the skill is a method that was not taken from an object.
        """
        from edgevox.tools.bodies import attend, begin, start_body
        from edgevox.tools.leave import refused_unasked
        from edgevox.tools.one_body import moves_of

        context = ctx if ctx is not None else AgentContext()
        try:
            call = self._bound(context, arguments)
        except Refused as refused:
            return _ended(str(refused))
        refusal = refused_unasked(self.tool, self.tool.bind(arguments), context)
        if refusal:
            return _ended(refusal)
        name, handle_name = self.name, self.tool.signature.handle
        if handle_name is not None:
            handle = start_body(lambda own: call(**{handle_name: own}), name)
        else:
            handle = begin(lambda: awaited(call()), name)
        context.goals.add(name, handle, self.tool.shown(arguments), moves=moves_of(self.tool))
        attend(handle, context, name, self.timeout_s)
        return handle

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as it was written."""
        return self.fn(*args, **kwargs)

    def __get__(self, owner: Any, kind: type | None = None) -> "Skill":
        """Take the skill from an object, as a method is."""
        if owner is None or not self.tool.signature.unbound:
            return self
        method = partial(self.fn, owner)
        bound = Skill(self.fn, self.tool.bound_to(runner(method, self.tool)))
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
    resources: Iterable[str] | CallResources = (),
    allowed: bool = False,
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
    if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise ToolDefinitionError(
            f"{getattr(fn, '__name__', 'this')} cannot be a skill: it yields; report progress with "
            "handle.set_feedback(…) and return the result."
        )
    slow = latency_class == LatencyClass.SLOW
    site = ToolSite.WORKER if slow else ToolSite.INLINE
    built = build_tool(fn, site=site, latency_class=latency_class, **options)
    built.fn = runner(fn, built)
    return Skill(fn, built)


def _ended(error: str) -> GoalHandle:
    handle = GoalHandle()
    handle.fail(error)
    return handle
