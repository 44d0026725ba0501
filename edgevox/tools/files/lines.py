"""Cuts a stream of bytes into lines, with a bound on how long one may be."""

from collections.abc import Iterable, Iterator

from edgevox.tools.files.faults import Trouble

MAX_LINE = 4 * 1024 * 1024
"""Bytes of one line; longer ones are no text that anybody reads line by line."""


def lines_of(pieces: Iterable[bytes], limit: int = MAX_LINE) -> Iterator[bytes]:
    """Return lines with their ends; the last may have none.

    Args:
        pieces: of any sizes.
        limit: bytes that one line may have.

    Raises:
        Trouble: a line is longer.
    """
    rest: list[bytes] = []
    held = 0
    for piece in pieces:
        *whole, last = piece.split(b"\n")
        for line in whole:
            yield b"".join([*rest, line, b"\n"])
            rest, held = [], 0
        if last:
            rest.append(last)
            held += len(last)
        if held > limit:
            raise Trouble(f"a line is longer than {limit:,} bytes; take a part with head -c or tail -c", 2)
    if rest:
        yield b"".join(rest)
