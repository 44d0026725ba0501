"""Agents made of agents: in order, instead of each other, again, side by side, within a time, by a plan.

The facade is lazy: importing it loads no workflow.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
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

_HOMES = {
    "Fallback": "edgevox.agents.workflows.fallback",
    "Loop": "edgevox.agents.workflows.loop",
    "Orchestrator": "edgevox.agents.workflows.orchestrator",
    "Parallel": "edgevox.agents.workflows.parallel",
    "Retry": "edgevox.agents.workflows.retry",
    "Sequence": "edgevox.agents.workflows.sequence",
    "Timeout": "edgevox.agents.workflows.timeout",
    "Workflow": "edgevox.agents.workflows.workflow",
    "draw_tree": "edgevox.agents.workflows.tree",
    "to_behaviortree_xml": "edgevox.agents.workflows.behaviortree",
}

__all__ = [
    "Fallback",
    "Loop",
    "Orchestrator",
    "Parallel",
    "Retry",
    "Sequence",
    "Timeout",
    "Workflow",
    "draw_tree",
    "to_behaviortree_xml",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
