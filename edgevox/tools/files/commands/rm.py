"""`rm`: files and trees that go for good."""

import errno
import os
from collections.abc import Sequence

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.places import Place, is_within
from edgevox.tools.files.tokens import Token
from edgevox.tools.files.trees import Node, everything, node_at
from edgevox.tools.permissions import Operation

_GRAMMAR = Grammar(plain=("-r/-R", "-f"))


def prepare_rm(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to remove."""
    given = _GRAMMAR.read(tokens)
    deep, quiet = given.has("-r"), given.has("-f")
    places = doomed(gate, given.operands)
    if not places and not quiet:
        raise Trouble("name what is to be removed")
    plans = [(place, planned(gate, place, deep=deep)) for place in places]

    def run(io: Io) -> int:
        status = 0
        for place, nodes in plans:
            try:
                _remove(io, place, nodes, deep=deep)
            except OSError as error:
                if quiet and isinstance(error, FileNotFoundError | NotADirectoryError):
                    continue
                io.out.complain(f"cannot remove '{place.text}': {told(error)}")
                status = 1
        return status

    return run


def doomed(gate: Gate, tokens: Sequence[Token]) -> list[Place]:
    """Return what is to go, with leave for each; links themselves may go, folders above others may not.

    Raises:
        Denied: leave is lacking.
        Trouble: `.`, `..`, the base or a folder above it.
    """
    places = sources(gate, tokens, Operation.DELETE, links=True)
    for place in places:
        if place.text.rstrip("/").rpartition("/")[2] in (".", "..") or is_within(gate.base, place.path):
            raise Trouble(f"{quoted(place.text)} may not go: it is, or holds, the folder that everything here is in")
    return places


def planned(gate: Gate, place: Place, *, deep: bool) -> list[Node]:
    """Return what goes with a place, with leave for all of it; nothing when it is not there.

    Raises:
        Denied: leave is lacking for something below.
        Trouble: a folder on the way is a link.
    """
    try:
        handles.require_folders(place.passed)
        root = node_at(place)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Trouble(f"{quoted(place.text)}: {told(error)}") from error
    nodes = everything(gate, root, Operation.DELETE) if deep else [root]
    gate.demand_below(place, Operation.DELETE, [node.place.path for node in nodes])
    return nodes


def require_there(place: Place, nodes: Sequence[Node]) -> None:
    """Say why nothing was planned for a place.

    Raises:
        OSError: nothing was.
    """
    if nodes:
        return
    handles.require_folders(place.passed)
    handles.look(place.path)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOTDIR if place.folder_only else errno.ENOENT))


def _remove(io: Io, place: Place, nodes: Sequence[Node], *, deep: bool) -> None:
    require_there(place, nodes)
    if nodes[0].is_folder and not deep:
        raise IsADirectoryError(21, os.strerror(21))
    for node in reversed(nodes):
        io.gate.tick()
        with handles.parent(node.place.path) as (folder, name):
            if node.is_folder:
                os.rmdir(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)
