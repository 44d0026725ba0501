"""What an agent is to its callers: a name, a task in, a reply out."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from edgevox.core.session import AgentContext
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


@runtime_checkable
class Agent(Protocol):
    """Somebody who answers. `LLMAgent` is one, and so is everything composed of agents."""

    name: str
    description: str

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Answer.

        Args:
            task: what the person said.
            ctx: conversation, world, bus and the way out; a new one when not given.
        """
        ...

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        """Answer, yielding pieces of the reply as they come; the generator's return value is the result."""
        ...
