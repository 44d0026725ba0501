"""Makes tools that need something of their own: a model, a service, a settings object.

`@factory` declares the tool once, and everything wrong with it is said then; calling the factory with a context gives
the tool. Every tool of one factory has the factory's identity, so that others can name the factory as their parent.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar, Unpack, overload

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.values import Empty, Value
from edgevox.tools.definition import Tool
from edgevox.tools.edges import Condition, Parents
from edgevox.tools.options import ToolOptions
from edgevox.tools.typed_declaration import build_typed

C = TypeVar("C")
I = TypeVar("I", bound=Empty)  # noqa: E741 - the input of a typed tool
FactoryBody = Callable[[I, list[Message], C], Value | Awaitable[Value]]
"""A function of the form `(input, messages, ctx) -> Value`."""


class Factory(Generic[C]):
    """A typed tool that still lacks its context.

    Args:
        template: the tool as it was declared; its function takes `ctx` as well.
    """

    def __init__(self, template: Tool) -> None:
        self.template = template

    @property
    def name(self) -> str:
        """What the tools are called."""
        return self.template.name

    @property
    def id(self) -> str:
        """What edges know the tools by."""
        return self.template.id

    def __call__(self, ctx: C) -> Tool:
        """Return the tool that works with `ctx`, which is neither copied nor shown to any model."""
        return self.bind(ctx)

    def bind(self, ctx: C) -> Tool:
        """Return the tool that works with `ctx`.

        Args:
            ctx: handed to the body at each call. If it has `materialize()`, that is called right before each call,
                never earlier; if it has `external_dependencies()`, the tool names them as its own.

        Raises:
            ToolDefinitionError: one of these two is there and cannot be called.
        """
        for member in ("external_dependencies", "materialize"):
            if not callable(getattr(ctx, member, self.bind)):
                raise ToolDefinitionError(
                    f"{self.name}: the context's '{member}' has to be a method, not {getattr(ctx, member)!r:.80}."
                )
        return replace(self.template, fn=_body(self.template.fn, ctx), context=ctx)

    def __repr__(self) -> str:
        """Say what it is."""
        return f"<factory {self.name}>"


class _Declares(Protocol):
    """What `@factory(…)` is before it has its function."""

    def __call__(self, fn: FactoryBody[I, C], /) -> Factory[C]:
        """Declare a function a factory."""
        ...


@overload
def factory(fn: FactoryBody[I, C], /) -> Factory[C]: ...
@overload
def factory(
    *,
    name: str | None = None,
    description: str | None = None,
    chained_to: Parents = None,
    chain_condition: Condition | None = None,
    **options: Unpack[ToolOptions],
) -> _Declares: ...
def factory(fn: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a function of the form `(input, messages, ctx) -> Value` a factory of typed tools.

    Args:
        fn: the function; a coroutine function is awaited.
        options: as `@tool` takes them for typed tools.

    Raises:
        ToolDefinitionError: the function cannot become a factory; the sentence says what to change.
    """
    if fn is None:
        return functools.partial(_declare, options)
    return _declare(options, fn)


def _declare(options: dict[str, Any], fn: Callable[..., Any]) -> Factory[Any]:
    return Factory(build_typed(fn, takes_ctx=True, **options))


def _body(fn: Callable[..., Any], ctx: Any) -> Callable[..., Any]:
    """Return what the tool runs: the context is made ready, then the function is called."""
    if inspect.iscoroutinefunction(fn):

        @functools.wraps(fn)
        async def awaited(input: Any, messages: list[Message]) -> Any:
            _materialize(ctx)
            return await fn(input, messages, ctx)

        return awaited

    @functools.wraps(fn)
    def called(input: Any, messages: list[Message]) -> Any:
        _materialize(ctx)
        return fn(input, messages, ctx)

    return called


def _materialize(ctx: Any) -> None:
    materialize = getattr(ctx, "materialize", None)
    if materialize is not None:
        materialize()
