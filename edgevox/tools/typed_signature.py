"""What a typed tool's signature says: the value class it takes and the ones it returns.

The form is `(input: Model, messages) -> Value`, with `ctx` behind it for a factory. Recognises what was meant to be
one, and says in one sentence what is wrong with it. Does not know how a tool runs.
"""

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union, cast

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.values import Empty, Invoke, Stop, Value
from edgevox.tools.projection import RESERVED

EMPTY: Any = inspect.Parameter.empty
_RETURNABLE = (Empty, Invoke, Stop)
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class _Unresolved:
    """An annotation that is text which names nothing that can be found."""

    def __init__(self, text: str) -> None:
        self.text = text


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedSignature:
    """What a typed tool takes and returns."""

    input_model: type[Empty]
    output_models: tuple[type[Value], ...]
    unbound: bool
    """Whether it is a method that has not been taken from an object."""


def is_meant_typed(fn: Callable[..., Any]) -> bool:
    """Whether a function has the typed form, or so much of it that it was meant to."""
    if not callable(fn) or inspect.isclass(fn):
        return False
    try:
        parameters, _ = _parameters(fn)
    except (TypeError, ValueError):
        return False
    if not parameters:
        return False
    hints = _hints(fn)
    first = parameters[0].name
    takes, returns = _mentions_value(hints.get(first)), _mentions_value(hints.get("return"))
    if not any(parameter.name == "messages" for parameter in parameters):
        return takes and returns
    named = first == "input" and parameters[1].name == "messages"
    return takes or returns or (named and (first not in hints or _holds_messages(hints.get("messages"))))


def read_typed(fn: Callable[..., Any], name: str, *, takes_ctx: bool) -> TypedSignature:
    """Read the signature of a typed tool.

    Args:
        fn: its function.
        name: of the tool, for messages.
        takes_ctx: whether it is a factory, which has `ctx` as its third parameter.

    Raises:
        ToolDefinitionError: one sentence that names the tool and what to change.
    """
    try:
        parameters, unbound = _parameters(fn)
    except (TypeError, ValueError) as error:
        raise ToolDefinitionError(f"{name} cannot be a typed tool: Python cannot read its signature.") from error
    _refuse_shape(parameters, name, takes_ctx=takes_ctx)
    hints = _hints(fn)
    _refuse_messages(hints.get("messages", Any), name)
    return TypedSignature(
        input_model=_input_model(hints.get("input", EMPTY), name),
        output_models=_output_models(hints.get("return", EMPTY), name),
        unbound=unbound,
    )


def _parameters(fn: Callable[..., Any]) -> tuple[list[inspect.Parameter], bool]:
    parameters = list(inspect.signature(fn).parameters.values())
    unbound = bool(parameters) and parameters[0].name in ("self", "cls") and parameters[0].annotation is EMPTY
    return parameters[1:] if unbound else parameters, unbound


def _refuse_shape(parameters: list[inspect.Parameter], name: str, *, takes_ctx: bool) -> None:
    wanted = ("input", "messages", "ctx") if takes_ctx else ("input", "messages")
    form = f"({', '.join(wanted)})"
    for place, expected in enumerate(wanted):
        if place >= len(parameters) or parameters[place].name != expected:
            found = f"'{parameters[place].name}'" if place < len(parameters) else "nothing"
            kind = "factory" if takes_ctx else "typed tool"
            raise ToolDefinitionError(
                f"{name}: a {kind} takes {form}, but {found} stands where '{expected}' belongs; rename or add it."
            )
        if parameters[place].kind not in _BY_PLACE:
            raise ToolDefinitionError(f"{name}: '{parameters[place]}' has to be a plain parameter: write {form}.")
    if len(parameters) > len(wanted):
        extra = parameters[len(wanted)].name
        fix = "declare it with @factory" if extra == "ctx" else f"put '{extra}' into the input's class"
        raise ToolDefinitionError(f"{name}: a typed tool takes {form} and nothing else; {fix}.")


def _input_model(annotation: Any, name: str) -> type[Empty]:
    if annotation is EMPTY:
        raise ToolDefinitionError(f"{name}: say what 'input' is: annotate it with a subclass of Empty.")
    _refuse_unresolved(annotation, name, "'input'")
    if len(_alternatives(annotation)) > 1:
        raise ToolDefinitionError(
            f"{name}: 'input' has to be one class, not {_told(annotation)}: write a tool for each, or take Empty's "
            "subclass that they share."
        )
    model = _alternatives(annotation)[0]
    if not (isinstance(model, type) and issubclass(model, Empty)):
        raise ToolDefinitionError(f"{name}: 'input' has to be a subclass of Empty, not {_told(model)}.")
    _refuse_reserved(model, name)
    return model


def _output_models(annotation: Any, name: str) -> tuple[type[Value], ...]:
    if annotation is EMPTY:
        raise ToolDefinitionError(f"{name}: say what it returns: write -> and the class of its value.")
    _refuse_unresolved(annotation, name, "the return value")
    models: list[type[Value]] = []
    for part in _alternatives(annotation):
        _refuse_unresolved(part, name, "the return value")
        if part is type(None) or part is None:
            raise ToolDefinitionError(f"{name}: it cannot return None: write -> Empty and return Empty().")
        if not (isinstance(part, type) and issubclass(part, _RETURNABLE)):
            raise ToolDefinitionError(
                f"{name}: it cannot return {_told(part)}: every class behind -> has to be a subclass of Empty, Stop or "
                "Invoke."
            )
        _refuse_reserved(part, name)
        models.append(part)
    return tuple(dict.fromkeys(models))


def _refuse_messages(annotation: Any, name: str) -> None:
    if isinstance(annotation, _Unresolved) or annotation is Any:
        return
    origin = typing.get_origin(annotation) or annotation
    holds = [part for part in typing.get_args(annotation) if part is not Any and not isinstance(part, str)]
    is_list = isinstance(origin, type) and (issubclass(list, origin) or issubclass(origin, list))
    if not is_list or any(isinstance(part, type) and not issubclass(Message, part) for part in holds):
        raise ToolDefinitionError(f"{name}: 'messages' is the conversation: annotate it as list[Message].")


def _refuse_reserved(model: type[Value], name: str) -> None:
    for reserved in RESERVED:
        if reserved in model.model_fields:
            raise ToolDefinitionError(
                f"{name}: {model.__name__} has a field '{reserved}', which describes a value's message: rename it."
            )


def _refuse_unresolved(annotation: Any, name: str, what: str) -> None:
    if isinstance(annotation, _Unresolved):
        raise ToolDefinitionError(
            f"{name}: the class of {what} is written as '{annotation.text}', which cannot be found: define or import "
            "it above the tool, at run time too."
        )


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """The classes that an annotation allows, aliases and unions taken apart."""
    if hasattr(annotation, "__value__"):  # `type Alias = A | B`
        return _alternatives(annotation.__value__)
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _alternatives(typing.get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return tuple(part for argument in typing.get_args(annotation) for part in _alternatives(argument))
    return (annotation,)


def _mentions_value(annotation: Any) -> bool:
    return any(isinstance(part, type) and issubclass(part, Value) for part in _alternatives(annotation))


def _holds_messages(annotation: Any) -> bool:
    if isinstance(annotation, _Unresolved):
        return "Message" in annotation.text
    return annotation is None or Message in typing.get_args(annotation)


def _told(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _hints(fn: Callable[..., Any]) -> dict[str, Any]:
    """Resolve each annotation with the names that the function sees, those of the functions around it included."""
    target: Any = inspect.unwrap(fn.func if isinstance(fn, functools.partial) else fn)
    target = target.__func__ if inspect.ismethod(target) else target
    target = target if hasattr(target, "__annotations__") else type(target).__call__
    annotations: dict[str, Any] = dict(getattr(target, "__annotations__", {}))
    names: dict[str, Any] = getattr(target, "__globals__", {})
    return {name: _resolved(annotation, names, target) for name, annotation in annotations.items()}


def _resolved(annotation: Any, names: Mapping[str, Any], target: Any) -> Any:
    carrier = types.SimpleNamespace(__annotations__={"hint": annotation})
    for local in (dict[str, Any], lambda: _local_names(target, names)):
        try:
            return typing.get_type_hints(carrier, dict(names), local(), include_extras=True)["hint"]
        except Exception:  # noqa: S112 - an annotation may be any expression; the next names may resolve it
            continue
    return _Unresolved(annotation if isinstance(annotation, str) else str(annotation))


def _local_names(target: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of the functions within which a function is being defined, the nearest first."""
    found: dict[str, Any] = {}
    code, cells = getattr(target, "__code__", None), getattr(target, "__closure__", None) or ()
    for name, cell in zip(code.co_freevars if code is not None else (), cells, strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not yet filled
            continue
    frame = cast("types.FrameType | None", sys._getframe())  # pyright: ignore[reportPrivateUsage] the only way there
    while frame is not None:
        if frame.f_globals is names and frame.f_code.co_name != "<module>":
            for name, value in frame.f_locals.items():
                found.setdefault(name, value)
        frame = frame.f_back
    return found
