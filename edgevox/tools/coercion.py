"""Repairs what small models do to arguments, where nothing is lost by it, and refuses the rest in one sentence.

`"5"` for a number is 5 and `"off"` for a switch is false; `"maybe"` is refused, and so is 3.5 for a whole number or
true for a number. Knows JSON schema alone; never calls a tool. A refusal names the field and says what is allowed.
"""

import dataclasses
import enum
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from pydantic import BaseModel

from edgevox.tools.wording import NAMES, allowed, nearest, shown

_TRUE = frozenset({"true", "on", "yes", "y", "t", "1", "enable", "enabled"})
_FALSE = frozenset({"false", "off", "no", "n", "f", "0", "disable", "disabled"})
_NULL = frozenset({"null", "none", "nil", ""})
_INTEGER = re.compile(r"[+-]?\d{1,300}(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?", re.IGNORECASE)


class Refused(ValueError):
    """A value that cannot be made to fit without losing something; the text is a sentence for the model."""


def coerce(value: Any, schema: Mapping[str, Any], field: str, definitions: Mapping[str, Any] | None = None) -> Any:
    """Make `value` fit `schema`, losing nothing.

    Args:
        value: what the model wrote.
        schema: JSON schema of the field, complete (see `edgevox.tools.schema.InputSchema`).
        field: name for the sentence; nested fields are `field.name` and `field[2]`.
        definitions: what `$ref`s point to.

    Raises:
        Refused: it does not fit.
    """
    return _Coercer(definitions or {}).coerce(value, schema, field)


def plain(word: str) -> str:
    """Reduce a name to what a listener would compare: case, hyphens, underscores and width aside."""
    return re.sub(r"[\s_\-]+", " ", unicodedata.normalize("NFKC", word)).strip().casefold()


class _Coercer:
    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions

    def coerce(self, value: Any, schema: Mapping[str, Any], field: str) -> Any:
        schema = self._resolved(schema)
        value = _unwrapped(value)
        branches = schema.get("anyOf") or schema.get("oneOf")
        kind = schema.get("type")
        if "enum" in schema or "const" in schema:
            coerced = _member(value, schema, field)
        elif branches:
            coerced = self._any_of(value, schema, branches, field)
        elif kind == "array":
            coerced = self._array(value, schema, field)
        elif kind == "object":
            coerced = self._object(value, schema, field)
        else:
            coerced = _SCALARS[kind](value, schema, field) if kind in _SCALARS else value
        return coerced

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while True:
            if "$ref" in schema:
                name = str(schema["$ref"]).rsplit("/", 1)[-1]
                schema = {**self._definitions[name], **{k: v for k, v in schema.items() if k != "$ref"}}
            elif len(schema.get("allOf", ())) == 1:
                schema = {**schema["allOf"][0], **{k: v for k, v in schema.items() if k != "allOf"}}
            else:
                return schema

    def _any_of(self, value: Any, whole: Mapping[str, Any], branches: Iterable[Any], field: str) -> Any:
        resolved = [self._resolved(branch) for branch in branches]
        refusals: list[Refused] = []
        for branch in sorted(resolved, key=lambda branch: not _is_of_type(value, branch)):
            try:
                return self.coerce(value, branch, field)
            except Refused as refusal:
                if branch.get("type") != "null":
                    refusals.append(refusal)
        if len(refusals) == 1:
            raise refusals[0]
        raise Refused(f"{field} must be {allowed({**whole, 'anyOf': resolved})}, not {shown(value)}.")

    def _array(self, value: Any, schema: Mapping[str, Any], field: str) -> list[Any]:
        value = _parsed(value, list)
        if not isinstance(value, list | tuple | set | frozenset):
            raise _refused(value, schema, field)
        values: list[Any] = list(cast("Iterable[Any]", value))
        fixed: list[Any] = schema.get("prefixItems", [])
        items: Any = schema.get("items", {}) or {}
        low, high = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        if not low <= len(values) <= high:
            raise Refused(f"{field} must have {_span(low, high)} entries, not {len(values)}.")
        return [
            self.coerce(item, fixed[i] if i < len(fixed) else items, f"{field}[{i}]") for i, item in enumerate(values)
        ]

    def _object(self, value: Any, schema: Mapping[str, Any], field: str) -> dict[str, Any]:
        value = _parsed(value, dict)
        if not isinstance(value, Mapping):
            raise _refused(value, schema, field)
        known: dict[str, Any] = schema.get("properties", {})
        extra: Any = schema.get("additionalProperties", not known)
        given = rename(cast("Mapping[str, Any]", value), known)
        coerced: dict[str, Any] = {}
        for name, part in given.items():
            if name in known:
                coerced[name] = self.coerce(part, known[name], f"{field}.{name}")
            elif extra is False:
                raise Refused(f"{field} has no '{name}'{nearest(name, known)}; it takes {_listed(known)}.")
            else:
                coerced[name] = part if extra is True else self.coerce(part, extra, f"{field}.{name}")
        for name in schema.get("required", ()):
            if name not in coerced:
                raise Refused(f"{field}.{name} is missing; it must be {allowed(self._resolved(known[name]))}.")
        return coerced


def rename(given: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Give each argument the declared spelling of its name where only case, hyphens or spaces differ."""
    by_sound = {plain(name): name for name in known}
    exact = set(by_sound.values())
    renamed: dict[str, Any] = {}
    for name, value in given.items():
        target = name if name in exact else by_sound.get(plain(str(name)), str(name))
        renamed[str(name) if target in renamed else target] = value
    return renamed


def _refused(value: Any, schema: Mapping[str, Any], field: str) -> Refused:
    return Refused(f"{field} must be {allowed(schema)}, not {shown(value)}.")


def _is_of_type(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether the value already is what the schema asks for, before any repair."""
    if "enum" in schema:
        return any(value == member and type(value) is type(member) for member in schema["enum"])
    kinds = _PYTHON.get(schema.get("type", ""))
    return kinds is None or type(value) in kinds


def _unwrapped(value: Any) -> Any:
    """Read what Python code passes where a model would write JSON: enumeration members, dataclasses, models."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return value


def _word(value: Any) -> str:
    return unicodedata.normalize("NFKC", value).strip() if isinstance(value, str) else ""


def _boolean(value: Any, schema: Mapping[str, Any], field: str) -> bool:
    if isinstance(value, bool):
        return value
    word = _word(value).casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise _refused(value, schema, field)


def _integer(value: Any, schema: Mapping[str, Any], field: str) -> int:
    word = _word(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif _INTEGER.fullmatch(word):
        value = int(word.partition(".")[0])
    if not isinstance(value, int) or isinstance(value, bool):
        raise _refused(value, schema, field)
    return _bounded(value, schema, field)


def _number(value: Any, schema: Mapping[str, Any], field: str) -> int | float:
    word = _word(value)
    if _NUMBER.fullmatch(word):
        value = int(word) if _INTEGER.fullmatch(word) and "." not in word else float(word)
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise _refused(value, schema, field)
    return _bounded(value, schema, field)


def _text(value: Any, schema: Mapping[str, Any], field: str) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise _refused(value, schema, field)
    low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if not low <= len(value) <= high:
        raise Refused(f"{field} must have {_span(low, high)} characters, not {len(value)}.")
    return value


def _null(value: Any, schema: Mapping[str, Any], field: str) -> None:
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NULL):
        return
    raise _refused(value, schema, field)


def _member(value: Any, schema: Mapping[str, Any], field: str) -> Any:
    members: list[Any] = schema["enum"] if "enum" in schema else [schema["const"]]
    for member in members:
        if value == member and type(value) is type(member):
            return member
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _refused(value, schema, field)
    spoken = plain(str(value))
    names: list[str] = schema.get(NAMES, [])
    labels = [(plain(str(m)), m) for m in members if not isinstance(m, bool)]
    labels += [(plain(name), member) for name, member in zip(names, members, strict=False)]
    labels += [(word, m) for m in members if isinstance(m, bool) for word in (_TRUE if m else _FALSE)]
    fitting: list[Any] = []
    for label, member in labels:
        if label == spoken and member not in fitting:
            fitting.append(member)
    if len(fitting) == 1:
        return fitting[0]
    suggestion = nearest(str(value), [*(str(member) for member in members), *names])
    raise Refused(f"{field} must be {allowed(schema)}, not {shown(value)}{suggestion}.")


_SCALARS: dict[Any, Callable[[Any, Mapping[str, Any], str], Any]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _text,
    "null": _null,
}

_PYTHON: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def _bounded(value: float, schema: Mapping[str, Any], field: str) -> Any:
    fits = (
        value >= schema.get("minimum", -math.inf)
        and value <= schema.get("maximum", math.inf)
        and value > schema.get("exclusiveMinimum", -math.inf)
        and value < schema.get("exclusiveMaximum", math.inf)
    )
    if not fits:
        raise _refused(value, schema, field)
    return value


def _parsed(value: Any, kind: type) -> Any:
    """Read a list or an object that the model wrote inside quotes."""
    if not isinstance(value, str):
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, kind) else value


def _span(low: float, high: float) -> str:
    if low == high:
        return f"exactly {low:g}"
    if high == math.inf:
        return f"at least {low:g}"
    return f"at most {high:g}" if low == 0 else f"{low:g} to {high:g}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
