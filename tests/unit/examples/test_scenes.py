"""Scenes: one sentence sets several lights and the heating, in every language, and a person adds their own."""

from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, LLMAgent
from edgevox.core.errors import ConfigError
from edgevox.core.messages import ResultStatus
from edgevox.examples.agents.home_assistant import HOME_TOOLS, HOUSE_PERMISSIONS, SCENES, House, Scene
from edgevox.examples.agents.sayings import LANGUAGES
from edgevox.testing import ScriptedModel
from edgevox.tools.permissions import Operation, PermissionEngine, PermissionRule

AGENT = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def said(house: House, text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(deps=house, language=language)).reply


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        (
            "en",
            "Good night.",
            "Good night. All the lights are off and the heating is at 17 degrees. The alarm is on.",
        ),
        (
            "de",
            "gute Nacht",
            "Gute Nacht. Alle Lichter sind aus, die Heizung steht auf 17 Grad. Die Alarmanlage ist scharf.",
        ),
        (
            "fr",
            "bonne nuit",
            "Bonne nuit. Toutes les lumières sont éteintes et le chauffage est à 17 degrés. L'alarme est activée.",
        ),
        (
            "es",
            "me voy a dormir",
            "Buenas noches. Todas las luces están apagadas y la calefacción está a 17 grados. La alarma está activada.",
        ),
        (
            "vi",
            "chúc ngủ ngon",
            "Chúc ngủ ngon. Đã tắt tất cả đèn và đặt nhiệt độ 17 độ. Báo động đang bật.",
        ),
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
        assert result.tool_calls[0].name == "start_scene", name
        assert {"scene_set"} == {call.name for call in result.tool_calls[-1:]}, name
        assert result.tool_calls[0].ok
        assert result.tool_calls[0].arguments["scene"] == title


@pytest.mark.parametrize(
    "text", ["good evening", "what is a good movie", "I'm not leaving", "is it bedtime for the cat"]
)
def test_small_talk_starts_no_scene(text: str) -> None:
    assert said(House(), text) == "MODEL"


def test_an_open_door_ends_the_chain_before_the_alarm_and_is_named() -> None:
    house = House()
    house.lights["office"] = True
    house.doors["back_door"] = True
    result = AGENT.run("good night", AgentContext(deps=house))
    assert result.reply == (
        "Good night. All the lights are off and the heating is at 17 degrees. "
        "But the alarm stays off while a door is open: the back door."
    )
    assert [call.name for call in result.tool_calls] == [
        "start_scene", "scene_lights", "scene_heating", "scene_doors", "scene_without_alarm",
    ]  # fmt: skip
    assert (any(house.lights.values()), house.thermostat_c, house.alarm_on) == (False, 17, False)
    assert result.model_calls == 0


def test_getting_up_turns_the_alarm_off_and_says_so_only_when_it_was_on() -> None:
    house = House()
    assert said(house, "good night").endswith("The alarm is on.")
    assert said(house, "good morning").endswith("The alarm is off.")
    assert not house.alarm_on
    assert said(house, "good morning").endswith("the heating is at 21 degrees.")


def test_a_scene_that_is_not_about_the_alarm_leaves_it() -> None:
    house = House()
    house.alarm_on = True
    result = AGENT.run("movie time", AgentContext(deps=house))
    assert [call.name for call in result.tool_calls] == ["start_scene", "scene_lights", "scene_heating", "scene_set"]
    assert house.alarm_on


@pytest.mark.parametrize(
    ("denied", "lights_off", "alarm_on"), [("device:alarm", True, False), ("device:light/*", False, False)]
)
def test_a_link_without_leave_ends_the_chain_and_is_told(denied: str, lights_off: bool, alarm_on: bool) -> None:
    house = House()
    house.lights["kitchen"] = True
    engine = PermissionEngine(
        allow_rules=HOUSE_PERMISSIONS,
        deny_rules=[PermissionRule(pattern=denied, operations={Operation.SWITCH})],
    )
    result = AGENT.run("good night", AgentContext(deps=house, permissions=engine))
    assert result.tool_calls[-1].status is ResultStatus.DECLINED
    assert (not any(house.lights.values()), house.alarm_on) == (lights_off, alarm_on)
    assert result.reply
    assert result.model_calls == 0


def test_a_stop_between_two_links_keeps_the_next_from_running() -> None:
    house, ctx = House(), AgentContext()
    ctx.deps = house

    def stop_after_the_lights(event: AgentEvent) -> None:
        if event.payload.name == "scene_lights":
            ctx.stop.set()

    ctx.bus.subscribe("tool_call", stop_after_the_lights)
    result = AGENT.run("good night", ctx)
    assert result.preempted
    assert house.thermostat_c == 20
    assert not house.alarm_on


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
