"""Agents on paper that can be changed, checked as a whole, and built anew as often as they are needed."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.deploy.deployable import DeployableAgent
    from edgevox.agents.deploy.deployed import Deployed

__all__ = ["DeployableAgent", "Deployed"]

_HOMES = {
    "DeployableAgent": "edgevox.agents.deploy.deployable",
    "Deployed": "edgevox.agents.deploy.deployed",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
