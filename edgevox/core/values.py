"""Typed values that travel along tool chains: what a typed tool takes and returns.

A value holds its payload. How often and how long it is shown, and what kind of message it becomes, may be said when
it is made (`Str(value=…, truncation=…)`); neither is a field, so no model ever sees or sets them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from edgevox.core.messages import Truncation

Rules = Truncation | Iterable[Truncation]

_V = TypeVar("_V", bound=BaseModel)


if TYPE_CHECKING:

    class _TakesRules:
        """Set from one rule or several, read as a tuple."""

        def __get__(self, instance: object, owner: object = None) -> tuple[Truncation, ...]: ...
        def __set__(self, instance: object, value: Rules) -> None: ...


def as_rules(truncation: Rules) -> tuple[Truncation, ...]:
    """Return one rule or several as a tuple."""
    rules = (truncation,) if isinstance(truncation, Truncation) else tuple(truncation)
    if not all(isinstance(rule, Truncation) for rule in cast("tuple[object, ...]", rules)):
        raise ValueError("truncation is a Truncation rule, or a list of them")
    return rules


_NOTHING: tuple[tuple[Truncation, ...], str | None] = ((), None)


def _about(value: BaseModel, about: tuple[tuple[Truncation, ...], str | None]) -> None:
    object.__setattr__(value, "_about", about)


def _described(copied: _V, original: "Value") -> _V:
    _about(copied, (original.truncation, original.message_kind))
    return copied


class Value(BaseModel):
    """Root of everything a typed tool may return.

    Args:
        truncation: rules for the message that this value becomes; none shows it whole for ever.
        message_kind: what that message is for (`Message.kind`).
        data: the fields.
    """

    model_config = ConfigDict(extra="forbid")

    if TYPE_CHECKING:
        # A type checker reads the constructor of a model from its fields, and so has to see these two as such.
        truncation: _TakesRules = _TakesRules()
        message_kind: str | None = None
    else:
        # A slot costs a third of what pydantic's private attributes do, and a chain makes a value at every step.
        __slots__ = ("_about",)

        def __init__(self, /, *, truncation: Rules = (), message_kind: str | None = None, **data: Any) -> None:
            self.__pydantic_validator__.validate_python(data, self_instance=self)
            _about(self, (as_rules(truncation) if truncation else (), message_kind))

        @property
        def truncation(self) -> tuple[Truncation, ...]:
            """Rules for the message that this value becomes."""
            return getattr(self, "_about", _NOTHING)[0]

        @property
        def message_kind(self) -> str | None:
            """What that message is for."""
            return getattr(self, "_about", _NOTHING)[1]

    def __copy__(self) -> Self:
        """Copy the fields and what is said about their message."""
        return _described(super().__copy__(), self)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Copy the fields, and what they hold, and what is said about their message."""
        return _described(super().__deepcopy__(memo), self)

    def __getstate__(self) -> dict[Any, Any]:
        """Return what pickling keeps."""
        return super().__getstate__() | {"about": (self.truncation, self.message_kind)}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        """Put back what pickling kept."""
        _about(self, state.pop("about", _NOTHING))
        super().__setstate__(state)


class Empty(Value):
    """No payload; the root of everything that may be a tool's input. Unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore")


class All(Empty):
    """Any payload: keys are kept as they come."""

    model_config = ConfigDict(extra="allow")


class _Input(Empty):
    model_config = ConfigDict(extra="forbid")


class Int(_Input):
    """One whole number."""

    value: int


class Ints(_Input):
    """Whole numbers, in order."""

    value: list[int]


class Str(_Input):
    """One text."""

    value: str


class Strs(_Input):
    """Texts, in order."""

    items: list[str]


class Location(_Input):
    """One place in a file system."""

    value: Path


class LocationStr(_Input):
    """A place in a file system and a text that belongs to it."""

    location: Path
    value: str


class HashMaps(_Input):
    """Records without a declared shape."""

    items: list[dict[str, Any]]


class Stop(Value):
    """Ends the run; the value, if there is one, is its answer."""

    value: str | None = None


class StopLocation(Stop):
    """Ends the run with an answer and the place where more of it lies."""

    location: Path


class Invoke(Value):
    """A request to run the tool `action`; the other keys are its arguments."""

    model_config = ConfigDict(extra="allow")

    action: str
    rationale: str = ""
