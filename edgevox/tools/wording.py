"""Sentences about tools and arguments: what a schema allows, what was given, which name was probably meant."""

import json
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any, cast

NAMES = "x-names"
"""Where a complete schema keeps the names of an enumeration whose values say nothing to a person."""

_SHOWN = 60
"""Characters of a refused value that a sentence repeats."""
_LISTED = 12
"""Members of an enumeration that a sentence lists."""
_NEAR = 60.0
"""Similarity, of 100, from which a name is worth suggesting."""

_KINDS = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "null": "null",
    "object": "an object",
}


def allowed(schema: Mapping[str, Any]) -> str:
    """Say what a schema accepts, to follow *must be*."""
    if "enum" in schema:
        return _one_of(schema)
    if "const" in schema:
        return _literal(schema["const"])
    branches: Iterable[Any] = schema.get("anyOf") or schema.get("oneOf") or ()
    if branches:
        return " or ".join(dict.fromkeys(allowed(branch) for branch in branches))
    kind = schema.get("type", "")
    if kind == "array":
        items: Any = schema.get("items")
        of = f" of {_plural(items)}" if items else ""
        return f"a list{of}"
    return _KINDS.get(kind, "a value") + _range(schema)


def shown(value: Any) -> str:
    """Repeat a value in a sentence, cut to a readable length."""
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
        return f"'{text}'"
    if value is None or isinstance(value, bool | int | float):
        return _literal(value)[:_SHOWN]
    return reprlib.repr(value)[:_SHOWN]


def nearest(name: str, known: Iterable[str]) -> str:
    """Suggest the known name that was probably meant, to end a sentence with; empty when none is near."""
    candidates = list(known)
    if not candidates or not name.strip():
        return ""
    from rapidfuzz import fuzz, process, utils

    best = process.extractOne(name, candidates, scorer=fuzz.WRatio, processor=utils.default_process)
    return f"; did you mean '{best[0]}'" if best and best[1] >= _NEAR else ""


def humane(name: str) -> str:
    """Say an identifier as words."""
    return name.replace("_", " ").replace("-", " ").strip()


def _literal(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _one_of(schema: Mapping[str, Any]) -> str:
    members = [_literal(member) for member in schema["enum"]]
    more = f" or {len(members) - _LISTED} others" if len(members) > _LISTED else ""
    return f"one of {', '.join(members[:_LISTED])}{more}"


def _plural(schema: Any) -> str:
    plural = {"integer": "whole numbers", "number": "numbers", "string": "texts", "object": "objects"}
    if isinstance(schema, Mapping):
        return plural.get(str(cast("Mapping[str, Any]", schema).get("type")), "values")
    return "values"


def _range(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" between {low:g} and {high:g}"
    parts = [
        f"{words} {schema[key]:g}"
        for key, words in (
            ("minimum", "of at least"),
            ("maximum", "of at most"),
            ("exclusiveMinimum", "greater than"),
            ("exclusiveMaximum", "less than"),
        )
        if key in schema
    ]
    return " " + " and ".join(parts) if parts else ""
