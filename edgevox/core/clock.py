"""Time, as a port: the one place where the product reads a clock, so that tests can turn the hands."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What timing logic may ask. `edgevox.testing.FakeClock` is the other implementation."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    def now(self) -> datetime:
        """The time of day in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Seconds since an arbitrary start."""
        return time.monotonic()

    def now(self) -> datetime:
        """The time of day in UTC."""
        return utc_now()


def utc_now() -> datetime:
    """Return the time of day in UTC, with its zone."""
    return datetime.now(UTC)


SYSTEM_CLOCK = SystemClock()
