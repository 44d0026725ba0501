"""How the weather is said: skies in each language, and what is missing when there is none."""

from collections.abc import Mapping

from edgevox.examples.agents.cities import in_city
from edgevox.examples.agents.sayings import Sayings, capital
from edgevox.examples.agents.weather_sources import Weather, WeatherUnknown
from edgevox.intents.lexicons import base_language

_SKIES: Mapping[str, tuple[str, str, str, str]] = {
    "clear": ("klar", "le ciel est dégagé", "despejado", "trời quang"),
    "sunny": ("sonnig", "il y a du soleil", "soleado", "trời nắng"),
    "partly cloudy": ("teils bewölkt", "c'est partiellement nuageux", "parcialmente nublado", "trời ít mây"),
    "cloudy": ("bewölkt", "c'est nuageux", "nublado", "trời nhiều mây"),
    "overcast": ("bedeckt", "le ciel est couvert", "cubierto", "trời âm u"),
    "foggy": ("neblig", "il y a du brouillard", "con niebla", "có sương mù"),
    "hazy": ("diesig", "c'est brumeux", "con bruma", "trời mù"),
    "drizzle": ("mit Nieselregen", "il bruine", "con llovizna", "có mưa phùn"),
    "light rain": ("leicht regnerisch", "il pleut un peu", "con lluvia ligera", "có mưa nhỏ"),
    "rainy": ("regnerisch", "il pleut", "lluvioso", "có mưa"),
    "heavy rain": ("mit starkem Regen", "il pleut fort", "con lluvia fuerte", "có mưa to"),
    "freezing rain": ("mit gefrierendem Regen", "il y a de la pluie verglaçante", "con lluvia helada", "có mưa băng"),
    "showers": ("mit Schauern", "il y a des averses", "con chubascos", "có mưa rào"),
    "light snow": ("mit leichtem Schneefall", "il neige un peu", "con nieve ligera", "có tuyết nhẹ"),
    "snow": ("mit Schneefall", "il neige", "con nieve", "có tuyết"),
    "heavy snow": ("mit starkem Schneefall", "il neige fort", "con nieve intensa", "có tuyết dày"),
    "snow showers": ("mit Schneeschauern", "il y a des averses de neige", "con chubascos de nieve", "có mưa tuyết"),
    "thunderstorms": ("gewittrig", "il y a des orages", "con tormentas", "có giông"),
    "windy": ("windig", "il y a du vent", "ventoso", "trời có gió"),
    "humid": ("schwül", "c'est humide", "húmedo", "trời ẩm"),
    "humid and cloudy": ("schwül und bewölkt", "c'est humide et nuageux", "húmedo y nublado", "trời ẩm và nhiều mây"),
    "mild": ("mild", "il fait doux", "templado", "trời dịu"),
    "changeable": ("wechselhaft", "le temps est variable", "variable", "trời hay thay đổi"),
}  # fmt: skip
"""Sky to how German, French, Spanish and Vietnamese say it."""

_ORDER = ("de", "fr", "es", "vi")

_ENGLISH = {
    "drizzle": "drizzling", "light rain": "raining lightly", "heavy rain": "raining heavily", "snow": "snowing",
    "light snow": "snowing lightly", "heavy snow": "snowing heavily", "snow showers": "snowing now and then",
    "thunderstorms": "stormy", "showers": "raining now and then", "freezing rain": "raining ice",
}  # fmt: skip
"""What stands after *it is*, where that is not the sky's own name."""

_SAYINGS = Sayings(
    en={
        "now": "{place} it is {temp} degrees and {sky}{source}.",
        "demo": ", in the demo data",
        "by": ", says {source}",
        "no_city": "Which city? Say for example: the weather in Paris. Your own city is the setting house.city.",
        "unknown_city": "there is no weather for {city} from {source}",
        "unknown_demo": "there is no demo weather for {city}; try London, Paris, Berlin, Tokyo, Hanoi or New York",
        "offline": "{source} cannot be reached; check the network, or set house.weather to demo",
        "broken": "{source} gave no weather for {city}; try again later",
    },
    de={
        "now": "{place} sind es {temp} Grad, {sky}{source}.",
        "demo": ", laut Demodaten",
        "by": ", sagt {source}",
        "no_city": "In welcher Stadt? Sag etwa: das Wetter in Paris. Deine Stadt ist die Einstellung house.city.",
        "unknown_city": "{source} kennt kein Wetter für {city}",
        "unknown_demo": "für {city} gibt es kein Demowetter; versuch London, Paris, Berlin, Tokio, Hanoi oder New York",
        "offline": "{source} ist nicht erreichbar; prüfe das Netz oder stelle house.weather auf demo",
        "broken": "{source} hat kein Wetter für {city} geliefert; versuch es später noch einmal",
    },
    fr={
        "now": "{place} il fait {temp} degrés et {sky}{source}.",
        "demo": ", selon les données de démonstration",
        "by": ", d'après {source}",
        "no_city": "Dans quelle ville ? Dites par exemple : la météo à Paris. Votre ville est le réglage house.city.",
        "unknown_city": "{source} n'a pas de météo pour {city}",
        "unknown_demo": "pas de météo de démonstration pour {city} ; essayez Londres, Paris, Berlin, Tokyo ou Hanoï",
        "offline": "{source} est injoignable ; vérifiez le réseau ou mettez house.weather sur demo",
        "broken": "{source} n'a pas donné la météo pour {city} ; réessayez plus tard",
    },
    es={
        "now": "{place} hay {temp} grados y está {sky}{source}.",
        "demo": ", según los datos de demostración",
        "by": ", según {source}",
        "no_city": "¿En qué ciudad? Di por ejemplo: el tiempo en París. Tu ciudad es el ajuste house.city.",
        "unknown_city": "{source} no tiene el tiempo de {city}",
        "unknown_demo": "no hay tiempo de demostración para {city}; prueba Londres, París, Berlín, Tokio o Hanoi",
        "offline": "no se puede llegar a {source}; revisa la red o pon house.weather en demo",
        "broken": "{source} no ha dado el tiempo de {city}; prueba más tarde",
    },
    vi={
        "now": "{place} đang là {temp} độ, {sky}{source}.",
        "demo": ", theo dữ liệu mẫu",
        "by": ", theo {source}",
        "no_city": "Ở thành phố nào? Hãy nói, ví dụ: thời tiết ở Paris. Thành phố của bạn là cài đặt house.city.",
        "unknown_city": "{source} không có thời tiết của {city}",
        "unknown_demo": "không có thời tiết mẫu cho {city}; hãy thử Luân Đôn, Pa-ri, Hà Nội hoặc Đà Nẵng",
        "offline": "không kết nối được với {source}; hãy kiểm tra mạng hoặc đặt house.weather là demo",
        "broken": "{source} không cho biết thời tiết của {city}; hãy thử lại sau",
    },
)  # fmt: skip


def weather_said(weather: Weather, language: str) -> str:
    """Say the weather in one sentence, with who says so."""
    demo = weather.source == "demo data"
    source = _SAYINGS.say("demo" if demo else "by", language, source=weather.source)
    place = capital(in_city(weather.city, language))
    temp = int(weather.temp_c) if weather.temp_c == int(weather.temp_c) else weather.temp_c
    return _SAYINGS.say("now", language, place=place, temp=temp, sky=_sky(weather.sky, language), source=source)


def which_city(language: str) -> str:
    """Ask where, when nobody said and the settings do not either."""
    return _SAYINGS.say("no_city", language)


def why_not(error: WeatherUnknown, language: str) -> str:
    """Say why there is no weather."""
    name = error.reason
    if name == "unknown_city" and error.source == "demo data":
        name = "unknown_demo"
    return _SAYINGS.say(name, language, city=error.city, source=error.source)


def _sky(sky: str, language: str) -> str:
    base = base_language(language)
    if base not in _ORDER:
        return _ENGLISH.get(sky, sky)
    known = _SKIES.get(sky)
    return known[_ORDER.index(base)] if known else sky
