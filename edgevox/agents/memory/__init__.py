"""What an agent keeps across conversations: journals of what happened, snapshots of them, and one memory of those.

Everything here watches; conversations themselves are kept by whoever holds them.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.memory.cadence import Cadence
    from edgevox.agents.memory.consolidation import Consolidation
    from edgevox.agents.memory.folders import MemoryFolders
    from edgevox.agents.memory.journal import RunJournal
    from edgevox.agents.memory.journal_files import JournalFile, journals_in, read_journal
    from edgevox.agents.memory.recall import recall
    from edgevox.agents.memory.retention import Limits, Retention
    from edgevox.agents.memory.snapshots import Snapshots

__all__ = [
    "Cadence",
    "Consolidation",
    "JournalFile",
    "Limits",
    "MemoryFolders",
    "Retention",
    "RunJournal",
    "Snapshots",
    "journals_in",
    "read_journal",
    "recall",
]

_HOMES = {
    "Cadence": "edgevox.agents.memory.cadence",
    "Consolidation": "edgevox.agents.memory.consolidation",
    "JournalFile": "edgevox.agents.memory.journal_files",
    "Limits": "edgevox.agents.memory.retention",
    "MemoryFolders": "edgevox.agents.memory.folders",
    "Retention": "edgevox.agents.memory.retention",
    "RunJournal": "edgevox.agents.memory.journal",
    "Snapshots": "edgevox.agents.memory.snapshots",
    "journals_in": "edgevox.agents.memory.journal_files",
    "read_journal": "edgevox.agents.memory.journal_files",
    "recall": "edgevox.agents.memory.recall",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
