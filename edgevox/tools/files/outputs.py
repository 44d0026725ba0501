"""What one command writes, bounded while it writes. Knows bytes and how many characters they are."""

import codecs
from dataclasses import dataclass, field

from edgevox.tools.files.faults import TooMuch

MAX_CHARACTERS = 100_000
"""Characters that one command may write, both streams together."""
MAX_BYTES = 4 * MAX_CHARACTERS
"""No text within the limit has more bytes than this."""


@dataclass(slots=True)
class Output:
    """The two streams of one command."""

    command: str
    """Stands before every message."""
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    _counted: int = 0
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"), repr=False
    )

    def write(self, data: bytes) -> None:
        """Write to the standard output.

        Raises:
            TooMuch: it no longer fits.
        """
        self.stdout += data
        self._count(data)

    def line(self, text: str) -> None:
        """Write one line to the standard output; half characters stand for the bytes they came from."""
        self.write(as_bytes(text) + b"\n")

    def complain(self, words: str) -> None:
        """Write one message to the standard error."""
        data = as_bytes(f"{self.command}: {words}\n")
        self.stderr += data
        self._count(data)

    def _count(self, data: bytes) -> None:
        self._counted += len(self._decoder.decode(data))
        if self._counted > MAX_CHARACTERS:
            raise too_much()


def too_much() -> TooMuch:
    """Return the end of a command that writes more than fits."""
    return TooMuch(
        f"it writes more than {MAX_CHARACTERS:,} characters, so nothing of it is shown: "
        "take a part with head, tail or grep -m, or only count with wc or grep -c"
    )


def as_bytes(text: str) -> bytes:
    """Return the bytes of a text in which half characters stand for bytes of names that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")
