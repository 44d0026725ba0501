"""What one run of an agent came to, for whoever asked it."""

from dataclasses import dataclass

from edgevox.core.tools import ToolCallResult


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What one run came to."""

    reply: str
    """What is shown and spoken. Never empty, except for a run that was cut off before it said anything."""
    agent_name: str = ""
    preempted: bool = False
    """Whether the run was stopped or interrupted."""
    handed_off_to: str | None = None
    """The agent that the turn was handed to and that answered in this one's place, or handed it on in its turn."""
    tool_calls: tuple[ToolCallResult, ...] = ()
    """In the order in which they ran."""
    elapsed_s: float = 0.0
    model_calls: int = 0
    """How often a language model was asked; 0 for a phrase."""
    error: str | None = None
    """What went wrong, for a screen or a log; the reply says it in words for the person."""
