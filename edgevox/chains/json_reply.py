"""Finds the JSON object in what a model wrote.

Takes thoughts, fences and introductions away, reads the first object and ignores what follows it. Knows JSON, not
tools; says in a sentence why there is no object.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Never, cast

from edgevox.core.characters import encodable_data

_THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THINKING = re.compile(r"^\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"^(?:```|´´´)[^\n]*\n?|\n?(?:```|´´´)\s*$")
_TRIES = 32
"""Opening braces that are tried; a text with more that open no object is words."""


class NoObject(ValueError):
    """There is no JSON object in a reply; the text is a sentence for the model."""


def find_object(text: str, *, key: str | None = None) -> dict[str, Any]:
    """Return the first JSON object in a reply.

    Args:
        text: what the model wrote.
        key: a key that the object has; an object without it only counts when no other follows.

    Raises:
        NoObject: there is none; the sentence says what stands there.
    """
    reply = without_thought(text)
    first: dict[str, Any] | None = None
    for found in _objects(reply):
        if key is None or key in found:
            return found
        first = found if first is None else first
    if first is not None:
        return first
    raise NoObject(_why(reply))


def without_thought(text: str) -> str:
    """Return a reply without what the model thought before it, and without the fence around it."""
    if text.lstrip().startswith("{"):
        return text.strip()
    fenced = text.lstrip().startswith(("```", "´´´"))  # a tag within the object that follows ends no thought
    ends = [] if fenced else [match.end() for match in _THOUGHT.finditer(text)]
    reply = text[ends[-1] :] if ends else text
    if not ends and _THINKING.match(reply):
        return ""
    return _FENCE.sub("", reply.strip()).strip()


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    start = reply.find("{")
    for _ in range(_TRIES):
        if start < 0:
            return
        try:
            value, end = _DECODER.raw_decode(reply, start)
        except (ValueError, RecursionError):
            start = reply.find("{", start + 1)
            continue
        if isinstance(value, dict):
            yield cast("dict[str, Any]", encodable_data(value))
        start = reply.find("{", end)


def _why(reply: str) -> str:
    if not reply:
        return "The reply was empty."
    start = reply.find("{")
    if start < 0:
        return "The reply holds no JSON object."
    try:
        _DECODER.raw_decode(reply, start)
    except ValueError as error:
        said = str(error)
        cut = isinstance(error, json.JSONDecodeError) and error.pos >= len(reply.rstrip()) - 1
        return (
            "The JSON object breaks off before its end." if cut or "Unterminated" in said else f"Invalid JSON: {said}."
        )
    except RecursionError:
        return "The JSON object is nested too deeply."
    return "The reply holds no JSON object."


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)
"""Lets a line break stand in a text, which small models write and which loses nothing."""
