"""A clock whose hands a test turns."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Stands still until it is told to move.

    Args:
        start: seconds that `monotonic` begins with.
    """

    def __init__(self, start: float = 1000.0) -> None:
        self._start = start
        self._monotonic = start
        self._epoch = datetime(2030, 1, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        """Seconds, as far as the test has moved them."""
        return self._monotonic

    def now(self) -> datetime:
        """The time of day that belongs to `monotonic`."""
        return self._epoch + timedelta(seconds=self._monotonic - self._start)

    def advance(self, seconds: float) -> None:
        """Move the hands."""
        self._monotonic += seconds
