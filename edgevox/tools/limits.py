"""Makes whatever a tool returned safe to hand to a model: JSON, no longer than a bound, and honest about what was cut.

Walks a value with a budget of characters, so that a result of any size costs no more than the part that is kept.
"""

import dataclasses
import datetime as dt
import enum
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from edgevox.core.characters import encodable

RESULT_LIMIT = 4000
"""Characters of a result that reach the model. A context of 4,096 tokens holds about 14,000."""
ERROR_LIMIT = 1000
"""Characters of an error."""

_DEPTH = 12
_NOTE = 60
"""Characters kept free for a note on what was left out."""


def bounded(value: Any, limit: int = RESULT_LIMIT) -> Any:
    """Return `value` as JSON-compatible data whose text is at most `limit` characters long.

    What does not fit is replaced by a note that says how much there was. Objects that JSON does not know become their
    fields, or their text; an object that cannot even say what it is becomes the name of its type.
    """
    if isinstance(value, str):
        return cut(value, limit)
    data = _Reducer(limit).reduce(value, 0)
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return data if len(text) <= limit else cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Shorten a text to `limit` characters, the note on what was left out included."""
    text = encodable(text)
    if len(text) <= limit:
        return text
    kept = max(0, limit - _NOTE)
    return f"{text[:kept]}… [{len(text) - kept:,} more characters left out]"


class _Reducer:
    """Reduces one value; `budget` is what is left of the characters."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._open: set[int] = set()

    def reduce(self, value: Any, depth: int) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return self._scalar(value)
        if depth >= _DEPTH or id(value) in self._open:
            return self._scalar("… [left out: too deep]" if depth >= _DEPTH else "… [left out: refers to itself]")
        self._open.add(id(value))
        try:
            return self._container(value, depth)
        finally:
            self._open.discard(id(value))

    def _container(self, value: Any, depth: int) -> Any:
        fields = _fields(value)
        if fields is not None:
            return self._mapping(fields, depth)
        if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray | memoryview):
            return self._listing(cast("Sequence[Any] | set[Any]", value), depth)
        return self._scalar(_plain(value))

    def _scalar(self, value: Any) -> Any:
        if isinstance(value, enum.Enum):
            value = value.value
        if isinstance(value, float) and not math.isfinite(value):
            value = str(value)
        if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 256:
            value = f"a whole number of {value.bit_length():,} bits"
        if isinstance(value, str):
            value = cut(value, max(_NOTE, self._budget))
            self._budget -= len(value) + 4
        else:
            self._budget -= len(str(value)) + 2
        return value

    def _listing(self, values: Sequence[Any] | set[Any] | frozenset[Any], depth: int) -> list[Any]:
        kept: list[Any] = []
        for value in _listed(values):
            if self._budget < _NOTE:
                kept.append(f"… [{len(values) - len(kept):,} more entries left out]")
                self._budget -= _NOTE
                break
            kept.append(self.reduce(value, depth + 1))
        return kept

    def _mapping(self, fields: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, value in list(itertools.islice(fields.items(), max(1, self._budget))):
            if self._budget < _NOTE:
                kept["…"] = f"[{len(fields) - len(kept):,} more fields left out]"
                self._budget -= _NOTE
                break
            name = cut(key if isinstance(key, str) else _said(key), 200)
            self._budget -= len(name) + 4
            kept[name] = self.reduce(value, depth + 1)
        return kept


def _listed(values: Iterable[Any]) -> Iterable[Any]:
    """Give a set an order, so that the same result reads the same twice."""
    return sorted(values, key=_said) if isinstance(values, set | frozenset) and len(values) < 1000 else values


def _fields(value: Any) -> Mapping[Any, Any] | None:
    if isinstance(value, Mapping):
        return cast("Mapping[Any, Any]", value)
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields} | (value.model_extra or {})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    return None


def _plain(value: Any) -> Any:
    """Say in JSON what an object of no known shape holds."""
    match value:
        case enum.Enum():
            return value.value if isinstance(value.value, str | int | float) else value.name
        case dt.date() | dt.time():
            return value.isoformat()
        case bytes() | bytearray():
            return f"[{len(value):,} bytes]"
        case os.PathLike():
            return os.fspath(cast("os.PathLike[str]", value))
        case _:
            return _numeric(value)


def _numeric(value: Any) -> Any:
    """Read numbers that libraries wrap (`numpy` scalars have `.item()`); everything else is its text."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "size", 1) == 1:
        try:
            inner = item()
        except Exception:  # somebody else's `item`; the text will do
            return _said(value)
        if isinstance(inner, bool | int | float | str):
            return inner
    return _said(value)


def _said(value: Any) -> str:
    try:
        return str(value)
    except Exception:  # an object whose own text fails is still a result
        return f"[{type(value).__name__}]"
