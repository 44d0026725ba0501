"""What an agent is told of earlier conversations when a new one begins. Reads files; asks no model."""

from collections.abc import Iterable, Sequence

from edgevox.agents.memory.consolidation import read_memory, snapshot_name, snapshots_in
from edgevox.agents.memory.folders import MemoryFolders, parted
from edgevox.agents.memory.snapshots import Snapshots

LETTERS = 8000
"""Characters of everything together: about 2,000 tokens."""


def recall(folders: MemoryFolders, agents: Iterable[str] | None = None, letters: int = LETTERS) -> str:
    """Return what is known from earlier conversations; empty where there was none.

    The memory comes first, then the snapshots that are not in it, then what was said last and nobody has summed up. Of
    what is too long, the memory keeps its beginning and the rest its end.

    Args:
        folders: where the memory lies.
        agents: whose conversations count; `None` is everybody's.
        letters: characters of the whole.
    """
    memory = read_memory(folders.memory)
    pending = [path for path in snapshots_in(folders.snapshots) if snapshot_name(path) not in memory.covered]
    notes = "\n".join(parted(path.read_text(encoding="utf-8", errors="replace"))[0] for path in pending)
    recent = "\n".join(line for news in Snapshots(folders, agents).uncovered() for line in news.lines)
    parts = [("What is remembered", memory.text[: letters // 2]), ("Later notes", _end_of(notes, letters // 4))]
    spent = sum(len(text) for _, text in parts)
    parts.append(("What was said last", _end_of(recent, letters - spent)))
    return _titled(parts)


def _titled(parts: Sequence[tuple[str, str]]) -> str:
    return "\n\n".join(f"{title}:\n{text}" for title, text in parts if text.strip())


def _end_of(text: str, letters: int) -> str:
    """The end of a text, from the beginning of a line."""
    if len(text) <= letters:
        return text
    return text[len(text) - letters :].partition("\n")[2]
