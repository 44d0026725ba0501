"""What building a definition gives: the agent, those that run beside it, and what has to be let go in the end."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.chains.agent import Agent
    from edgevox.chains.background import BackgroundAgent

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Deployed:
    """One set of agents that work together. Built anew by each `DeployableAgent.build`."""

    agent: "Agent"
    """Who is talked to."""
    background: "tuple[BackgroundAgent, ...]" = ()
    """Those that run beside it; each begins with the first run of the agent it belongs to."""
    permissions: Any = None
    """What its tools may touch, for whoever makes its contexts: `AgentApp(permissions=…)`, `AgentContext`."""
    on_close: list[Callable[[], object]] = field(default_factory=list[Callable[[], object]])
    """Called when it is let go, the last one first."""

    def close(self) -> None:
        """End what runs and let everything go; closing twice is fine."""
        self.agent.cancel("shutdown")
        for each in self.background:
            each.cancel("shutdown")
        while self.on_close:
            close = self.on_close.pop()
            try:
                close()
            except Exception:  # closing must go on with the next part
                log.exception("letting a part of %s go failed", self.agent.name)

    def __enter__(self) -> "Deployed":
        """Use it for the length of a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let it go."""
        self.close()
