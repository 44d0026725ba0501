"""The wish to let another agent answer, as a value that a tool or an agent returns, and the news that one does."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Handoff:
    """Another agent should take the turn."""

    target: Any
    """The agent, or its name."""
    task: str | None = None
    """What it is asked; `None` passes the person's words on."""
    reason: str = ""
    state_update: dict[str, Any] = field(default_factory=dict[str, Any])
    """Merged into the session's state before the target answers."""

    @property
    def target_name(self) -> str:
        """The name of the target, however it was given."""
        return self.target if isinstance(self.target, str) else str(getattr(self.target, "name", self.target))

    def __str__(self) -> str:
        """Say in words who should answer: what a model reads where nobody follows the wish."""
        why = f" ({self.reason})" if self.reason else ""
        return f"This should be answered by {self.target_name}{why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffNews:
    """Payload of `handoff`: one agent has passed the turn to another."""

    source: str
    target: str
    reason: str = ""
    task: str | None = None
    """What the target was asked; `None` for the person's own words."""
