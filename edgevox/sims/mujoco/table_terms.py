"""What the modules of the arm have in common and needs no library: a failure in words, names, two measures."""

from collections.abc import Mapping
from typing import Any

OPEN_M = 0.04
"""Of each finger when the gripper is open."""

FLOOR_M = -0.05
"""Lower than this a thing has fallen off the table."""


class MoveFailed(Exception):  # words for the goal's handle, not an error for people
    """A motion cannot be made or cannot go on; the text says why."""


def spoken(name: str) -> str:
    """Return a name as people say it."""
    return name.replace("_", " ")


def which(known: Mapping[str, Any], said: object, what: str) -> tuple[str | None, str]:
    """Return the name that is meant, or `None` and why there is none; `cube` will do where there is one cube.

    Args:
        known: everything, by name.
        said: what it was called; `The red cube` is `red_cube`.
        what: kind of the thing, for the sentence.
    """
    words = str(said).casefold().replace("_", " ").split()
    words = words[1:] if words[:1] == ["the"] else words
    wanted = "_".join(words)
    if wanted in known:
        return wanted, ""
    near = [name for name in known if words and set(words) <= set(name.split("_"))]
    if len(near) == 1:
        return near[0], ""
    if near:
        return None, f"which one, {' or '.join(spoken(name) for name in near)}?"
    return None, f"there is no {what} '{said}'; there are {', '.join(known)}"
