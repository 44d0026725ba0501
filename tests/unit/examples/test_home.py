"""The home agent: what people say to it, in five languages, and what happens in the house."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from edgevox.agents import AgentContext, AgentEvent, LLMAgent
from edgevox.examples.agents.home_assistant import APP, HOME_TOOLS, HOUSE
from edgevox.examples.agents.home_timers import ANNOUNCEMENT
from edgevox.examples.agents.home_words import about_timer, clock, span, timer_name, timers_left
from edgevox.examples.agents.house import MOST_TIMERS, House
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
        ("Is the bedroom light on?", "The light in the bedroom is off."),
        ("turn on all the lights except the bedroom", "All the lights are on, except in the bedroom."),
        ("which lights are on", "All the lights are off."),
        ("make it a bit warmer", "The thermostat is set to 21 degrees."),
        ("it is too warm in here", "The thermostat is set to 19 degrees."),
        ("turn the heating down by three degrees", "The thermostat is set to 17 degrees."),
        ("set the thermostat to 45", "Sorry, the temperature must be between 10 and 30 degrees, not 45."),
        ("set a timer for an hour and a half", "The timer is set for 1 hour and 30 minutes."),
        ("set a timer for 30 hours", "Sorry, a timer can run for at most 24 hours."),
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
        ("de", "Schalte das Licht in der Küche an.", "Das Licht in der Küche ist an."),
        ("de", "Schalte das Küchenlicht ein", "Das Licht in der Küche ist an."),
        ("de", "mach alle Lichter aus", "Alle Lichter sind aus."),
        ("de", "dreh die Heizung um zwei Grad runter", "Die Heizung steht auf 18 Grad."),
        ("de", "lösche alle Timer", "Das ging nicht: es läuft kein Timer."),
        ("de", "Stelle die Heizung auf 21 Grad", "Die Heizung steht auf 21 Grad."),
        ("de", "Stelle einen Timer auf fünf Minuten", "Der Timer läuft: 5 Minuten."),
        ("de", "Wie ist das Wetter in München?", "In München sind es 8 Grad, bewölkt, laut Demodaten."),
        ("fr", "Allume la lumière de la cuisine.", "La lumière de la cuisine est allumée."),
        ("fr", "Mets le thermostat à 21 degrés", "Le thermostat est réglé sur 21 degrés."),
        ("fr", "Mets un minuteur de cinq minutes", "Le minuteur est réglé sur 5 minutes."),
        (
            "fr",
            "allume toutes les lumières sauf celle du salon",
            "Toutes les lumières sont allumées, sauf celle du salon.",
        ),
        ("fr", "j'ai froid", "Le thermostat est réglé sur 21 degrés."),
        (
            "fr",
            "quel temps fait-il",
            "Dans quelle ville ? Dites par exemple : la météo à Paris. Votre ville est le réglage house.city.",
        ),
        ("es", "Enciende la luz de la cocina.", "La luz de la cocina está encendida."),
        ("es", "qué luces están encendidas", "Todas las luces están apagadas."),
        (
            "es",
            "pon la calefacción a 45 grados",
            "Lo siento, la temperatura tiene que estar entre 10 y 30 grados, no 45.",
        ),
        ("es", "Pon un temporizador de cinco minutos", "El temporizador está puesto: 5 minutos."),
        ("vi", "Bật đèn nhà bếp.", "Đèn nhà bếp đang bật."),
        ("vi", "tắt tất cả đèn", "Đã tắt tất cả đèn."),
        ("vi", "giảm nhiệt độ xuống 18 độ", "Đã đặt nhiệt độ 18 độ."),
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
        "good evening",
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
    assert timer is not None
    assert house.cancel(timer)
    assert not house.cancel(timer)
    timer.clockwork.join(1.0)
    assert rung == []


def test_timers_are_cancelled_by_name_by_length_or_when_there_is_only_one(house: House) -> None:
    for line in ("set a timer for 5 minutes", "set a tea timer for 3 minutes", "set a timer for 10 minutes"):
        said(house, line)
    assert "say which" in said(house, "cancel the timer")
    assert said(house, "cancel the tea timer") == "The tea timer is cancelled."
    assert said(house, "cancel the 10 minute timer") == "The timer for 10 minutes is cancelled."
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
    assert clock(now, "vi") == "Bây giờ là 14 giờ 05, thứ hai, ngày 30 tháng 11."


def test_sentences_begin_with_a_capital() -> None:
    assert about_timer("set", "vi", timer=timer_name("", "vi"), span="1 phút")[0].isupper()
    assert timers_left([("", 60, 60)], "vi").startswith("Hẹn giờ")


def test_spanish_counts_one_o_clock_as_one() -> None:
    assert clock(datetime(2026, 11, 30, 1, 5, tzinfo=UTC), "es").startswith("Es la 1:05 del lunes")
    assert clock(datetime(2026, 5, 1, 14, 0, tzinfo=UTC), "fr") == "Il est 14 h 00, vendredi 1er mai."


def test_all_lights_leave_the_one_that_is_spared(house: House) -> None:
    said(house, "turn on all the lights except the bedroom")
    assert [room for room, on in house.lights.items() if not on] == ["bedroom"]
    assert said(house, "which lights are on") == (
        "The light is on in the living room, in the kitchen and in the office."
    )


def test_several_timers_are_told_apart_by_name_or_length(house: House) -> None:
    for line in ("set a timer for 5 minutes", "set a tea timer for 3 minutes"):
        said(house, line)
    assert (
        said(house, "list my timers") == "The tea timer has 3 minutes left. The timer for 5 minutes has 5 minutes left."
    )
    assert said(house, "how much time is left on the tea timer") == "The tea timer has 3 minutes left."
    assert said(house, "cancel all my timers") == "All timers are cancelled."
    assert house.timers() == []


@pytest.mark.parametrize("minutes", [0, -3, float("nan"), 1e9])
def test_a_timer_of_an_impossible_length_is_refused(house: House, minutes: float) -> None:
    outcome = ToolRegistry(*HOME_TOOLS).dispatch("start_timer", {"minutes": minutes}, AgentContext(deps=house))
    assert not outcome.ok
    assert house.timers() == []


def test_a_house_holds_only_so_many_timers(house: House) -> None:
    for _ in range(MOST_TIMERS):
        assert house.start_timer(5, "", lambda _: None) is not None
    assert "cancel one first" in said(house, "set a timer for five minutes")
    assert len(house.timers()) == MOST_TIMERS


def test_the_app_declares_everything() -> None:
    definition = APP.definition()
    assert (definition.name, definition.deps, list(definition.tools)) == ("Home", HOUSE, HOME_TOOLS)
    assert 3 <= len(AGENT.tools.specs()) <= 17
    assert definition.greeting
    assert AGENT.matches_phrase(definition.greeting_in("en").partition("Try: ")[2])
