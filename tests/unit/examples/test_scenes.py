"""Scenes: one sentence sets several lights and the heating, in every language, and a person adds their own."""

from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.errors import ConfigError
from edgevox.examples.agents.home_assistant import HOME_TOOLS, SCENES, House, Scene
from edgevox.examples.agents.sayings import LANGUAGES
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def said(house: House, text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(deps=house, language=language)).reply


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "Good night.", "Good night. All the lights are off and the heating is at 17 degrees."),
        ("de", "gute Nacht", "Gute Nacht. Alle Lichter sind aus, die Heizung steht auf 17 Grad."),
        ("fr", "bonne nuit", "Bonne nuit. Toutes les lumières sont éteintes et le chauffage est à 17 degrés."),
        ("es", "me voy a dormir", "Buenas noches. Todas las luces están apagadas y la calefacción está a 17 grados."),
        ("vi", "chúc ngủ ngon", "Chúc ngủ ngon. Đã tắt tất cả đèn và đặt nhiệt độ 17 độ."),
    ],
)
def test_good_night_is_understood_in_five_languages(language: str, text: str, reply: str) -> None:
    house = House()
    house.lights["kitchen"] = True
    assert said(house, text, language) == reply
    assert not any(house.lights.values())
    assert house.thermostat_c == 17


@pytest.mark.parametrize(
    ("text", "lit", "celsius"),
    [
        ("movie time", {"kitchen"}, 21),
        ("time for movie night", {"kitchen"}, 21),
        ("good morning", {"bedroom", "kitchen"}, 21),
        ("I'm leaving", set[str](), 16),
        ("I'm home", {"living_room", "kitchen"}, 21),
        ("start the movie time scene", {"kitchen"}, 21),
    ],
)
def test_a_scene_sets_lights_and_heating_at_once(text: str, lit: set[str], celsius: float) -> None:
    house = House()
    said(house, text)
    assert {room for room, on in house.lights.items() if on} == lit
    assert house.thermostat_c == celsius


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_every_scene_starts_it(language: str) -> None:
    for title, name in [(title, name) for title, names in SCENES.names(language).items() for name in names]:
        result = AGENT.run(name, AgentContext(deps=House(), language=language))
        assert [call.name for call in result.tool_calls] == ["start_scene"], name
        assert result.tool_calls[0].ok
        assert result.tool_calls[0].arguments["scene"] == title


@pytest.mark.parametrize(
    "text", ["good evening", "what is a good movie", "I'm not leaving", "is it bedtime for the cat"]
)
def test_small_talk_starts_no_scene(text: str) -> None:
    assert said(House(), text) == "MODEL"


def test_scenes_are_listed() -> None:
    assert said(House(), "which scenes are there") == (
        "The scenes are good night, good morning, movie time, I'm leaving and I'm home."
    )
    assert said(House(), "welche Szenen gibt es", "de").startswith("Es gibt die Szenen gute Nacht, guten Morgen,")


def test_a_scene_of_ones_own_is_understood_at_once() -> None:
    house = House()
    assert said(house, "reading time") == "MODEL"
    SCENES.add(Scene(names={"en": ["reading time"], "de": ["Lesezeit"]}, lights={"living_room": True}, celsius=22))
    assert said(house, "reading time") == "Reading time is set."
    assert said(house, "Lesezeit", "de") == "Lesezeit ist eingestellt."
    assert (house.lights["living_room"], house.lights["kitchen"], house.thermostat_c) == (True, False, 22)
    assert "reading time" in said(house, "list the scenes")


def test_a_scene_takes_the_place_of_one_with_its_name() -> None:
    house = House()
    SCENES.add(Scene(names={"en": ["good night"]}, lights={"bedroom": True}, replies={"en": "Sleep well."}))
    assert said(house, "good night") == "Sleep well."
    assert house.lights["bedroom"]
    assert SCENES.names("de")["good night"] == []


def test_a_scene_that_is_not_there_is_answered_with_those_that_are() -> None:
    outcome = AGENT.tools.dispatch("start_scene", {"scene": "party"}, AgentContext(deps=House()))
    assert outcome.error == (
        "there is no scene called party; there are good night, good morning, movie time, I'm leaving and I'm home"
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"names": {}, "celsius": 20}, "needs names"),
        ({"names": {"en": ["  "]}, "celsius": 20}, "none may be empty"),
        ({"names": {"en": ["party"]}}, "sets nothing"),
        ({"names": {"en": ["party"]}, "lights": {"garage": True}}, "garage"),
        ({"names": {"en": ["party"]}, "celsius": 45}, "between 10 and 30"),
    ],
)
def test_a_scene_that_cannot_work_is_refused_when_it_is_written(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        Scene(**fields)
