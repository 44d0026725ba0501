"""What the modules of the arm have in common and needs no library: a failure in words, names, two measures."""

OPEN_M = 0.04
"""Of each finger when the gripper is open."""

FLOOR_M = -0.05
"""Lower than this a thing has fallen off the table."""


class MoveFailed(Exception):  # words for the goal's handle, not an error for people
    """A motion cannot be made or cannot go on; the text says why."""


def spoken(name: str) -> str:
    """Return a name as people say it."""
    return name.replace("_", " ")
