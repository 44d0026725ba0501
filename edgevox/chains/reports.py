"""What a person may be told about the chains of any agent: everything it is made of, what may go wrong, a drawing.

An agent of chains is told whole; of another one, its tools and what is chained to them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from edgevox.chains.drawing import draw_agent
from edgevox.chains.graph import ChainGraph, Lint, lint
from edgevox.chains.info import describe_agent
from edgevox.chains.modes import AgentMode
from edgevox.chains.samples import samples_of
from edgevox.core.errors import UsageError
from edgevox.tools import Tool

NO_COMPLAINT = "Nothing was found."


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsAlone:
    """An agent that only ever asks its model, as far as it is drawn (`drawing.Drawable`)."""

    name: str
    tools: Sequence[Tool]
    mode: AgentMode = AgentMode.STEERABLE
    default_tools: Sequence[Tool] = ()
    skills: Sequence[Any] = ()


def report(agent: Any, what: str) -> str:
    """Return what is asked about an agent.

    Args:
        agent: any agent.
        what: one of `REPORTS`.

    Raises:
        UsageError: there is no such report, or nothing can be told of such an agent.
    """
    if what not in REPORTS:
        raise UsageError(f"There is no {what!r:.40} of chains; use {', '.join(REPORTS)}.")
    return REPORTS[what](agent)


def _is_chain_agent(agent: Any) -> bool:
    return all(hasattr(agent, name) for name in ("default_tools", "opening", "mode", "graph"))


def _show(agent: Any) -> str:
    if not _is_chain_agent(agent):
        raise UsageError(f"{agent.name} is no agent of chains; draw shows its tools and what is chained to them.")
    return describe_agent(agent).text()


def _lint(agent: Any) -> str:
    if _is_chain_agent(agent):
        found: Lint = agent.lint()
    else:
        typed = [tool for tool in _tools(agent) if tool.is_typed]
        found = lint(ChainGraph(typed), samples_of)
    return "\n".join(str(sentence) for sentence in found) or NO_COMPLAINT


def _draw(agent: Any, form: str = "text") -> str:
    if _is_chain_agent(agent):
        return draw_agent(agent, form)
    return draw_agent(ToolsAlone(name=agent.name, tools=_tools(agent)), form)


def _tools(agent: Any) -> list[Tool]:
    held: Any = getattr(agent, "tools", None)
    listed = cast("Iterable[Any]", getattr(held, "tools", held) or ())
    tools = [tool for tool in listed if isinstance(tool, Tool)]
    if not tools:
        raise UsageError(f"{agent.name} has no tools of its own; edgevox agents tree draws what it is made of.")
    return tools


REPORTS: Mapping[str, Callable[[Any], str]] = {
    "show": _show,
    "lint": _lint,
    "draw": _draw,
    "mermaid": lambda agent: _draw(agent, "mermaid"),
}
"""What can be asked about an agent."""
