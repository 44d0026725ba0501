"""One run of a tool on paper: what is going to run, and what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.messages import Origin
from edgevox.core.tools import ToolCallResult, new_use_id
from edgevox.core.values import Stop
from edgevox.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A tool that is going to run."""

    tool: Tool
    value: Any = None
    """What it is given: what the tool before it returned."""
    arguments: Mapping[str, Any] | None = None
    """What a model, or a tool that calls another, wrote; the input is made of it where there is no value."""
    origin: Origin = Origin.CHAIN
    use_id: str = field(default_factory=new_use_id)
    parent_use_id: str | None = None
    source: str = ""
    """Who returned the value, for sentences."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one step came to."""

    value: Any = None
    """What was returned; what was there before, when the step failed."""
    tool: Tool | None = None
    """Who returned it; `None` for what a run begins with."""
    use_id: str | None = None
    result: ToolCallResult | None = None
    """The call, where somebody needs it; chains alone do not."""
    failed: bool = False

    @property
    def ends(self) -> bool:
        """Whether the run ends with it."""
        return isinstance(self.value, Stop)
