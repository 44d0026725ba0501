"""The graph that tools and their edges make: what follows what, and what is wrong with it.

Everything is checked when an agent is built, and every problem is said at once, with the names of both tools. Runs
nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.errors import ChainError, ChainForkError, ChainGraphError, described
from edgevox.core.values import Empty, Invoke, Stop
from edgevox.tools import Tool
from edgevox.tools.edges import Edge
from edgevox.tools.wording import nearest


class LinkBroken(ChainError):
    """A tool should follow, and cannot: its condition raised, or there is nobody of that name.

    Args:
        name: of the tool that should follow.
        sentence: why it does not.
    """

    code = "chain_broken"

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


class ChainGraph:
    """The tools of one agent and how they hang together.

    Args:
        tools: active and passive ones.
        defaults: what runs in turn when no chain is left.

    Raises:
        ChainGraphError: lists everything that does not fit.
    """

    def __init__(self, tools: Iterable[Tool], defaults: Iterable[Tool] = ()) -> None:
        self.tools: tuple[Tool, ...] = _once(tools)
        self.defaults: tuple[Tool, ...] = tuple(defaults)
        problems = graph_problems(self.tools, self.defaults)
        if problems:
            raise ChainGraphError(_listed(problems))
        self.active: Mapping[str, Tool] = {tool.name: tool for tool in self.tools if not tool.chained_to}
        self._children = _children(self.tools)

    @property
    def passive(self) -> tuple[Tool, ...]:
        """Tools that only chains reach."""
        return tuple(tool for tool in self.tools if tool.chained_to)

    def with_tools(self, more: Iterable[Tool]) -> "ChainGraph":
        """Return this graph and more tools.

        Raises:
            ChainGraphError: they do not fit together.
        """
        return ChainGraph((*self.tools, *more), self.defaults)

    def children_of(self, tool: Tool) -> tuple[tuple[Tool, Edge], ...]:
        """The tools that take what `tool` returns, and the edge to each."""
        return self._children.get(tool.id, ())

    def called(self, name: str, caller: Tool) -> Tool:
        """Return the active tool that another calls by name.

        Raises:
            LinkBroken: there is none.
        """
        tool = self.active.get(name)
        if tool is not None:
            return tool
        passive = any(each.name == name for each in self.tools)
        why = "only a chain may run that" if passive else "there is no such tool"
        names = ", ".join(self.active) or "nothing"
        near = nearest(name[:200], self.active)
        raise LinkBroken(name, f"{caller.name} calls {name!r:.80}, but {why}{near}. It may call {names}.")

    def next_after(self, tool: Tool, output: Any) -> Tool | None:
        """Return the tool that follows on an output; `None` ends the chain.

        Raises:
            ChainForkError: more than one could.
            LinkBroken: a condition raised.
        """
        children = self._children.get(tool.id)
        if children is None:
            return None
        ready = [child for child, edge in children if _is_open(edge, child, tool, output)]
        if len(ready) > 1:
            raise ChainForkError(
                f"after {tool.name}, {_all_of([child.name for child in ready])} want to run on {output!r:.80}: make "
                "their conditions exclude each other."
            )
        return ready[0] if ready else None


class _RegistryGraph(ChainGraph):
    """The chains between tools that a registry took one by one: what does not fit is never ready."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = tuple(tool for tool in tools if tool.active)
        self.defaults = ()
        self.active = {tool.name: tool for tool in self.tools if not tool.chained_to}
        self._children = _children(self.tools)


def registry_graph(tools: Iterable[Tool]) -> ChainGraph:
    """Return the chains between the tools of a registry as it is now.

    Function tools may be among them; nothing can be chained to those.
    """
    return _RegistryGraph(tools)


def chain_problems(tools: Sequence[Tool]) -> list[str]:
    """Return what is wrong with the edges between some tools, one sentence each."""
    return _link_problems(tools, tools)


def _is_open(edge: Edge, child: Tool, parent: Tool, output: Any) -> bool:
    try:
        return edge.open_for(output)
    except Exception as error:  # a condition is the application's; what it raises is what the link came to
        said = described(error)
        words = f"whether {child.name} follows {parent.name} cannot be told: its condition failed ({said})."
        raise LinkBroken(child.name, words) from error


def _once(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """The tools in order; the same object twice is one."""
    return tuple({id(tool): tool for tool in tools}.values())


def _children(tools: Sequence[Tool]) -> dict[str, tuple[tuple[Tool, Edge], ...]]:
    children: dict[str, tuple[tuple[Tool, Edge], ...]] = {}
    for tool in tools:
        for edge in {edge.parent_id: edge for edge in tool.chained_to}.values():
            children[edge.parent_id] = (*children.get(edge.parent_id, ()), (tool, edge))
    return children


def _all_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]} {'both' if len(names) == 2 else 'all'}"


def _listed(problems: Sequence[str]) -> str:
    if len(problems) == 1:
        return problems[0]
    return f"{len(problems)} things do not fit together:\n" + "\n".join(f"- {problem}" for problem in problems)


def graph_problems(tools: Sequence[Tool], defaults: Sequence[Tool] = ()) -> list[str]:
    """Return what keeps some tools from making a graph, one sentence for each problem."""
    tools = _once(tools)
    everything = _once((*tools, *defaults))
    return [
        *_untyped(everything),
        *_name_problems(tools, defaults),
        *_identity_problems(everything),
        *_default_problems(defaults),
        *_link_problems(tools, everything),
    ]


def _untyped(tools: Sequence[Tool]) -> list[str]:
    return [
        f"{tool.name} is not a typed tool: give it the signature (input: Empty, messages: list[Message]) -> a value."
        for tool in tools
        if not tool.is_typed
    ]


def _name_problems(tools: Sequence[Tool], defaults: Sequence[Tool]) -> list[str]:
    callable_by_name = _once((*(tool for tool in tools if not tool.chained_to), *defaults))
    counted = Counter(tool.name for tool in callable_by_name)
    return [
        f"{count} tools are called {name}: rename all but one (tool.copy(name=…))."
        for name, count in counted.items()
        if count > 1
    ]


def _identity_problems(tools: Sequence[Tool]) -> list[str]:
    by_id: dict[str, list[str]] = {}
    for tool in tools:
        by_id.setdefault(tool.id, []).append(tool.name)
    return [
        f"{' and '.join(names)} are the same tool, bound more than once: use a .copy() for the second."
        for names in by_id.values()
        if len(names) > 1
    ]


def _default_problems(defaults: Sequence[Tool]) -> list[str]:
    problems: list[str] = []
    for tool in defaults:
        if tool.chained_to:
            parents = " and ".join(edge.parent_name for edge in tool.chained_to)
            problems.append(
                f"{tool.name} is a default tool and cannot be chained to {parents}: make it one or the other."
            )
        if any(issubclass(model, Invoke) for model in tool.output_models):
            problems.append(f"{tool.name} is a default tool and cannot return Invoke: chain what should follow to it.")
    return problems


def _link_problems(tools: Sequence[Tool], known: Sequence[Tool]) -> list[str]:
    by_id = {tool.id: tool for tool in known}
    problems: list[str] = []
    for child in tools:
        for edge in child.chained_to:
            parent = by_id.get(edge.parent_id)
            problem = _missing(child, edge, known) if parent is None else _misfit(child, parent)
            if problem:
                problems.append(problem)
    return list(dict.fromkeys(problems))


def _missing(child: Tool, edge: Edge, known: Sequence[Tool]) -> str:
    namesake = any(tool.name == edge.parent_name for tool in known)
    if namesake:
        return (
            f"{child.name} is chained to another {edge.parent_name} than the one among the tools: a copy is another "
            "tool, so chain it to the one you give."
        )
    return f"{child.name} is chained to {edge.parent_name}, which is not among the tools: add {edge.parent_name}."


def _misfit(child: Tool, parent: Tool) -> str | None:
    if not parent.is_typed:
        return (
            f"{child.name} cannot be chained to {parent.name}, which returns no value: make {parent.name} a typed tool."
        )
    outputs = [model for model in parent.output_models if not issubclass(model, Stop)]
    strange = [model.__name__ for model in outputs if not issubclass(model, Empty)]
    if strange:
        return f"{child.name} cannot be chained to {parent.name}, which returns {' or '.join(strange)}."
    taken = child.input_model
    if outputs and taken is not None and not any(issubclass(model, taken) for model in outputs):
        given = " or ".join(model.__name__ for model in outputs)
        return f"{child.name} takes {taken.__name__}, but {parent.name}, which it is chained to, returns {given}."
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """What may be wrong with a graph that can be built."""

    overlaps: tuple[str, ...] = ()
    """Tools that would both follow the same output."""
    unreachable: tuple[str, ...] = ()
    """Tools that nothing can ever reach."""
    unguarded: tuple[str, ...] = ()
    """Edges that let through a kind of output which the child cannot take."""
    samples: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many outputs were tried for each parent."""

    def __iter__(self) -> Any:
        """Go through everything that was found."""
        return iter((*self.overlaps, *self.unreachable, *self.unguarded))

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return any((self.overlaps, self.unreachable, self.unguarded))


def lint(graph: ChainGraph, samples: Callable[[Tool], Sequence[Any]]) -> Lint:
    """Look for what a run would trip over.

    Args:
        graph: of an agent.
        samples: returns outputs of a tool that its children's conditions are tried on.
    """
    overlaps: list[str] = []
    tried: dict[str, int] = {}
    for parent in _once((*graph.tools, *graph.defaults)):
        children = graph.children_of(parent)
        outputs: Sequence[Any] = samples(parent) if len(children) > 1 else ()
        if outputs:
            tried[parent.name] = len(outputs)
            overlaps.extend(_overlap(parent, children, outputs))
    return Lint(
        overlaps=tuple(overlaps),
        unreachable=tuple(_unreachable(graph)),
        unguarded=tuple(_unguarded(graph)),
        samples=tried,
    )


def _overlap(parent: Tool, children: Sequence[tuple[Tool, Edge]], outputs: Sequence[Any]) -> list[str]:
    found: dict[tuple[str, ...], Any] = {}
    for output in outputs:
        ready = tuple(child.name for child, edge in children if _answers_yes(edge, output))
        if len(ready) > 1:
            found.setdefault(ready, output)
    return [f"after {parent.name}, {_all_of(names)} follow on {output!r:.80}" for names, output in found.items()]


def _answers_yes(edge: Edge, output: Any) -> bool:
    try:
        return edge.open_for(output)
    except Exception:  # a condition that fails on a sample of ours says nothing about real outputs
        return False


def _unreachable(graph: ChainGraph) -> list[str]:
    reached = {tool.id for tool in (*graph.active.values(), *graph.defaults)}
    waiting = list(reached)
    while waiting:
        for child, _ in graph._children.get(waiting.pop(), ()):  # pyright: ignore[reportPrivateUsage]
            if child.id not in reached:
                reached.add(child.id)
                waiting.append(child.id)
    return [f"{tool.name} is never reached" for tool in graph.passive if tool.id not in reached]


def _unguarded(graph: ChainGraph) -> list[str]:
    by_id = {tool.id: tool for tool in (*graph.tools, *graph.defaults)}
    found: list[str] = []
    for child in graph.passive:
        for edge in child.chained_to:
            parent, taken = by_id[edge.parent_id], child.input_model or Empty
            others = [m.__name__ for m in parent.output_models if not issubclass(m, (Stop, taken))]
            if others and edge.condition is None:
                found.append(
                    f"{child.name} follows {parent.name} without a condition, but cannot take {' or '.join(others)}"
                )
    return found
