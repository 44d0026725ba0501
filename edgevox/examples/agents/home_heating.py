"""The heating of the home agent: one thermostat, set to a number or a bit warmer and colder."""

from typing import Annotated, Any, Literal

from pydantic import Field

from edgevox.core.session import AgentContext
from edgevox.examples.agents.home_phrases import CHANGE_HEAT_PHRASES, GET_HEAT_PHRASES, SET_HEAT_PHRASES
from edgevox.examples.agents.house import COLDEST_C, WARMEST_C, house_of
from edgevox.examples.agents.sayings import RESULT, Sayings, language_of
from edgevox.intents import Spoken
from edgevox.tools import tool

_SAYINGS = Sayings(
    en={
        "set": "The thermostat is set to {celsius} degrees.",
        "range": "the temperature must be between {low} and {high} degrees, not {celsius}",
    },
    de={
        "set": "Die Heizung steht auf {celsius} Grad.",
        "range": "die Temperatur muss zwischen {low} und {high} Grad liegen, nicht bei {celsius}",
    },
    fr={
        "set": "Le thermostat est réglé sur {celsius} degrés.",
        "range": "la température doit être entre {low} et {high} degrés, pas {celsius}",
    },
    es={
        "set": "El termostato está a {celsius} grados.",
        "range": "la temperatura tiene que estar entre {low} y {high} grados, no {celsius}",
    },
    vi={
        "set": "Đã đặt nhiệt độ {celsius} độ.",
        "range": "nhiệt độ phải từ {low} đến {high} độ, không phải {celsius}",
    },
)

Change = Annotated[
    Literal["warmer", "colder"],
    Spoken(
        en={
            "warmer": ["warmer", "hotter", "up", "higher", "raise", "increase", "it is too cold", "it is freezing",
                       "I am cold", "I am too cold", "I am freezing", "warm it up"],
            "colder": ["colder", "cooler", "down", "lower", "reduce", "decrease", "it is too hot", "it is too warm",
                       "I am hot", "I am too hot", "I am too warm", "cool it down"],
        },
        de={
            "warmer": ["wärmer", "höher", "hoch", "rauf", "es ist zu kalt", "mir ist kalt", "mir ist zu kalt",
                       "ich friere"],
            "colder": ["kälter", "kühler", "niedriger", "runter", "es ist zu warm", "es ist zu heiß", "mir ist warm",
                       "mir ist zu warm", "mir ist zu heiß"],
        },
        fr={
            "warmer": ["plus chaud", "monte", "augmente", "il fait trop froid", "j'ai froid", "j'ai trop froid"],
            "colder": ["plus froid", "plus frais", "baisse", "diminue", "il fait trop chaud", "j'ai chaud",
                       "j'ai trop chaud"],
        },
        es={
            "warmer": ["sube", "aumenta", "más caliente", "hace demasiado frío", "hace mucho frío", "tengo frío",
                       "tengo mucho frío"],
            "colder": ["baja", "reduce", "más fresco", "hace demasiado calor", "hace mucho calor", "tengo calor",
                       "tengo mucho calor"],
        },
        vi={
            "warmer": ["tăng", "ấm hơn", "lạnh quá", "hơi lạnh", "tôi lạnh", "tôi lạnh quá"],
            "colder": ["giảm", "hạ", "mát hơn", "nóng quá", "hơi nóng", "tôi nóng", "tôi nóng quá"],
        },
    ),
]  # fmt: skip

Degrees = Annotated[float, Field(examples=[2])]


@tool(
    phrases=SET_HEAT_PHRASES,
    says={
        "en": "The thermostat is set to {celsius} degrees.",
        "de": "Die Heizung steht auf {celsius} Grad.",
        "fr": "Le thermostat est réglé sur {celsius} degrés.",
        "es": "El termostato está a {celsius} grados.",
        "vi": "Đã đặt nhiệt độ {celsius} độ.",
    },
    final=True,
    effect="idempotent",
    resources=("device:thermostat",),
    allowed=True,
)
def set_thermostat(celsius: float, ctx: AgentContext | None = None) -> str:
    """Set the thermostat target temperature in Celsius.

    Args:
        celsius: target temperature, must be between 10 and 30
        ctx: of the run
    """
    _set(celsius, ctx)
    return f"thermostat set to {celsius:g} degrees"


@tool(phrases=CHANGE_HEAT_PHRASES, says=RESULT, resources=("device:thermostat",), allowed=True, final=True)
def change_temperature(direction: Change, degrees: Degrees = 1.0, ctx: AgentContext | None = None) -> str:
    """Make the house a bit warmer or colder than the thermostat is set to.

    Args:
        direction: warmer or colder
        degrees: by how much, in Celsius
        ctx: of the run
    """
    step = abs(degrees) if direction == "warmer" else -abs(degrees)
    celsius = round(house_of(ctx).thermostat_c + step, 1)
    _set(celsius, ctx)
    return _SAYINGS.say("set", language_of(ctx), celsius=celsius)


@tool(
    phrases=GET_HEAT_PHRASES,
    says={
        "en": "The thermostat is set to {result.celsius} degrees.",
        "de": "Die Heizung steht auf {result.celsius} Grad.",
        "fr": "Le thermostat est réglé sur {result.celsius} degrés.",
        "es": "El termostato está a {result.celsius} grados.",
        "vi": "Nhiệt độ đang đặt là {result.celsius} độ.",
    },
    effect="read",
)
def get_thermostat(ctx: AgentContext | None = None) -> dict[str, Any]:
    """Say what temperature the thermostat is set to."""
    return {"celsius": house_of(ctx).thermostat_c}


def _set(celsius: float, ctx: AgentContext | None) -> None:
    """Set the thermostat; the range is checked here and not by the schema, so that the refusal is in the language.

    Raises:
        ValueError: out of range.
    """
    if not COLDEST_C <= celsius <= WARMEST_C:
        raise ValueError(
            _SAYINGS.say("range", language_of(ctx), low=int(COLDEST_C), high=int(WARMEST_C), celsius=celsius)
        )
    house_of(ctx).thermostat_c = celsius
