"""Values of a tool's output classes to try conditions on: the edges of what a field may hold, and a few in between."""

from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError

from edgevox.core.values import Stop, Value
from edgevox.tools import Tool

_BY_TYPE: dict[Any, tuple[Any, ...]] = {
    bool: (True, False),
    int: (0, 1, -1, 2, 3, 7, 10, -10, 15, 100, -1000),
    float: (0.0, 0.5, -0.5, 1.0, 20.0, -40.0, 1e6),
    str: ("", "a", "yes", "no", "Some words.", "0"),
    Path: (Path(), Path("notes/file.txt")),
}
_MOST = 200
"""Values of one class at most."""


def samples_of(tool: Tool) -> Sequence[Any]:
    """Return values that a tool may return, as far as they can be made up from its output classes."""
    return [value for model in tool.output_models if not issubclass(model, Stop) for value in _of_class(model)]


def _of_class(model: type[Value]) -> list[Value]:
    names = list(model.model_fields)
    choices = [_of_annotation(field.annotation) for field in model.model_fields.values()]
    made: list[Value] = []
    for parts in islice(product(*choices), _MOST):
        try:
            made.append(model.model_validate(dict(zip(names, parts, strict=True))))
        except ValidationError:
            continue
    return made


def _of_annotation(annotation: Any) -> Sequence[Any]:
    if annotation in _BY_TYPE:
        return _BY_TYPE[annotation]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return inner
    if origin is list:
        each = _of_annotation(inner[0]) if inner else (0,)
        return ([], list(each[:1]), list(each))
    if origin is dict:
        return ({}, {"key": "value"})
    if hasattr(annotation, "__members__"):
        return tuple(annotation)
    return tuple(value for part in inner for value in _of_annotation(part)) or (None,)
