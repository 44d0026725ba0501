"""One link of a chain: whose output a tool takes, and when.

An edge lies at the child. It knows its parent by identity, so that renaming either breaks nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Condition = Callable[[Any], object]
"""Given the parent's output as it was returned; any true value lets the child run."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a parent's output to a child's input."""

    parent_id: str
    parent_name: str
    """What the parent was called when the edge was declared, for people."""
    condition: Condition | None = None
    """`None` is always."""

    def open_for(self, output: Any) -> bool:
        """Whether the child may run on this output."""
        return self.condition is None or bool(self.condition(output))
