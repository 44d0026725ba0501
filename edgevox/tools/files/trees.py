"""Walks folders for commands that go deep. What is done with an entry it leaves to them."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Denied, Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.places import Place
from edgevox.tools.permissions import ActionVerdict, Operation

MAX_ENTRIES = 100_000
"""Entries that one command may look at."""
MAX_DEPTH = 200
"""Folders within each other."""


@dataclass(frozen=True, slots=True)
class Node:
    """One entry of a tree."""

    place: Place
    found: os.stat_result
    """What it is; the link itself if it is one."""
    depth: int
    """0 for where the walk began."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.found.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, be it plain or not."""
        return stat.S_ISREG(self.found.st_mode)


Enter = Callable[[Node], bool]
"""Whether a folder is entered."""
Complain = Callable[[Place, OSError], object]


def node_at(place: Place) -> Node:
    """Return what lies at a place.

    Raises:
        OSError: nothing does, or it cannot be reached.
    """
    handles.require_folders(place.passed)
    found = handles.look(place.path)
    if place.folder_only and not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(20, "Not a directory")
    return Node(place, found, 0)


def walk(gate: Gate, root: Node, enter: Enter, complain: Complain | None = None) -> Iterator[Node]:
    """Return an entry and everything below it, folders before what they hold, in the order of the names' bytes.

    Args:
        gate: of the command.
        root: where to begin.
        enter: asked about each folder, the first one included, after it was returned.
        complain: told of folders that cannot be read; the whole command ends when not given.

    Raises:
        Trouble: there is too much of it.
    """
    looked = 0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        gate.tick()
        looked += 1
        if looked > MAX_ENTRIES or node.depth > MAX_DEPTH:
            raise Trouble(f"there is too much below {quoted(root.place.text)}: {MAX_ENTRIES:,} entries are the most")
        yield node
        if node.is_folder and enter(node):
            waiting.extend(reversed(_children(node, complain)))


def everything(gate: Gate, root: Node, *operations: Operation) -> list[Node]:
    """Return an entry and everything below it; folders that may not be touched are never opened.

    Args:
        gate: of the command.
        root: where to begin.
        operations: what is to be done to all of it.

    Raises:
        Denied: one of them is denied for a folder of the tree; the refusal names the root alone.
        Trouble: there is too much of it, or a folder cannot be read.
    """

    def enter(node: Node) -> bool:
        for operation in operations:
            if gate.verdict(operation, node.place.path) is ActionVerdict.deny:
                raise Denied(operation, root.place.text)
        return True

    return list(walk(gate, root, enter))


def _children(node: Node, complain: Complain | None) -> list[Node]:
    try:
        entries = handles.entries_in(node.place.path)
    except OSError as error:
        if complain is None:
            raise Trouble(f"{quoted(node.place.text)}: {told(error)}") from error
        complain(node.place, error)
        return []
    return [Node(node.place.below(name), found, node.depth + 1) for name, found in entries]
