"""The home agent's look at the world outside: the clock of this machine, and weather from the demo table."""

from datetime import datetime
from typing import Any

from edgevox.core.session import AgentContext
from edgevox.examples.agents.cities import City
from edgevox.examples.agents.home_words import clock
from edgevox.examples.agents.house import demo_weather, language_of
from edgevox.tools import tool


@tool(
    phrases={
        "en": [
            "what is the weather [like] in {city} [today|now]",
            "(how is|what about) the weather in {city}",
            "[the] weather in {city}",
            "how (warm|cold|hot) is it in {city}",
        ],
        "de": ["wie ist das Wetter in {city}", "Wetter in {city}", "wie (warm|kalt) ist es in {city}"],
        "fr": ["quel temps fait-il (à|au) {city}", "la météo (à|au|de) {city}"],
        "es": ["qué tiempo hace en {city}", "cómo está el tiempo en {city}", "el tiempo en {city}"],
        "vi": ["thời tiết [ở] {city} [thế nào|hôm nay]", "thời tiết [ở] {city} hôm nay thế nào"],
    },
    says={
        "en": "In {city} it is {result.temp_c} degrees and {result.sky}, in the demo data.",
        "de": "In {city} sind es {result.temp_c} Grad, laut Demodaten.",
        "fr": "À {city} il fait {result.temp_c} degrés, selon les données de démonstration.",
        "es": "En {city} hay {result.temp_c} grados, según los datos de demostración.",
        "vi": "Ở {city} đang là {result.temp_c} độ, theo dữ liệu mẫu.",
    },
    effect="read",
)
def get_weather(city: City) -> dict[str, Any]:
    """Look up the weather in a city. Demo data, not a forecast.

    Args:
        city: the city name, e.g. "Paris"
    """
    return demo_weather(city)


@tool(
    phrases={
        "en": [
            "what time is it",
            "what is the time",
            "tell me the time",
            "what (day|date) is it [today]",
            "what is the date",
        ],
        "de": ["wie spät ist es", "wie viel Uhr ist es", "welcher Tag ist heute", "welches Datum haben wir [heute]"],
        "fr": ["quelle heure est-il", "quel jour sommes-nous", "il est quelle heure"],
        "es": ["qué hora es", "qué día es [hoy]"],
        "vi": ["mấy giờ rồi", "bây giờ là mấy giờ", "hôm nay là (thứ mấy|ngày mấy|ngày bao nhiêu)"],
    },
    effect="read",
)
def get_time(ctx: AgentContext | None = None) -> str:
    """Say the time of day and the date."""
    return clock(datetime.now().astimezone(), language_of(ctx))
