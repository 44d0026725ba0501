"""The home agent: lights, heating, timers, the time and (demo) weather of one house.

Every command has spoken phrases and replies in English, German, French, Spanish and Vietnamese, so that it costs no
model call. The house is simulated; the weather is a table.
"""

from typing import Annotated, Any

from pydantic import Field

from edgevox.core.session import AgentContext
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.home_timers import cancel_timer, list_timers, start_timer
from edgevox.examples.agents.home_weather import get_time, get_weather
from edgevox.examples.agents.house import HOUSE, house_of
from edgevox.examples.agents.rooms import LitRoom
from edgevox.tools import tool

__all__ = ["APP", "HOME_TOOLS", "HOUSE"]


@tool(
    phrases={
        "en": ["(which|what) rooms (are there|do you (know|have)|does the house have)", "list [all] [the] rooms"],
        "de": ["welche (Räume|Zimmer) (gibt es|hast du|kennst du)"],
        "fr": ["quelles pièces (y a-t-il|connais-tu|as-tu)", "liste les pièces"],
        "es": ["qué habitaciones (hay|conoces|tienes)"],
        "vi": ["[nhà] có những phòng nào", "liệt kê các phòng"],
    },
    says={
        "en": "There is the {result}.",
        "de": "Es gibt Wohnzimmer, Küche, Schlafzimmer und Büro.",
        "fr": "Il y a le salon, la cuisine, la chambre et le bureau.",
        "es": "Hay salón, cocina, dormitorio y oficina.",
        "vi": "Có phòng khách, nhà bếp, phòng ngủ và phòng làm việc.",
    },
    effect="read",
)
def list_rooms() -> list[str]:
    """List the rooms of the house."""
    return list(HOUSE.lights)


@tool(
    phrases={
        "en": [
            "(turn|switch|put) {on} [the] {room} (light|lights|lamp)",
            "(turn|switch|put) [the] {room} (light|lights|lamp) {on}",
            "(turn|switch|put) {on} [the] (light|lights|lamp) in [the] {room}",
            "(turn|switch|put) [the] (light|lights|lamp) in [the] {room} {on}",
            "[the] {room} (light|lights) {on}",
            "(light|lights) {on} in [the] {room}",
        ],
        "de": [
            "(schalte|schalt|mach|mache) das Licht (im|in der|in dem|in) {room} {on}",
            "(schalte|schalt|mach|mache) [das] {room} {on}",
            "Licht (im|in der|in) {room} {on}",
            "[das] {room} {on}",
        ],
        "fr": [
            "{on} [la] lumière (du|de la|de l'|dans le|dans la|dans|de) {room}",
            "{on} (la|le) {room}",
        ],
        "es": ["{on} [la] luz (del|de la|de|en el|en la|en) {room}", "{on} (la|el) {room}"],
        "vi": ["{on} đèn [ở|trong|của] {room}", "{on} đèn {room} lên"],
    },
    says={
        "en": "The {room} light is {on}.",
        "de": "Licht {on}: {room}.",
        "fr": "Lumière {on} : {room}.",
        "es": "Luz {on}: {room}.",
        "vi": "Đã {on} đèn {room}.",
    },
    effect="idempotent",
)
def set_light(room: LitRoom, on: bool, ctx: AgentContext | None = None) -> str:
    """Turn a room's light on or off.

    Args:
        room: the room name, e.g. "kitchen"
        on: true to turn on, false to turn off
        ctx: of the run
    """
    house_of(ctx).lights[room] = on
    return f"{room.replace('_', ' ')} light is now {'on' if on else 'off'}"


@tool(
    phrases={
        "en": [
            "is the {room} light (on|off)",
            "is the light (on|off) in the {room}",
            "(check|status of) the {room} light",
        ],
        "de": ["ist das Licht (im|in der|in) {room} (an|aus)", "brennt (im|in der|in) {room} [das] Licht"],
        "fr": ["la lumière (du|de la|dans le|dans la) {room} est-elle (allumée|éteinte)"],
        "es": ["está (encendida|apagada) la luz (del|de la|de|en el|en la|en) {room}"],
        "vi": ["đèn {room} (đang bật|đang tắt|có bật|có sáng) không"],
    },
    says={
        "en": "The {room} light is {result.on}.",
        "de": "Licht {result.on}: {room}.",
        "fr": "Lumière {result.on} : {room}.",
        "es": "Luz {result.on}: {room}.",
        "vi": "Đèn {room} đang {result.on}.",
    },
    effect="read",
)
def get_light_status(room: LitRoom, ctx: AgentContext | None = None) -> dict[str, Any]:
    """Say whether a room's light is on.

    Args:
        room: the room name, e.g. "kitchen"
        ctx: of the run
    """
    return {"room": room, "on": house_of(ctx).lights[room]}


@tool(
    phrases={
        "en": [
            "(set|turn|put) [the] (thermostat|temperature|heating|heat) (to|at) {celsius}",
            "(make|set) it {celsius} [in here|inside]",
            "heat [the house] to {celsius}",
        ],
        "de": [
            "(stelle|stell) (das Thermostat|den Thermostat|die Heizung|die Temperatur) auf {celsius}",
            "heize auf {celsius}",
        ],
        "fr": ["(mets|règle) (le thermostat|le chauffage|la température) (à|sur) {celsius}", "chauffe à {celsius}"],
        "es": ["pon (el termostato|la calefacción|la temperatura) (a|en) {celsius}"],
        "vi": ["(đặt|chỉnh) nhiệt độ [ở|thành|là|xuống|lên] {celsius}"],
    },
    says={
        "en": "The thermostat is set to {celsius} degrees.",
        "de": "Die Heizung steht auf {celsius} Grad.",
        "fr": "Le thermostat est réglé sur {celsius} degrés.",
        "es": "El termostato está a {celsius} grados.",
        "vi": "Đã đặt nhiệt độ {celsius} độ.",
    },
    effect="idempotent",
)
def set_thermostat(celsius: Annotated[float, Field(ge=10, le=30)], ctx: AgentContext | None = None) -> str:
    """Set the thermostat target temperature in Celsius.

    Args:
        celsius: target temperature, must be between 10 and 30
        ctx: of the run
    """
    house_of(ctx).thermostat_c = celsius
    return f"thermostat set to {celsius:g} degrees"


@tool(
    phrases={
        "en": ["what is the (thermostat|heating|temperature) [set (to|at)]", "how warm is it [in here|inside]"],
        "de": ["wie warm ist es [hier|drinnen]", "auf wie viel Grad steht die Heizung"],
        "fr": ["quelle est la température [du thermostat]"],
        "es": ["a cuánto está (el termostato|la calefacción)"],
        "vi": ["nhiệt độ [trong nhà] là bao nhiêu"],
    },
    says={
        "en": "The thermostat is set to {result.celsius} degrees.",
        "de": "Die Heizung steht auf {result.celsius} Grad.",
        "fr": "Le thermostat est réglé sur {result.celsius} degrés.",
        "es": "El termostato está a {result.celsius} grados.",
        "vi": "Nhiệt độ đang đặt là {result.celsius} độ.",
    },
    effect="read",
)
def get_thermostat(ctx: AgentContext | None = None) -> dict[str, float]:
    """Say what temperature the thermostat is set to."""
    return {"celsius": house_of(ctx).thermostat_c}


HOME_TOOLS = [
    set_light,
    get_light_status,
    set_thermostat,
    get_thermostat,
    start_timer,
    list_timers,
    cancel_timer,
    get_weather,
    get_time,
    list_rooms,
]

APP = AgentApp(
    name="Home",
    description="Lights, heating, timers, the time and demo weather of a small house.",
    instructions=(
        "You are Home, the voice of a small house with a living room, a kitchen, a bedroom and an office. You are "
        "friendly and brief. The weather you can look up is demo data."
    ),
    tools=HOME_TOOLS,
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
