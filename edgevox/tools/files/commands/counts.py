"""`wc`: how many lines, words, characters and bytes there are, and how wide the widest line is."""

import codecs
import stat
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Feed, Io, Run, feeds, opened
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.tokens import Token

_GRAMMAR = Grammar(plain=("-l", "-w", "-m", "-c", "-L"))
_ORDER = ("-l", "-w", "-m", "-c", "-L")
_PIPE_WIDTH = 7
_TAB = 8
_NO_SPACE = dict.fromkeys(range(0x1C, 0x20))
"""Separators of records, which Python takes for white space and `wc` does not."""


@dataclass(slots=True)
class _Counts:
    """What is counted; characters and width only when somebody wants them, for they cost most."""

    texts: bool
    numbers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_ORDER, 0))

    def read(self, pieces: Iterable[bytes]) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        inside, width = False, 0
        for piece in pieces:
            self.numbers["-l"] += piece.count(b"\n")
            self.numbers["-c"] += len(piece)
            text = decoder.decode(piece)
            inside = self._words(text, inside)
            if self.texts:
                self.numbers["-m"] += sum(1 for c in text if not "\udc80" <= c <= "\udcff")
                width = self._width(text, width)
        if self.texts:
            self.numbers["-L"] = max(self.numbers["-L"], width)

    def add(self, other: "_Counts") -> None:
        for name in _ORDER[:-1]:
            self.numbers[name] += other.numbers[name]
        self.numbers["-L"] = max(self.numbers["-L"], other.numbers["-L"])

    def _words(self, text: str, inside: bool) -> bool:
        """Count the words that begin here; returns whether the last one may go on."""
        for part in _spaced(text):
            begins, inside = _word(part, inside)
            self.numbers["-w"] += begins
        return inside

    def _width(self, text: str, width: int) -> int:
        for character in text:
            if character in "\n\r\f":
                self.numbers["-L"] = max(self.numbers["-L"], width)
                width = 0
            else:
                width += _TAB - width % _TAB if character == "\t" else _cells(character)
        return width


def prepare_wc(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to count."""
    given = _GRAMMAR.read(tokens)
    shown = [name for name in _ORDER if given.has(name)] or ["-l", "-w", "-c"]
    places = feeds(gate, given.operands)
    anonymous = not given.operands

    def run(io: Io) -> int:
        width = _field_width(places, len(shown))
        total, status = _Counts(True), 0
        for place in places:
            counts = _Counts(bool({"-m", "-L"} & set(shown)))
            listed = True
            try:
                with opened(io, place) as pieces:
                    counts.read(pieces)
            except OSError as error:
                assert place is not None
                io.failed(place, error)
                status, listed = 1, isinstance(error, IsADirectoryError)
            if listed:
                io.out.line(_row(counts, shown, width, "" if anonymous else place.text if place else "-"))
                total.add(counts)
        if len(places) > 1:
            io.out.line(_row(total, shown, width, "total"))
        return status

    return run


def _row(counts: _Counts, shown: list[str], width: int, name: str) -> str:
    numbers = " ".join(f"{counts.numbers[option]:{width}d}" for option in shown)
    return f"{numbers} {name}" if name else numbers


def _field_width(places: Sequence[Feed], numbers: int) -> int:
    """The width of a column, as people know it: as wide as the sum needs, and 7 where sizes are not known before."""
    if len(places) == 1 and numbers == 1:
        return 1
    total, least = 0, 1
    for place in places:
        found = handles.look_if_any(place.path) if place is not None else None
        if place is not None and found is None:
            continue
        if found is not None and stat.S_ISREG(found.st_mode):
            total += found.st_size
        else:
            least = _PIPE_WIDTH
    return max(least, len(str(total)))


def _spaced(text: str) -> list[str]:
    """Split before and after white space, so that words which pieces cut in two are not counted twice."""
    text = text.translate(_NO_SPACE)
    parts = text.split()
    if not parts:
        return [" "] if text else []
    joined = " ".join(parts)
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return [before + joined + after]


def _word(part: str, inside: bool) -> tuple[int, bool]:
    words = len(part.split())
    goes_on = inside and bool(words) and not part[0].isspace()
    return words - goes_on, not part[-1].isspace()


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
