"""The worlds an assistant's agents act in: opened before they are used, reached by every stop, closed at the end.

A world stays when another agent takes over: what moves in it can still be stopped, what runs in it (a timer) goes on.
Knows what can be opened, halted and closed; not what a world is.
"""

from collections.abc import Callable
from typing import Any

from edgevox.core.ports import MotionSource
from edgevox.safety import StopChain


class Worlds:
    """Every world of one assistant.

    Args:
        chain: the stop that reaches them.
    """

    def __init__(self, chain: StopChain) -> None:
        self._chain = chain
        self._known: list[Any] = []

    def admit(self, world: Any) -> None:
        """Open a world and add it.

        Raises:
            EdgeVoxError: it cannot be opened; then it is not added.
        """
        open_world(world)
        self.add(world)

    def add(self, world: Any) -> None:
        """Add a world that is open; one that is known already, and `None`, change nothing."""
        if world is None or any(known is world for known in self._known):
            return
        self._known.append(world)
        if isinstance(world, MotionSource):
            self._chain.add_motion(world)

    def close(self, close: Callable[[Any], object]) -> None:
        """Close every world with `close`."""
        for world in self._known:
            close(world)


def open_world(world: Any) -> None:
    """Open a world that has to be opened.

    Raises:
        EdgeVoxError: a library or a device is missing; one sentence says which and what to do.
    """
    opened = getattr(world, "open", None)
    if callable(opened):
        opened()
