"""Folders that a new file needs: which are missing, leave for each, and making them."""

import os

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.places import Place
from edgevox.tools.permissions import Operation


def missing_above(gate: Gate, place: Place) -> list[Place]:
    """Return the folders above a place that are not there, the uppermost first, with leave to make each.

    Args:
        gate: of the command.
        place: may be made itself.

    Raises:
        Denied: leave is lacking.
        Trouble: a folder on the way is a link.
    """
    steps: list[Place] = []
    text, path = place.text.rstrip("/"), place.path.rpartition("/")[0]
    while path and not _found(place, path):
        text = text.rpartition("/")[0] or path
        steps.append(Place(text, path))
        path = path.rpartition("/")[0]
    gate.demand(*((Operation.CREATE, Place(place.text, step.path)) for step in steps))
    return steps[::-1]


def make_folder(path: str) -> bool:
    """Make one folder; False when it is there already.

    Raises:
        OSError: it cannot be made, or something else has its name.
    """
    try:
        with handles.parent(path) as (folder, name):
            os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        if not handles.is_folder(handles.look(path)):
            raise
        return False
    return True


def _found(place: Place, path: str) -> bool:
    try:
        return handles.look_if_any(path) is not None
    except OSError as error:
        raise Trouble(f"{quoted(place.text)}: {told(error)}") from error
