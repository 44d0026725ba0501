"""`ls`: names in folders, and what they are."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.commands.long_listing import Row, rows
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trees import MAX_DEPTH, Node, node_at
from edgevox.tools.permissions import ActionVerdict, Operation

_LETTERS = "laAhdR1rtSUFpisn"
_LONG = {
    "--all": "a", "--almost-all": "A", "--human-readable": "h", "--directory": "d", "--recursive": "R",
    "--reverse": "r", "--classify": "F", "--inode": "i", "--size": "s", "--numeric-uid-gid": "n",
}  # fmt: skip
_ONE_OF = ("aA", "tSU", "pF")
_TROUBLE = 2


def prepare_ls(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to list."""
    flags, operands = _read(tokens)
    if operands:
        places = sources(gate, operands, Operation.READ)
    else:
        places = [gate.here()]
        gate.demand((Operation.READ, places[0]))

    def run(io: Io) -> int:
        return _Listing(io, flags, headed=len(places) > 1 or "R" in flags).run(places)

    return run


def _read(tokens: Sequence[Token]) -> tuple[frozenset[str], list[Token]]:
    """Take options and operands apart; options may be bundled, repeated and stand anywhere before `--`."""
    flags: set[str] = set()
    operands: list[Token] = []
    ended = False
    for token in tokens:
        if token.tag is not Tag.FLG:
            operands.append(token)
        elif token.text == "--" and not ended:
            ended = True
        elif ended:
            raise Trouble(f"{quoted(token.text)} comes after --")
        else:
            for letter in _letters(token.text):
                flags = (flags - _rivals(letter)) | {letter}
    return frozenset(flags | ({"l"} if "n" in flags else set())), operands


def _rivals(letter: str) -> set[str]:
    """Return the options of which the last one counts."""
    return next((set(group) for group in _ONE_OF if letter in group), set[str]())


def _letters(text: str) -> str:
    if text in _LONG:
        return _LONG[text]
    letters = text[1:]
    if not text.startswith("-") or not letters or set(letters) - set(_LETTERS):
        raise Trouble(f"{quoted(text)} is not supported; the options are -{' -'.join(_LETTERS)} {' '.join(_LONG)}")
    return letters


@dataclass(slots=True)
class _Listing:
    io: Io
    flags: frozenset[str]
    headed: bool
    """Whether each folder gets a heading."""
    status: int = 0
    written: bool = False
    """Whether something stands above, from which the next folder is set apart."""

    def run(self, places: Sequence[Place]) -> int:
        nodes = [node for node in map(self._node, places) if node is not None]
        as_folders = [node for node in nodes if node.is_folder and "d" not in self.flags]
        others = [node for node in nodes if node not in as_folders]
        if others:
            self._rows(self._sorted([_row(node) for node in others]))
            self.written = True
        by_text = {node.place.text: node for node in as_folders}
        for row in self._sorted([_row(node) for node in as_folders]):
            self._folder(by_text[row.name])
        return self.status

    def _node(self, place: Place) -> Node | None:
        self.io.gate.tick()
        try:
            return node_at(place)
        except OSError as error:
            self.io.out.complain(f"cannot access '{place.text}': {told(error)}")
            self.status = _TROUBLE
            return None

    def _folder(self, node: Node) -> None:
        """List one folder, and with -R those below it; folders that may not be read are named, not entered."""
        self.io.gate.tick()
        try:
            entries = handles.entries_in(node.place.path)
        except OSError as error:
            self.io.out.complain(f"cannot open directory '{node.place.text}': {told(error)}")
            self.status = max(self.status, 1 if node.depth else _TROUBLE)
            return
        if self.headed:
            self.io.out.line(f"{os.linesep if self.written else ''}{node.place.text}:")
        self.written = True
        shown = {"a", "A"} & self.flags
        children = [
            Node(node.place.below(name), found, node.depth + 1)
            for name, found in entries
            if shown or not name.startswith(".")
        ]
        listed = [Row(child.place.name, child.place.path, child.found) for child in children]
        self._rows(self._sorted([*self._dots(node), *listed]), total=True)
        if "R" in self.flags:
            by_name = {child.place.name: child for child in children}
            for row in self._sorted(listed):
                if by_name[row.name].is_folder and self._enterable(by_name[row.name]):
                    self._folder(by_name[row.name])

    def _enterable(self, node: Node) -> bool:
        if node.depth > MAX_DEPTH:
            raise Trouble(f"the folders below {quoted(node.place.text)} lie too deep within each other")
        return self.io.gate.verdict(Operation.READ, node.place.path) is not ActionVerdict.deny

    def _dots(self, node: Node) -> list[Row]:
        if "a" not in self.flags:
            return []
        above = node.place.path.rpartition("/")[0] or "/"
        here = Row(".", node.place.path, node.found)
        if self.io.gate.may(Operation.READ, above):
            return [here, Row("..", above, handles.look(above))]
        return [here, replace(here, name="..")] if "l" not in self.flags else [here]

    def _sorted(self, listed: list[Row]) -> list[Row]:
        listed = sorted(listed, key=lambda row: os.fsencode(row.name))
        if "U" in self.flags:
            return listed
        if "t" in self.flags:
            listed.sort(key=lambda row: row.found.st_mtime_ns, reverse=True)
        elif "S" in self.flags:
            listed.sort(key=lambda row: row.found.st_size, reverse=True)
        return listed[::-1] if "r" in self.flags else listed

    def _rows(self, listed: list[Row], *, total: bool = False) -> None:
        for data in rows(listed, self.flags, total=total):
            self.io.gate.tick()
            self.io.out.write(data)


def _row(node: Node) -> Row:
    return Row(node.place.text, node.place.path, node.found)
