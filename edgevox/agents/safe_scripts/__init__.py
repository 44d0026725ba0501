"""Scripts that a person wrote and an agent may run: as they are, one at a time, without arguments."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.safe_scripts.capability import SafeScripts
    from edgevox.agents.safe_scripts.report import ScriptReport, ScriptStatus
    from edgevox.agents.safe_scripts.runner import ScriptRunner
    from edgevox.agents.safe_scripts.service import ScriptService

_HOMES = {
    "SafeScripts": "edgevox.agents.safe_scripts.capability",
    "ScriptReport": "edgevox.agents.safe_scripts.report",
    "ScriptRunner": "edgevox.agents.safe_scripts.runner",
    "ScriptService": "edgevox.agents.safe_scripts.service",
    "ScriptStatus": "edgevox.agents.safe_scripts.report",
}

__all__ = ["SafeScripts", "ScriptReport", "ScriptRunner", "ScriptService", "ScriptStatus"]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
