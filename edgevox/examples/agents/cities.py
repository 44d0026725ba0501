"""Cities, how other languages call them, and the time zones of those whose name is no zone."""

from collections.abc import Mapping
from typing import Annotated

from edgevox.examples.agents.weather_sources import DEMO_WEATHER
from edgevox.intents import Spoken
from edgevox.intents.lexicons import base_language

NAMES: Mapping[str, Mapping[str, str]] = {
    "de": {
        "Athens": "Athen", "Beijing": "Peking", "Brussels": "Brüssel", "Cairo": "Kairo", "Hong Kong": "Hongkong",
        "Lisbon": "Lissabon", "Mexico City": "Mexiko-Stadt", "Moscow": "Moskau", "Munich": "München", "Prague": "Prag",
        "Rome": "Rom", "Singapore": "Singapur", "Tokyo": "Tokio", "Vienna": "Wien", "Warsaw": "Warschau",
        "Zurich": "Zürich", "Delhi": "Delhi", "Mumbai": "Mumbai",
    },
    "fr": {
        "Athens": "Athènes", "Barcelona": "Barcelone", "Beijing": "Pékin", "Brussels": "Bruxelles",
        "Cairo": "Le Caire", "Dubai": "Dubaï", "Lisbon": "Lisbonne", "London": "Londres", "Mexico City": "Mexico",
        "Montreal": "Montréal", "Moscow": "Moscou", "Munich": "Munich", "Seoul": "Séoul", "Singapore": "Singapour",
        "Vienna": "Vienne", "Warsaw": "Varsovie",
    },
    "es": {
        "Athens": "Atenas", "Beijing": "Pekín", "Berlin": "Berlín", "Brussels": "Bruselas", "Cairo": "El Cairo",
        "Dubai": "Dubái", "Dublin": "Dublín", "Istanbul": "Estambul", "Lisbon": "Lisboa", "London": "Londres",
        "Mexico City": "Ciudad de México", "Moscow": "Moscú", "New York": "Nueva York", "Paris": "París",
        "Prague": "Praga", "Rome": "Roma", "Seoul": "Seúl", "Singapore": "Singapur", "Stockholm": "Estocolmo",
        "Sydney": "Sídney", "Tokyo": "Tokio", "Vienna": "Viena", "Warsaw": "Varsovia", "Zurich": "Zúrich",
    },
    "vi": {
        "Bangkok": "Băng Cốc", "Beijing": "Bắc Kinh", "Da Nang": "Đà Nẵng", "Hanoi": "Hà Nội",
        "Ho Chi Minh City": "thành phố Hồ Chí Minh", "London": "Luân Đôn", "Moscow": "Mát-xcơ-va", "Paris": "Pa-ri",
    },
}  # fmt: skip
"""Language to English name to the name there, where the two differ."""

AT = {
    "Cairo": "au Caire",
    "Mexico City": "à Mexico",
}
"""French puts article and preposition together."""

ALIASES = {
    "en": {"New York": "New York City", "Ho Chi Minh City": "Saigon", "Los Angeles": "LA", "Mumbai": "Bombay"},
    "vi": {"Ho Chi Minh City": "Sài Gòn", "Paris": "Paris", "London": "London"},
}
"""Other names that are understood, never said."""

ZONES = {
    "Barcelona": "Europe/Madrid", "Beijing": "Asia/Shanghai", "Boston": "America/New_York", "Da Nang":
    "Asia/Ho_Chi_Minh", "Delhi": "Asia/Kolkata", "Hanoi": "Asia/Ho_Chi_Minh", "Ho Chi Minh City": "Asia/Ho_Chi_Minh",
    "Hong Kong": "Asia/Hong_Kong", "Miami": "America/New_York", "Montreal": "America/Toronto", "Mumbai":
    "Asia/Kolkata", "Munich": "Europe/Berlin", "Rio de Janeiro": "America/Sao_Paulo", "San Francisco":
    "America/Los_Angeles", "Seattle": "America/Los_Angeles", "Washington": "America/New_York", "Geneva":
    "Europe/Zurich", "Hamburg": "Europe/Berlin", "Milan": "Europe/Rome", "Frankfurt": "Europe/Berlin",
    "Mexico City": "America/Mexico_City", "New York": "America/New_York", "Los Angeles": "America/Los_Angeles",
    "Buenos Aires": "America/Argentina/Buenos_Aires", "UTC": "UTC",
}  # fmt: skip
"""Cities whose name alone is no time zone."""

_ZONE_CITIES = (
    "Amsterdam", "Athens", "Auckland", "Bangkok", "Berlin", "Bogota", "Brisbane", "Brussels", "Cairo", "Chicago",
    "Denver", "Dubai", "Dublin", "Helsinki", "Istanbul", "Jakarta", "Johannesburg", "Karachi", "Lagos", "Lima",
    "Lisbon", "London", "Madrid", "Manila", "Melbourne", "Moscow", "Nairobi", "Oslo", "Paris", "Prague", "Rome",
    "Santiago", "Sao Paulo", "Seoul", "Shanghai", "Singapore", "Stockholm", "Sydney", "Taipei", "Tokyo", "Toronto",
    "Vancouver", "Vienna", "Warsaw", "Zurich",
)  # fmt: skip

CITIES = (*_ZONE_CITIES, *ZONES)
"""Cities whose time is understood when it is spoken of; a model may ask for any zone there is."""


def _spoken(cities: tuple[str, ...]) -> Spoken:
    """Say cities in English, and as each language calls them."""
    de, en, es, fr, vi = (_own(cities, language) for language in ("de", "en", "es", "fr", "vi"))
    return Spoken(list(cities), de=de, en=en, es=es, fr=fr, vi=vi)


def _own(cities: tuple[str, ...], language: str) -> dict[str, list[str]]:
    """City to the names that only one language has; other names come last, for the first one is for replies."""
    names, others = NAMES.get(language, {}), ALIASES.get(language, {})
    known = {city: [names.get(city, city), *filter(None, [others.get(city)])] for city in cities}
    return {city: ways for city, ways in known.items() if ways != [city]}


City = Annotated[str, _spoken(tuple(DEMO_WEATHER))]
"""A city with weather: any text for a model, the demo table's names for ears."""

ZoneCity = Annotated[str, _spoken(CITIES)]
"""A city with a time."""


def city_said(city: str, language: str) -> str:
    """Say a city in a language."""
    return NAMES.get(base_language(language), {}).get(city, city)


def in_city(city: str, language: str) -> str:
    """Say *in* a city."""
    base = base_language(language)
    said = city_said(city, language)
    if base == "fr":
        return AT.get(city, f"à {said}")
    return f"{_IN.get(base, 'in')} {said}"


_IN = {"en": "in", "de": "in", "es": "en", "vi": "ở"}
