"""Tables of what people say, and the calls each sentence asks for: how they are written, and what is wrong with one.

A table is text with tabs. A line has `tool`, `arguments` and `text`, and before them, as far as it says more, `part`,
`language` and `agent`: `part tool arguments text`, `part language tool …`, `part agent language tool …`. `#` begins a
comment. No command is `-` in both places; several commands are tools joined by `+` and a list of arguments.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from edgevox.core.errors import UsageError

NOTHING = "-"
_ORDERS = {
    3: ("tool", "arguments", "text"),
    4: ("part", "tool", "arguments", "text"),
    5: ("part", "language", "tool", "arguments", "text"),
    6: ("part", "agent", "language", "tool", "arguments", "text"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One call that a sentence asks for."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One sentence."""

    line: int
    text: str
    expected: tuple[Expected, ...] = ()
    """Empty when the sentence is no command."""
    part: str = ""
    agent: str = ""
    """Empty when the table is about one agent."""
    language: str = ""
    """Empty for the agent's own."""


def read_table(path: Path) -> list[Row]:
    """Read a table.

    Raises:
        UsageError: it cannot be read, or a line of it cannot; the sentence names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}; give a table of sentences with tabs between the columns.") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; give a table of sentences with tabs between the columns.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8 (byte {error.start}); save it as UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    lines = enumerate(text.splitlines(), 1)
    return [_row(path, number, line) for number, line in lines if line.strip() and not line.startswith("#")]


def _row(path: Path, number: int, line: str) -> Row:
    cells = [cell.strip() for cell in line.split("\t")]
    order = _ORDERS.get(len(cells))
    if order is None:
        raise _wrong(path, number, f"it has {len(cells)} columns; write 3 to 6 with tabs between them")
    said = dict(zip(order, cells, strict=True))
    if not said["text"]:
        raise _wrong(path, number, "it has no sentence")
    return Row(
        line=number,
        text=said["text"],
        expected=_expected(path, number, said["tool"], said["arguments"]),
        part=said.get("part", ""),
        agent=said.get("agent", ""),
        language=said.get("language", ""),
    )


def _expected(path: Path, number: int, tool: str, arguments: str) -> tuple[Expected, ...]:
    if NOTHING in (tool, arguments):
        if tool != arguments:
            raise _wrong(path, number, "what is no command has - as tool and as arguments")
        return ()
    try:
        read: Any = json.loads(arguments)
    except ValueError as error:
        raise _wrong(path, number, f"the arguments are no JSON ({error})") from None
    tools = [name.strip() for name in tool.split("+")]
    listed: list[Any] = cast("list[Any]", read) if isinstance(read, list) else [read]
    if len(listed) != len(tools) or not all(isinstance(each, dict) for each in listed):
        wanted = "one JSON object" if len(tools) == 1 else f"a list of {len(tools)} JSON objects"
        raise _wrong(path, number, f"the arguments must be {wanted}")
    return tuple(Expected(tool=name, arguments=each) for name, each in zip(tools, listed, strict=True))


def rows_of(rows: Sequence[Row], path: Path, *, agent: str, part: str | None, language: str | None) -> list[Row]:
    """Return the sentences for an agent.

    Raises:
        UsageError: there is none.
    """
    about = [row for row in rows if row.agent in ("", agent)]
    if not about:
        others = ", ".join(sorted({row.agent for row in rows})) or "nobody"
        raise UsageError(f"{path} has no sentence for {agent}; it has some for {others}.")
    parts = sorted({row.part for row in about if row.part})
    if part is not None and part not in parts:
        raise UsageError(f"{path} has no part {part!r}; its parts are {', '.join(parts) or 'not named'}.")
    found = [row for row in about if part in (None, row.part) and (language is None or row.language in ("", language))]
    if not found:
        raise UsageError(f"{path} has no sentence in {language!r} for {agent}.")
    return found


def _wrong(path: Path, number: int, what: str) -> UsageError:
    return UsageError(f"{path}, line {number}: {what}.")
