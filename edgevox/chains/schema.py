"""What a reply may look like, made from the active tools: as JSON schema for servers, as a grammar for llama.cpp.

Both hold one action of one tool, and a branch for plain words where they are a reply: in a grammar the words
themselves, in a schema, which cannot say that, an object that holds them. The same tools always give the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from edgevox.tools import Tool
from edgevox.tools.gbnf import BASE, WORDS, GrammarRules, definitions_of, literal

WORDS_KEY = "words"
"""The key of the object that holds plain words where a reply has to be an object."""

_REASON: dict[str, Any] = {"type": "string"}


def reply_options(tools: Sequence[Tool], *, words: bool, rationale: bool = False) -> dict[str, Any]:
    """Return the options that hold a model to the form of a reply; each kind of endpoint takes what it knows of them.

    Args:
        tools: the active tools, in the order in which they were registered.
        words: whether plain words are a reply.
        rationale: whether an action says why.
    """
    offered = [tool for tool in tools if not tool.is_passive]
    if not offered:
        return {}
    schema = reply_schema(offered, words=words, rationale=rationale)
    return {
        "grammar": reply_grammar(offered, words=words, rationale=rationale),
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
    }


def reply_schema(tools: Sequence[Tool], *, words: bool, rationale: bool = False) -> dict[str, Any]:
    """Return the JSON schema of a reply.

    Args:
        tools: at least one.
        words: whether plain words are a reply: `{"words": …}`.
        rationale: whether an action says why.
    """
    definitions: dict[str, Any] = {}
    branches = [_renamed(_action(tool, rationale=rationale), tool.name, definitions) for tool in tools]
    if words:
        said = {"type": "object", "properties": {WORDS_KEY: {"type": "string"}}, "required": [WORDS_KEY]}
        branches.append(said | {"additionalProperties": False})
    schema = {"type": "object", "anyOf": branches} if len(branches) > 1 else branches[0]
    return schema | {"$defs": definitions} if definitions else schema


def reply_grammar(tools: Sequence[Tool], *, words: bool, rationale: bool = False) -> str:
    """Return the grammar of a reply in llama.cpp's notation.

    Args:
        tools: at least one.
        words: whether plain words are a reply.
        rationale: whether an action says why.
    """
    rules = GrammarRules()
    actions = [_rule(rules, tool, rationale=rationale) for tool in tools]
    root = ["root ::= lead (action | words)", WORDS] if words else ["root ::= lead action"]
    lines = [*root, "lead ::= [ ]?", f"action ::= {' | '.join(actions)}", *rules.lines, BASE]
    return "\n".join(lines) + "\n"


def _action(tool: Tool, *, rationale: bool) -> dict[str, Any]:
    """The schema of a call of one tool: its name and its arguments side by side."""
    properties: dict[str, Any] = {"action": {"const": tool.name}}
    required = ["action"]
    if rationale:
        properties["rationale"] = _REASON
        required.append("rationale")
    properties |= cast("Mapping[str, Any]", tool.parameters.get("properties") or {})
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": [*required, *tool.parameters.get("required", ())],
        "additionalProperties": bool(tool.parameters.get("additionalProperties", False)),
    }
    return schema | ({"$defs": tool.parameters["$defs"]} if "$defs" in tool.parameters else {})


def _rule(rules: GrammarRules, tool: Tool, *, rationale: bool) -> str:
    schema = _action(tool, rationale=rationale)
    rules.under(definitions_of(schema))
    if schema["additionalProperties"]:
        head = literal('{"action": ' + json.dumps(tool.name))
        must = [
            f"{literal(', ' + json.dumps(name, ensure_ascii=False) + ': ')} {rules.of(schema['properties'][name], 1)}"
            for name in schema["required"][1:]
        ]
        return rules.rule(" ".join([head, *must, '(", " string ": " value)* "}"']))
    return rules.object(schema, 0)


def _renamed(schema: dict[str, Any], prefix: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Move a tool's definitions to where those of all tools stand, under names of their own."""
    own = cast("Mapping[str, Any]", schema.get("$defs") or {})
    for name, definition in own.items():
        definitions[f"{prefix}.{name}"] = _pointing(definition, prefix)
    return {key: _pointing(value, prefix) for key, value in schema.items() if key != "$defs"}


def _pointing(part: Any, prefix: str) -> Any:
    """Let every reference point to the renamed definitions."""
    if isinstance(part, list):
        return [_pointing(each, prefix) for each in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    known = cast("dict[str, Any]", part)
    return {
        key: f"#/$defs/{prefix}.{value.rsplit('/', 1)[-1]}"
        if key == "$ref" and isinstance(value, str)
        else _pointing(value, prefix)
        for key, value in known.items()
    }
