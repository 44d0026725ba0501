"""The clock of the dev agent: what time it is elsewhere, what a time there is here, how far zones are apart."""

from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from edgevox.core.session import AgentContext
from edgevox.examples.agents.cities import ALIASES, NAMES, ZONES, ZoneCity, in_city
from edgevox.examples.agents.dev_clock_words import (
    CONVERT_PHRASES,
    DIFFERENCE_PHRASES,
    TIME_PHRASES,
    about_time,
)
from edgevox.examples.agents.home_words import day_of, span, time_of
from edgevox.examples.agents.sayings import RESULT, capital, language_of
from edgevox.examples.agents.times import read_time
from edgevox.tools import tool


@tool(phrases=TIME_PHRASES, says=RESULT, effect="read")
def get_time(timezone: ZoneCity = "", ctx: AgentContext | None = None) -> str:
    """Say the time and date here or in a time zone.

    Args:
        timezone: a city or zone, e.g. "Tokyo" or "Europe/Paris"; empty for here
        ctx: of the run
    """
    language, place = language_of(ctx), timezone.strip()
    now = datetime.now(zone_of(place, language)) if place else datetime.now().astimezone()
    where = f" {in_city(_english(place), language)}" if place else ""
    name = "one" if now.hour == 1 else "now"
    return about_time(
        name, language, time=time_of(now, language), where=where, **day_of(now, language), year=str(now.year)
    )


@tool(phrases=CONVERT_PHRASES, says=RESULT, effect="read")
def convert_time(time: str, from_city: ZoneCity, to_city: ZoneCity, ctx: AgentContext | None = None) -> str:
    """Say what time it is in one city when it is a given time in another.

    Args:
        time: time of day, e.g. "9:30", "3 pm" or "half past nine"
        from_city: where that is the time
        to_city: where to say the time
        ctx: of the run
    """
    language = language_of(ctx)
    said = read_time(time, language) or read_time(time, "en")
    if said is None:
        raise ValueError(about_time("no_time", language, time=time))
    source, target = zone_of(from_city, language), zone_of(to_city, language)
    there = datetime.now(source).replace(hour=said.hour, minute=said.minute, second=0, microsecond=0)
    here = there.astimezone(target)
    return about_time(
        {1: "converted_later", -1: "converted_earlier"}.get((here.date() - there.date()).days, "converted"),
        language,
        time=time_of(there, language),
        place=in_city(_english(from_city), language),
        other_time=time_of(here, language),
        other_place=in_city(_english(to_city), language),
    )


@tool(phrases=DIFFERENCE_PHRASES, says=RESULT, effect="read")
def time_difference(first_city: ZoneCity, second_city: ZoneCity, ctx: AgentContext | None = None) -> str:
    """Say how far the clocks of two cities are apart, today.

    Args:
        first_city: one city or zone
        second_city: the other
        ctx: of the run
    """
    language = language_of(ctx)
    now = datetime.now().astimezone()
    offsets = [now.astimezone(zone_of(city, language)).utcoffset() or timedelta() for city in (first_city, second_city)]
    apart = (offsets[0] - offsets[1]).total_seconds()
    name = "same" if apart == 0 else "ahead" if apart > 0 else "behind"
    places = [in_city(_english(city), language) for city in (first_city, second_city)]
    said = about_time(name, language, first=places[0], second=places[1], span=span(abs(apart), language))
    return capital(said)


def zone_of(name: str, language: str = "en") -> ZoneInfo:
    """Find a time zone by its name or by a city in it.

    Raises:
        ValueError: there is none of that name.
    """
    city = _english(name)
    zone = ZONES.get(city) or _zones().get(_key(city))
    if zone is None:
        raise ValueError(about_time("no_zone", language, place=name))
    return ZoneInfo(zone)


def _english(name: str) -> str:
    """The English name of a city, however it is written in any language."""
    return _spellings().get(" ".join(name.split()).casefold(), name.strip())


@cache
def _spellings() -> dict[str, str]:
    tables = [*NAMES.values(), *ALIASES.values(), {zone: zone for zone in ZONES}]
    return {said.casefold(): city for table in tables for city, said in table.items()}


@cache
def _zones() -> dict[str, str]:
    """Zones by their whole name and by the last part of it."""
    zones = sorted(available_timezones())
    return {_key(zone.rpartition("/")[2]): zone for zone in zones} | {_key(zone): zone for zone in zones}


def _key(name: str) -> str:
    return "_".join(name.split()).casefold()
