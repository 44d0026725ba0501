"""What an agent is to its callers: a name, a task in, a reply out."""

from collections.abc import Generator
from typing import Protocol, runtime_checkable

from edgevox.core.results import AgentResult
from edgevox.core.session import AgentContext

__all__ = ["Agent", "AgentResult"]


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
