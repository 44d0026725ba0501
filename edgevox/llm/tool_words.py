"""Tools in words a small model understands: a line each, how to call one, an example.

The same tools always give the same text, so that a prompt which begins with it stays in the cache. Descriptions are
shortened and put on one line; whatever is in them, they stay words.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

DESCRIPTION_LIMIT = 160
"""Characters of a description that a model is shown; small models read no manuals."""
EXAMPLES = 8
"""Tools whose calls are shown."""
CHOICES_LIMIT = 24
"""Values of an enumeration that are listed."""


def tools_section(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return what a system prompt says of the tools.

    Args:
        tools: schemas in the OpenAI shape, at least one.
    """
    functions = [tool["function"] for tool in tools]
    lines = "\n".join(_line(function) for function in functions)
    examples = "\n".join(_example(function) for function in _shown_as_examples(functions))
    return (
        "# Tools\n"
        f"{lines}\n\n"
        "When one of these tools can do or look up what the person wants, answer with the call alone: one line of "
        "JSON, nothing else. You cannot know times, weather, states and measurements yourself: look them up. Take "
        "values only from what the person said; ask when one is missing. For several things write several lines.\n"
        "Anything else (greetings, thanks, jokes, general knowledge, questions about you) you answer in words.\n"
        "When a tool has answered, say what it answered in one short sentence.\n\n"
        "# Examples\n"
        f"{examples}\n"
        "Hello! -> Hello! What can I do for you?\n"
        "Thanks, that was nice. -> You are welcome."
    )


def call_text(name: str, arguments: Any) -> str:
    """Return a call as the model is to write it."""
    return f'{{"tool": {json.dumps(name, ensure_ascii=False)}, "args": {json.dumps(arguments, ensure_ascii=False)}}}'


def result_text(name: str, content: str) -> str:
    """Return a tool's answer as the model is shown it."""
    return f"[{name} answered: {content}]"


def example_call(function: Mapping[str, Any]) -> str:
    """Return a call of the tool with values that its schema allows."""
    parameters = _parameters(function)
    properties = cast("Mapping[str, Any]", parameters.get("properties") or {})
    required = [name for name in parameters.get("required") or () if name in properties]
    return call_text(function["name"], {name: _sample(name, properties[name]) for name in required})


def _shown_as_examples(functions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A few tools, different in how much they take; the same ones for the same tools."""
    taken = {min(len(_parameters(each).get("required") or ()), 2): each for each in reversed(functions)}
    first = [taken[size] for size in sorted(taken, reverse=True)]
    others = [each for each in functions if each not in first]
    return (first + others)[:EXAMPLES]


def _example(function: Mapping[str, Any]) -> str:
    wish = one_line(function.get("description") or function["name"]).split(". ")[0].rstrip(".")
    return f"{wish}. -> {example_call(function)}"


def _parameters(function: Mapping[str, Any]) -> dict[str, Any]:
    return cast("dict[str, Any]", function.get("parameters") or {})


def _line(function: Mapping[str, Any]) -> str:
    parameters = _parameters(function)
    properties = cast("Mapping[str, Any]", parameters.get("properties") or {})
    required = set(cast("Sequence[str]", parameters.get("required") or ()))
    shown = [
        f"{name}{'' if name in required else '?'}: {_type(schema, parameters)}{_note(schema)}"
        for name, schema in properties.items()
    ]
    return f"- {one_line(function['name'])}({', '.join(shown)}): {one_line(function.get('description') or '')}"


def _note(schema: Any) -> str:
    known = cast("Mapping[str, Any]", schema if isinstance(schema, Mapping) else {})
    text = one_line(str(known.get("description") or ""))
    return f" ({text})" if text else ""


def one_line(text: str, limit: int = DESCRIPTION_LIMIT) -> str:
    """Return a text on one line, shortened at a word, without the markers of any chat template."""
    flat = re.sub(r"\s+", " ", re.sub(r"<\|?[^<>\s]{0,40}\|?>", " ", text)).strip()
    return flat if len(flat) <= limit else flat[:limit].rsplit(" ", 1)[0] + " …"


def _type(schema: Any, root: Mapping[str, Any]) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    known = cast("Mapping[str, Any]", schema)
    if isinstance(known.get("$ref"), str):
        definitions = cast("Mapping[str, Any]", root.get("$defs") or {})
        known = cast("Mapping[str, Any]", definitions.get(known["$ref"].rsplit("/", 1)[-1]) or {})
    values = known.get("enum") or ([known["const"]] if "const" in known else None)
    if values:
        return "|".join(json.dumps(value, ensure_ascii=False) for value in values[:CHOICES_LIMIT])
    for union in ("anyOf", "oneOf"):
        if known.get(union):
            return "|".join(dict.fromkeys(_type(each, root) for each in known[union]))
    if known.get("type") == "array":
        return f"list of {_type(known.get('items') or {}, root)}"
    return f"{known.get('type', 'any')}{_range(known)}"


def _range(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None and most is None:
        return ""
    return f" {least if least is not None else ''}..{most if most is not None else ''}"


def _sample(name: str, schema: Any) -> Any:
    known = cast("Mapping[str, Any]", schema if isinstance(schema, Mapping) else {})
    values = known.get("enum") or ([known["const"]] if "const" in known else [])
    if values:
        return values[0]
    choices = known.get("anyOf") or known.get("oneOf")
    if choices:
        return _sample(name, choices[0])
    least = known.get("minimum")
    by_type: dict[str, Any] = {
        "boolean": True,
        "integer": 20 if least is None else least,
        "number": 20 if least is None else least,
        "array": [],
        "object": {},
    }
    return by_type.get(str(known.get("type")), f"the {name}".replace("_", " "))
