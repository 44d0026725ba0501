"""What agents of chains can be given ready-made: files, mail, scripts, summaries and a memory."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.capabilities.capability import Bound, Capability, Loading, Site, SkillLabel, ToolLabel
    from edgevox.agents.capabilities.compaction import Compaction
    from edgevox.agents.capabilities.files import FileCommands, FileEditing
    from edgevox.agents.capabilities.upkeep import Cadence, MemoryConsolidation, Retention, Snapshots
    from edgevox.agents.email.capability import Email
    from edgevox.agents.safe_scripts.capability import SafeScripts

__all__ = [
    "Bound",
    "Cadence",
    "Capability",
    "Compaction",
    "Email",
    "FileCommands",
    "FileEditing",
    "Loading",
    "MemoryConsolidation",
    "Retention",
    "SafeScripts",
    "Site",
    "SkillLabel",
    "Snapshots",
    "ToolLabel",
]

_BASE = "edgevox.agents.capabilities.capability"
_FILES = "edgevox.agents.capabilities.files"
_UPKEEP = "edgevox.agents.capabilities.upkeep"
_HOMES = {
    "Bound": _BASE,
    "Cadence": _UPKEEP,
    "Capability": _BASE,
    "Compaction": "edgevox.agents.capabilities.compaction",
    "Email": "edgevox.agents.email.capability",
    "FileCommands": _FILES,
    "FileEditing": _FILES,
    "Loading": _BASE,
    "MemoryConsolidation": _UPKEEP,
    "Retention": _UPKEEP,
    "SafeScripts": "edgevox.agents.safe_scripts.capability",
    "Site": _BASE,
    "SkillLabel": _BASE,
    "Snapshots": _UPKEEP,
    "ToolLabel": _BASE,
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
