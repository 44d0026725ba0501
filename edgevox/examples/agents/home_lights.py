"""The lights of the home agent: one room's, all of them, and what is on."""

from collections.abc import Mapping
from typing import Annotated, Any

from edgevox.core.session import AgentContext
from edgevox.examples.agents.home_phrases import (
    ALL_LIGHTS_PHRASES,
    LIGHT_PHRASES,
    LIGHT_STATUS_PHRASES,
    ROOMS_PHRASES,
    ROOMS_SAYS,
)
from edgevox.examples.agents.house import HOUSE, house_of
from edgevox.examples.agents.rooms import IN_ROOM, LitRoom, RoomName
from edgevox.examples.agents.sayings import RESULT, SUMMARY, Sayings, language_of, listed
from edgevox.intents import Spoken
from edgevox.intents.lexicons import base_language
from edgevox.tools import tool

Lit = Annotated[
    bool,
    Spoken(
        en={
            True: ["light up", "brighten", "brighten up", "make it bright", "make it light", "it is too dark",
                   "give me light", "give me some light", "I need light", "I need some light", "I want light"],
            False: ["kill", "cut", "douse", "shut off", "no more", "make it dark", "darken", "it is too bright"],
        },
        de={True: ["mach es hell", "es ist zu dunkel"], False: ["mach es dunkel", "lösche", "lösch", "es ist zu hell"]},
        fr={False: ["coupe"], True: ["il fait trop sombre"]},
        es={False: ["corta"], True: ["está muy oscuro", "ilumina"]},
    ),
]  # fmt: skip
"""On or off, and other ways to say so."""

_SAYINGS = Sayings(
    en={
        "on": "The light {place} is on.",
        "off": "The light {place} is off.",
        "all_on": "All the lights are on.",
        "all_off": "All the lights are off.",
        "all_on_but": "All the lights are on, except {place}.",
        "all_off_but": "All the lights are off, except {place}.",
        "lit": "The light is on {places}.",
    },
    de={
        "on": "Das Licht {place} ist an.",
        "off": "Das Licht {place} ist aus.",
        "all_on": "Alle Lichter sind an.",
        "all_off": "Alle Lichter sind aus.",
        "all_on_but": "Alle Lichter sind an, außer {place}.",
        "all_off_but": "Alle Lichter sind aus, außer {place}.",
        "lit": "Licht brennt {places}.",
    },
    fr={
        "on": "La lumière {place} est allumée.",
        "off": "La lumière {place} est éteinte.",
        "all_on": "Toutes les lumières sont allumées.",
        "all_off": "Toutes les lumières sont éteintes.",
        "all_on_but": "Toutes les lumières sont allumées, sauf celle {place}.",
        "all_off_but": "Toutes les lumières sont éteintes, sauf celle {place}.",
        "lit": "Sont allumées : la lumière {places}.",
    },
    es={
        "on": "La luz {place} está encendida.",
        "off": "La luz {place} está apagada.",
        "all_on": "Todas las luces están encendidas.",
        "all_off": "Todas las luces están apagadas.",
        "all_on_but": "Todas las luces están encendidas, menos la {place}.",
        "all_off_but": "Todas las luces están apagadas, menos la {place}.",
        "lit": "Está encendida la luz {places}.",
    },
    vi={
        "on": "Đèn {place} đang bật.",
        "off": "Đèn {place} đang tắt.",
        "all_on": "Đã bật tất cả đèn.",
        "all_off": "Đã tắt tất cả đèn.",
        "all_on_but": "Đã bật tất cả đèn, trừ đèn {place}.",
        "all_off_but": "Đã tắt tất cả đèn, trừ đèn {place}.",
        "lit": "Đang bật đèn {places}.",
    },
)


@tool(phrases=ROOMS_PHRASES, says=ROOMS_SAYS, effect="read")
def list_rooms() -> list[str]:
    """List the rooms of the house."""
    return list(HOUSE.lights)


@tool(
    phrases=LIGHT_PHRASES,
    says={**RESULT, "en": "The {room} light is {on}."},
    final=True,
    effect="idempotent",
    resources=("device:light/{room}",),
    allowed=True,
)
def set_light(room: LitRoom, on: Lit, ctx: AgentContext | None = None) -> str:
    """Turn a room's light on or off.

    Args:
        room: the room name, e.g. "kitchen"
        on: true to turn on, false to turn off
        ctx: of the run
    """
    house_of(ctx).lights[room] = on
    return _state(room, on, language_of(ctx))


@tool(phrases=LIGHT_STATUS_PHRASES, says=SUMMARY, effect="read")
def get_light_status(room: LitRoom | None = None, ctx: AgentContext | None = None) -> dict[str, Any]:
    """Say whether a room's light is on, or which lights are on.

    Args:
        room: the room name, e.g. "kitchen"; empty for all of them
        ctx: of the run
    """
    lights, language = house_of(ctx).lights, language_of(ctx)
    if room is not None:
        return {"room": room, "on": lights[room], "summary": _state(room, lights[room], language)}
    places = [place_of(name, language) for name, on in lights.items() if on]
    summary = _SAYINGS.say("lit" if places else "all_off", language, places=listed(places, language))
    return {"lights": dict(lights), "summary": summary}


def _lights_touched(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:
    return [f"device:light/{room}" for room in house_of(ctx).lights if room != arguments["spared_room"]]


@tool(phrases=ALL_LIGHTS_PHRASES, says=RESULT, final=True, effect="idempotent", resources=_lights_touched, allowed=True)
def set_all_lights(on: Lit, spared_room: LitRoom | None = None, ctx: AgentContext | None = None) -> str:
    """Turn the lights of every room on or off.

    Args:
        on: true to turn on, false to turn off
        spared_room: a room whose light stays as it is
        ctx: of the run
    """
    house, language = house_of(ctx), language_of(ctx)
    for room in house.lights:
        if room != spared_room:
            house.lights[room] = on
    name = "all_on" if on else "all_off"
    if spared_room is None:
        return _SAYINGS.say(name, language)
    return _SAYINGS.say(f"{name}_but", language, place=place_of(spared_room, language))


def place_of(room: RoomName | str, language: str) -> str:
    """Say where a light is, as it follows *the light*."""
    return IN_ROOM.get(base_language(language), IN_ROOM["en"])[room]


def _state(room: str, on: bool, language: str) -> str:
    return _SAYINGS.say("on" if on else "off", language, place=place_of(room, language))
