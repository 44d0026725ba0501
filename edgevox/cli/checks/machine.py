"""Settings, folders, disk and memory."""

import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.config.files import free_bytes, human_size
from edgevox.config.machine import memory_bytes
from edgevox.config.paths import log_dir, models_dir, settings_file
from edgevox.config.threads import available_cores

LEAST_DISK = 200_000_000
ENOUGH_DISK = 2_000_000_000
"""The small set, and room to work."""
LEAST_MEMORY = 1_000_000_000
"""Hearing and speaking with the smallest models, and the program itself."""
ENOUGH_MEMORY = 4_000_000_000


def check_settings(patient: Patient) -> Iterator[Finding]:
    """Say which values of the settings cannot be used."""
    path = settings_file()
    for sentence in patient.problems:
        yield Finding(area="settings", name="settings", state=State.PROBLEM, detail=sentence, fix=f"edit {path}")
    if not patient.problems:
        detail = str(path) if path.exists() else f"defaults; {path} does not exist and need not"
        yield Finding(area="settings", name="settings", state=State.OK, detail=detail)


def check_machine(_: Patient) -> Iterator[Finding]:
    """Say what the machine has."""
    detail = f"Python {platform.python_version()}, {sys.platform} {platform.machine()}, {available_cores()} cores"
    yield Finding(area="machine", name="system", state=State.OK, detail=detail)
    yield judge_memory(memory_bytes())
    yield judge_disk(models_dir(), free_bytes(models_dir()))
    yield judge_log_folder(log_dir)


def judge_memory(size: int) -> Finding:
    """Say whether that much memory is enough."""
    state = State.OK if size >= ENOUGH_MEMORY else State.NOTE if size >= LEAST_MEMORY else State.PROBLEM
    advice = {
        State.OK: "",
        State.NOTE: "; a language model of 1.5 B parameters needs about 4 GB, smaller sets run",
        State.PROBLEM: "; too little for hearing and speaking, typed phrases work",
    }[state]
    return Finding(area="machine", name="memory", state=state, detail=f"{human_size(size)}{advice}")


def judge_disk(folder: Path, free: int) -> Finding:
    """Say whether that much room is enough for models."""
    state = State.OK if free >= ENOUGH_DISK else State.NOTE if free >= LEAST_DISK else State.PROBLEM
    detail = f"{human_size(free)} free for models in {folder}"
    fix = "" if state is State.OK else "edgevox models list"
    return Finding(area="machine", name="disk", state=state, detail=detail, fix=fix)


def judge_log_folder(make: Callable[[], Path]) -> Finding:
    """Say whether the folder of log files can be written to."""
    try:
        folder = make()
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        place = error.filename or "the log folder"
        detail = f"{place} cannot be written to ({error.strerror or error}); nothing is logged."
        return Finding(area="machine", name="logs", state=State.PROBLEM, detail=detail, fix=f"ls -ld '{place}'")
    return Finding(area="machine", name="logs", state=State.OK, detail=str(folder))
