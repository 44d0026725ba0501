"""The demo house: lights, one thermostat, doors, an alarm, kitchen timers, and where it gets its weather.

Everything it holds is in one object that can be put back to the beginning. Knows nothing of tools and phrases.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from edgevox.core.session import AgentContext
from edgevox.examples.agents.weather_sources import WeatherSource, source_of_settings

ROOMS: tuple[str, ...] = ("living_room", "kitchen", "bedroom", "office")

DOORS: tuple[str, ...] = ("front_door", "back_door")

COLDEST_C, WARMEST_C = 10.0, 30.0
"""What the thermostat can be set to, degrees Celsius."""
USUAL_C = 20.0

LONGEST_TIMER_MIN = 24 * 60
"""Minutes."""
MOST_TIMERS = 50


@dataclass(slots=True, eq=False)
class KitchenTimer:
    """One timer that runs down."""

    label: str
    minutes: float
    ends: float
    """Seconds on the monotonic clock."""
    clockwork: threading.Timer = field(repr=False)

    def is_called(self, name: str) -> bool:
        """Whether a name means this timer, however a plural or capitals are written."""
        return self.label.casefold().removesuffix("s") == name.casefold().strip().removesuffix("s")

    def runs_for(self, minutes: float) -> bool:
        """Whether it was set for that long, minutes."""
        return abs(self.minutes - minutes) < 1 / 120

    @property
    def left_s(self) -> int:
        """Whole seconds that are left."""
        return max(0, round(self.ends - time.monotonic()))


class House:
    """Safe from any thread.

    Args:
        weather: where it gets its weather; `None` is the one that the settings name, the demo table by default.
    """

    def __init__(self, weather: WeatherSource | None = None) -> None:
        self._lock = threading.Lock()
        self._timers: list[KitchenTimer] = []
        self.weather = weather
        """Where it gets its weather; `None` is the one that the settings name. Put your own here."""
        self.lights: dict[str, bool] = dict.fromkeys(ROOMS, False)
        """Room to whether its light is on."""
        self.thermostat_c = USUAL_C
        self.doors: dict[str, bool] = dict.fromkeys(DOORS, False)
        """Door to whether it is open."""
        self.alarm_on = False

    def reset(self) -> None:
        """Turn lights and alarm off, shut the doors, set 20 degrees and throw the timers away."""
        self.lights.update(dict.fromkeys(ROOMS, False))
        self.thermostat_c = USUAL_C
        self.doors.update(dict.fromkeys(DOORS, False))
        self.alarm_on = False
        self.close()

    def open_doors(self) -> list[str]:
        """The doors that are open."""
        return [door for door, is_open in self.doors.items() if is_open]

    def weather_source(self) -> WeatherSource:
        """Where it gets its weather now."""
        return self.weather if self.weather is not None else source_of_settings()

    def timers(self) -> list[KitchenTimer]:
        """The timers that run, the next to ring first."""
        with self._lock:
            return sorted(self._timers, key=lambda timer: timer.ends)

    def start_timer(self, minutes: float, label: str, on_end: Callable[[KitchenTimer], object]) -> KitchenTimer | None:
        """Start a timer; `on_end(timer)` is called on a thread of its own when it is over.

        Returns:
            The timer; `None` when as many run as the house can hold.
        """
        clockwork = threading.Timer(minutes * 60, lambda: self._ring(timer, on_end))
        clockwork.daemon = True
        timer = KitchenTimer(label, minutes, time.monotonic() + minutes * 60, clockwork)
        with self._lock:
            if len(self._timers) >= MOST_TIMERS:
                return None
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
