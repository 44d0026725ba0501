"""Makes tools of functions: `@tool`, the builder that `@skill` shares, and `as_tool` for whatever a list may hold.

Everything that can be wrong with a tool is said here, when it is declared.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar, Unpack, overload

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.tools import ToolSite, ToolSpec
from edgevox.core.values import Empty, Value
from edgevox.tools.definition import Tool
from edgevox.tools.docstrings import read_docstring
from edgevox.tools.edges import Condition, Parents
from edgevox.tools.names import checked_name
from edgevox.tools.options import Phrases, Says, ToolOptions, checked_options, refuse_generators
from edgevox.tools.schema import build_input
from edgevox.tools.signature import read_signature
from edgevox.tools.typed_declaration import build_typed
from edgevox.tools.typed_signature import is_meant_typed
from edgevox.tools.wording import humane

__all__ = ["ATTRIBUTE", "Phrases", "Says", "as_tool", "build_tool", "tool"]

ATTRIBUTE = "__edgevox_tool__"
"""Where a decorated function keeps its tool."""

F = TypeVar("F", bound=Callable[..., Any])
I = TypeVar("I", bound=Empty)  # noqa: E741 - the input of a typed tool
TypedBody = Callable[[I, list[Message]], Value | Awaitable[Value]]
"""A function of the form `(input, messages) -> Value`."""

_DESCRIPTION_LIMIT = 1000
"""Characters; what a chat-completion request takes, and more than a small model should read."""


class _Declares(Protocol):
    """What `@tool(…)` is before it has its function."""

    @overload
    def __call__(self, fn: TypedBody[I], /) -> Tool: ...
    @overload
    def __call__(self, fn: F, /) -> F: ...
    def __call__(self, fn: Any, /) -> Any:
        """Declare a function a tool."""
        ...


@overload
def tool(fn: TypedBody[I], /) -> Tool: ...
@overload
def tool(fn: F, /) -> F: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    chained_to: Parents = None,
    chain_condition: Condition | None = None,
    **options: Unpack[ToolOptions],
) -> _Declares: ...
def tool(fn: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a function a tool.

    A function of the form `(input: Model, messages) -> Value` becomes a typed tool: what comes back is the `Tool`,
    which a chain may name and which is called like the function. Any other function stays the function it was,
    callable as before: type hints become the schema that a model reads, the first paragraph of the docstring its
    description, and the entries under `Args:` the descriptions of its parameters. A parameter called `ctx`, or
    annotated `AgentContext`, receives the context of the run and is not offered to the model.

    Args:
        fn: the function; a coroutine function is awaited, a bound method comes back wrapped.
        options: `chained_to` and `chain_condition` for typed tools (`build_typed`), the others for every tool
            (`build_tool`).

    Raises:
        ToolDefinitionError: the function cannot become a tool; the sentence says what to change.
    """
    if fn is None:
        return functools.partial(_declare, options)
    return _declare(options, fn)


def build_tool(
    fn: Callable[..., Any],
    *,
    run: Callable[..., Any] | None = None,
    site: ToolSite = ToolSite.INLINE,
    name: str | None = None,
    description: str | None = None,
    **options: Unpack[ToolOptions],
) -> Tool:
    """Build the tool that a function declares; every decorator uses it.

    Args:
        fn: where name, docstring and parameters are read.
        run: what is called in its place, with the same arguments; `fn` itself when not given.
        site: where the body runs.
        name: what a model calls it; the function's own name when not given.
        description: what it does; the docstring's first paragraph when not given.
        options: as `edgevox.tools.options.ToolOptions` says.

    Raises:
        ToolDefinitionError: the function cannot become a tool.
    """
    if not callable(fn):
        raise ToolDefinitionError(f"{fn!r:.80} cannot be a tool: put @tool or @skill over a function.")
    name = checked_name(name or getattr(fn, "__name__", ""))
    refuse_generators(fn, name)
    signature = read_signature(fn, name)
    documented = read_docstring(fn.__doc__)
    schema = build_input(name, signature.parameters, documented.parameters)
    spec = ToolSpec(
        name=name,
        description=_described(description or documented.summary or humane(name)),
        input_schema=schema.public,
        secret_fields=tuple(options.get("secret_fields", ())),
    )
    return Tool(
        spec=spec,
        fn=run or fn,
        input=schema,
        signature=signature,
        site=site,
        **checked_options(name, schema.fields, **options),
    )


def as_tool(obj: Any) -> Tool:
    """Return the tool that `obj` is or declares.

    Args:
        obj: a `Tool`, a decorated function, a bound method of one, a skill (anything with a `.tool`), or a plain
            function, which is decorated with the defaults.

    Raises:
        ToolDefinitionError: it is none of these.
    """
    if isinstance(obj, Tool):
        return obj
    declared = getattr(obj, ATTRIBUTE, None)
    if isinstance(declared, Tool):
        return declared.bound_to(obj) if inspect.ismethod(obj) and declared.signature.unbound else declared
    carried = getattr(obj, "tool", None)
    if isinstance(carried, Tool):
        return carried
    if hasattr(obj, "bind") and isinstance(getattr(obj, "template", None), Tool):
        raise ToolDefinitionError(
            f"{obj.name} is a factory, not yet a tool: call it with its context first, {obj.name}(ctx)."
        )
    if not callable(obj) or inspect.isclass(obj):
        raise ToolDefinitionError(f"{obj!r:.80} is not a tool: pass a function decorated with @tool.")
    return build_typed(obj) if is_meant_typed(obj) else build_tool(obj)


def _declare(options: dict[str, Any], fn: Callable[..., Any]) -> Any:
    if is_meant_typed(fn) or options.get("chained_to") is not None or options.get("chain_condition") is not None:
        return build_typed(fn, **options)
    options = {name: value for name, value in options.items() if name not in ("chained_to", "chain_condition")}
    return _attach(fn, build_tool(fn, **options))


def _attach(fn: Callable[..., Any], built: Tool) -> Callable[..., Any]:
    if inspect.ismethod(fn):
        method = fn

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            return method(*args, **kwargs)

        fn = call
    try:
        setattr(fn, ATTRIBUTE, built)
    except AttributeError as error:
        raise ToolDefinitionError(f"{built.name} cannot be a tool as it is: wrap it in a function.") from error
    return fn


def _described(description: str) -> str:
    text = " ".join(description.split())
    return text if len(text) <= _DESCRIPTION_LIMIT else text[: _DESCRIPTION_LIMIT - 1] + "…"
