"""Agents: who answers, with which tools and skills.

The facade is lazy: importing it loads neither models nor the libraries of any back end.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.agent import LLMAgent
    from edgevox.agents.audit import AuditLog
    from edgevox.agents.blackboard import Blackboard
    from edgevox.agents.definition import AgentDefinition
    from edgevox.agents.handoff import Handoff, HandoffNews
    from edgevox.agents.hooks import Hooks
    from edgevox.agents.interrupt import InterruptPolicy
    from edgevox.agents.pool import AgentPool, Volunteer
    from edgevox.agents.protocol import Agent, AgentResult
    from edgevox.agents.routing import Router, Supervisor
    from edgevox.agents.skills import Skill, skill
    from edgevox.agents.workflows.behaviortree import to_behaviortree_xml
    from edgevox.agents.workflows.fallback import Fallback
    from edgevox.agents.workflows.loop import Loop
    from edgevox.agents.workflows.orchestrator import Orchestrator
    from edgevox.agents.workflows.parallel import Parallel
    from edgevox.agents.workflows.retry import Retry
    from edgevox.agents.workflows.sequence import Sequence
    from edgevox.agents.workflows.timeout import Timeout
    from edgevox.agents.workflows.tree import draw_tree
    from edgevox.agents.workflows.workflow import Workflow
    from edgevox.core.events import AgentEvent, EventBus
    from edgevox.core.goals import GoalHandle, GoalStatus
    from edgevox.core.mainthread import MainThreadScheduler
    from edgevox.core.session import AgentContext, Session
    from edgevox.safety import SafetyMonitor
    from edgevox.sims import (
        IrSimEnvironment,
        MujocoArmEnvironment,
        MujocoMobileEnvironment,
        SimEnvironment,
        ToyWorld,
    )

_HOMES = {
    "Agent": "edgevox.agents.protocol",
    "AgentContext": "edgevox.core.session",
    "AgentDefinition": "edgevox.agents.definition",
    "AgentEvent": "edgevox.core.events",
    "AgentPool": "edgevox.agents.pool",
    "AgentResult": "edgevox.agents.protocol",
    "AuditLog": "edgevox.agents.audit",
    "Blackboard": "edgevox.agents.blackboard",
    "EventBus": "edgevox.core.events",
    "Fallback": "edgevox.agents.workflows.fallback",
    "GoalHandle": "edgevox.core.goals",
    "GoalStatus": "edgevox.core.goals",
    "Handoff": "edgevox.agents.handoff",
    "HandoffNews": "edgevox.agents.handoff",
    "Hooks": "edgevox.agents.hooks",
    "InterruptPolicy": "edgevox.agents.interrupt",
    "IrSimEnvironment": "edgevox.sims",
    "LLMAgent": "edgevox.agents.agent",
    "MainThreadScheduler": "edgevox.core.mainthread",
    "MujocoArmEnvironment": "edgevox.sims",
    "MujocoMobileEnvironment": "edgevox.sims",
    "Loop": "edgevox.agents.workflows.loop",
    "Orchestrator": "edgevox.agents.workflows.orchestrator",
    "Parallel": "edgevox.agents.workflows.parallel",
    "Retry": "edgevox.agents.workflows.retry",
    "Router": "edgevox.agents.routing",
    "SafetyMonitor": "edgevox.safety",
    "Sequence": "edgevox.agents.workflows.sequence",
    "Session": "edgevox.core.session",
    "SimEnvironment": "edgevox.sims",
    "Skill": "edgevox.agents.skills",
    "Supervisor": "edgevox.agents.routing",
    "Timeout": "edgevox.agents.workflows.timeout",
    "ToyWorld": "edgevox.sims",
    "Workflow": "edgevox.agents.workflows.workflow",
    "draw_tree": "edgevox.agents.workflows.tree",
    "Volunteer": "edgevox.agents.pool",
    "skill": "edgevox.agents.skills",
    "to_behaviortree_xml": "edgevox.agents.workflows.behaviortree",
}

__all__ = [
    "Agent",
    "AgentContext",
    "AgentDefinition",
    "AgentEvent",
    "AgentPool",
    "AgentResult",
    "AuditLog",
    "Blackboard",
    "EventBus",
    "Fallback",
    "GoalHandle",
    "GoalStatus",
    "Handoff",
    "HandoffNews",
    "Hooks",
    "InterruptPolicy",
    "IrSimEnvironment",
    "LLMAgent",
    "Loop",
    "MainThreadScheduler",
    "MujocoArmEnvironment",
    "MujocoMobileEnvironment",
    "Orchestrator",
    "Parallel",
    "Retry",
    "Router",
    "SafetyMonitor",
    "Sequence",
    "Session",
    "SimEnvironment",
    "Skill",
    "Supervisor",
    "Timeout",
    "ToyWorld",
    "Volunteer",
    "Workflow",
    "draw_tree",
    "skill",
    "to_behaviortree_xml",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
