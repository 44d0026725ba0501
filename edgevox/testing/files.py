"""Drives file tools without a model: short spellings of their tokens, and the links of a chain followed one by one."""

import shlex
from collections.abc import Sequence

from edgevox.core.running import running
from edgevox.core.session import AgentContext
from edgevox.core.values import Value
from edgevox.tools.definition import Tool
from edgevox.tools.edges import Edge
from edgevox.tools.typed import run_typed

_OPERATORS = ("|", "&&", "||", ";")


def file_tokens(line: str) -> list[list[str]]:
    """Spell a line as tokens: `cat -n notes/a.txt | grep =milk`, where `=` marks an ARG and `-` alone is one.

    Args:
        line: words as a shell quotes them; a word that begins with a dash is a flag, one after an operator a command.
    """
    tokens: list[list[str]] = []
    command = True
    for word in shlex.split(line):
        if word in _OPERATORS:
            tokens.append([word, "CTL"])
        elif command:
            tokens.append([word, "CMD"])
        elif word.startswith("=") or word == "-":
            tokens.append([word.removeprefix("="), "ARG"])
        else:
            tokens.append([word, "FLG" if word.startswith("-") or word in ("(", ")", "!") else "PTH"])
        command = word in _OPERATORS
    return tokens


def follow_chain(tools: Sequence[Tool], value: Value, ctx: AgentContext | None = None) -> Value:
    """Run the first tool on a value and every link after it, and return what the last one returned.

    Args:
        tools: one chain, its beginning first.
        value: what the first takes.
        ctx: the run; one with nobody to ask when not given.
    """
    run = ctx if ctx is not None else AgentContext()
    at: Tool | None = tools[0]
    with running(run):
        while at is not None:
            value = run_typed(at, value, run.session.messages, run)
            at = next((tool for tool in tools if any(_leads(edge, at, value) for edge in tool.chained_to)), None)
    return value


def _leads(edge: Edge, parent: Tool, value: Value) -> bool:
    return edge.parent_id == parent.id and edge.open_for(value)
