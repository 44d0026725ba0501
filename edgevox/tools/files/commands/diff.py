"""`diff`: what lines two files do not share."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run, file_at, ticking
from edgevox.tools.files.edit_script import Change, changes
from edgevox.tools.files.faults import Trouble, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.outputs import as_bytes
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Token
from edgevox.tools.permissions import Operation

_GRAMMAR = Grammar(plain=("-u", "-q", "-s", "-i", "-w"))
_MOST = 8 * 1024 * 1024
"""Bytes of one file."""
_CONTEXT = 3
_TROUBLE = 2
_NO_END = b"\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class _Side:
    place: Place
    data: bytes
    changed_ns: int


def prepare_diff(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to compare."""
    given = _GRAMMAR.read(tokens)
    places = sources(gate, list(given.operands), Operation.READ)
    if len(places) != 2:
        raise Trouble(f"it compares exactly two files, not {len(places)}", _TROUBLE)

    def run(io: Io) -> int:
        sides = [_side(io, place) for place in places]
        first, second = sides
        if first is None or second is None:
            return _TROUBLE
        return _compared(io, given, first, second)

    return run


def _side(io: Io, place: Place) -> _Side | None:
    try:
        with file_at(place) as descriptor:
            found = os.fstat(descriptor)
            if found.st_size > _MOST:
                raise Trouble(f"'{place.text}' is larger than {_MOST:,} bytes", _TROUBLE)
            data = b"".join(ticking(io.gate, handles.chunks_of(descriptor)))
            return _Side(place, data, found.st_mtime_ns)
    except OSError as error:
        io.out.complain(f"{place.text}: {told(error)}")
        return None


def _compared(io: Io, given: Given, first: _Side, second: _Side) -> int:
    names = f"{first.place.text} and {second.place.text}"
    binary = b"\0" in first.data or b"\0" in second.data
    if first.data == second.data:
        return _identical(io, given, names)
    if binary:
        words = "Files" if given.has("-q") else "Binary files"
        io.out.line(f"{words} {names} differ")
        return 1
    lines_a, lines_b = _split(first.data), _split(second.data)
    numbers: dict[bytes, int] = {}
    keys_a, keys_b = (
        [numbers.setdefault(_key(line, given), len(numbers)) for line in part] for part in (lines_a, lines_b)
    )
    if keys_a == keys_b:
        return _identical(io, given, names)
    if given.has("-q"):
        io.out.line(f"Files {names} differ")
        return 1
    found = changes(keys_a, keys_b, io.gate.tick)
    written = _unified(first, second, lines_a, lines_b, found) if given.has("-u") else _normal(lines_a, lines_b, found)
    for data in written:
        io.out.write(data)
    return 1


def _identical(io: Io, given: Given, names: str) -> int:
    if given.has("-s"):
        io.out.line(f"Files {names} are identical")
    return 0


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _key(line: bytes, given: Given) -> bytes:
    if given.has("-w"):
        line = b"".join(line.split())
    if given.has("-i"):
        line = line.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")
    return line


def _normal(a: list[bytes], b: list[bytes], found: list[Change]) -> Iterator[bytes]:
    for change in found:
        letter = "a" if change.a0 == change.a1 else "d" if change.b0 == change.b1 else "c"
        yield f"{_range(change.a0, change.a1)}{letter}{_range(change.b0, change.b1)}\n".encode()
        yield from (_marked(b"< ", line) for line in a[change.a0 : change.a1])
        if letter == "c":
            yield b"---\n"
        yield from (_marked(b"> ", line) for line in b[change.b0 : change.b1])


def _range(start: int, end: int) -> str:
    if end - start > 1:
        return f"{start + 1},{end}"
    return f"{end}" if end == start else f"{start + 1}"


def _marked(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n" + _NO_END


def _unified(first: _Side, second: _Side, a: list[bytes], b: list[bytes], found: list[Change]) -> Iterator[bytes]:
    yield as_bytes(f"--- {first.place.text}\t{_moment(first.changed_ns)}\n")
    yield as_bytes(f"+++ {second.place.text}\t{_moment(second.changed_ns)}\n")
    for group in _groups(found):
        start = max(0, group[0].a0 - _CONTEXT)
        end = min(len(a), group[-1].a1 + _CONTEXT)
        start_b = group[0].b0 - (group[0].a0 - start)
        end_b = group[-1].b1 + (end - group[-1].a1)
        yield f"@@ -{_span(start, end)} +{_span(start_b, end_b)} @@\n".encode()
        at = start
        for change in group:
            yield from (_marked(b" ", line) for line in a[at : change.a0])
            yield from (_marked(b"-", line) for line in a[change.a0 : change.a1])
            yield from (_marked(b"+", line) for line in b[change.b0 : change.b1])
            at = change.a1
        yield from (_marked(b" ", line) for line in a[at:end])


def _groups(found: list[Change]) -> Iterator[list[Change]]:
    group: list[Change] = []
    for change in found:
        if group and change.a0 - group[-1].a1 > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    yield group


def _span(start: int, end: int) -> str:
    if end - start == 1:
        return f"{start + 1}"
    return f"{start + (end > start)},{end - start}"


def _moment(nanoseconds: int) -> str:
    moment = datetime.fromtimestamp(nanoseconds // 10**9).astimezone()
    return f"{moment:%Y-%m-%d %H:%M:%S}.{nanoseconds % 10**9:09d} {moment:%z}"
