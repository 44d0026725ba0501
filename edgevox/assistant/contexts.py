"""What a run of an agent may reach, put together from the parts of the assistant."""

from dataclasses import dataclass
from typing import Any

from edgevox.assistant.worlds import Worlds
from edgevox.core.cancel import CancelScope
from edgevox.core.events import EventBus
from edgevox.core.goals import RunningGoals
from edgevox.core.ports import Approver
from edgevox.core.session import AgentContext, Session


@dataclass(slots=True, kw_only=True)
class RunContexts:
    """Makes the context of each turn. Its fields are what every turn has in common."""

    session: Session
    bus: EventBus
    worlds: Worlds
    approver: Approver
    goals: RunningGoals
    permissions: Any = None
    channel: Any = None
    endpoints: Any = None

    def make(self, agent: Any, deps: Any, language: str, turn: int, scope: CancelScope) -> AgentContext:
        """Return the context of one turn."""
        return AgentContext(
            session=self.session,
            deps=deps,
            bus=self.bus,
            scope=scope,
            turn=turn,
            approver=self.approver,
            language=language,
            interrupt=getattr(agent, "interrupt_policy", None),
            goals=self.goals,
            admit_world=self.worlds.admit,
            permissions=self.permissions,
            channel=self.channel,
            endpoints=self.endpoints,
        )
