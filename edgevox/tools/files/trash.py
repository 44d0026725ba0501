"""The wastebasket, by the rules of freedesktop.org: a file moves there with a note of where it came from.

The Trash specification 1.0, https://specifications.freedesktop.org/trash-spec/. Files on another file system go to the
basket at its top. Knows handles, not permission.
"""

import itertools
import os
import stat
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from edgevox.tools.files import handles
from edgevox.tools.files.writing import NEW_FILE

_NOTE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST = 10_000
"""Files of one name in the basket."""


def throw_away(path: str, home: str | None = None) -> None:
    """Move an entry to the wastebasket.

    Args:
        path: absolute and normalised; a link goes itself.
        home: the basket; the person's own when not given.

    Raises:
        OSError: it cannot be moved; then it is where it was.
    """
    found = handles.look(path)
    basket, noted = _basket(path, found, os.path.realpath(home or _home()))
    files, info = handles.join(basket, "files"), handles.join(basket, "info")
    with handles.folder(files) as to, handles.folder(info) as notes, handles.parent(path) as (folder, name):
        kept = _noted(notes, to, name, noted)
        try:
            os.rename(name, kept, src_dir_fd=folder, dst_dir_fd=to)
        except OSError:
            os.unlink(f"{kept}.trashinfo", dir_fd=notes)
            raise


def _home() -> str:
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return str(Path(data) / "Trash")


def _basket(path: str, found: os.stat_result, home: str) -> tuple[str, str]:
    """Return the basket for an entry, made if it was missing, and the path that its note will hold."""
    Path(home).mkdir(mode=0o700, parents=True, exist_ok=True)
    if handles.look(home).st_dev == found.st_dev:
        basket, noted = home, path
    else:
        top = _top(path, found.st_dev)
        basket, noted = _basket_at(top), path[len(top.rstrip("/")) + 1 :]
    for part in ("files", "info"):
        _folder(basket, part)
    return basket, noted


def _top(path: str, device: int) -> str:
    top = path.rpartition("/")[0] or "/"
    while top != "/":
        above = top.rpartition("/")[0] or "/"
        if handles.look(above).st_dev != device:
            break
        top = above
    return top


def _basket_at(top: str) -> str:
    shared = handles.join(top, ".Trash")
    found = handles.look_if_any(shared)
    if found is not None and stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX:
        return _folder(shared, str(os.getuid()))
    return _folder(top, f".Trash-{os.getuid()}")


def _folder(above: str, name: str) -> str:
    with handles.folder(above) as handle, suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=handle)
    return handles.join(above, name)


def _noted(notes: int, files: int, name: str, path: str) -> str:
    """Write the note under the first free name and return it."""
    text = (
        f"[Trash Info]\nPath={quote(os.fsencode(path))}\nDeletionDate={datetime.now().astimezone():%Y-%m-%dT%H:%M:%S}\n"
    )
    stem, suffix = Path(name[:200]).stem, Path(name[:200]).suffix
    for number in itertools.count(1):
        kept = name[:200] if number == 1 else f"{stem}.{number}{suffix}"
        try:
            descriptor = os.open(f"{kept}.trashinfo", _NOTE, NEW_FILE, dir_fd=notes)
        except FileExistsError:
            if number > _MOST:
                raise
            continue
        with os.fdopen(descriptor, "wb") as note:
            note.write(text.encode())
        if kept in os.listdir(files):
            os.unlink(f"{kept}.trashinfo", dir_fd=notes)
            continue
        return kept
    raise AssertionError("unreachable")
