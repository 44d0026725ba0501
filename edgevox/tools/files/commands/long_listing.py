"""The rows of `ls`: columns that line up. Knows what the system says of an entry, not what may be listed."""

import math
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from edgevox.tools.files import handles
from edgevox.tools.files.outputs import as_bytes

_HALF_A_YEAR_S = 31_556_952 / 2
_UNITS = " KMGTPE"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry."""

    name: str
    path: str
    found: os.stat_result


def rows(listed: Sequence[Row], flags: frozenset[str], *, total: bool) -> Iterator[bytes]:
    """Write entries, one on each line.

    Args:
        listed: in their order.
        flags: the letters of the options.
        total: whether the room that all of them take stands above, where columns tell of it.
    """
    if total and {"l", "s"} & flags:
        yield f"total {_blocks(sum(row.found.st_blocks for row in listed), flags)}\n".encode()
    columns = [_columns(row, flags) for row in listed]
    widths = [max(map(len, column)) for column in zip(*columns, strict=True)]
    left = _left_aligned(flags)
    for row, cells in zip(listed, columns, strict=True):
        padded = [
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        yield as_bytes("".join(f"{cell} " for cell in padded) + _named(row, flags)) + b"\n"


def _columns(row: Row, flags: frozenset[str]) -> list[str]:
    found = row.found
    cells: list[str] = []
    if "i" in flags:
        cells.append(str(found.st_ino))
    if "s" in flags:
        cells.append(_blocks(found.st_blocks, flags))
    if "l" in flags:
        owner, group = (str(found.st_uid), str(found.st_gid)) if "n" in flags else _owners(found.st_uid, found.st_gid)
        cells += [stat.filemode(found.st_mode), str(found.st_nlink), owner, group, _size(found, flags), _moment(found)]
    return cells


def _left_aligned(flags: frozenset[str]) -> set[int]:
    before = len({"i", "s"} & flags)
    return {before, before + 2, before + 3} if "n" not in flags else {before}


def _named(row: Row, flags: frozenset[str]) -> str:
    mode = row.found.st_mode
    if "l" in flags and stat.S_ISLNK(mode):
        return f"{row.name} -> {_target(row.path)}"
    if stat.S_ISDIR(mode) and {"p", "F"} & flags:
        return f"{row.name}/"
    return row.name + (_mark(mode) if "F" in flags else "")


def _mark(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "@"
    if stat.S_ISFIFO(mode):
        return "|"
    if stat.S_ISSOCK(mode):
        return "="
    return "*" if stat.S_ISREG(mode) and mode & 0o111 else ""


def _target(path: str) -> str:
    try:
        with handles.parent(path) as (folder, name):
            return os.readlink(name, dir_fd=folder)
    except OSError:
        return "?"


def _size(found: os.stat_result, flags: frozenset[str]) -> str:
    if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        return f"{os.major(found.st_rdev)}, {os.minor(found.st_rdev)}"
    return _human(found.st_size) if "h" in flags else str(found.st_size)


def _blocks(blocks: int, flags: frozenset[str]) -> str:
    return _human(blocks * 512) if "h" in flags else str(math.ceil(blocks / 2))


def _human(size: int) -> str:
    power = 0
    while size >= 1024 ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    if not power:
        return str(size)
    unit = 1024**power
    tenths = -(-size * 10 // unit)
    if tenths < 100:
        return f"{tenths // 10}.{tenths % 10}{_UNITS[power]}"
    whole = -(-size // unit)
    return f"{whole}{_UNITS[power]}" if whole < 1024 or power == len(_UNITS) - 1 else f"1.0{_UNITS[power + 1]}"


def _moment(found: os.stat_result) -> str:
    local = time.localtime(found.st_mtime)
    day = f"{_MONTHS[local.tm_mon - 1]} {local.tm_mday:2d}"
    if 0 <= time.time() - found.st_mtime < _HALF_A_YEAR_S:
        return f"{day} {local.tm_hour:02d}:{local.tm_min:02d}"
    return f"{day}  {local.tm_year}"


@lru_cache(maxsize=64)
def _owners(user: int, group: int) -> tuple[str, str]:
    import grp
    import pwd

    try:
        owner = pwd.getpwuid(user).pw_name
    except KeyError:
        owner = str(user)
    try:
        return owner, grp.getgrgid(group).gr_name
    except KeyError:
        return owner, str(group)
