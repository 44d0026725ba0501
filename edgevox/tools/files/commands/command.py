"""What a command is: tokens and leave in, something to run out; and where its bytes come from.

Preparing a command checks its tokens, expands its paths and gets leave for all of them; running it touches files.
"""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Trouble, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import named
from edgevox.tools.files.outputs import Output
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.permissions import Operation

_PIPE = Token("-", Tag.ARG)
Feed = Place | None
"""A file, or `None` for what another command writes."""


@dataclass(slots=True)
class Io:
    """What a running command reads and writes beside files."""

    gate: Gate
    out: Output
    stdin: bytes = b""

    def take(self) -> bytes:
        """Return what another command wrote; there is nothing more afterwards."""
        data, self.stdin = self.stdin, b""
        return data

    def failed(self, place: Place, error: OSError) -> None:
        """Say why an operand could not be worked on."""
        self.out.complain(f"{place.text}: {told(error)}")


Run = Callable[[Io], int]
"""Does the work and returns the exit status."""
Prepare = Callable[[Sequence[Token], Gate], Run]


def feeds(gate: Gate, operands: Sequence[Token]) -> list[Feed]:
    """Return where the operands of a reading command lead, with leave to read each.

    Args:
        gate: of the command.
        operands: paths and `-` (an ARG); none at all is what another command writes.

    Raises:
        Trouble: nothing to read, or a token that is neither.
    """
    if not operands and not gate.piped:
        raise Trouble("there is nothing to read: name a file, or pipe something into it")
    places = iter(named(gate, [token for token in operands if token != _PIPE], Operation.READ))
    found: list[Feed] = []
    for token in operands:
        found.extend([None] if token == _PIPE else next(places))
    return found or [None]


def name_of(feed: Feed, stdin: str = "standard input") -> str:
    """What messages and headings call it."""
    return feed.text if feed is not None else stdin


@contextmanager
def opened(io: Io, feed: Feed) -> Generator[Iterator[bytes]]:
    """Open what is to be read, and let its bytes be taken a piece at a time.

    Raises:
        OSError: it is no file that may be read.
    """
    if feed is None:
        yield iter([io.take()])
        return
    with file_at(feed) as descriptor:
        yield ticking(io.gate, handles.chunks_of(descriptor))


@contextmanager
def file_at(place: Place) -> Generator[int]:
    """Open the file at a place for reading.

    Raises:
        OSError: it is no file that may be read.
    """
    handles.require_folders(place.passed)
    if place.folder_only and not handles.is_folder(handles.look(place.path)):
        raise NotADirectoryError(20, os.strerror(20))
    with handles.reading(place.path) as descriptor:
        yield descriptor


def ticking(gate: Gate, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Return the same pieces, looking before each whether the command has to end."""
    for piece in pieces:
        gate.tick()
        yield piece
