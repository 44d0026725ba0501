"""`head` and `tail`: the beginning and the end of files."""

import os
from collections.abc import Callable, Iterator, Sequence

from edgevox.tools.files.commands.command import Feed, Io, Run, feeds, file_at, name_of, opened
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.outputs import MAX_BYTES, as_bytes, too_much
from edgevox.tools.files.tokens import Tag, Token

_GRAMMAR = Grammar(plain=("-q", "-v"), valued={"-n": Tag.ARG, "-c": Tag.ARG}, exclusive=(("-n", "-c"), ("-q", "-v")))
_LINES = 10
Part = Callable[[Io, Feed, int, bool], Iterator[bytes]]
"""Reads a part: where from, how much, and whether that counts bytes."""


def prepare_head(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to print the beginning of files."""
    return _prepared(tokens, gate, _beginning)


def prepare_tail(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to print the end of files."""
    return _prepared(tokens, gate, _end)


def _prepared(tokens: Sequence[Token], gate: Gate, part: Part) -> Run:
    given = _GRAMMAR.read(tokens)
    in_bytes = given.has("-c")
    amount = given.number("-c", 0) if in_bytes else given.number("-n", _LINES)
    places = feeds(gate, given.operands)

    def run(io: Io) -> int:
        status, first = 0, True
        if part is _end and not amount:
            return 0
        for place in places:
            heading = _heading(place, given, len(places), first=first)
            try:
                for data in part(io, place, amount, in_bytes):
                    io.out.write(heading + data)
                    heading, first = b"", False
            except OSError as error:
                assert place is not None
                if isinstance(error, IsADirectoryError):
                    io.out.write(heading)
                    first = False
                    if not amount:
                        continue
                io.failed(place, error)
                status = 1
        return status

    return run


def _heading(place: Feed, given: Given, files: int, *, first: bool) -> bytes:
    if not given.has("-v") and (given.has("-q") or files < 2):
        return b""
    return as_bytes(f"{'' if first else chr(10)}==> {name_of(place)} <==\n")


def _beginning(io: Io, place: Feed, amount: int, in_bytes: bool) -> Iterator[bytes]:
    with opened(io, place) as pieces:
        yield b""
        for piece in pieces:
            if amount <= 0:
                return
            kept = piece[:amount] if in_bytes else _first_lines(piece, amount)
            amount -= len(kept) if in_bytes else kept.count(b"\n")
            yield kept


def _first_lines(piece: bytes, lines: int) -> bytes:
    at = -1
    for _ in range(lines):
        at = piece.find(b"\n", at + 1)
        if at < 0:
            return piece
    return piece[: at + 1]


def _end(io: Io, place: Feed, amount: int, in_bytes: bool) -> Iterator[bytes]:
    data, whole = _last_bytes(io, place)
    yield b""
    start = len(data) - amount if in_bytes else _start_of_last_lines(data, amount)
    if start < 0 and not whole:
        raise too_much()
    yield data[max(start, 0) :]


def _last_bytes(io: Io, place: Feed) -> tuple[bytes, bool]:
    """Return as many of the last bytes as could be shown, and whether that is all there is."""
    if place is None:
        return io.take(), True
    with file_at(place) as descriptor:
        size = os.fstat(descriptor).st_size
        start = max(0, size - MAX_BYTES - 1)
        os.lseek(descriptor, start, os.SEEK_SET)
        data = bytearray()
        while len(data) <= MAX_BYTES and (piece := os.read(descriptor, MAX_BYTES + 1 - len(data))):
            io.gate.tick()
            data += piece
        return bytes(data), start == 0


def _start_of_last_lines(data: bytes, lines: int) -> int:
    """Where the last lines begin; -1 when there are fewer."""
    at = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        at = data.rfind(b"\n", 0, at)
        if at < 0:
            return -1
    return at + 1
