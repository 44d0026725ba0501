"""Reaches files by handles of folders, one component at a time, and never through a link.

What is opened is what was named: a folder that is swapped for a link while a command runs is refused by the system
itself. Knows absolute, normalised paths; what may be touched is decided before.
"""

import errno
import os
import stat
import sys
import unicodedata
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from edgevox.core.errors import ConfigError
from edgevox.tools.files.faults import kind_refused, link_refused, twin_refused

CHUNK = 65_536
"""Bytes that are read at a time."""

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | _CLOEXEC
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | _CLOEXEC
_FILE = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_CASE_BLIND = sys.platform == "darwin"

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def require_handles() -> None:
    """Refuse systems that cannot open files by handles of their folders.

    Raises:
        ConfigError: this is one.
    """
    if not (_NOFOLLOW and os.open in os.supports_dir_fd and os.scandir in os.supports_fd):
        raise ConfigError("Guarded file commands need a system with folder handles: Linux or macOS.")


@contextmanager
def folder(path: str, flags: int = _FOLDER) -> Generator[int]:
    """Open a folder and close it again.

    Args:
        path: absolute and normalised.
        flags: how the last component is opened.

    Raises:
        OSError: there is none, it is none, or a component is a link.
    """
    here = os.open("/", _PASS if path != "/" else flags)
    try:
        parts = [part for part in path.split("/") if part]
        for index, part in enumerate(parts):
            require_spelling(here, part)
            below = _enter(here, part, flags if index == len(parts) - 1 else _PASS)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


@contextmanager
def parent(path: str) -> Generator[tuple[int, str]]:
    """Open the folder that a path lies in, and give its last component.

    Args:
        path: absolute, normalised, not `/`.

    Raises:
        OSError: as `folder`.
    """
    above, _, name = path.rpartition("/")
    with folder(above or "/", _PASS) as handle:
        require_spelling(handle, name)
        yield handle, name


def require_folders(paths: Iterable[str]) -> None:
    """Make sure that what a text enters and leaves again by `..` are folders.

    Raises:
        OSError: one is not there, is none, or is a link.
    """
    for path in paths:
        with folder(path, _PASS):
            pass


def look(path: str) -> os.stat_result:
    """Return what lies at a path, the link itself if it is one.

    Raises:
        OSError: nothing, or a component on the way is a link.
    """
    if path == "/":
        return Path("/").lstat()
    with parent(path) as (handle, name):
        return os.stat(name, dir_fd=handle, follow_symlinks=False)


def look_if_any(path: str) -> os.stat_result | None:
    """Return what lies at a path, or `None`."""
    try:
        return look(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_folder(found: os.stat_result | None) -> bool:
    """Whether it is a folder."""
    return found is not None and stat.S_ISDIR(found.st_mode)


def is_link(found: os.stat_result | None) -> bool:
    """Whether it is a symbolic link."""
    return found is not None and stat.S_ISLNK(found.st_mode)


def require_plain(found: os.stat_result) -> None:
    """Refuse everything but folders and files with one name.

    Raises:
        NotPlain: it is something else.
    """
    if stat.S_ISLNK(found.st_mode):
        raise link_refused()
    for is_kind, what in _KINDS:
        if is_kind(found.st_mode):
            raise kind_refused(what)
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise twin_refused()


@contextmanager
def reading(path: str) -> Generator[int]:
    """Open a plain file for reading and close it again.

    Raises:
        OSError: there is none; it is a folder; `NotPlain` when it is anything else.
    """
    with parent(path) if path != "/" else folder(path) as opened:
        if isinstance(opened, int):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        handle, name = opened
        require_file(os.stat(name, dir_fd=handle, follow_symlinks=False))  # so that no device is ever opened
        descriptor = os.open(name, _FILE, dir_fd=handle)
    try:
        require_file(os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def require_file(found: os.stat_result) -> None:
    """Refuse everything but files with one name.

    Raises:
        OSError: it is a folder; `NotPlain` when it is anything else.
    """
    require_plain(found)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def chunks_of(descriptor: int) -> Iterator[bytes]:
    """Read an open file to its end, a piece at a time."""
    while data := os.read(descriptor, CHUNK):
        yield data


def names_in(path: str) -> list[str]:
    """Return the names in a folder, in the order of their bytes."""
    with folder(path) as handle:
        return sorted(os.listdir(handle), key=os.fsencode)  # noqa: PTH208 - by handle


def entries_in(path: str) -> list[tuple[str, os.stat_result]]:
    """Return the names in a folder and what they are, in the order of the names' bytes; links are not followed."""
    with folder(path) as handle:
        found: list[tuple[str, os.stat_result]] = []
        with os.scandir(handle) as entries:
            for entry in entries:
                try:
                    found.append((entry.name, entry.stat(follow_symlinks=False)))
                except FileNotFoundError:  # gone meanwhile
                    continue
    return sorted(found, key=lambda item: os.fsencode(item[0]))


def join(above: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return f"/{name}" if above == "/" else f"{above}/{name}"


def require_spelling(handle: int, name: str, *, case_blind: bool = _CASE_BLIND) -> None:
    """Refuse another spelling of a name that is there, on systems that take both for one: rules tell them apart.

    Args:
        handle: of the folder.
        name: in it.
        case_blind: whether this is such a system.

    Raises:
        FileNotFoundError: it is there under another spelling.
    """
    if not case_blind:
        return
    names = os.listdir(handle)
    if name not in names and _folded(name) in map(_folded, names):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _enter(handle: int, part: str, flags: int) -> int:
    try:
        return os.open(part, flags, dir_fd=handle)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(part, dir_fd=handle, follow_symlinks=False).st_mode):
            raise link_refused() from None
        raise
    except OSError as error:
        if error.errno == link_refused().errno:
            raise link_refused() from None
        raise
