"""JSON as small models write it: where a value ends, and what a damaged one was meant to be.

Reads text into plain data; knows nothing of tools.
"""

import ast
import json
import re
from typing import Any, cast

_CLOSERS = {"{": "}", "[": "]"}
_DEPTH_LIMIT = 64
_WORDS = {"true": "True", "false": "False", "null": "None"}


def value_end(text: str, start: int = 0) -> int | None:
    """Return the index after the object or list that begins at `start`, or `None` while it is not over.

    Brackets inside strings do not count.
    """
    depth, quoted, index = 0, False, start
    while index < len(text):
        char = text[index]
        if quoted:
            if char == "\\":
                index += 1
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth <= 0:
                return index + 1
        index += 1
    return None


def read_values(text: str) -> list[Any]:
    """Return the objects and lists in `text`, one after the other; what is between them is left out."""
    values: list[Any] = []
    position = 0
    while (match := re.search(r"[{\[]", text[position:])) is not None:
        start = position + match.start()
        end = value_end(text, start) or len(text)
        values.append(read_value(text[start:end]))
        position = end
    return values


def read_value(text: str) -> Any:
    """Return the value that `text` was meant to be.

    Mends what small models do: doubled braces, Python's quotes and words, trailing commas, a missing end.

    Raises:
        ValueError: no guess makes it readable.
    """
    stripped = text.strip()
    if _deep(stripped):
        raise ValueError("nested too deeply")
    for candidate in _candidates(stripped):
        for read in (_strict, _python):
            try:
                return read(candidate)
            except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
                continue
    raise ValueError("not JSON")


def _deep(text: str) -> bool:
    depth = deepest = 0
    for char in text:
        depth += (char in "{[(") - (char in "}])")
        deepest = max(deepest, depth)
    return deepest > _DEPTH_LIMIT


def _candidates(text: str) -> list[str]:
    made = [text]
    if text.startswith("{{"):
        undoubled = text[1:-1] if text.endswith("}}") else text[1:]
        made += [undoubled, text.replace("{{", "{").replace("}}", "}")]
    made += [re.sub(r",\s*([}\]])", r"\1", each) for each in list(made)]
    made += [_closed(each) for each in list(made)]
    return list(dict.fromkeys(made))


def _closed(text: str) -> str:
    """Append what is missing at the end, for a value that was cut."""
    stack: list[str] = []
    quoted, index = False, 0
    while index < len(text):
        char = text[index]
        if quoted:
            if char == "\\":
                index += 1
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in _CLOSERS:
            stack.append(_CLOSERS[char])
        elif stack and char == stack[-1]:
            stack.pop()
        index += 1
    return text + ('"' if quoted else "") + "".join(reversed(stack))


def _strict(text: str) -> Any:
    return json.loads(text, strict=False)


def _python(text: str) -> Any:
    value = ast.literal_eval(re.sub(r"\b(true|false|null)\b", lambda m: _WORDS[m[1]], text))
    if isinstance(value, dict | list | tuple):
        return json.loads(json.dumps(cast("Any", value)))
    raise ValueError("not a container")
