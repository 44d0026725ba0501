"""`cat` and `pwd`: what is in files, and where relative paths begin."""

from collections.abc import Iterable, Iterator, Sequence

from edgevox.tools.files.commands.command import Feed, Io, Run, feeds, opened
from edgevox.tools.files.faults import Trouble
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.lines import lines_of
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.outputs import MAX_BYTES, too_much
from edgevox.tools.files.tokens import Token
from edgevox.tools.permissions import Operation

_CAT = Grammar(plain=("-n", "-b", "-s", "-E", "-T"))
_PWD = Grammar(plain=("-P",))


def prepare_pwd(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to print the base."""
    if _PWD.read(tokens).operands:
        raise Trouble("it takes no operands")
    gate.demand((Operation.READ, gate.here()))

    def run(io: Io) -> int:
        io.out.line(gate.base)
        return 0

    return run


def prepare_cat(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to print files one after the other."""
    given = _CAT.read(tokens)
    places = feeds(gate, given.operands)

    def run(io: Io) -> int:
        pieces = _Pieces(io, places)
        for data in _Dressed(given.options).lines(pieces) if given.options else pieces:
            io.out.write(data)
        return pieces.status

    return run


class _Pieces:
    """The bytes of all files as one stream; files that cannot be read are complained about and left out."""

    def __init__(self, io: Io, places: Sequence[Feed]) -> None:
        self._io, self._places = io, places
        self.status = 0

    def __iter__(self) -> Iterator[bytes]:
        for place in self._places:
            try:
                with opened(self._io, place) as pieces:
                    yield from pieces
            except OSError as error:
                assert place is not None
                self._io.failed(place, error)
                self.status = 1


class _Dressed:
    """Lines with numbers and marks; what goes on is one line even where a file ends in the middle of it."""

    def __init__(self, options: Iterable[str]) -> None:
        given = set(options)
        self._numbered, self._filled_only = bool(given & {"-n", "-b"}), "-b" in given
        self._squeezed, self._ends, self._tabs = "-s" in given, "-E" in given, "-T" in given
        self._number = 0
        self._blanks = 0

    def lines(self, pieces: _Pieces) -> Iterator[bytes]:
        try:
            for line in lines_of(pieces, MAX_BYTES):
                yield self._dressed(line)
        except Trouble as error:
            raise too_much() from error

    def _dressed(self, line: bytes) -> bytes:
        blank = line == b"\n"
        self._blanks = self._blanks + 1 if blank else 0
        if self._squeezed and self._blanks > 1:
            return b""
        if self._tabs:
            line = line.replace(b"\t", b"^I")
        if self._ends and line.endswith(b"\n"):
            line = line[:-1] + b"$\n" if not line.endswith(b"\r\n") else line[:-2] + b"^M$\n"
        if self._numbered and not (blank and self._filled_only):
            self._number += 1
            line = b"%6d\t%b" % (self._number, line)
        return line
