"""Where the home agent's weather comes from: a demo table, or a service that a person names in the settings.

Knows places, temperatures and skies. Reaches a network only through a source that was asked for by name.
"""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from edgevox.core.errors import EdgeVoxError

DEMO = "demo"
OPEN_METEO = "open-meteo"

TIMEOUT_S = 4.0
"""Of one request to a weather service, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """The weather of a place, now."""

    city: str
    """As the source calls it."""
    temp_c: float
    sky: str
    """A key of `edgevox.examples.agents.weather_words`, such as `light rain`; other words are said as they are."""
    humidity_pct: int | None = None
    source: str
    """Who says so, for the reply."""


Reason = Literal["unknown_city", "offline", "broken"]


class WeatherUnknown(EdgeVoxError):
    """A source has no weather for a place, or cannot be reached.

    Args:
        reason: `unknown_city`, `offline` or `broken`; the reply is in the person's language.
        city: what was looked for.
        source: who was asked.
    """

    code = "weather_unknown"

    def __init__(self, reason: Reason, *, city: str, source: str) -> None:
        super().__init__(f"{source} has no weather for {city} ({reason}).")
        self.reason: Reason = reason
        self.city, self.source = city, source


class WeatherSource(Protocol):
    """Whoever can say what the weather is. Put one into `House.weather`."""

    def look_up(self, city: str) -> Weather:
        """Return the weather of a city, within a few seconds.

        Raises:
            WeatherUnknown: there is none to be had.
        """
        ...


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


class DemoWeather:
    """The table, which needs nothing and says that it is one."""

    def look_up(self, city: str) -> Weather:
        """Find a city in the table.

        Raises:
            WeatherUnknown: the table does not have it.
        """
        wanted = " ".join(city.split()).casefold()
        for name, (temp_c, sky, humidity) in DEMO_WEATHER.items():
            if name.casefold() == wanted:
                return Weather(city=name, temp_c=temp_c, sky=sky, humidity_pct=humidity, source="demo data")
        raise WeatherUnknown("unknown_city", city=city, source="demo data")


_WMO = {
    0: "clear", 1: "clear", 2: "partly cloudy", 3: "overcast", 45: "foggy", 48: "foggy", 51: "drizzle", 53: "drizzle",
    55: "drizzle", 56: "freezing rain", 57: "freezing rain", 61: "light rain", 63: "rainy", 65: "heavy rain",
    66: "freezing rain", 67: "freezing rain", 71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow",
    80: "showers", 81: "showers", 82: "heavy rain", 85: "snow showers", 86: "snow showers", 95: "thunderstorms",
    96: "thunderstorms", 99: "thunderstorms",
}  # fmt: skip
"""WMO weather interpretation codes, as Open-Meteo documents them, to skies."""


class OpenMeteo:
    """The weather of open-meteo.com, which needs a network and no key.

    Args:
        forecast_url: where the weather is asked for.
        places_url: where a city's place is asked for.
        timeout_s: of each of the two requests, seconds.
    """

    NAME = "Open-Meteo"

    def __init__(
        self,
        forecast_url: str = "https://api.open-meteo.com/v1/forecast",
        places_url: str = "https://geocoding-api.open-meteo.com/v1/search",
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._forecast_url, self._places_url, self._timeout_s = forecast_url, places_url, timeout_s

    def look_up(self, city: str) -> Weather:
        """Ask the service.

        Raises:
            WeatherUnknown: it does not know the city, cannot be reached, or answers something else than weather.
        """
        try:
            found = self._asked(self._places_url, {"name": city, "count": 1, "format": "json"}, city)
            place = next(iter(found.get("results") or []), None)
            if place is None:
                raise WeatherUnknown("unknown_city", city=city, source=self.NAME)
            where = {"latitude": place["latitude"], "longitude": place["longitude"]}
            fields = "temperature_2m,relative_humidity_2m,weather_code"
            now = self._asked(self._forecast_url, where | {"current": fields}, city)["current"]
            return Weather(
                city=str(place["name"]),
                temp_c=float(now["temperature_2m"]),
                sky=_WMO.get(int(now["weather_code"]), "changeable"),
                humidity_pct=round(float(now["relative_humidity_2m"])),
                source=self.NAME,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WeatherUnknown("broken", city=city, source=self.NAME) from error

    def _asked(self, url: str, query: dict[str, Any], city: str) -> dict[str, Any]:
        import httpx

        try:
            answer = httpx.get(url, params=query, timeout=self._timeout_s)
            answer.raise_for_status()
        except httpx.HTTPStatusError as error:
            raise WeatherUnknown("broken", city=city, source=self.NAME) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise WeatherUnknown("offline", city=city, source=self.NAME) from error
        return answer.json()


def source_of_settings() -> WeatherSource:
    """Return the source that the settings name: `house.weather`."""
    from edgevox.config.settings import load_settings_or_defaults

    settings, _ = load_settings_or_defaults()
    return OpenMeteo() if settings.house.weather == OPEN_METEO else DemoWeather()


def home_city() -> str:
    """Return the city that is meant when none is named: `house.city` of the settings; empty when it is not set."""
    from edgevox.config.settings import load_settings_or_defaults

    settings, _ = load_settings_or_defaults()
    return settings.house.city or ""
