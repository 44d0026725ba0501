"""Agents made of agents: in order, instead of each other, again, side by side, within a time, by a plan.

The facade is lazy: importing it loads no workflow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
