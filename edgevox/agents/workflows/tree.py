"""An agent and everything it asks, drawn as a tree of lines.

Knows names, kinds and limits. Works for any object that has a name, and draws an agent that comes up again below itself
once.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from edgevox.core.errors import AgentError


def draw_tree(agent: Any) -> str:
    """Return a drawing of an agent: one line each for itself and what it asks, with kind, name and limits.

    Args:
        agent: an agent, a workflow, or anything else that has a name and, perhaps, `children`.

    Raises:
        AgentError: it is none of these.
    """
    if not hasattr(agent, "name"):
        raise AgentError(f"{agent!r:.80} cannot be drawn: give an agent or a workflow.")
    return "\n".join([label_of(agent), *_below(agent, "", (id(agent),))])


def label_of(agent: Any) -> str:
    """Return the line of one agent: `timeout timeout_lookup (seconds=5)`."""
    parts = [kind_of(agent), _one_line(agent.name)]
    bounds = ", ".join(f"{name}={_short(value)}" for name, value in limits_of(agent).items())
    if bounds:
        parts.append(f"({bounds})")
    does = _does(agent)
    return " ".join(parts) + (f": {does}" if does else "")


def kind_of(agent: Any) -> str:
    """Return what an agent is, in one word."""
    return str(getattr(agent, "kind", "") or "agent")


def limits_of(agent: Any) -> Mapping[str, Any]:
    """Return what bounds an agent, by the names of its arguments."""
    limits = getattr(agent, "limits", None)
    return cast("Mapping[str, Any]", limits) if isinstance(limits, Mapping) else {}


def _below(agent: Any, indent: str, above: tuple[int, ...]) -> Iterator[str]:
    children = tuple(getattr(agent, "children", ()))
    for place, child in enumerate(children, 1):
        last = place == len(children)
        again = id(child) in above
        yield f"{indent}{'└── ' if last else '├── '}{label_of(child)}{' ↺' if again else ''}"
        if not again:
            yield from _below(child, f"{indent}{'    ' if last else '│   '}", (*above, id(child)))


def _does(agent: Any) -> str:
    """Name the tools of an agent."""
    tools = getattr(getattr(agent, "tools", None), "tools", ())
    return ", ".join(tool.name for tool in tools)


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else _one_line(value)


def _one_line(value: Any) -> str:
    return " ".join(str(value).split())
