"""Typed values that travel along tool chains: what a typed tool takes and returns.

A value holds its payload. How often and how long it is shown, and what kind of message it becomes, may be said when
it is made (`Str(value=…, truncation=…)`); neither is a field, so no model ever sees or sets them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, PrivateAttr

from edgevox.core.messages import Truncation

Rules = Truncation | Iterable[Truncation]


if TYPE_CHECKING:

    class _TakesRules:
        """Set from one rule or several, read as a tuple."""

        def __get__(self, instance: object, owner: object = None) -> tuple[Truncation, ...]: ...
        def __set__(self, instance: object, value: Rules) -> None: ...


def _as_rules(truncation: Rules) -> tuple[Truncation, ...]:
    rules = (truncation,) if isinstance(truncation, Truncation) else tuple(truncation)
    if not all(isinstance(rule, Truncation) for rule in cast("tuple[object, ...]", rules)):
        raise ValueError("truncation is a Truncation rule, or a list of them")
    return rules


class Value(BaseModel):
    """Root of everything a typed tool may return.

    Args:
        truncation: rules for the message that this value becomes; none shows it whole for ever.
        message_kind: what that message is for (`Message.kind`).
        data: the fields.
    """

    model_config = ConfigDict(extra="forbid")

    _truncation: tuple[Truncation, ...] = PrivateAttr(default=())
    _message_kind: str | None = PrivateAttr(default=None)

    if TYPE_CHECKING:
        # A type checker reads the constructor of a model from its fields, and so has to see these two as such.
        truncation: _TakesRules = _TakesRules()
        message_kind: str | None = None
    else:

        def __init__(self, *, truncation: Rules = (), message_kind: str | None = None, **data: Any) -> None:
            super().__init__(**data)
            if truncation:
                self._truncation = _as_rules(truncation)
            if message_kind is not None:
                self._message_kind = message_kind

        @property
        def truncation(self) -> tuple[Truncation, ...]:
            """Rules for the message that this value becomes."""
            return self._truncation

        @property
        def message_kind(self) -> str | None:
            """What that message is for."""
            return self._message_kind


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
