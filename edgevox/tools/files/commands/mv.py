"""`mv`: new names and new folders for files and trees, within one file system."""

import errno
import os
import stat
from collections.abc import Sequence

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run
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
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.tokens import Token
from edgevox.tools.files.writing import rename_to_new
from edgevox.tools.permissions import Operation

_GRAMMAR = Grammar(plain=COMMON, valued=VALUED, exclusive=EXCLUSIVE)
_ON_SOURCE = (Operation.READ, Operation.DELETE)
_OTHER_DISK = "it lies on another file system: copy it with cp, then remove it with rm"


def prepare_mv(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to move."""
    given = _GRAMMAR.read(tokens)
    planned = [_planned(gate, pair) for pair in transfers(gate, given, *_ON_SOURCE)]

    def run(io: Io) -> int:
        status = 0
        for transfer in planned:
            io.gate.tick()
            source, target = transfer.source, transfer.target
            try:
                _move(io, transfer)
            except OSError as error:
                why = _OTHER_DISK if error.errno == errno.EXDEV else told(error)
                io.out.complain(f"cannot move '{source.text}' to '{target.text}': {why}")
                status = 1
            else:
                if given.has("-v"):
                    io.out.line(f"renamed '{source.text}' -> '{target.text}'")
        return status

    return run


def _planned(gate: Gate, pair: Transfer) -> Transfer:
    transfer = with_trees(gate, pair, *_ON_SOURCE, deep=True)
    for operation in _ON_SOURCE:
        gate.demand_below(pair.source, operation, [node.place.path for node in transfer.nodes])
    if transfer.nodes:
        demand_targets(gate, transfer)
    return transfer


def _move(io: Io, transfer: Transfer) -> None:
    source, target = transfer.source, transfer.target
    handles.require_folders(source.passed)
    with handles.parent(source.path) as (from_folder, name):
        found = os.stat(name, dir_fd=from_folder, follow_symlinks=False)
        handles.require_plain(found)
        moves_folder = stat.S_ISDIR(found.st_mode)
        if (source.folder_only or target.folder_only) and not moves_folder:
            raise NotADirectoryError(20, "Not a directory")
        with handles.parent(target.path) as (to_folder, new):
            before = handles.look_if_any(target.path)
            if before is None and not moves_folder:
                rename_to_new(from_folder, name, to_folder, new)
                return
            if before is not None:
                _may_replace(io, transfer, before, moves_folder)
            os.rename(name, new, src_dir_fd=from_folder, dst_dir_fd=to_folder)


def _may_replace(io: Io, transfer: Transfer, before: os.stat_result, moves_folder: bool) -> None:
    handles.require_plain(before)
    if stat.S_ISDIR(before.st_mode) and not moves_folder:
        raise IsADirectoryError(21, "cannot overwrite a directory with a file")
    if not stat.S_ISDIR(before.st_mode):
        if moves_folder:
            raise NotADirectoryError(20, "cannot overwrite a file with a directory")
        io.gate.demand((Operation.READ, transfer.target), (Operation.DELETE, transfer.target))
