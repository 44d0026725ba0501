"""Patterns over names made of components: `*`, `?` and `[…]` within one component, `**` for any number of them.

Matches whole names, tells letters' cases apart and takes hidden names for names like any other. `dir/**` covers `dir`
itself. Works on the components alone and in time proportional to their product, whatever pattern and name are.
"""

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from glob import escape

_MANY = "**"
Part = Callable[[str], object]
"""Whether a component fits."""


class Pattern:
    """One compiled pattern.

    Args:
        parts: the components of the pattern.
    """

    def __init__(self, parts: Sequence[str]) -> None:
        self._parts: list[Part | None] = [None if part == _MANY else _compiled(part) for part in parts]

    def matches(self, parts: Sequence[str]) -> bool:
        """Whether the pattern covers the whole name.

        Args:
            parts: the components of the name.
        """
        here = name = 0
        resume: tuple[int, int] | None = None
        while name < len(parts):
            wanted = self._parts[here] if here < len(self._parts) else _nothing
            if wanted is None:
                here += 1
                resume = (here, name)
            elif wanted(parts[name]):
                here, name = here + 1, name + 1
            elif resume is not None:  # let the last `**` take one component more
                here, name = resume[0], resume[1] + 1
                resume = (here, name)
            else:
                return False
        return all(part is None for part in self._parts[here:])


def escaped(name: str) -> str:
    """Return the pattern that covers this name alone, whatever characters it has.

    Args:
        name: a path or a name; `*`, `?` and `[` in it lose their meaning.
    """
    return escape(name)


def _nothing(_part: str) -> bool:
    return False


def _compiled(part: str) -> Part:
    if not any(mark in part for mark in "*?["):
        return part.__eq__
    return re.compile(translate(part)).match
