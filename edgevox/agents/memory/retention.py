"""`Retention`: how much of a memory is kept. The oldest goes; what is being written and what counts now never does."""

import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from edgevox.agents.memory.consolidation import snapshots_in
from edgevox.agents.memory.folders import MemoryFolders, newest, texts_in
from edgevox.agents.memory.journal_files import journals_in

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many files are kept.

    Raises:
        ValueError: a limit is below 1.
    """

    logs: int = 500
    snapshots: int = 100
    memories: int = 10

    def __post_init__(self) -> None:
        """Refuse limits that would keep nothing."""
        for name in ("logs", "snapshots", "memories"):
            if getattr(self, name) < 1:
                raise ValueError(f"At least one of the {name} must be kept, not {getattr(self, name)}.")


class Retention:
    """Removes what is beyond the limits.

    Args:
        folders: where journals, snapshots and memories lie.
        limits: how many of each are kept.
    """

    def __init__(self, folders: MemoryFolders, limits: Limits | None = None) -> None:
        self._folders = folders
        self._limits = limits if limits is not None else Limits()

    def sweep(self) -> list[Path]:
        """Remove the oldest beyond the limits, and the folders that are empty then; returns what was removed."""
        folders, limits = self._folders, self._limits
        active = {journal.path for journal in journals_in(folders.logs) if journal.is_active()}
        latest = newest(folders.memory)
        removed = [
            *_remove(_beyond(folders.logs.rglob("*.jsonl"), limits.logs, spared=active)),
            *_remove(_beyond(snapshots_in(folders.snapshots), limits.snapshots)),
            *_remove(_beyond(texts_in(folders.memory), limits.memories, spared={latest} if latest else set())),
        ]
        for root in (folders.logs, folders.snapshots):
            _prune(root)
        if removed:
            log.info("%d old files of the memory were removed", len(removed))
        return removed


def _beyond(files: Iterable[Path], limit: int, spared: set[Path] | None = None) -> list[Path]:
    """The oldest files that are too many, by the time of their last change."""
    dated = sorted(((_changed(path), path.name, path) for path in files), reverse=True)
    return [path for _, _, path in dated[limit:] if path not in (spared or ())]


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:  # somebody else was faster
        return 0.0


def _remove(paths: Sequence[Path]) -> list[Path]:
    gone: list[Path] = []
    for path in paths:
        try:
            path.unlink()
        except OSError as error:
            log.info("%s could not be removed: %s", path, error)
        else:
            gone.append(path)
    return gone


def _prune(root: Path) -> None:
    """Remove the empty folders below a root; the root itself stays."""
    for folder, _, _ in os.walk(root, topdown=False):
        if Path(folder) != root:
            try:
                Path(folder).rmdir()
            except OSError:  # something is in it
                continue
