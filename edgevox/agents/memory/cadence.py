"""`Cadence`: how often somebody looks after a memory, and when that is over."""

from collections.abc import Callable

from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock

INTERVAL_S = 120.0
POLL_S = 1.0


class Cadence:
    """Waits between two looks, and says when there is nothing left to look after.

    It is over only after two looks in a row without any conversation going on: the first may have come a moment too
    early to see the end of the last one.

    Args:
        is_active: says whether a conversation is going on.
        interval_s: seconds between two looks.
        poll_s: seconds between two glances at whether a conversation has ended, which ends the wait.
        clock: where time comes from.
        pause: waits so many seconds or until the scope ends; by default it does just that.
    """

    def __init__(
        self,
        is_active: Callable[[], bool],
        *,
        interval_s: float = INTERVAL_S,
        poll_s: float = POLL_S,
        clock: Clock = SYSTEM_CLOCK,
        pause: Callable[[CancelScope, float], object] = CancelScope.wait,
    ) -> None:
        self._is_active = is_active
        self._interval_s = interval_s
        self._poll_s = poll_s
        self._clock = clock
        self._pause = pause
        self._inactive = 0

    def goes_on(self, scope: CancelScope) -> bool:
        """Wait for the next look; False when there is none.

        Raises:
            Cancelled: the scope ended.
        """
        scope.check()
        if not self._is_active():
            self._inactive += 1
            return self._inactive < 2
        self._inactive = 0
        until = self._clock.monotonic() + self._interval_s
        while self._clock.monotonic() < until and self._is_active():
            self._pause(scope, self._poll_s)
            scope.check()
        return True
