"""GBNF from the JSON schemas of tools: what a small model may answer, a call that fits or words.

How a schema becomes rules is `edgevox.tools.gbnf`'s; the notation of a call is this module's. What a schema says beyond
names and types is checked when the call is bound.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from edgevox.tools.gbnf import BASE, WORDS, GrammarRules, definitions_of, literal

CALL_STARTS = ("{",)
"""An answer that begins otherwise is words, which no grammar restrains."""

CALLS_LIMIT = 4
"""Calls in one answer at most."""


def tools_grammar(tools: Sequence[Mapping[str, Any]], tool_choice: str | Mapping[str, Any] | None = None) -> str | None:
    """Return the grammar of an answer that may call these tools.

    Args:
        tools: schemas in the OpenAI shape.
        tool_choice: `auto` (or `None`) allows calls and words, `required` only calls, `none` only words; a name, or
            the OpenAI shape that holds one, only a call of that tool.

    Returns:
        GBNF, or `None` when nothing needs to be restrained: there are no tools.
    """
    functions = [tool["function"] for tool in tools]
    choice = chosen_name(tool_choice)
    if not functions:
        return None
    if choice == "none":
        return f"root ::= lead words\nlead ::= [ ]?\n{WORDS}\n"
    if choice not in ("auto", "required"):
        functions = [each for each in functions if each["name"] == choice] or functions
    rules = GrammarRules()
    calls = [_call(rules, each["name"], each.get("parameters") or {}) for each in functions]
    several = f' ("\\n" call){{0,{CALLS_LIMIT - 1}}}'
    root = f"call{several}" if choice in ("auto", "required") else "call"
    words = " | words" if choice == "auto" else ""
    lines = [f"root ::= lead ({root}{words})", "lead ::= [ ]?", f"call ::= {' | '.join(calls)}", *rules.lines]
    return "\n".join([*lines, *([WORDS] if words else []), BASE]) + "\n"


def schema_grammar(schema: Mapping[str, Any]) -> str:
    """Return the grammar of an answer that is one JSON value of this schema."""
    rules = GrammarRules(definitions=definitions_of(schema))
    return "\n".join([f"root ::= {rules.of(schema, 0)}", *rules.lines, BASE]) + "\n"


def chosen_name(tool_choice: str | Mapping[str, Any] | None) -> str:
    """Return `auto`, `required`, `none`, or the name of the one tool that was chosen."""
    if tool_choice is None:
        return "auto"
    if isinstance(tool_choice, str):
        return tool_choice
    return str(cast("Mapping[str, Any]", tool_choice.get("function") or {}).get("name") or "auto")


def _call(rules: GrammarRules, name: str, parameters: Mapping[str, Any]) -> str:
    """Return the rule of a call of one tool."""
    rules.under(definitions_of(parameters))
    arguments = rules.object(parameters, 0) if parameters.get("properties") else '"{}"'
    head = literal('{"tool": ' + json.dumps(name, ensure_ascii=False) + ', "args": ')
    return rules.rule(f'{head} {arguments} "}}"')
