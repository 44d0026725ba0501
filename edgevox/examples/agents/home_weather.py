"""The home agent's look at the world outside: the clock of this machine, and the weather of the house's source."""

from datetime import datetime
from typing import Any

from edgevox.core.session import AgentContext
from edgevox.examples.agents.cities import City
from edgevox.examples.agents.home_words import clock
from edgevox.examples.agents.house import house_of
from edgevox.examples.agents.sayings import RESULT, SUMMARY, language_of
from edgevox.examples.agents.weather_sources import WeatherUnknown, home_city
from edgevox.examples.agents.weather_words import weather_said, which_city, why_not
from edgevox.tools import tool


@tool(
    phrases={
        "en": [
            "what is the weather [like] [in {city}] [today|now|outside]",
            "(how is|what about) the weather [in {city}] [today|now]",
            "[the] weather in {city}",
            "how (warm|cold|hot) is it (outside|in {city})",
            "what is it like outside [in {city}]",
            "what is the temperature (outside|in {city})",
            "(is it|will it be) (raining|snowing|sunny|warm|cold|hot|windy) (outside|in {city})",
            "(will|do) I need (an umbrella|a jacket|a coat) [today] [in {city}]",
        ],
        "de": [
            "wie (ist|wird) das Wetter [in {city}] [heute|gerade|draußen]",
            "wie (ist|wird) [heute|gerade] das Wetter [in {city}]",
            "[das] Wetter in {city}",
            "wie (warm|kalt|heiß) ist es (draußen|in {city})",
            "(regnet|schneit) es [gerade] (draußen|in {city})",
            "brauche ich [heute] [einen] (Regenschirm|Schirm)",
        ],
        "fr": [
            "quel temps fait-il [à {city}|au {city}|dehors] [aujourd'hui]",
            "il fait quel temps [à {city}|au {city}|dehors]",
            "[quelle est] la météo (à|au|de|pour) {city}",
            "quelle est la météo [aujourd'hui]",
            "(est-ce qu'il pleut|il pleut|pleut-il) (à {city}|dehors)",
            "il fait combien (à {city}|dehors)",
        ],
        "es": [
            "qué tiempo hace [en {city}] [hoy]",
            "cómo está el tiempo [en {city}] [hoy]",
            "el tiempo en {city}",
            "(llueve|hace frío|hace calor) en {city}",
            "qué temperatura hace (fuera|en {city})",
        ],
        "vi": [
            "thời tiết [ở|tại] {city} [thế nào|hôm nay|hôm nay thế nào]",
            "[hôm nay] thời tiết [hôm nay] [thế nào|ra sao]",
            "[ở] {city} (có mưa không|có lạnh không|bao nhiêu độ)",
        ],
    },
    says=SUMMARY,
    effect="read",
    timeout_s=10.0,
)
def get_weather(city: City = "", ctx: AgentContext | None = None) -> dict[str, Any]:
    """Look up the weather in a city, now.

    Args:
        city: the city name, e.g. "Paris"; empty for the person's own city
        ctx: of the run
    """
    language = language_of(ctx)
    wanted = city.strip() or home_city()
    if not wanted:
        return {"city": None, "summary": which_city(language)}
    try:
        weather = house_of(ctx).weather_source().look_up(wanted)
    except WeatherUnknown as error:
        raise ValueError(why_not(error, language)) from error
    return {
        "city": weather.city,
        "temp_c": weather.temp_c,
        "sky": weather.sky,
        "humidity_pct": weather.humidity_pct,
        "source": weather.source,
        "summary": weather_said(weather, language),
    }


@tool(
    phrases={
        "en": ["what time is it [now]", "what is the time", "(tell|give) me the time", "do you know what time it is",
               "what (day|date) is it [today]", "what is the date [today]", "what is today's date", "what day is today",
               "(tell|give) me the date"],
        "de": ["wie spät ist es [jetzt]", "wie viel Uhr (ist es|haben wir)", "(sag|sage) mir (die Uhrzeit|das Datum)",
               "welcher Tag ist heute", "welchen Tag haben wir [heute]", "welches Datum (haben wir|ist) [heute]",
               "der wievielte ist heute", "den wievielten haben wir [heute]", "was ist heute für ein Tag"],
        "fr": ["quelle heure est-il", "il est quelle heure", "(donne-moi|dis-moi) (l'heure|la date)", "tu as l'heure",
               "quel jour sommes-nous [aujourd'hui]", "on est quel jour [aujourd'hui]",
               "quelle est la date [aujourd'hui|d'aujourd'hui]"],
        "es": ["qué hora es", "(dime|dame) (la hora|la fecha)", "qué hora tienes", "qué día es [hoy]",
               "a qué día estamos", "qué fecha es [hoy]", "cuál es la fecha [de hoy]"],
        "vi": ["[bây giờ] [là] mấy giờ [rồi]", "hôm nay [là] (thứ mấy|ngày mấy|ngày bao nhiêu|ngày gì)"],
    },
    says=RESULT,
    effect="read",
)  # fmt: skip
def get_time(ctx: AgentContext | None = None) -> str:
    """Say the time of day and the date."""
    return clock(datetime.now().astimezone(), language_of(ctx))
