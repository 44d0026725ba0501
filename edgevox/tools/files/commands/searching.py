"""What `grep` and `rg` share: selecting lines of a stream, writing them with their names, numbers and neighbours."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from edgevox.tools.files.commands.command import Io
from edgevox.tools.files.lines import lines_of
from edgevox.tools.files.matching import Matcher
from edgevox.tools.files.options import Given
from edgevox.tools.files.outputs import as_bytes

_BLANK = re.compile(rb"\n{2,}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written of what is found."""

    invert: bool
    numbers: bool
    count: bool
    names_only: bool
    quiet: bool
    only_matching: bool
    most: int | None
    """Selected lines after which a file is done with."""
    before: int
    after: int
    parted: bool = False
    """Whether a mark parts lines that do not follow each other."""
    zero_counts: bool = True
    """Whether files without a selected line are counted too."""

    @classmethod
    def of(cls, given: Given, *, zero_counts: bool = True) -> "Wanted":
        """Read the options that `grep` and `rg` share.

        Raises:
            Trouble: a value is no number.
        """
        around = given.number("-C", 0)
        return cls(
            invert=given.has("-v"),
            numbers=given.has("-n"),
            count=given.has("-c"),
            names_only=given.has("-l"),
            quiet=given.has("-q"),
            only_matching=given.has("-o"),
            most=given.number("-m", 0) if given.has("-m") else None,
            before=given.number("-B", around),
            after=given.number("-A", around),
            parted=any(given.has(name) for name in ("-A", "-B", "-C")),
            zero_counts=zero_counts,
        )


@dataclass(slots=True)
class Search:
    """One search through several files."""

    io: Io
    matcher: Matcher
    wanted: Wanted
    named: bool
    """Whether each line tells its file."""
    found: bool = False
    """Whether any line was selected."""
    written: bool = False
    """Whether lines with neighbours were written before, or held back because they are no text, so that a mark has to
    part what follows from them."""

    @property
    def over(self) -> bool:
        """Whether nothing more has to be looked for."""
        return self.wanted.quiet and self.found

    def through(self, pieces: Iterable[bytes], label: str) -> bool:
        """Search one file.

        Args:
            pieces: its bytes.
            label: its name.

        Returns:
            Whether the search met bytes that are no text while it was writing lines.
        """
        file = _File(self, label, deque(maxlen=self.wanted.before))
        selected = file.run(pieces)
        self.found = self.found or selected > 0
        if self.wanted.quiet:
            return False
        if self.wanted.names_only:
            if selected:
                self.io.out.line(label)
        elif self.wanted.count and (selected or self.wanted.zero_counts):
            self.io.out.write(self.prefix(label, b":") + b"%d\n" % selected)
        return file.binary

    def prefix(self, label: str, mark: bytes) -> bytes:
        """What stands before a line of a file."""
        return as_bytes(label) + mark if self.named else b""

    def part(self) -> None:
        """Write the mark between lines that do not follow each other."""
        if self.wanted.parted and self.written:
            self.io.out.write(b"--\n")
        self.written = True


@dataclass(slots=True)
class _File:
    search: Search
    label: str
    before: deque[tuple[int, bytes]]
    binary: bool = False
    last: int = 0
    """Number of the line that was written last."""
    owed: int = 0
    """Lines after the last selected one that are still to be written."""
    nul: bool = False
    """Whether it has bytes that no text has; then they end lines too, and no line is written."""

    def run(self, pieces: Iterable[bytes]) -> int:
        wanted = self.search.wanted
        once = wanted.quiet or wanted.names_only
        silent = once or wanted.count
        selected = 0
        if wanted.most == 0:
            return 0
        for number, raw in enumerate(lines_of(self._without_nul(pieces)), 1):
            line = raw.removesuffix(b"\n")
            done = wanted.most is not None and selected >= wanted.most
            if done and (silent or not self.owed):
                break
            if not done and self.search.matcher.selects(line) is not wanted.invert:
                selected += 1
                if once:
                    break
                if not silent and not self._select(number, line):
                    break
            elif not silent:
                self._pass_by(number, line)
        return selected

    def _without_nul(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if b"\0" in piece:
                self.nul = True
            yield self._ended_by_nul(piece) if self.nul else piece

    def _ended_by_nul(self, piece: bytes) -> bytes:
        """Let NUL end lines; where no empty line would be selected, only one of many is kept."""
        lines = piece.replace(b"\0", b"\n")
        blank_selected = self.search.matcher.selects(b"") is not self.search.wanted.invert
        return lines if blank_selected else _BLANK.sub(b"\n", lines)

    def _select(self, number: int, line: bytes) -> bool:
        """Write a selected line; False when it is no text."""
        if self.nul or not is_text(line):
            self.binary = True
            self.search.written |= self.nul
            return False
        first = self.before[0][0] if self.before else number
        if not self.last or first > self.last + 1:
            self.search.part()
        for earlier, words in self.before:
            self._write(earlier, words, b"-")
        self.before.clear()
        wanted = self.search.wanted
        if not wanted.only_matching:
            self._write(number, line, b":")
        elif not wanted.invert:
            for start, end in self.search.matcher.spans(line):
                self._write(number, line[start:end], b":")
        self.last, self.owed = number, wanted.after
        return True

    def _pass_by(self, number: int, line: bytes) -> None:
        if self.owed:
            self.owed -= 1
            self.last = number
            self._write(number, line, b"-")
        elif self.before.maxlen:
            self.before.append((number, line))

    def _write(self, number: int, line: bytes, mark: bytes) -> None:
        wanted = self.search.wanted
        if wanted.only_matching and mark == b"-":
            return
        counted = b"%d%b" % (number, mark) if wanted.numbers else b""
        self.search.io.out.write(self.search.prefix(self.label, mark) + counted + line + b"\n")


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
