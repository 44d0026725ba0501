"""`Consolidation`: one memory made of the last one and the snapshots since.

Every memory is a file of its own that names what it was made of; the last one counts. Whoever sums up is given.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from edgevox.agents.memory.folders import (
    MemoryFolders,
    newest,
    next_path,
    parted,
    publish,
    texts_in,
    with_provenance,
)
from edgevox.agents.summaries import Summariser
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.ports import ChatModel

log = logging.getLogger(__name__)

TITLE = "# What is remembered"
ENOUGH = 3
"""Snapshots that are worth a new memory at once."""
LETTERS = 12_000
"""Characters of a memory."""
AGE = timedelta(hours=24)
"""How long a snapshot waits for others."""
_LETTERS_PER_TOKEN = 4

INSTRUCTIONS = (
    "You keep the long-term memory of an assistant: a list of facts, one short line each, beginning with a dash. You "
    "merge notes of conversations into it: who the people are and what they like, lasting facts, decisions and their "
    "reasons, names, numbers, places, file paths, what is still to be done. What is newer corrects what is older. "
    "Leave out what is over and done."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The memory that counts now."""

    path: Path | None
    """`None` where there is none yet."""
    text: str
    """Without title and provenance."""
    covered: frozenset[str]
    """The snapshots in it, as `conversation/name`."""


class Consolidation:
    """Makes a new memory when it is due.

    Args:
        folders: where snapshots and memories lie.
        enough: snapshots that are worth a new memory at once.
        age: how long the oldest snapshot waits for others.
        letters: characters of a memory.
        clock: tells how old a snapshot is, and gives memories their names.
    """

    def __init__(
        self,
        folders: MemoryFolders,
        *,
        enough: int = ENOUGH,
        age: timedelta = AGE,
        letters: int = LETTERS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._folders = folders
        self._enough = enough
        self._age = age
        self._letters = letters
        self._clock = clock

    def pending(self) -> list[Path]:
        """Return the snapshots that are in no memory yet, oldest first."""
        covered = read_memory(self._folders.memory).covered
        return [path for path in snapshots_in(self._folders.snapshots) if snapshot_name(path) not in covered]

    def is_due(self, *, anybody_active: bool) -> bool:
        """Return whether it is time for a new memory.

        Args:
            anybody_active: whether a conversation is going on that may bring more snapshots.
        """
        pending = self.pending()
        if not pending:
            return False
        return len(pending) >= self._enough or not anybody_active or self._clock.now() - _made(pending[0]) > self._age

    def consolidate(self, model: ChatModel, scope: CancelScope) -> Path | None:
        """Make a new memory of the last one and what is pending; `None` when there is nothing, or another was faster.

        Raises:
            Cancelled: the scope ended.
            LanguageModelError: the model could not answer.
            DiskFull, ConfigError: it could not be written.
        """
        before, pending = read_memory(self._folders.memory), self.pending()
        if not pending:
            return None
        lines = [line for path in pending for line in _text(path).splitlines() if line.strip()]
        budget = self._letters // _LETTERS_PER_TOKEN
        text = Summariser(model, INSTRUCTIONS).whole(lines, budget, scope, known=before.text, merge=True)
        scope.check()
        if newest(self._folders.memory) != before.path:
            return None
        known = {snapshot_name(path) for path in snapshots_in(self._folders.snapshots)}
        sources = sorted((before.covered | {snapshot_name(path) for path in pending}) & known)
        body = f"{TITLE}\n\n{text.removeprefix(TITLE).strip()[: self._letters]}"
        provenance = {"sources": sources, "previous": before.path.name if before.path else None}
        path = next_path(self._folders.memory, self._clock.now())
        if not publish(path, with_provenance(body, provenance)):
            return None
        log.info("a new memory of %d snapshots was made: %s", len(pending), path)
        return path


def read_memory(folder: Path) -> Memory:
    """Return the memory that counts now; an empty one where there is none."""
    path = newest(folder)
    if path is None:
        return Memory(path=None, text="", covered=frozenset())
    text, provenance = parted(path.read_text(encoding="utf-8", errors="replace"))
    sources = provenance.get("sources")
    covered = cast("list[object]", sources) if isinstance(sources, list) else []
    return Memory(path=path, text=text.removeprefix(TITLE).strip(), covered=frozenset(map(str, covered)))


def snapshots_in(folder: Path) -> list[Path]:
    """Return the snapshots of all conversations, oldest first."""
    try:
        conversations = [path for path in folder.iterdir() if path.is_dir()]
    except OSError:  # not there yet
        return []
    found = [path for conversation in conversations for path in texts_in(conversation)]
    return sorted(found, key=lambda path: (path.name, path.parent.name))


def snapshot_name(path: Path) -> str:
    """Return what a snapshot is called in a memory: `conversation/name`."""
    return f"{path.parent.name}/{path.name}"


def _text(path: Path) -> str:
    return parted(path.read_text(encoding="utf-8", errors="replace"))[0]


def _made(path: Path) -> datetime:
    """When a snapshot was made, by its name, or by the disk where the name does not say."""
    try:
        return datetime.strptime(path.stem, "%Y%m%dT%H%M%S%fZ").replace(tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
