"""One link of a chain: whose output a tool takes, and when.

An edge lies at the child. It knows its parent by identity, so that renaming either breaks nothing.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from edgevox.core.errors import ToolDefinitionError

Condition = Callable[[Any], object]
"""Given the parent's output as it was returned; any true value lets the child run."""


class Linked(Protocol):
    """What an edge may come from: a tool, or a factory, whose tools share its identity."""

    @property
    def id(self) -> str:
        """What edges know it by."""
        ...

    @property
    def name(self) -> str:
        """What it is called."""
        ...


Parents = Linked | Sequence[Linked | tuple[Linked, Condition]] | None
"""A tool, a factory, or a list of these; `(parent, condition)` in a list gives that edge a condition of its own."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a parent's output to a child's input."""

    parent_id: str
    parent_name: str
    """What the parent was called when the edge was declared, for people."""
    condition: Condition | None = None
    """`None` is always."""

    def open_for(self, output: Any) -> bool:
        """Whether the child may run on this output."""
        if self.condition is None:
            return True
        answer = self.condition(output)
        if inspect.iscoroutine(answer):  # is true whatever it would come to
            answer.close()
            raise TypeError("it returned a coroutine instead of an answer; conditions cannot be async")
        return bool(answer)


def edges_to(parents: Parents, condition: Condition | None, child: str) -> tuple[Edge, ...]:
    """Return one edge for each parent.

    Args:
        parents: a tool, a factory, or a list of these and of `(parent, condition)` pairs; `None` is none.
        condition: of the edges that have none of their own.
        child: name of the tool that the edges belong to, for messages.

    Raises:
        ToolDefinitionError: a parent is neither a tool nor a factory, or a condition cannot be called.
    """
    _refuse_condition(condition, child)
    edges: dict[str, Edge] = {}
    for parent, own in _pairs(parents):
        _refuse_condition(own, child)
        parent_id, name = _identity(parent, child)
        edges.setdefault(parent_id, Edge(parent_id, name, own if own is not None else condition))
    return tuple(edges.values())


def joined(edges: Iterable[Edge], more: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the edges with `more` appended; a parent that is there already takes the place it had."""
    by_parent = {edge.parent_id: edge for edge in edges}
    for edge in more:
        by_parent[edge.parent_id] = edge
    return tuple(by_parent.values())


def _pairs(parents: Any) -> list[tuple[Any, Condition | None]]:
    if parents is None:
        return []
    if isinstance(parents, tuple) and _is_pair(cast("tuple[Any, ...]", parents)):
        return [cast("tuple[Any, Condition | None]", parents)]
    if not isinstance(parents, list | tuple | set | frozenset):
        return [(parents, None)]
    pairs: list[tuple[Any, Condition | None]] = []
    for parent in cast("Iterable[Any]", parents):
        pairs += _pairs(parent) if parent is not None else [(None, None)]
    return pairs


def _is_pair(parents: tuple[Any, ...]) -> bool:
    """Whether a tuple is a parent with the condition of its edge: its second half is no tool and can be called."""
    return len(parents) == 2 and not _has_identity(parents[1]) and (parents[1] is None or callable(parents[1]))


def _has_identity(parent: Any) -> bool:
    declared = getattr(parent, "__edgevox_tool__", parent)
    return isinstance(getattr(declared, "id", None), str) and isinstance(getattr(declared, "name", None), str)


def _identity(parent: Any, child: str) -> tuple[str, str]:
    if not _has_identity(parent):
        raise ToolDefinitionError(
            f"{child}: chained_to takes tools and factories, not {parent!r:.80}; put @tool or @factory over it."
        )
    declared = getattr(parent, "__edgevox_tool__", parent)
    return declared.id, declared.name


def _refuse_condition(condition: Any, child: str) -> None:
    if condition is not None and not callable(condition):
        raise ToolDefinitionError(
            f"{child}: chain_condition must be a function of the parent's output, not {condition!r:.80}."
        )
    if any(map(inspect.iscoroutinefunction, (condition, getattr(condition, "__call__", None)))):  # noqa: B004
        raise ToolDefinitionError(f"{child}: chain_condition cannot be async: decide at once, or in a tool of its own.")
