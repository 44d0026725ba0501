"""How permission rules and the resources in them are written: `read,create ~/notes/**`, `switch device:light/*`.

Knows the form alone, so that settings can be checked where they are read. What a rule means is the business of
`edgevox.tools`.
"""

import re
from enum import StrEnum
from typing import NamedTuple

FILE = "file"
"""Kind of a resource that names none."""
EXAMPLES = "read,create ~/notes/** or switch device:light/*"

_KIND = re.compile(r"([a-z][a-z0-9_-]+):", re.ASCII)


class Operation(StrEnum):
    """What is done to a resource."""

    READ = "read"
    CREATE = "create"
    """Make it, or write into it; what is overwritten needs `READ` and `DELETE` too."""
    DELETE = "delete"
    SEND = "send"
    """Let it leave this machine: an e-mail, an attachment."""
    MOVE = "move"
    """Let a robot, or a part of one, move."""
    SWITCH = "switch"
    """Change a device: a light, a lock, a thermostat."""
    RUN = "run"
    """Start it: a script, a program."""
    USE = "use"
    """Anything else."""


ALL_OPERATIONS: frozenset[Operation] = frozenset(Operation)


class KindAndName(NamedTuple):
    """The two parts of a resource's text, or of a pattern's."""

    kind: str
    name: str


class OperationsAndPattern(NamedTuple):
    """The two parts of a rule's text."""

    operations: frozenset[Operation]
    pattern: str


def split_kind(text: str) -> KindAndName | None:
    """Split `kind:name`; `None` for a text without a kind, such as the name of a lock or a path."""
    found = _KIND.match(text)
    return KindAndName(found[1], text[found.end() :]) if found else None


def split_parts(name: str) -> tuple[str, ...]:
    """Return the components of a path or a name, without the empty ones."""
    return tuple(part for part in name.split("/") if part)


def read_operation(word: str) -> Operation:
    """Return the operation that a word means, capitals or not.

    Raises:
        ValueError: it means none; one sentence lists them.
    """
    try:
        return Operation(word.strip().lower())
    except ValueError:
        raise ValueError(f"there is no operation '{word.strip()}', only {_listed()}") from None


def split_rule(text: str) -> OperationsAndPattern:
    """Read a rule: operations joined by commas (every one when left out), a space, and a pattern.

    Raises:
        ValueError: it is not of that form, or its pattern could never match; a clause that follows *but*.
    """
    text = text.strip()
    first, _, rest = text.partition(" ")
    words = first.split(",")
    if not rest.strip() or not all(word.strip().isalpha() for word in words):
        if text.lower() in {operation.value for operation in Operation}:
            raise ValueError(f"it names an operation and nothing that it is done to; write it like {EXAMPLES}")
        check_pattern(text)
        return OperationsAndPattern(ALL_OPERATIONS, text)
    operations = frozenset(map(read_operation, words))
    check_pattern(rest.strip())
    return OperationsAndPattern(operations, rest.strip())


def check_pattern(pattern: str, kind: str | None = None) -> None:
    """Refuse a pattern that could never match.

    Args:
        pattern: with its kind in front where it has one.
        kind: the kind when the pattern has none in front.

    Raises:
        ValueError: why not.
    """
    split = split_kind(pattern) if kind is None else KindAndName(kind, pattern)
    kind, name = split if split is not None else (FILE, pattern)
    if not name.strip() or "\0" in name:
        raise ValueError(f"it needs a pattern, as in {EXAMPLES}")
    parts = split_parts(name)
    if ".." in parts:
        raise ValueError("it has '..', which no name has once it is normalised: write the folder that is meant")
    if kind != FILE and not parts:
        raise ValueError(f"it names nothing: write {kind}:** for every {kind}")


def _listed() -> str:
    return ", ".join(operation.value for operation in Operation)
