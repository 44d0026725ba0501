"""The home agent: lights, heating, doors, the alarm, scenes, timers, the time and the weather of one house.

Every command has spoken phrases and replies in English, German, French, Spanish and Vietnamese, so that it costs no
model call. The house is simulated; the weather is a table unless a person names a service in the settings.
"""

from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.home_heating import change_temperature, get_thermostat, set_thermostat
from edgevox.examples.agents.home_lights import get_light_status, list_rooms, set_all_lights, set_light
from edgevox.examples.agents.home_scenes import SCENE_CHAIN, SCENES, list_scenes
from edgevox.examples.agents.home_security import get_security, set_alarm, set_door
from edgevox.examples.agents.home_timers import cancel_timer, list_timers, start_timer
from edgevox.examples.agents.home_weather import get_time, get_weather
from edgevox.examples.agents.house import HOUSE, House
from edgevox.examples.agents.scenes import Scene
from edgevox.examples.agents.weather_sources import Weather, WeatherSource, WeatherUnknown
from edgevox.tools.permissions import Operation, PermissionRule

__all__ = [
    "APP",
    "HOME_TOOLS",
    "HOUSE",
    "HOUSE_PERMISSIONS",
    "SCENES",
    "House",
    "Scene",
    "Weather",
    "WeatherSource",
    "WeatherUnknown",
]

HOME_TOOLS = [
    set_light,
    get_light_status,
    set_all_lights,
    set_thermostat,
    change_temperature,
    get_thermostat,
    set_door,
    set_alarm,
    get_security,
    *SCENE_CHAIN,
    list_scenes,
    start_timer,
    list_timers,
    cancel_timer,
    get_weather,
    get_time,
    list_rooms,
]

HOUSE_PERMISSIONS = [PermissionRule(pattern="device:**", operations={Operation.SWITCH})]
"""The home may switch every device of its house."""

APP = AgentApp(
    name="Home",
    description="Lights, heating, doors, the alarm, scenes, timers, the time and the weather of a small house.",
    instructions=(
        "You are Home, the voice of a small house with a living room, a kitchen, a bedroom and an office. You are "
        "friendly and brief. The weather you look up may be demo data; the result says whose it is."
    ),
    tools=HOME_TOOLS,
    permissions=HOUSE_PERMISSIONS,
    deps=HOUSE,
    greeting={
        "en": "Home is ready. Try: turn on the kitchen light.",
        "de": "Das Haus ist bereit. Versuch: Schalte das Licht in der Küche ein.",
        "fr": "La maison est prête. Essayez : allume la lumière de la cuisine.",
        "es": "La casa está lista. Prueba: enciende la luz de la cocina.",
        "vi": "Nhà đã sẵn sàng. Hãy thử: bật đèn nhà bếp.",
    },
)

if __name__ == "__main__":
    APP.run()
