"""The values of permissions: what is done to what, what a rule says of it, and what was decided.

Knows no rule and asks nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from edgevox.core.rule_text import Operation

__all__ = ["ActionVerdict", "Asked", "Decision", "GrantScope", "Operation", "Reason", "Requirement"]


class ActionVerdict(StrEnum):
    """What the rules say of an operation on a resource."""

    allow = "allow"
    ask = "ask"
    """A person has to say yes first."""
    deny = "deny"


class GrantScope(StrEnum):
    """How long a person's yes holds."""

    ONCE = "once"
    TURN = "turn"
    """Until the turn is over."""
    CONVERSATION = "conversation"
    """Until the conversation is forgotten or the program ends."""
    ALWAYS = "always"
    """Until it is revoked, or its day comes."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One operation on one resource, for which leave is needed."""

    operation: Operation
    resource: str
    """`kind:name`, such as `file:/home/ann/notes/a.txt`, `motion:base`, `device:light/kitchen`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question to a person, and the answer."""

    requirement: Requirement
    question: str
    reply: str = ""
    """The words of the answer, as they were said; empty when none came."""
    allowed: bool = False
    by: str = "nobody"
    """How the answer came (`core.ports.Approval.by`)."""


Reason = Literal["rule", "declined", "timeout", "nobody", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether everything that was required may be done."""

    allowed: bool
    denied: Requirement | None = None
    """The first requirement that was refused; `None` when all may be done."""
    history: Sequence[Asked] = field(default_factory=tuple[Asked, ...])
    """What a person was asked, in order."""
    reason: Reason | None = None
    """Why not: a rule (or that there is none), a person's no, silence, nobody to ask, a stop; `None` when allowed."""
    message: str = ""
    """One sentence for whoever wanted it, the same whether or not the resource exists; empty when allowed."""

    def __bool__(self) -> bool:
        """Whether it is allowed."""
        return self.allowed
