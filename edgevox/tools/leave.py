"""Leave for what a call touches: which resources these are, and whether it may, before anything is held or run.

A resource with a kind in front (`motion:base`, `device:light/{room}`) needs leave; a plain name (`arm`) is a lock and
nothing else. Who gives leave is `edgevox.tools.permissions`' business; a stop never needs any.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from edgevox.core.rule_text import Operation, split_kind
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect

if TYPE_CHECKING:
    from edgevox.tools.definition import Tool
    from edgevox.tools.permissions import Decision, Requirement

CallResources = Callable[[Mapping[str, Any], AgentContext | None], Iterable[str]]
"""Says what a call touches, from its arguments and its context."""

_HOLE = re.compile(r"\{(\w+)\}")


def holes_of(resource: str) -> list[str]:
    """Return the names of the arguments that a resource's name is filled in with."""
    return _HOLE.findall(resource)


def touched_by(tool: "Tool", kwargs: Mapping[str, Any], ctx: AgentContext | None) -> frozenset[str]:
    """Return the resources of one call.

    Args:
        tool: that is called.
        kwargs: the checked arguments; those left out have their defaults.
        ctx: what the call may reach.
    """
    if not tool.touches:
        return frozenset()
    arguments = _with_defaults(tool, kwargs)
    filled = itertools.chain.from_iterable(_filled(resource, arguments) for resource in tool.resources)
    more = tool.call_resources(arguments, ctx) if tool.call_resources is not None else ()
    return frozenset(itertools.chain(filled, more))


def take_leave(
    tool: "Tool", touched: Iterable[str], ctx: AgentContext | None, question: str, principal: str
) -> "Decision | None":
    """Decide whether a call may touch its resources, asking the person where a rule says so.

    Args:
        tool: that is called.
        touched: its resources; those without a kind need no leave.
        ctx: whose permissions and whose person it is.
        question: how to ask when one answer is all that is needed; empty for the standard words.
        principal: the agent that makes the call.

    Returns:
        The decision; `None` where no leave is needed.
    """
    wanted = _requirements(tool, touched)
    if not wanted:
        return None
    engine = _engine_of(ctx)
    return engine.authorise(
        wanted, ctx, question=question if len(wanted) == 1 else None, principal=principal or None, vouched=tool.allowed
    )


def refused_unasked(tool: "Tool", kwargs: Mapping[str, Any], ctx: AgentContext) -> str:
    """Say why a call may not begin where nobody can be asked; empty when it may.

    Args:
        tool: that is called.
        kwargs: the checked arguments.
        ctx: whose permissions they are.
    """
    from edgevox.tools.permissions import ActionVerdict
    from edgevox.tools.permissions.asking import denial

    engine = _engine_of(ctx)
    for wanted in _requirements(tool, touched_by(tool, kwargs, ctx)):
        verdict = engine.judge(wanted.operation, wanted.resource, vouched=tool.allowed)
        if verdict is not ActionVerdict.allow:
            return denial(wanted, "rule" if verdict is ActionVerdict.deny else "nobody")
    return ""


def _engine_of(ctx: AgentContext | None) -> Any:
    """Who decides: the run's own permissions, or the word of the tools' authors where a run has none."""
    from edgevox.tools.permissions import PermissionEngine

    engine = ctx.permissions if ctx is not None else None
    return engine if engine is not None else PermissionEngine(trusts_tools=True)


def _requirements(tool: "Tool", touched: Iterable[str]) -> "list[Requirement]":
    from edgevox.tools.permissions import Requirement
    from edgevox.tools.permissions.resources import operation_on

    wanted: list[Requirement] = []
    for resource in sorted(touched):
        split = split_kind(resource)
        if split is not None:
            operation = Operation.READ if tool.effect is Effect.READ else operation_on(split.kind)
            wanted.append(Requirement(operation, resource))
    return wanted


def _with_defaults(tool: "Tool", kwargs: Mapping[str, Any]) -> dict[str, Any]:
    if tool.input_model is not None:
        value = kwargs.get("input")
        return dict(value) if value is not None else {}
    defaults = {p.name: p.default for p in tool.signature.parameters if not p.required}
    return defaults | dict(kwargs)


def _filled(resource: str, arguments: Mapping[str, Any]) -> Iterable[str]:
    """Fill a resource's name in; an argument that is a list makes one resource of each of its values."""
    from edgevox.tools.permissions.resources import as_part

    holes = holes_of(resource)
    if not holes:
        return (resource,)
    choices = [_values(arguments.get(hole)) for hole in holes]
    filled: list[str] = []
    for values in itertools.product(*choices):
        parts = iter(values)
        filled.append(_HOLE.sub(lambda _, parts=parts: as_part(next(parts)), resource))
    return filled


def _values(value: Any) -> list[Any]:
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in cast("Iterable[Any]", value)]
    return [_plain(value)]


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else "" if value is None else value
