"""`PermissionRule`: which operations on which resources. Says nothing of allowing or denying: the list it is in does.

A rule is checked when it is made, so that a pattern which could never match is found by its author.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath, PurePosixPath

from edgevox.core.errors import FAULTS
from edgevox.core.rule_text import (
    ALL_OPERATIONS,
    FILE,
    Operation,
    check_pattern,
    read_operation,
    split_kind,
    split_parts,
)
from edgevox.tools.permissions.patterns import Pattern
from edgevox.tools.permissions.resources import Resource

log = logging.getLogger(__name__)

Predicate = Callable[[PurePath], object]
"""Given the normalised path or name; any true value is a match. Must not look at the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRule:
    """Operations on the resources that a pattern covers.

    Raises:
        ValueError: no operation, or a pattern that could never match; one sentence says what is wrong.
    """

    pattern: str | Predicate
    """Covers whole names, letters' cases apart, hidden names included: `*`, `?` and `[…]` stay within one component,
    `**` is any number of them, `dir/**` covers `dir` too. Relative patterns of files are below the engine's base. A
    kind other than files goes first: `device:light/*`, `motion:**`. A function takes the normalised path."""
    operations: Iterable[Operation | str] = ALL_OPERATIONS
    """Kept as a frozen set of `Operation`."""
    kind: str | None = None
    """Kind of resource; `None` reads it from the pattern, and takes files where it has none."""
    principal: str | None = None
    """The agent it is for; `None` is any."""
    expires: datetime | None = None
    """When it ends, with its zone; `None` is never."""
    compiled: Pattern | None = field(init=False, default=None, repr=False, compare=False)
    absolute: bool = field(init=False, default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the rule and prepare its pattern."""
        set_field = object.__setattr__
        set_field(self, "operations", _operations(self.operations))
        if self.expires is not None and self.expires.tzinfo is None:
            raise ValueError("The end of a permission rule needs a time zone: datetime.now(UTC) + timedelta(days=1).")
        if not isinstance(self.pattern, str):
            set_field(self, "kind", self.kind or FILE)
            return
        split = split_kind(self.pattern) if self.kind is None else None
        kind, pattern = split if split is not None else (self.kind or FILE, self.pattern)
        parts = _checked_parts(kind, pattern)
        set_field(self, "kind", kind)
        set_field(self, "compiled", Pattern(parts))
        set_field(self, "absolute", kind != FILE or pattern.startswith("/"))

    def __str__(self) -> str:
        """Write it as a person would: `read,create file:notes/**`."""
        operations = frozenset(self.operations)
        words = "" if operations == ALL_OPERATIONS else ",".join(sorted(str(each) for each in operations)) + " "
        pattern = self.pattern if isinstance(self.pattern, str) else getattr(self.pattern, "__name__", "a function")
        prefix = "" if isinstance(self.pattern, str) and pattern.startswith(f"{self.kind}:") else f"{self.kind}:"
        return f"{words}{prefix}{pattern}" + (f" for {self.principal}" if self.principal else "")

    def covers(
        self, operation: Operation, resource: Resource, *, base: str, principal: str = "", now: datetime, faulty: bool
    ) -> bool:
        """Whether the rule speaks of this operation on this resource.

        Args:
            operation: what is to be done.
            resource: to what.
            base: absolute path that the rule's relative pattern is below.
            principal: who wants it.
            now: the time of day, with its zone.
            faulty: what counts when the rule is a function that raises.
        """
        if operation not in frozenset(self.operations) or resource.kind != self.kind:
            return False
        if self.principal is not None and self.principal != principal:
            return False
        if self.expires is not None and now >= self.expires:
            return False
        return self._matches(resource, base, faulty)

    def _matches(self, resource: Resource, base: str, faulty: bool) -> bool:
        if self.compiled is None:
            return self._answers(resource, faulty)
        parts = resource.parts
        if self.absolute:
            return self.compiled.matches(parts)
        below = split_parts(base)
        return parts[: len(below)] == below and self.compiled.matches(parts[len(below) :])

    def _answers(self, resource: Resource, faulty: bool) -> bool:
        assert callable(self.pattern)
        try:
            return bool(self.pattern(PurePosixPath(resource.name)))
        except FAULTS:
            log.exception("a permission rule failed on %r; it counts as what is safe", str(resource))
            return faulty


def _operations(given: Iterable[Operation | str]) -> frozenset[Operation]:
    try:
        operations = frozenset(map(read_operation, [given] if isinstance(given, str) else given))
    except ValueError as error:
        raise ValueError(f"A permission rule cannot be made: {error}.") from error
    if not operations:
        raise ValueError("A permission rule needs at least one operation, such as Operation.READ.")
    return operations


def _checked_parts(kind: str, pattern: str) -> tuple[str, ...]:
    try:
        check_pattern(pattern, kind)
    except ValueError as error:
        raise ValueError(f"The pattern {pattern!r} cannot be used: {error}.") from error
    return tuple(part for part in split_parts(pattern) if part != ".")
