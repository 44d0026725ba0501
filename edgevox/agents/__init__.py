"""Agents: who answers, with which tools and skills.

The facade is lazy: importing it loads neither models nor the libraries of any back end.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.agents.agent import LLMAgent
    from edgevox.agents.definition import AgentDefinition
    from edgevox.agents.handoff import Handoff
    from edgevox.agents.hooks import Hooks
    from edgevox.agents.interrupt import InterruptPolicy
    from edgevox.agents.protocol import Agent, AgentResult
    from edgevox.agents.skills import Skill, skill
    from edgevox.core.events import AgentEvent, EventBus
    from edgevox.core.goals import GoalHandle, GoalStatus
    from edgevox.core.session import AgentContext, Session
    from edgevox.safety import SafetyMonitor
    from edgevox.sims import SimEnvironment, ToyWorld

_HOMES = {
    "Agent": "edgevox.agents.protocol",
    "AgentContext": "edgevox.core.session",
    "AgentDefinition": "edgevox.agents.definition",
    "AgentEvent": "edgevox.core.events",
    "AgentResult": "edgevox.agents.protocol",
    "EventBus": "edgevox.core.events",
    "GoalHandle": "edgevox.core.goals",
    "GoalStatus": "edgevox.core.goals",
    "Handoff": "edgevox.agents.handoff",
    "Hooks": "edgevox.agents.hooks",
    "InterruptPolicy": "edgevox.agents.interrupt",
    "LLMAgent": "edgevox.agents.agent",
    "SafetyMonitor": "edgevox.safety",
    "Session": "edgevox.core.session",
    "SimEnvironment": "edgevox.sims",
    "Skill": "edgevox.agents.skills",
    "ToyWorld": "edgevox.sims",
    "skill": "edgevox.agents.skills",
}

__all__ = [
    "Agent",
    "AgentContext",
    "AgentDefinition",
    "AgentEvent",
    "AgentResult",
    "EventBus",
    "GoalHandle",
    "GoalStatus",
    "Handoff",
    "Hooks",
    "InterruptPolicy",
    "LLMAgent",
    "SafetyMonitor",
    "Session",
    "SimEnvironment",
    "Skill",
    "ToyWorld",
    "skill",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
