"""Values at the borders of a typed tool: how one becomes another's input, and how a model's arguments become one.

Knows value classes alone. A value that crosses is copied, so that no tool can change what another one returned; it is
checked against the class that takes it; and what a model may not say about a value is refused.
"""

import copy
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from edgevox.core.characters import encodable_data
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.values import Empty, Value
from edgevox.tools.coercion import Refused
from edgevox.tools.limits import bounded
from edgevox.tools.wording import nearest, shown

METADATA = frozenset({"truncation", "message_kind", "endpoint", "model", "token_input", "token_output"})
"""What is said about a value beside its payload: tools and the runtime say it, never a model."""
RESERVED = ("truncation", "message_kind")
"""Names that a value class cannot give to a field."""

_WHOLE = 1_000_000
"""Characters of a value that JSON cannot hold as it is; what a model sees of it is cut elsewhere."""
_PROBLEMS = 4
"""Refusals that one answer names."""
_ATOMS = (str, int, float, bool, bytes, type(None), PurePath)
"""What needs no copy because nobody can change it."""


def project(value: Value, model: type[Empty], tool: str, source: str = "") -> Empty:
    """Return what of `value` the class `model` takes, as a copy.

    Nested values keep the classes they have. Texts become numbers where pydantic reads them as such. How long the
    message of `value` is shown goes with it, so that a tool which hands its input on hands that on as well.

    Args:
        value: what another tool returned.
        model: the input class of the tool that takes it.
        tool: its name, for the sentence.
        source: who returned the value, for the sentence.

    Raises:
        Refused: it does not fit; one sentence names both tools and each field.
    """
    held = _held(value)
    data = {key: _copied(held[name]) for name, key in _carried(model) if name in held}
    if model.model_config.get("extra") == "allow":
        known = {name for name, _ in _carried(model)}
        data |= {name: _copied(part) for name, part in held.items() if name not in known and name not in RESERVED}
    try:
        return model(truncation=value.truncation, message_kind=value.message_kind, **data)
    except ValidationError as error:
        gave = f"what {source} returned" if source else f"a {type(value).__name__}"
        raise Refused(f"{tool} cannot take {gave}: {sentences(error)}") from error


def read_arguments(arguments: Mapping[str, Any], model: type[Empty], tool: str) -> Empty:
    """Return the input that a model's arguments say.

    Args:
        arguments: as they came out of JSON.
        model: the input class of the tool.
        tool: its name, for the sentence.

    Raises:
        Refused: sentences that name each field that does not fit, or a key that a model may not set.
    """
    if not METADATA.isdisjoint(arguments) and (hidden := sorted(METADATA & set(arguments) - set(_keys(model)))):
        raise Refused(f"{tool} has no argument {' and '.join(map(repr, hidden))}{_takes(model)}.")
    try:
        return model(**arguments)
    except ValidationError as error:
        raise Refused(f"{tool}: {sentences(error, model)}") from error
    except Exception as error:  # a validator of the application's may raise anything
        raise Refused(f"{tool} cannot read its arguments: {str(error) or type(error).__name__}.") from error


def checked_output(returned: Any, models: tuple[type[Value], ...], tool: str) -> Value:
    """Return what a tool's body returned, if that is what the tool declares.

    Raises:
        ToolDefinitionError: it is something else; the sentence names the tool, both types and the fix.
    """
    if isinstance(returned, models):
        return returned
    declared = " | ".join(model.__name__ for model in models)
    got = type(returned).__name__
    if isinstance(returned, Value):
        raise ToolDefinitionError(f"{tool} returned {got}, which it does not declare: write -> {declared} | {got}.")
    raise ToolDefinitionError(f"{tool} returned {got} where it declares {declared}: return a value of that class.")


def payload_of(value: Value) -> dict[str, Any]:
    """Return what a value holds, as JSON has it."""
    try:
        return encodable_data(value.model_dump(mode="json"))
    except (PydanticSerializationError, ValueError):
        held = bounded(value, _WHOLE)
        return cast("dict[str, Any]", held) if isinstance(held, dict) else {"value": held}


def sentences(error: ValidationError, model: type[Empty] | None = None) -> str:
    """Say what pydantic refused, field by field, for a model to read."""
    said: list[str] = []
    for problem in error.errors(include_url=False)[:_PROBLEMS]:
        path = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "missing":
            said.append(f"{path} is missing.")
        elif problem["type"] == "extra_forbidden":
            said.append(f"there is no '{path}'{nearest(path, _keys(model)) if model else ''}.")
        else:
            message = problem["msg"]
            said.append(f"{path}: {message[:1].lower()}{message[1:]} (got {shown(problem['input'])}).")
    return " ".join(said)


def _held(value: Value) -> dict[str, Any]:
    held = dict(value.__dict__)
    return held | value.model_extra if value.model_extra else held


@lru_cache(maxsize=512)
def _carried(model: type[Empty]) -> tuple[tuple[str, str], ...]:
    """The fields that go along, each with the key under which the class takes it; what is excluded starts anew."""
    by_name = bool(model.model_config.get("populate_by_name") or model.model_config.get("validate_by_name"))
    return tuple(
        (name, name if by_name else _key(field.validation_alias, field.alias, name))
        for name, field in model.model_fields.items()
        if not field.exclude
    )


def _keys(model: type[Empty] | None) -> tuple[str, ...]:
    return tuple(key for _, key in _carried(model)) if model is not None else ()


def _key(validation_alias: Any, alias: str | None, name: str) -> str:
    return validation_alias if isinstance(validation_alias, str) else alias or name


def _takes(model: type[Empty]) -> str:
    keys = _keys(model)
    return f"; it takes {', '.join(keys)}" if keys else "; it takes no arguments"


def _copied(part: Any) -> Any:
    if isinstance(part, _ATOMS):
        return part
    try:
        return copy.deepcopy(part)
    except Exception as error:  # a lock, an open file, an object of somebody else's
        raise Refused(
            f"a {type(part).__name__} cannot be handed from tool to tool, because it cannot be copied: keep it in the "
            "factory's ctx."
        ) from error
