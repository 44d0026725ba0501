"""`cp`: copies of files and trees, each file put in place as a whole."""

import os
import stat
from collections.abc import Sequence

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run, file_at, ticking
from edgevox.tools.files.commands.transfers import (
    COMMON,
    EXCLUSIVE,
    VALUED,
    Transfer,
    demand_targets,
    transfers,
    with_trees,
)
from edgevox.tools.files.faults import told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Token
from edgevox.tools.files.trees import Node
from edgevox.tools.files.writing import put
from edgevox.tools.permissions import Operation

_GRAMMAR = Grammar(plain=("-r/-R", *COMMON), valued=VALUED, exclusive=EXCLUSIVE)


def prepare_cp(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to copy."""
    given = _GRAMMAR.read(tokens)
    planned = [_planned(gate, given, pair) for pair in transfers(gate, given, Operation.READ)]

    def run(io: Io) -> int:
        return max([_Copy(io, given, transfer).run() for transfer in planned], default=0)

    return run


def _planned(gate: Gate, given: Given, pair: Transfer) -> Transfer:
    transfer = with_trees(gate, pair, Operation.READ, deep=given.has("-r"))
    gate.demand_below(pair.source, Operation.READ, [node.place.path for node in transfer.nodes])
    if transfer.nodes and (given.has("-r") or not transfer.nodes[0].is_folder):
        demand_targets(gate, transfer)
    return transfer


class _Copy:
    """One transfer under way."""

    def __init__(self, io: Io, given: Given, transfer: Transfer) -> None:
        self._io, self._given, self._transfer = io, given, transfer
        self._closing: list[tuple[str, int]] = []
        """Folders whose own mode is set when they are full."""

    def run(self) -> int:
        """Copy; returns the exit status."""
        nodes = self._transfer.nodes
        source = self._transfer.source
        if not nodes:
            self._io.out.complain(f"cannot stat '{source.text}': {_why_missing(source)}")
            return 1
        if nodes[0].is_folder and not self._given.has("-r"):
            self._io.out.complain(f"-r not specified; omitting directory '{source.text}'")
            return 1
        status = 0
        for node in nodes:
            self._io.gate.tick()
            try:
                self._one(node)
            except OSError as error:
                self._io.out.complain(f"{node.place.text}: {told(error)}")
                status = 1
                if node.is_folder:
                    break
        for path, mode in reversed(self._closing):
            with handles.folder(path) as handle:
                os.fchmod(handle, mode)
        return status

    def _one(self, node: Node) -> None:
        path = self._transfer.target_of(node)
        before = handles.look_if_any(path)
        if node.is_folder:
            self._folder(node, path, before)
        else:
            self._file(node, path, before)

    def _folder(self, node: Node, path: str, before: os.stat_result | None) -> None:
        if before is not None:
            if not stat.S_ISDIR(before.st_mode):
                raise FileExistsError(17, f"cannot overwrite non-directory '{self._written(node)}' with directory")
            return
        mode = stat.S_IMODE(node.found.st_mode) & 0o777
        with handles.parent(path) as (above, name):
            os.mkdir(name, mode | 0o700, dir_fd=above)
            made = stat.S_IMODE(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode)
        if mode & 0o700 != 0o700:
            self._closing.append((path, made & (mode | 0o077)))
        self._tell(node)

    def _file(self, node: Node, path: str, before: os.stat_result | None) -> None:
        if before is not None:
            if stat.S_ISDIR(before.st_mode):
                raise IsADirectoryError(21, f"cannot overwrite directory '{self._written(node)}' with non-directory")
            target = Place(self._written(node), path)
            self._io.gate.demand((Operation.READ, target), (Operation.DELETE, target))
        elif self._transfer.target.folder_only and not node.depth:
            raise NotADirectoryError(20, f"cannot create regular file '{self._transfer.target.text}': Not a directory")
        with file_at(node.place) as descriptor:
            mode = stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o777
            pieces = ticking(self._io.gate, handles.chunks_of(descriptor))
            put(path, pieces, replace=before is not None, mode=mode)
        self._tell(node)

    def _tell(self, node: Node) -> None:
        if self._given.has("-v"):
            self._io.out.line(f"'{node.place.text}' -> '{self._written(node)}'")

    def _written(self, node: Node) -> str:
        rest = node.place.path[len(self._transfer.source.path) :].lstrip("/")
        target = self._transfer.target.text
        return f"{target.rstrip('/')}/{rest}" if rest else target


def _why_missing(place: Place) -> str:
    try:
        handles.look(place.path)
    except OSError as error:
        return told(error)
    return "Not a directory" if place.folder_only else "it appeared only now"
