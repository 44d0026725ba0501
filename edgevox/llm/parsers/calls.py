"""Tool calls in plain data and in Python's call syntax, whatever a family names their parts."""

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from edgevox.core.completion import ToolCall
from edgevox.llm.parsers.json_text import value_end

Signatures = Mapping[str, Sequence[str]]
"""The parameters of each known tool, in order."""

_NAMES = ("tool", "name", "function", "tool_name", "function_name", "action")
_ARGUMENTS = ("args", "arguments", "parameters", "input", "kwargs", "action_input")
_WRAPPERS = ("tool_calls", "calls", "function_call", "tool_call")
_NAME = re.compile(r"[^\W\d][\w.\-:]{0,127}")


def calls_in(value: Any, signatures: Signatures, *, sure: bool) -> list[ToolCall]:
    """Return the tool calls that a value read from JSON stands for.

    Args:
        value: an object, or a list of them.
        signatures: the tools that exist.
        sure: the value stood inside a family's own markup. Otherwise an object must look like nothing else.
    """
    if isinstance(value, list):
        found = [calls_in(each, signatures, sure=sure) for each in cast("list[Any]", value)]
        return [call for calls in found for call in calls] if all(found) else []
    if not isinstance(value, dict):
        return []
    data = cast("dict[str, Any]", value)
    for wrapper in _WRAPPERS:
        if isinstance(data.get(wrapper), list | dict):
            return calls_in(data[wrapper], signatures, sure=sure)
    if isinstance(data.get("function"), dict):
        return calls_in(data["function"], signatures, sure=sure)
    call = _call_in(data, signatures, sure=sure)
    return [call] if call else []


def _call_in(data: dict[str, Any], signatures: Signatures, *, sure: bool) -> ToolCall | None:
    key = next((key for key in _NAMES if isinstance(data.get(key), str)), None)
    if key is None:
        return None
    name = data[key] if data[key] in signatures else clean_name(data[key])
    argument_key = next((each for each in _ARGUMENTS if each in data), None)
    if not name or not (sure or name in signatures or (argument_key and key != "action")):
        return None
    if argument_key is not None:
        return _made(name, data[argument_key])
    if not sure and name not in signatures:
        return None
    return _made(name, {k: v for k, v in data.items() if k not in (key, "id", "type")})


def _made(name: str, arguments: Any) -> ToolCall:
    if isinstance(arguments, str):
        return ToolCall.of(name, arguments.strip() or "{}")
    return ToolCall.of(name, json.dumps({} if arguments is None else arguments, ensure_ascii=False))


def clean_name(name: str) -> str:
    """Return a tool's name without the markup, quotes and prefixes that models put around it."""
    bare = re.sub(r"<[^<>]{0,40}>", "", name).strip().strip("\"'`()[]{}:;,").strip()
    return bare.removeprefix("functions.").removeprefix("tools.")[:128]


def pythonic_calls(text: str, signatures: Signatures, *, sure: bool) -> list[ToolCall]:
    """Return the calls in Python's syntax: `[set_light(room="kitchen", on=True)]`, or one of them alone.

    Empty when the text is anything else; nothing is ever evaluated.
    """
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    parts = body.elts if isinstance(body, ast.List | ast.Tuple) else [body]
    calls = [_pythonic(part, signatures) for part in parts]
    known = all(call is not None and (sure or call.name in signatures) for call in calls)
    return [call for call in calls if call is not None] if known else []


def _pythonic(node: ast.expr, signatures: Signatures) -> ToolCall | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" and node.args:
        node = node.args[0]
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func).removesuffix(".call")
    name = clean_name(name)
    try:
        arguments = dict(zip(signatures.get(name, ()), (_literal(each) for each in node.args), strict=False))
        arguments |= {each.arg: _literal(each.value) for each in node.keywords if each.arg}
        return ToolCall.of(name, json.dumps(arguments, ensure_ascii=False))
    except (ValueError, TypeError):
        return None


def _literal(node: ast.expr) -> Any:
    match node:
        case ast.Name(id="true" | "false" | "null" as word):
            return {"true": True, "false": False, "null": None}[word]
        case ast.Name(id=word):
            return word
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [_literal(part) for part in parts]
        case ast.Dict(keys=keys, values=values):
            return {str(_literal(k)): _literal(v) for k, v in zip(keys, values, strict=True) if k is not None}
        case _:
            return ast.literal_eval(node)


def named(name: str, body: str) -> Iterable[ToolCall]:
    """Yield the call whose name and argument text a markup gave apart; what stands behind the arguments is left out."""
    if _NAME.fullmatch(clean := clean_name(name)):
        text = body.strip()
        end = value_end(text) if text.startswith("{") else None
        yield ToolCall.of(clean, text[:end] or "{}")
