"""*Warmer*, *five degrees less*, *no, the bedroom*: what a value is to become, and what was meant."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from edgevox.agents import AgentContext, LLMAgent
from edgevox.intents import Adjustable, Spoken
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

LANGUAGES = ("en", "de", "fr", "es", "vi")
ROOMS = {
    "de": {"kitchen": "Küche", "bedroom": "Schlafzimmer"}, "fr": {"kitchen": "cuisine", "bedroom": "chambre"},
    "es": {"kitchen": "cocina", "bedroom": "dormitorio"}, "vi": {"kitchen": "nhà bếp", "bedroom": "phòng ngủ"},
}  # fmt: skip
Room = Annotated[Literal["kitchen", "bedroom"], Spoken(**ROOMS)]


class Heating:
    """Knows how warm it is to be; somebody else may have changed it."""

    def __init__(self) -> None:
        self.celsius = 20.0
        self.broken = False

    @property
    def tools(self) -> list[Callable[..., Any]]:
        """`set_heat`, which can be told relatively, `read_heat`, and `set_volume`, whose value nothing tells."""

        @tool(
            phrases={
                "en": ["set the heat to {celsius}", "make it {+celsius}"],
                "de": ["stell die Heizung auf {celsius}"],
                "fr": ["mets le chauffage à {celsius}"],
                "es": ["pon la calefacción a {celsius}"],
                "vi": ["chỉnh nhiệt độ {celsius}"],
            },
            says=dict.fromkeys(LANGUAGES, "{celsius}"),
        )
        def set_heat(
            celsius: Annotated[float, Field(ge=10, le=30), Adjustable(step=1, reads="read_heat.now.celsius")],
        ) -> str:
            """Set the heat."""
            self.celsius = celsius
            return "set"

        @tool(effect="read")
        def read_heat() -> dict[str, Any]:
            """Say how warm it is to be."""
            if self.broken:
                raise ValueError("the thermostat does not answer")
            return {"now": {"celsius": self.celsius}}

        @tool(phrases=["set the volume to {volume}"], says="Volume {volume}.")
        def set_volume(volume: Annotated[int, Field(ge=0, le=100), Adjustable(step=10)]) -> str:
            """Set the volume."""
            return "set"

        return [set_heat, read_heat, set_volume]


@tool(
    phrases={
        "en": ["turn {on} the {room} light"], "de": ["mach das Licht (im|in der) {room} {on}"],
        "fr": ["{on} la lumière de la {room}"], "es": ["{on} la luz (de la|del) {room}"], "vi": ["{on} đèn {room}"],
    },
    says=dict.fromkeys(LANGUAGES, "{room} {on}"),
)  # fmt: skip
def set_light(room: Room, on: bool) -> str:
    """Turn a light on or off."""
    return room


@pytest.fixture
def heating() -> Heating:
    return Heating()


@pytest.fixture
def agent(heating: Heating) -> LLMAgent:
    """What it cannot do without a model is answered with MODEL."""
    return LLMAgent("home", tools=[*heating.tools, set_light], llm=ScriptedModel(otherwise="MODEL"))


def say(agent: LLMAgent, *lines: str, language: str = "en") -> list[str]:
    ctx = AgentContext(language=language)
    return [agent.run(line, ctx).reply for line in lines]


@pytest.mark.parametrize(
    ("language", "lines", "replies"),
    [
        ("en", ["set the heat to 20", "make it warmer", "a bit colder", "five degrees warmer", "set it to 22", "again"],
         ["20", "21", "20", "25", "22", "22"]),
        ("de", ["stell die Heizung auf 20 Grad", "mach es wärmer", "etwas kälter", "fünf Grad wärmer", "auf 22 Grad"],
         ["20", "21", "20", "25", None]),
        ("fr", ["mets le chauffage à 20 degrés", "plus chaud", "un peu plus froid", "cinq degrés de plus"],
         ["20", "21", "20", "25"]),
        ("es", ["pon la calefacción a 20 grados", "más caliente", "un poco más frío", "cinco grados más"],
         ["20", "21", "20", "25"]),
        ("vi", ["chỉnh nhiệt độ 20 độ", "ấm hơn", "mát hơn một chút", "thêm năm độ"], ["20", "21", "20", "25"]),
    ],
)  # fmt: skip
def test_a_change_follows_what_was_set(
    agent: LLMAgent, language: str, lines: list[str], replies: list[str | None]
) -> None:
    heard = say(agent, *lines, language=language)
    assert [None if wanted is None else one for one, wanted in zip(heard, replies, strict=True)] == replies


def test_a_change_starts_from_what_is_and_not_from_what_was_said(agent: LLMAgent, heating: Heating) -> None:
    ctx = AgentContext()
    agent.run("set the heat to 20", ctx)
    heating.celsius = 25
    result = agent.run("make it warmer", ctx)
    assert (result.reply, heating.celsius, result.model_calls) == ("26", 26, 0)
    assert [use.tool_name for message in ctx.session.messages for use in message.tool_uses][-2:] == [
        "read_heat", "set_heat",
    ]  # fmt: skip


def test_a_change_needs_nothing_before_it_where_a_tool_tells_the_value(agent: LLMAgent) -> None:
    assert say(agent, "make it two degrees colder please") == ["18"]


def test_a_change_keeps_within_what_is_allowed(agent: LLMAgent) -> None:
    assert say(agent, "make it a hundred degrees warmer", "make it 100 degrees colder") == ["30", "10"]


def test_a_value_that_cannot_be_read_is_said_and_nothing_is_set(agent: LLMAgent, heating: Heating) -> None:
    heating.broken = True
    result = agent.run("make it warmer")
    assert "the thermostat does not answer" in result.reply
    assert heating.celsius == 20


def test_without_a_tool_that_tells_the_last_call_does(agent: LLMAgent) -> None:
    assert say(agent, "louder", "set the volume to 50", "louder", "down by 20", "a lot louder") == [
        "MODEL", "Volume 50.", "Volume 60.", "Volume 40.", "Volume 70.",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["it is warmer", "why is it warmer", "warmer than yesterday", "do not make it warmer"])
def test_what_only_speaks_of_warmth_changes_nothing(agent: LLMAgent, heating: Heating, text: str) -> None:
    assert say(agent, "set the heat to 20", text)[1] == "MODEL"
    assert heating.celsius == 20


CORRECTIONS = [
    ("en", "turn on the kitchen light", "no, the bedroom", "bedroom on"),
    ("en", "turn on the kitchen light", "No, I meant the bedroom.", "bedroom on"),
    ("en", "turn on the kitchen light", "not that one, the bedroom", "bedroom on"),
    ("en", "turn on the kitchen light", "and the bedroom too", "bedroom on"),
    ("en", "turn on the kitchen light", "turn it off again", "kitchen off"),
    ("en", "turn on the kitchen light", "no bedroom", "MODEL"),
    ("en", "turn on the kitchen light", "no", "MODEL"),
    ("en", "turn on the kitchen light", "the bedroom", "MODEL"),
    ("en", "turn on the kitchen light", "no, do not turn on the bedroom light", "MODEL"),
    ("de", "mach das Licht in der Küche an", "nein, das Schlafzimmer", "Schlafzimmer an"),
    ("de", "mach das Licht in der Küche an", "und im Schlafzimmer auch", "Schlafzimmer an"),
    ("de", "mach das Licht in der Küche an", "nicht im Schlafzimmer", "MODEL"),
    ("fr", "allume la lumière de la cuisine", "non, la chambre", "chambre allumée"),
    ("fr", "allume la lumière de la cuisine", "et la chambre aussi", "chambre allumée"),
    ("es", "enciende la luz de la cocina", "no, el dormitorio", "dormitorio encendida"),
    ("es", "enciende la luz de la cocina", "no enciende el dormitorio", "MODEL"),
    ("es", "enciende la luz de la cocina", "y el dormitorio también", "dormitorio encendida"),
    ("vi", "bật đèn nhà bếp", "không, phòng ngủ", "phòng ngủ bật"),
    ("vi", "bật đèn nhà bếp", "không bật đèn phòng ngủ", "MODEL"),
    ("vi", "bật đèn nhà bếp", "phòng ngủ cũng", "phòng ngủ bật"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "before", "text", "reply"), CORRECTIONS)
def test_what_was_meant_is_told_afterwards(agent: LLMAgent, language: str, before: str, text: str, reply: str) -> None:
    assert say(agent, before, text, language=language)[1] == reply
