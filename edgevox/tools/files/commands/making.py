"""`mkdir` and `touch`: new folders, new empty files, and the times of files."""

import os
import re
import time
from collections.abc import Sequence
from datetime import datetime

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.folders import make_folder, missing_above
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.writing import NEW_FILE
from edgevox.tools.permissions import Operation

_MKDIR = Grammar(plain=("-p", "-v"))
_TOUCH = Grammar(
    plain=("-a", "-m", "-c"),
    valued={"-d": Tag.ARG, "-t": Tag.ARG, "-r": Tag.PTH},
    exclusive=(("-d", "-t"), ("-d", "-r"), ("-t", "-r")),
)
_STAMP = re.compile(r"(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?", re.ASCII)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
Times = tuple[int, int]
"""Of the last access and the last change, nanoseconds."""


def prepare_mkdir(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to make folders."""
    given = _MKDIR.read(tokens)
    places = [gate.literal(token) for token in given.operands]
    if not places:
        raise Trouble("name a folder to make")
    gate.demand(*((Operation.CREATE, place) for place in places))
    plans = [[*(missing_above(gate, place) if given.has("-p") else ()), place] for place in places]

    def run(io: Io) -> int:
        status = 0
        for place, steps in zip(places, plans, strict=True):
            try:
                handles.require_folders(place.passed)
                _make(io, given, steps)
            except OSError as error:
                io.out.complain(f"cannot create directory {quoted(place.text)}: {told(error)}")
                status = 1
        return status

    return run


def _make(io: Io, given: Given, steps: list[Place]) -> None:
    for step in steps:
        io.gate.tick()
        if make_folder(step.path):
            if given.has("-v"):
                io.out.line(f"mkdir: created directory '{step.text}'")
        elif not given.has("-p"):
            raise FileExistsError(17, os.strerror(17))


def prepare_touch(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to make empty files, or to set times."""
    given = _TOUCH.read(tokens)
    times = _times(gate, given)
    places = sources(gate, given.operands, Operation.CREATE)
    if not places:
        raise Trouble("name a file")
    there = [place for place in places if handles.look_if_any(place.path) is not None]
    gate.demand(*((operation, place) for place in there for operation in (Operation.READ, Operation.DELETE)))

    def run(io: Io) -> int:
        status = 0
        for place in places:
            gate.tick()
            try:
                handles.require_folders(place.passed)
                _touch(place, given, times)
            except OSError as error:
                if given.has("-c") and isinstance(error, FileNotFoundError):
                    continue
                io.out.complain(f"cannot touch {quoted(place.text)}: {told(error)}")
                status = 1
        return status

    return run


def _touch(place: Place, given: Given, times: Times | None) -> None:
    with handles.parent(place.path) as (folder, name):
        try:
            before = os.stat(name, dir_fd=folder, follow_symlinks=False)
            _refuse_no_folder(place, handles.is_folder(before))
        except FileNotFoundError:
            _refuse_no_folder(place, False)
            if given.has("-c"):
                return
            os.close(os.open(name, _NEW_FILE, NEW_FILE, dir_fd=folder))
            before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        handles.require_plain(before)
        accessed, changed = times or (now := time.time_ns(), now)
        if given.has("-m") and not given.has("-a"):
            accessed = before.st_atime_ns
        if given.has("-a") and not given.has("-m"):
            changed = before.st_mtime_ns
        os.utime(name, ns=(accessed, changed), dir_fd=folder, follow_symlinks=False)


def _refuse_no_folder(place: Place, is_folder: bool) -> None:
    if place.folder_only and not is_folder:
        raise NotADirectoryError(20, "Not a directory")


def _times(gate: Gate, given: Given) -> Times | None:
    """The times that were asked for; `None` is now."""
    if given.has("-r"):
        reference = gate.place(given.options["-r"])
        gate.demand((Operation.READ, reference))
        gate.plain(reference)
        try:
            handles.require_folders(reference.passed)
            found = handles.look(reference.path)
        except OSError as error:
            raise Trouble(f"{quoted(reference.text)}: {told(error)}") from error
        return found.st_atime_ns, found.st_mtime_ns
    if given.has("-t"):
        moment = _stamped(given.options["-t"])
    elif given.has("-d"):
        moment = _dated(given.options["-d"])
    else:
        return None
    return moment, moment


def _stamped(text: str) -> int:
    fits = _STAMP.fullmatch(text)
    if fits is None:
        raise Trouble(f"{quoted(text)} is no time: write [[CC]YY]MMDDhhmm[.ss]")
    century, year, *parts, seconds = fits.groups()
    if year is None:
        whole = datetime.now().astimezone().year
    else:
        whole = int(f"{century or ('19' if int(year) >= 69 else '20')}{year}")
    try:
        moment = datetime.strptime(f"{whole} {' '.join(parts)} {seconds or 0}", "%Y %m %d %H %M %S").astimezone()
        return round(moment.timestamp()) * 10**9
    except (ValueError, OverflowError, OSError) as error:
        raise Trouble(f"{quoted(text)} is no time: {error}") from error


def _dated(text: str) -> int:
    try:
        if text.startswith("@"):
            return int(text[1:][:15]) * 10**9
        return round(datetime.fromisoformat(text).timestamp() * 10**6) * 1000
    except (ValueError, OverflowError, OSError) as error:
        raise Trouble(f"{quoted(text)} is no time: write 2030-01-31, 2030-01-31 18:30:00 or @SECONDS") from error
