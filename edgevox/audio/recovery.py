"""What can become of a device, when it counts as lost, and when to try it again.

Timing without a clock: every question carries its time.
"""

from collections.abc import Callable
from enum import StrEnum

SILENT_AFTER_S = 2.0
"""A device that brought nothing for so long is lost, seconds."""
RETRY_S = (0.5, 1.0, 2.0, 4.0, 5.0)
"""Pauses between attempts to get it back; the last one repeats, seconds."""


class DeviceState(StrEnum):
    """What has become of a device."""

    CLOSED = "closed"
    OPEN = "open"
    LOST = "lost"
    """It was open and brings nothing any more; it comes back by itself when it can."""


StateHook = Callable[[DeviceState, str], object]
"""Takes the new state and one sentence about it."""


class Recovery:
    """The attempts to get a lost device back."""

    def __init__(self) -> None:
        self._attempts = 0
        self._next_at = 0.0

    def lost(self, now: float) -> None:
        """Begin anew: the device was lost just now."""
        self._attempts = 0
        self._next_at = now + RETRY_S[0]

    def due(self, now: float) -> bool:
        """Whether it is time for an attempt."""
        return now >= self._next_at

    def failed(self, now: float) -> None:
        """Note that an attempt brought nothing."""
        self._attempts = min(self._attempts + 1, len(RETRY_S) - 1)
        self._next_at = now + RETRY_S[self._attempts]
