"""What a function's signature offers to a model: which parameters it fills in, and which the runtime does.

Reads annotations as far as they can be resolved. Does not know JSON schema; `edgevox.tools.schema` does.
"""

import contextlib
import functools
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Union

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext

EMPTY: Any = inspect.Parameter.empty
"""No default, no annotation."""

_OWNERS = ("self", "cls")
_UNREADABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
_INFERRED: tuple[type, ...] = (bool, int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter that the model fills in."""

    name: str
    annotation: Any
    default: Any = EMPTY

    @property
    def required(self) -> bool:
        """Whether a call without it cannot be made."""
        return self.default is EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSignature:
    """A function's parameters, sorted by who fills them in."""

    parameters: tuple[Parameter, ...]
    inject: frozenset[str]
    """Parameters that receive the `AgentContext`."""
    handle: str | None
    """The parameter that receives the `GoalHandle` of a running action."""
    unbound: bool
    """Whether the function is a method that has not been taken from an object."""
    returns: Any
    """The return annotation; `Any` when there is none."""


def read_signature(fn: Callable[..., Any], name: str) -> ToolSignature:
    """Sort the parameters of `fn`.

    Raises:
        ToolDefinitionError: a parameter that a call by name cannot fill.
    """
    try:
        declared = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError) as error:
        raise ToolDefinitionError(f"{name} cannot be a tool: Python cannot read its signature; wrap it.") from error
    hints = _hints(fn)
    unbound = bool(declared) and declared[0].name in _OWNERS and declared[0].annotation is EMPTY
    parameters: list[Parameter] = []
    inject: set[str] = set()
    handle: str | None = None
    for parameter in declared[1:] if unbound else declared:
        _refuse_unreadable(parameter, name)
        annotation = hints.get(parameter.name, EMPTY)
        if _wants(parameter, annotation, AgentContext, "ctx"):
            inject.add(parameter.name)
        elif _wants(parameter, annotation, GoalHandle, None):
            handle = parameter.name
        else:
            parameters.append(_offered(parameter, annotation))
    returns = hints.get("return", Any)
    return ToolSignature(
        parameters=tuple(parameters), inject=frozenset(inject), handle=handle, unbound=unbound, returns=returns
    )


def _refuse_unreadable(parameter: inspect.Parameter, name: str) -> None:
    if parameter.kind in _UNREADABLE:
        raise ToolDefinitionError(
            f"{name} cannot be a tool: a model names each argument, so '{parameter}' has to become a named parameter."
        )


def _offered(parameter: inspect.Parameter, annotation: Any) -> Parameter:
    if annotation is EMPTY:
        annotation = next((kind for kind in _INFERRED if type(parameter.default) is kind), str)
    return Parameter(name=parameter.name, annotation=annotation, default=parameter.default)


def _wants(parameter: inspect.Parameter, annotation: Any, kind: type, by_name: str | None) -> bool:
    """Whether the runtime fills this parameter: its annotation says so, or its name when it has none to read."""
    if annotation is EMPTY:
        raw = parameter.annotation
        if isinstance(raw, str) and raw.replace('"', "").replace("'", "").split("|")[0].strip().endswith(kind.__name__):
            return True
        return parameter.name == by_name
    return any(isinstance(part, type) and issubclass(part, kind) for part in _alternatives(annotation))


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _alternatives(typing.get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _hints(fn: Callable[..., Any]) -> dict[str, Any]:
    """Resolve each annotation alone, so that one that cannot be does not spoil the others."""
    target = inspect.unwrap(fn.func if isinstance(fn, functools.partial) else fn)
    target = target.__func__ if inspect.ismethod(target) else target
    target = target if hasattr(target, "__annotations__") else getattr(target, "__call__", target)  # noqa: B004
    annotations: dict[str, Any] = dict(getattr(target, "__annotations__", {}))
    namespace: dict[str, Any] = getattr(target, "__globals__", {})
    resolved: dict[str, Any] = {}
    for name, annotation in annotations.items():
        carrier = types.SimpleNamespace(__annotations__={name: annotation})
        with contextlib.suppress(Exception):  # an annotation may be any expression; an unreadable one counts as absent
            resolved |= typing.get_type_hints(carrier, globalns=namespace, include_extras=True)
    return resolved
