"""Typed values that travel along tool chains: what a typed tool takes and returns.

A value holds its payload and nothing else: truncation, kind and telemetry belong to messages (`core.messages`), so no
model ever sees or sets them.
"""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Root of everything a typed tool may return."""

    model_config = ConfigDict(extra="forbid")


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
