"""The demo house: lights, one thermostat, kitchen timers, and weather from a table.

Everything it holds is in one object that can be put back to the beginning. Knows nothing of tools and phrases.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.session import AgentContext

ROOMS = ("living_room", "kitchen", "bedroom", "office")

LONGEST_TIMER_MIN = 24 * 60
"""Minutes."""

DEMO_WEATHER: dict[str, tuple[float, str, int]] = {
    "Amsterdam": (11.0, "light rain", 84), "Athens": (22.0, "sunny", 48), "Bangkok": (32.0, "humid and cloudy", 74),
    "Barcelona": (18.0, "sunny", 60), "Beijing": (14.0, "hazy", 45), "Berlin": (9.0, "cloudy", 76),
    "Boston": (8.0, "windy", 62), "Buenos Aires": (21.0, "clear", 58), "Cairo": (27.0, "sunny", 30),
    "Chicago": (7.0, "windy", 65), "Da Nang": (28.0, "partly cloudy", 78), "Dublin": (10.0, "drizzle", 88),
    "Hanoi": (26.0, "overcast", 80), "Ho Chi Minh City": (31.0, "thunderstorms", 79), "Istanbul": (15.0, "cloudy", 70),
    "Lisbon": (17.0, "sunny", 66), "London": (10.0, "rainy", 82), "Los Angeles": (22.0, "sunny", 50),
    "Madrid": (16.0, "clear", 46), "Melbourne": (19.0, "changeable", 60), "Mexico City": (20.0, "mild", 52),
    "Montreal": (4.0, "snow showers", 72), "Moscow": (2.0, "snow", 80), "Munich": (8.0, "cloudy", 74),
    "Nairobi": (23.0, "sunny", 55), "New York": (9.0, "clear", 58), "Oslo": (3.0, "light snow", 78),
    "Paris": (12.0, "partly cloudy", 70), "Prague": (8.0, "cloudy", 73), "Rome": (17.0, "sunny", 61),
    "San Francisco": (15.0, "foggy", 77), "Seoul": (13.0, "clear", 50), "Singapore": (30.0, "humid", 83),
    "Stockholm": (5.0, "cloudy", 75), "Sydney": (23.0, "sunny", 57), "Tokyo": (16.0, "clear", 54),
    "Toronto": (6.0, "cloudy", 68), "Vienna": (10.0, "windy", 66), "Warsaw": (7.0, "cloudy", 77),
    "Zurich": (9.0, "foggy", 80),
}  # fmt: skip
"""City to degrees Celsius, sky and humidity in percent. Demo data: it never changes and nobody measured it."""


@dataclass(slots=True, eq=False)
class KitchenTimer:
    """One timer that runs down."""

    label: str
    minutes: float
    ends: float
    """Seconds on the monotonic clock."""
    clockwork: threading.Timer = field(repr=False)

    @property
    def title(self) -> str:
        """What to call it: its name, or how long it was set for."""
        return self.label or f"{self.minutes:g} minute"

    def is_called(self, name: str) -> bool:
        """Whether a name means this timer: its own, or how long it was set for."""
        wanted = name.casefold().removesuffix("s")
        return wanted in (self.label.casefold().removesuffix("s") or None, f"{self.minutes:g} minute")

    @property
    def left_s(self) -> int:
        """Whole seconds that are left."""
        return max(0, round(self.ends - time.monotonic()))


class House:
    """Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timers: list[KitchenTimer] = []
        self.lights: dict[str, bool] = dict.fromkeys(ROOMS, False)
        """Room to whether its light is on."""
        self.thermostat_c = 20.0

    def reset(self) -> None:
        """Turn the lights off, set 20 degrees and throw the timers away."""
        self.lights.update(dict.fromkeys(ROOMS, False))
        self.thermostat_c = 20.0
        for timer in self.timers():
            self.cancel(timer)

    def timers(self) -> list[KitchenTimer]:
        """The timers that run, the next to ring first."""
        with self._lock:
            return sorted(self._timers, key=lambda timer: timer.ends)

    def start_timer(self, minutes: float, label: str, on_end: Callable[[KitchenTimer], object]) -> KitchenTimer:
        """Start a timer; `on_end(timer)` is called on a thread of its own when it is over."""
        clockwork = threading.Timer(minutes * 60, lambda: self._ring(timer, on_end))
        clockwork.daemon = True
        timer = KitchenTimer(label, minutes, time.monotonic() + minutes * 60, clockwork)
        with self._lock:
            self._timers.append(timer)
        clockwork.start()
        return timer

    def cancel(self, timer: KitchenTimer) -> bool:
        """Take a timer away; returns whether it was still running."""
        timer.clockwork.cancel()
        return self._forget(timer)

    def close(self) -> None:
        """Throw the timers away. Closing twice is fine."""
        for timer in self.timers():
            self.cancel(timer)

    def _ring(self, timer: KitchenTimer, on_end: Callable[[KitchenTimer], object]) -> None:
        if self._forget(timer):
            on_end(timer)

    def _forget(self, timer: KitchenTimer) -> bool:
        with self._lock:
            if timer not in self._timers:
                return False
            self._timers.remove(timer)
            return True


HOUSE = House()
"""The house that the tools use where a run brings none of its own as `deps`."""


def house_of(ctx: AgentContext | None) -> House:
    """The house of a run."""
    return ctx.deps if ctx is not None and isinstance(ctx.deps, House) else HOUSE


def language_of(ctx: AgentContext | None) -> str:
    """The language of a run."""
    return ctx.language if ctx is not None else "en"


def demo_weather(city: str) -> dict[str, Any]:
    """Look a city up in the table.

    Raises:
        ValueError: the table does not have it.
    """
    wanted = " ".join(city.split()).casefold()
    for name, (temp_c, sky, humidity) in DEMO_WEATHER.items():
        if name.casefold() == wanted:
            return {"city": name, "temp_c": temp_c, "sky": sky, "humidity_pct": humidity, "source": "demo data"}
    raise ValueError(f"there is no demo weather for '{city}'; try London, Paris, Berlin, Tokyo, Hanoi or New York")
