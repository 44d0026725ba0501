"""What a Google-style docstring says about a function and its parameters.

Knows headings and indentation; does not know types, which come from annotations alone.
"""

import inspect
import re
from dataclasses import dataclass, field

_ARGS_HEADINGS = frozenset({"args:", "arguments:", "parameters:", "params:"})
_HEADING = re.compile(r"^[A-Z][A-Za-z ]*:$")
_ENTRY = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Docstring:
    """The parts of a docstring that a model reads."""

    summary: str = ""
    """The first paragraph on one line; empty when there is none."""
    parameters: dict[str, str] = field(default_factory=dict[str, str])


def read_docstring(text: str | None) -> Docstring:
    """Split a docstring into its summary and the descriptions of its parameters."""
    if not text:
        return Docstring()
    lines = inspect.cleandoc(text).splitlines()
    return Docstring(summary=_summary(lines), parameters=_parameters(_args_section(lines)))


def _summary(lines: list[str]) -> str:
    paragraph: list[str] = []
    for line in lines:
        if not line.strip() or _HEADING.match(line):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph)


def _args_section(lines: list[str]) -> list[str]:
    for index, line in enumerate(lines):
        if line.strip().lower() in _ARGS_HEADINGS and not line.startswith(" "):
            section = lines[index + 1 :]
            ends = (i for i, later in enumerate(section) if later.strip() and not later.startswith((" ", "\t")))
            return section[: next(ends, len(section))]
    return []


def _parameters(section: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    current = ""
    margin = min((len(line) - len(line.lstrip()) for line in section if line.strip()), default=0)
    for line in section:
        words = line.strip()
        entry = _ENTRY.match(words) if len(line) - len(line.lstrip()) == margin else None
        if entry:
            current = entry["name"]
            found[current] = entry["text"]
        elif current and words:
            found[current] = f"{found[current]} {words}".strip()
    return found
