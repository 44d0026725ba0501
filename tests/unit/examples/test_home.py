"""The home agent: what people say to it, in five languages, and what happens in the house."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from edgevox.agents import AgentContext, AgentEvent, LLMAgent
from edgevox.examples.agents.home_assistant import APP, HOME_TOOLS, HOUSE
from edgevox.examples.agents.home_timers import ANNOUNCEMENT
from edgevox.examples.agents.home_words import clock, span, timer_set, timers_left
from edgevox.examples.agents.house import DEMO_WEATHER, House, demo_weather
from edgevox.llm import ToolRegistry
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    house.close()


def said(house: House, text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(deps=house, language=language)).reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Turn on the kitchen light.", "The kitchen light is on."),
        ("please switch the living room lights off", "The living room light is off."),
        ("lights on in the office", "The office light is on."),
        ("turn on the live in room light", "The living room light is on."),
        ("Is the bedroom light on?", "The bedroom light is off."),
        ("Set the thermostat to 21 degrees.", "The thermostat is set to 21 degrees."),
        ("how warm is it in here", "The thermostat is set to 20 degrees."),
        ("Set a timer for five minutes", "The timer is set for 5 minutes."),
        ("start a tea timer for ninety seconds", "The tea timer is set for 1 minute and 30 seconds."),
        ("list my timers", "No timer is running."),
        ("What's the weather in Paris?", "In Paris it is 12 degrees and partly cloudy, in the demo data."),
        ("which rooms are there", "There is the living room, kitchen, bedroom and office."),
    ],
)
def test_a_command_is_done_and_answered_without_a_model(house: House, text: str, reply: str) -> None:
    result = AGENT.run(text, AgentContext(deps=house))
    assert (result.reply, result.model_calls) == (reply, 0)


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("de", "Schalte das Licht in der Küche an.", "Licht an: Küche."),
        ("de", "Schalte das Küchenlicht ein", "Licht an: Küche."),
        ("de", "Stelle die Heizung auf 21 Grad", "Die Heizung steht auf 21 Grad."),
        ("de", "Stelle einen Timer auf fünf Minuten", "Der Timer läuft: 5 Minuten."),
        ("de", "Wie ist das Wetter in München?", "In München sind es 8 Grad, laut Demodaten."),
        ("fr", "Allume la lumière de la cuisine.", "Lumière allumée : cuisine."),
        ("fr", "Mets le thermostat à 21 degrés", "Le thermostat est réglé sur 21 degrés."),
        ("fr", "Mets un minuteur de cinq minutes", "Le minuteur est réglé sur 5 minutes."),
        ("es", "Enciende la luz de la cocina.", "Luz encendida: cocina."),
        ("es", "Pon un temporizador de cinco minutos", "El temporizador está puesto: 5 minutos."),
        ("vi", "Bật đèn nhà bếp.", "Đã bật đèn nhà bếp."),
        ("vi", "Đặt hẹn giờ 5 phút", "Đã đặt hẹn giờ: 5 phút."),
    ],
)
def test_it_is_understood_and_answered_in_five_languages(house: House, language: str, text: str, reply: str) -> None:
    assert said(house, text, language) == reply


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "vi"])
def test_room_names_of_every_language_are_the_english_ids_inside(house: House, language: str) -> None:
    rooms = {
        "en": ("the living room", "turn on {} light"),
        "de": ("Wohnzimmer", "Licht im {} an"),
        "fr": ("du salon", "allume la lumière {}"),
        "es": ("del salón", "enciende la luz {}"),
        "vi": ("phòng khách", "bật đèn {}"),
    }
    name, template = rooms[language]
    said(house, template.format(name), language)
    assert house.lights == {"living_room": True, "kitchen": False, "bedroom": False, "office": False}


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ("turn on the kitchen light", "turn it off again")),
        ("de", ("Schalte das Licht in der Küche an", "schalte es wieder aus")),
        ("fr", ("allume la lumière de la cuisine", "éteins-la")),
        ("es", ("enciende la luz de la cocina", "apágala")),
        ("vi", ("bật đèn nhà bếp", "tắt nó đi")),
    ],
)
def test_a_second_turn_that_depends_on_the_first_needs_no_model(
    house: House, language: str, lines: tuple[str, str]
) -> None:
    ctx = AgentContext(deps=house, language=language)
    results = [AGENT.run(line, ctx) for line in lines]
    assert [result.model_calls for result in results] == [0, 0]
    assert [result.tool_calls[0].arguments["on"] for result in results] == [True, False]
    assert not house.lights["kitchen"]


@pytest.mark.parametrize(
    "text",
    [
        "don't turn on the kitchen light",
        "turn on the garage light",
        "turn on the light",
        "tell me about the kitchen light in the museum",
        "what would happen if I turn on the kitchen light",
    ],
)
def test_what_is_not_surely_a_command_is_left_to_the_model(house: House, text: str) -> None:
    assert said(house, text) == "MODEL"
    assert not any(house.lights.values())


def test_another_room_is_an_error_that_names_it() -> None:
    outcome = ToolRegistry().register(*HOME_TOOLS).dispatch("set_light", {"room": "garage", "on": True})
    assert not outcome.ok
    assert "garage" in (outcome.error or "")


@pytest.mark.parametrize("celsius", [9.9, 31, -5])
def test_a_temperature_out_of_range_says_the_range(celsius: float) -> None:
    outcome = ToolRegistry().register(*HOME_TOOLS).dispatch("set_thermostat", {"celsius": celsius})
    assert not outcome.ok
    assert "between 10 and 30" in (outcome.error or "")


def test_without_a_house_of_the_run_the_demo_house_is_used() -> None:
    HOUSE.reset()
    registry = ToolRegistry().register(*HOME_TOOLS)
    assert registry.dispatch("set_light", {"room": "kitchen", "on": "true"}).ok
    assert HOUSE.lights["kitchen"]
    HOUSE.reset()
    assert not any(HOUSE.lights.values())
    assert registry.dispatch("list_rooms", {}).result == ["living_room", "kitchen", "bedroom", "office"]


def test_the_weather_is_labelled_demo_data() -> None:
    weather = demo_weather(" new  york ")
    assert weather == {"city": "New York", "temp_c": 9.0, "sky": "clear", "humidity_pct": 58, "source": "demo data"}
    with pytest.raises(ValueError, match="Gotham"):
        demo_weather("Gotham")
    assert len(DEMO_WEATHER) > 30


def test_a_timer_runs_down_and_says_so_on_the_bus(house: House) -> None:
    over, events = threading.Event(), list[AgentEvent]()
    ctx = AgentContext(deps=house, language="de")

    def heard(event: AgentEvent) -> None:
        events.append(event)
        over.set()

    ctx.bus.subscribe(ANNOUNCEMENT, heard)
    ToolRegistry(*HOME_TOOLS).dispatch("start_timer", {"minutes": 0.001, "label": "Tee"}, ctx)
    assert over.wait(2.0)
    assert [event.payload for event in events] == ["Der Timer Tee ist abgelaufen."]
    assert house.timers() == []


def test_a_cancelled_timer_says_nothing(house: House) -> None:
    rung: list[str] = []
    timer = house.start_timer(0.0005, "egg", lambda timer: rung.append(timer.label))
    assert house.cancel(timer)
    assert not house.cancel(timer)
    timer.clockwork.join(1.0)
    assert rung == []


def test_timers_are_cancelled_by_name_by_length_or_when_there_is_only_one(house: House) -> None:
    for line in ("set a timer for 5 minutes", "set a tea timer for 3 minutes", "set a timer for 10 minutes"):
        said(house, line)
    assert "say which" in said(house, "cancel the timer")
    assert said(house, "cancel the tea timer") == "The tea timer is cancelled."
    assert said(house, "cancel the 10 minute timer") == "The timer is cancelled."
    assert said(house, "stop the timer") == "The timer is cancelled."
    assert "no timer is running" in said(house, "stop the timer")


def test_a_timer_that_does_not_run_is_named(house: House) -> None:
    said(house, "set a tea timer for 3 minutes")
    assert "egg" in said(house, "cancel the egg timer")
    assert [timer.label for timer in house.timers()] == ["tea"]


def test_resetting_the_house_takes_its_timers_away(house: House) -> None:
    said(house, "set a timer for 5 minutes")
    house.reset()
    assert said(house, "list my timers") == "No timer is running."


@pytest.mark.parametrize(
    ("seconds", "language", "words"),
    [
        (1, "en", "1 second"),
        (90, "en", "1 minute and 30 seconds"),
        (3600, "de", "1 Stunde"),
        (5400, "fr", "1 heure et 30 minutes"),
        (7261, "es", "2 horas y 1 minuto"),
        (0, "en", "0 seconds"),
        (59.7, "xx", "1 minute"),
    ],
)
def test_a_span_is_said_in_two_units_at_most(seconds: float, language: str, words: str) -> None:
    assert span(seconds, language) == words


def test_the_time_is_said_with_day_and_month() -> None:
    now = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
    assert clock(now, "en") == "It is 14:05 on Monday, 30 November."
    assert clock(now, "de") == "Es ist 14:05 Uhr, Montag, der 30. November."
    assert clock(now, "vi") == "Bây giờ là 14:05, thứ hai, ngày 30 tháng 11."


def test_sentences_begin_with_a_capital() -> None:
    assert timer_set("", 60, "vi")[0].isupper()
    assert timers_left([("", 60)], "vi").startswith("Hẹn giờ")


def test_the_app_declares_everything() -> None:
    definition = APP.definition()
    assert (definition.name, definition.deps, list(definition.tools)) == ("Home", HOUSE, HOME_TOOLS)
    assert 3 <= len(HOME_TOOLS) <= 10
    assert definition.greeting
    assert AGENT.matches_phrase(definition.greeting_in("en").partition("Try: ")[2])
