"""Draws what a chain agent is made of as tables, for a terminal. What stands in them, `edgevox.chains.info` knows."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from edgevox.assistant.display import clean
from edgevox.chains.condition_text import ALWAYS
from edgevox.chains.info import AgentInfo, ToolInfo


def draw_agent_info(info: AgentInfo, console: Console | None = None) -> None:
    """Print an agent as tables: what it is, its tools, what a run begins with.

    Args:
        info: of the agent (`show_agent_info()`, `edgevox.chains.info.describe_agent`).
        console: where to; standard output when not given.
    """
    screen = console if console is not None else Console(highlight=False, markup=False, emoji=False)
    for table in (_agent(info), _tools(info), _opening(info)):
        screen.print(table)


def _agent(info: AgentInfo) -> Table:
    table = _table(info.name, "", "")
    table.show_header = False
    details = [f"{info.temperature:g}" if info.temperature is not None else "its own"]
    for name, value in (
        ("mode", info.mode),
        ("about", info.description),
        ("model", info.model),
        ("temperature", *details),
        ("context", f"{info.max_context_tokens} tokens" if info.max_context_tokens is not None else ""),
        ("limits", ", ".join(info.limits) or "none"),
        ("errors", info.on_error),
        ("events", ", ".join(info.sinks) or "nothing is kept"),
        ("skills", "\n".join(f"{name}: {about}" for name, about in info.skills)),
    ):
        if value:
            _row(table, name, value)
    return table


def _tools(info: AgentInfo) -> Table:
    table = _table("Tools", "tool", "kind", "takes → returns", "after", "needs", "shown")
    for tool in info.tools:
        _row(
            table,
            tool.name + (f"\n[skill {tool.skill}]" if tool.skill else ""),
            tool.role,
            f"{tool.takes} → {' | '.join(tool.returns)}",
            _parents(tool),
            "\n".join(tool.needs),
            "\n".join(tool.truncation),
        )
    return table


def _parents(tool: ToolInfo) -> str:
    return "\n".join(
        parent if condition == ALWAYS else f"{parent} if {condition}" for parent, condition in tool.chained_to
    )


def _opening(info: AgentInfo) -> Table:
    table = _table("A run begins with", "role", "kind", "words")
    for role, kind, words in info.opening:
        _row(table, role, kind, words)
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=Text(clean(title)), title_justify="left", show_lines=True)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _row(table: Table, *cells: Any) -> None:
    table.add_row(*(Text(clean(str(cell))) for cell in cells))
