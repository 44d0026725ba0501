"""Files that are written whole or not at all, and disks that are asked for room first.

Knows how to put bytes in place so that a crash, a full disk or a second writer leaves either the old content or the
new. Does not know what the bytes mean.
"""

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

from edgevox.core.errors import ConfigError, DiskFull, EdgeVoxError

RESERVE_BYTES = 64 * 1024 * 1024
"""Room that is left free beside what is written, so that logs and settings can still be saved."""


def write_atomic(path: Path, data: bytes | str, mode: int = 0o600, *, follow: bool = True) -> None:
    """Put `data` into the file at `path` in one step; readers see the old content or the new, never a part.

    Args:
        path: the file; its folder is made when it is missing.
        data: text is written as UTF-8.
        mode: permission bits of the file.
        follow: whether a symbolic link is followed; otherwise it is replaced.

    Raises:
        DiskFull: the disk has no room; the old content is untouched.
        ConfigError: the folder cannot be written.
    """
    target = Path(os.path.realpath(path)) if follow else path
    content = data.encode() if isinstance(data, str) else data
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, content, mode)
    except OSError as error:
        raise write_failed(target, error) from error


def _replace(target: Path, content: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            sync_file(file)
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def sync_file(file: BinaryIO) -> None:
    """Make what was written to an open file survive a loss of power."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make names in `folder` survive a loss of power; where folders cannot be synced, nothing is lost but that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def free_bytes(folder: Path) -> int:
    """Return how many bytes this person may still write to the disk of `folder`, which need not exist yet."""
    for existing in (folder, *folder.parents):
        if existing.exists():
            return shutil.disk_usage(existing).free
    return shutil.disk_usage("/").free


def require_room(folder: Path, needed: int, purpose: str) -> None:
    """Refuse to start what the disk cannot hold.

    Args:
        folder: where it will lie.
        needed: bytes it takes at its largest.
        purpose: what it is, for the sentence: `the model whisper-base`.

    Raises:
        DiskFull: with the missing size and the folder.
    """
    free = free_bytes(folder)
    if free < needed + RESERVE_BYTES:
        raise DiskFull(
            f"{purpose} needs {human_size(needed)} in {folder}, where {human_size(free)} are free: "
            f"make room there, or choose another disk with the environment variable EDGEVOX_MODELS."
        )


def write_failed(path: Path, error: OSError) -> EdgeVoxError:
    """Return the sentence for a write that the operating system refused."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(f"The disk is full: {path} could not be written; make room and try again.")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return ConfigError(f"{path} may not be written by this user: change its permissions, or set EDGEVOX_HOME.")
    return ConfigError(f"{path} could not be written ({error.strerror or error}): check the folder and try again.")


@contextlib.contextmanager
def writing(path: Path) -> Generator[None]:
    """Turn what the operating system says while `path` is written into one sentence for a person."""
    try:
        yield
    except OSError as error:
        raise write_failed(path, error) from error


def human_size(size: float) -> str:
    """Return a size in bytes as a person reads it: `75 MB`, `1.1 GB`."""
    for unit, step in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= step * 0.9995:
            value = size / step
            return f"{value:.1f} {unit}" if unit == "GB" and value < 100 else f"{value:.0f} {unit}"
    return f"{size:.0f} bytes"
