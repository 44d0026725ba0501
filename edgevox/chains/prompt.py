"""What a model is told about the form of its replies and about the tools it may use.

What never changes stands first and the tools follow in the order in which they were registered, so that two processes
print the same bytes and a prompt cache keeps them. A tool is one line: its name, its arguments, what it does.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from edgevox.tools import Tool

_FORM = (
    "To act, reply with one JSON object and nothing else:\n"
    '{{"action": "<tool>"{rationale}, "<argument>": <value>}}\n'
    'The result comes back as {{"caller": "<tool>", …}}.'
)
_REASON = ', "rationale": "<why>"'
_WORDS = "When what was asked for is done, say in plain words what came of it; that ends your turn. Do each thing once."
"""A model of 1.5 billion parameters that is told to act on until the task is done acts for ever."""
_GO_ON = "Then act again, until the task is done."
_UNSAID = "its name says what it does."

_INLINE = 60
"""Characters of a type; a longer one is written below the tool's line."""


def technical_prompt(tools: Sequence[Tool], *, words: bool = True, rationale: bool = False) -> str:
    """Return the part of a system prompt that the framework writes.

    Args:
        tools: the tools, in the order in which they were registered; passive ones are not shown.
        words: whether plain words are a reply.
        rationale: whether an action says why.
    """
    offered = [tool for tool in tools if not tool.is_passive]
    if not offered:
        return ""
    form = _FORM.format(rationale=_REASON if rationale else "")
    parts = [f"{form}\n{_WORDS}" if words else f"{form} {_GO_ON}", "Tools:\n" + "\n".join(map(tool_line, offered))]
    return "\n\n".join(parts)


def tool_line(tool: Tool) -> str:
    """Return what a model is told about one tool: `name {"argument": type}: what it does`."""
    arguments, below = _arguments(tool.parameters)
    described = tool.description or _UNSAID
    return "\n".join([f"- {tool.name} {arguments}: {described}", *below])


def _arguments(parameters: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The arguments on one line, and what has to be said about them below it."""
    properties = cast("Mapping[str, Any]", parameters.get("properties") or {})
    required: set[str] = set(parameters.get("required") or ())
    shown: list[str] = []
    below: list[str] = []
    for name, schema in properties.items():
        kind = type_of(schema)
        if len(kind) > _INLINE:
            below.append(f"  {name}: {kind}")
            kind = "see below"
        shown.append(f"{json.dumps(name, ensure_ascii=False)}{'' if name in required else '?'}: {kind}")
        if said := schema.get("description"):
            below.append(f"  {name}: {' '.join(str(said).split())}")
    if parameters.get("additionalProperties") is True:
        shown.append("…")
    if "$defs" in parameters:
        below.append(f"  $defs: {_compact(parameters['$defs'])}")
    return "{" + ", ".join(shown) + "}", below


def type_of(schema: Any) -> str:
    """Write a schema as short as a reader needs it; what has no short form is JSON schema."""
    known = cast("Mapping[str, Any]", schema if isinstance(schema, Mapping) else {})
    if "enum" in known or "const" in known:
        values: Sequence[Any] = known["enum"] if "enum" in known else [known["const"]]
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in values)
    if "anyOf" in known:
        return " | ".join(dict.fromkeys(type_of(each) for each in known["anyOf"]))
    kind = known.get("type", "any")
    if kind == "array":
        return f"[{type_of(known.get('items'))}, …]"
    if "$ref" in known or known.get("properties"):
        return _compact({key: value for key, value in known.items() if key != "description"})
    return str(kind)


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
