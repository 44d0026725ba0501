"""Puts whole files in place: written beside their destination, then renamed, so that nobody ever sees half of one.

Knows handles, not permission. What is replaced is a plain file that could have been written into.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterable

from edgevox.tools.files import handles

NEW_FILE = 0o666
"""Mode of new files, before the process's mask."""
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_TRY_WRITING = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)


def put(path: str, pieces: Iterable[bytes], *, replace: bool, mode: int = NEW_FILE) -> None:
    """Write a file as a whole.

    Args:
        path: absolute and normalised.
        pieces: its bytes.
        replace: whether a plain file is there that is to be replaced; it gives the new one its mode and owner.
        mode: of a new file, before the process's mask.

    Raises:
        OSError: it cannot be written, or what is there is not what was said; then nothing has changed.
    """
    with handles.parent(path) as (folder, name):
        before = _to_be_replaced(folder, name) if replace else None
        temporary = f".{secrets.token_hex(8)}.part"
        descriptor = os.open(temporary, _CREATE, mode if before is None else 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for piece in pieces:
                    file.write(piece)
                if before is not None:
                    _take_over(file.fileno(), before)
                file.flush()
                os.fsync(file.fileno())
            if before is None:
                rename_to_new(folder, temporary, folder, name)
            else:
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:  # a stop included: no half file stays behind
            _forget(folder, temporary)
            raise


def rename_to_new(source_folder: int, source: str, folder: int, name: str) -> None:
    """Rename a file to a name that nothing has, and fail if something has it.

    Args:
        source_folder: handle of the folder it is in.
        source: its name there.
        folder: handle of the folder it goes to.
        name: its new name.

    Raises:
        FileExistsError: something has the name.
        OSError: the system would not.
    """
    try:
        os.link(source, name, src_dir_fd=source_folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if _there(folder, name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        os.rename(source, name, src_dir_fd=source_folder, dst_dir_fd=folder)
        return
    os.unlink(source, dir_fd=source_folder)


def require_replaceable(folder: int, name: str) -> None:
    """Refuse to replace what is no plain file, or what this person could not write into.

    Raises:
        OSError: it is.
    """
    _to_be_replaced(folder, name)


def _to_be_replaced(folder: int, name: str) -> os.stat_result:
    before = os.stat(name, dir_fd=folder, follow_symlinks=False)
    handles.require_file(before)
    os.close(os.open(name, _TRY_WRITING, dir_fd=folder))
    return before


def _take_over(descriptor: int, before: os.stat_result) -> None:
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(descriptor, before.st_uid, before.st_gid)
        except PermissionError:  # another person's file in a shared folder: it becomes ours, as with any editor
            return
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)


def _there(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _forget(folder: int, temporary: str) -> None:
    try:
        os.unlink(temporary, dir_fd=folder)
    except FileNotFoundError:
        return
