"""The doors and the burglar alarm of the home agent. An alarm is set only when every door is shut."""

from typing import Annotated, Any, Literal

from edgevox.core.session import AgentContext
from edgevox.examples.agents.home_security_phrases import (
    ALARM_PHRASES,
    ALARM_QUESTIONS,
    ARMING,
    DOOR_NAMES,
    DOOR_PHRASES,
    OPENING,
    SECURED_NAMES,
    STATUS_PHRASES,
    THE_DOOR,
    WHICH_DOOR,
)
from edgevox.examples.agents.house import house_of
from edgevox.examples.agents.sayings import RESULT, SUMMARY, Sayings, capital, language_of, listed
from edgevox.intents import Spoken
from edgevox.intents.lexicons import base_language
from edgevox.tools import tool

DoorName = Literal["front_door", "back_door"]
Door = Annotated[DoorName, Spoken(ask=WHICH_DOOR, **DOOR_NAMES)]
Secured = Annotated[Literal["front_door", "back_door", "alarm"], Spoken(**SECURED_NAMES)]
Opened = Annotated[bool, Spoken(**OPENING)]
Armed = Annotated[bool, Spoken(**ARMING)]

_SAYINGS = Sayings(
    en={
        "open": "{door} is open.",
        "shut": "{door} is shut.",
        "all_shut": "All the doors are shut.",
        "all_open": "{doors} are open.",
        "alarm_on": "The alarm is on.",
        "alarm_off": "The alarm is off.",
        "in_the_way": "the alarm goes on when every door is shut; still open: {doors}",
        "alarm_first": "the alarm is on, so turn it off before you open {door}",
    },
    de={
        "open": "{door} ist offen.",
        "shut": "{door} ist zu.",
        "all_shut": "Alle Türen sind zu.",
        "all_open": "{doors} sind offen.",
        "alarm_on": "Die Alarmanlage ist scharf.",
        "alarm_off": "Die Alarmanlage ist aus.",
        "in_the_way": "die Alarmanlage geht an, wenn alle Türen zu sind; noch offen: {doors}",
        "alarm_first": "die Alarmanlage ist scharf; schalte sie aus, bevor du {door} öffnest",
    },
    fr={
        "open": "{door} est ouverte.",
        "shut": "{door} est fermée.",
        "all_shut": "Toutes les portes sont fermées.",
        "all_open": "{doors} sont ouvertes.",
        "alarm_on": "L'alarme est activée.",
        "alarm_off": "L'alarme est désactivée.",
        "in_the_way": "l'alarme s'active quand toutes les portes sont fermées ; encore ouverte : {doors}",
        "alarm_first": "l'alarme est activée : désactivez-la avant d'ouvrir {door}",
    },
    es={
        "open": "{door} está abierta.",
        "shut": "{door} está cerrada.",
        "all_shut": "Todas las puertas están cerradas.",
        "all_open": "{doors} están abiertas.",
        "alarm_on": "La alarma está activada.",
        "alarm_off": "La alarma está desactivada.",
        "in_the_way": "la alarma se activa con todas las puertas cerradas; sigue abierta: {doors}",
        "alarm_first": "la alarma está activada: desactívala antes de abrir {door}",
    },
    vi={
        "open": "{door} đang mở.",
        "shut": "{door} đang đóng.",
        "all_shut": "Tất cả cửa đều đóng.",
        "all_open": "{doors} đang mở.",
        "alarm_on": "Báo động đang bật.",
        "alarm_off": "Báo động đang tắt.",
        "in_the_way": "chỉ bật báo động khi mọi cửa đã đóng; còn mở: {doors}",
        "alarm_first": "báo động đang bật, hãy tắt trước khi mở {door}",
    },
)


@tool(phrases=STATUS_PHRASES, says=SUMMARY, effect="read")
def get_security(thing: Secured | None = None, ctx: AgentContext | None = None) -> dict[str, Any]:
    """Say which doors are open, or how one door or the alarm is.

    Args:
        thing: front_door, back_door or alarm; empty for all the doors
        ctx: of the run
    """
    house, language = house_of(ctx), language_of(ctx)
    if thing == "alarm":
        return {"alarm_on": house.alarm_on, "summary": alarm_state(house.alarm_on, language)}
    if thing is not None:
        return {"door": thing, "open": house.doors[thing], "summary": _door_state(thing, house.doors[thing], language)}
    found = house.open_doors()
    summary = _door_state(found[0], True, language) if len(found) == 1 else _SAYINGS.say("all_shut", language)
    if len(found) > 1:
        summary = capital(_SAYINGS.say("all_open", language, doors=doors_said(found, language)))
    return {"doors": dict(house.doors), "summary": summary}


@tool(
    phrases=DOOR_PHRASES, says=RESULT, final=True, effect="idempotent", resources=("device:door/{door}",), allowed=True
)
def set_door(door: Door, opened: Opened, ctx: AgentContext | None = None) -> str:
    """Open or shut a door.

    Args:
        door: front_door or back_door
        opened: true to open, false to shut
        ctx: of the run
    """
    house, language = house_of(ctx), language_of(ctx)
    if opened and house.alarm_on:
        raise ValueError(_SAYINGS.say("alarm_first", language, door=doors_said([door], language)))
    house.doors[door] = opened
    return _door_state(door, opened, language)


@tool(
    phrases=ALARM_PHRASES,
    says=RESULT,
    final=True,
    confirm=ALARM_QUESTIONS,
    confirm_model_only=True,
    effect="idempotent",
    resources=("device:alarm",),
    allowed=True,
)
def set_alarm(on: Armed, ctx: AgentContext | None = None) -> str:
    """Turn the burglar alarm on or off; it goes on only when every door is shut.

    Args:
        on: true to turn on, to lock up; false only for a person who asks to disarm
        ctx: of the run
    """
    house, language = house_of(ctx), language_of(ctx)
    if on and (found := house.open_doors()):
        raise ValueError(_SAYINGS.say("in_the_way", language, doors=doors_said(found, language)))
    house.alarm_on = on
    return alarm_state(on, language)


def doors_said(doors: list[str], language: str) -> str:
    """Name doors within a sentence: *the front door and the back door*."""
    names = THE_DOOR.get(base_language(language), THE_DOOR["en"])
    return listed([names[door] for door in doors], language)


def _door_state(door: str, opened: bool, language: str) -> str:
    return capital(_SAYINGS.say("open" if opened else "shut", language, door=doors_said([door], language)))


def alarm_state(on: bool, language: str) -> str:
    """Say whether the alarm is on."""
    return _SAYINGS.say("alarm_on" if on else "alarm_off", language)
