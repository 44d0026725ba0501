"""Finds scripts in a folder and opens them without following a link.

Knows names, links and modes. Runs nothing. What is opened here is what runs: a file that is exchanged afterwards is
not seen.
"""

import contextlib
import os
import re
import stat
from collections.abc import Generator, Iterator
from pathlib import Path

from edgevox.agents.safe_scripts.report import ScriptEntry

SUFFIX = ".sh"
DESCRIPTION_CHARACTERS = 512
MOST_SCRIPTS = 200
MOST_DEPTH = 5
HEAD_BYTES = 8192
"""How much of a script is read for its first comment."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PART = re.compile(r"[^/\0\n\r]+")


class Refused(Exception):
    """A script that may not run; the text is the sentence."""


def parts_of(script: str) -> list[str]:
    """Return the components of a script's path.

    Raises:
        Refused: it is no plain relative path of a script.
    """
    parts = script.split("/")
    plain = all(_PART.fullmatch(part) and part not in {".", ".."} and part.isprintable() for part in parts)
    if not plain or script.startswith("/") or not script.endswith(SUFFIX) or script != script.strip():
        raise Refused("That is no script: give a name from the list, such as backup.sh.")
    return parts


@contextlib.contextmanager
def opened(folder: Path, script: str) -> Generator[int]:
    """Open a script and yield its descriptor; neither it nor a folder on the way may be a link.

    Raises:
        Refused: there is no such script, or it may not run.
    """
    *folders, name = parts_of(script)
    with contextlib.ExitStack() as stack:
        try:
            at = _closing(stack, os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            for part in folders:
                at = _closing(stack, os.open(part, _FOLDER, dir_fd=at))
            descriptor = _closing(stack, os.open(name, _FILE, dir_fd=at))
        except OSError as error:
            raise Refused("There is no such script: ask for the list without a name.") from error
        _require_ours(os.fstat(descriptor))
        yield descriptor


def entries(folder: Path) -> list[ScriptEntry]:
    """Return the scripts of a folder and those below it, by name; links and hidden names are left out.

    Raises:
        Refused: the folder cannot be read.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise Refused("The folder of scripts cannot be read: check that it exists.") from error
    try:
        return sorted(_below(descriptor, "", MOST_DEPTH), key=lambda entry: entry.script)[:MOST_SCRIPTS]
    finally:
        os.close(descriptor)


def _below(folder: int, prefix: str, depth: int) -> Iterator[ScriptEntry]:
    with os.scandir(folder) as found:
        names = sorted(each.name for each in found if not each.name.startswith(".") and each.name.isprintable())
    for name in names:
        try:
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode) and depth > 0:
                inner = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    yield from _below(inner, f"{prefix}{name}/", depth - 1)
                finally:
                    os.close(inner)
            elif stat.S_ISREG(mode) and name.endswith(SUFFIX):
                yield ScriptEntry(script=f"{prefix}{name}", description=_first_comment(folder, name))
        except OSError:  # it went, or may not be read; the others are still there
            continue


def _first_comment(folder: int, name: str) -> str:
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        head = os.read(descriptor, HEAD_BYTES).decode("utf-8", "replace")
    finally:
        os.close(descriptor)
    words: list[str] = []
    for line in head.splitlines():
        text = line.strip()
        if text.startswith("#") and not text.startswith("#!"):
            words.append(text.lstrip("#").strip())
        elif words or (text and not text.startswith("#!")):
            break
    described = " ".join(filter(None, words))
    described = "".join(character for character in described if character.isprintable())
    return described[:DESCRIPTION_CHARACTERS]


def _require_ours(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refused("There is no such script: ask for the list without a name.")
    if status.st_nlink > 1:
        raise Refused("That script has a second name elsewhere, so it does not run: copy it in place of linking it.")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Refused(
            "That script may be changed by other users, so it does not run: take their right with chmod go-w."
        )
    if status.st_uid not in (os.getuid(), 0):
        raise Refused("That script belongs to another user, so it does not run.")


def _closing(stack: contextlib.ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor
