"""Retention: the oldest beyond the limits goes, and never what is being written or what counts now."""

import os
from pathlib import Path

import pytest

from edgevox.agents.memory import Limits, MemoryFolders, Retention, RunJournal
from edgevox.core.events import AgentEvent, EventBus

NAMES = [f"2030010{day}T000000000000Z" for day in range(1, 7)]


def filled(folder: Path, suffix: str, count: int = 6) -> list[Path]:
    """Files of a folder, the oldest first by the time of their change."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for age, name in enumerate(NAMES[:count]):
        path = folder / f"{name}{suffix}"
        path.write_text("x")
        os.utime(path, (1000 + age, 1000 + age))
        made.append(path)
    return made


def test_the_oldest_go_and_empty_folders_with_them_but_no_root(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    logs = [filled(folders.logs / "2030" / f"0{month}", ".jsonl", 1)[0] for month in (1, 2, 3)]
    for age, path in enumerate(logs):
        os.utime(path, (2000 + age, 2000 + age))
    first = filled(folders.snapshots / "one", ".md", 2)
    second = filled(folders.snapshots / "two", ".md", 2)
    for path in second:
        os.utime(path, (5000, 5000))
    memories = filled(folders.memory, ".md")
    removed = Retention(folders, Limits(logs=1, snapshots=2, memories=2)).sweep()
    assert set(removed) == {*logs[:2], *first, *memories[:4]}
    assert not (folders.logs / "2030" / "01").exists()
    assert not (folders.snapshots / "one").exists()
    assert all(path.exists() for path in (logs[2], *second, *memories[4:]))
    assert Retention(folders, Limits(logs=1, snapshots=2, memories=2)).sweep() == []


def test_a_journal_that_is_written_stays_however_old_it_is(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    bus, journal = EventBus(), RunJournal(folders.logs, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("agent_start", "ada", "hello"))
    assert journal.flush()
    assert journal.path is not None
    os.utime(journal.path, (1, 1))
    others = filled(folders.logs, ".jsonl", 3)
    assert set(Retention(folders, Limits(logs=1)).sweep()) == set(others[:2])
    assert journal.path.exists()
    journal.close()
    os.utime(journal.path, (1, 1))
    assert Retention(folders, Limits(logs=1)).sweep() == [journal.path]


def test_the_memory_that_counts_stays_even_when_it_was_touched_last_long_ago(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    memories = filled(folders.memory, ".md", 4)
    os.utime(memories[-1], (1, 1))
    Retention(folders, Limits(memories=1)).sweep()
    assert memories[-1].exists()


def test_nothing_to_keep_is_refused_and_nothing_there_is_fine(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="At least one of the snapshots"):
        Limits(snapshots=0)
    folders = MemoryFolders.below(tmp_path)
    assert Retention(folders).sweep() == []
    assert not folders.logs.exists()
