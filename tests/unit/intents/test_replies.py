"""What is said after a call that no model was asked about."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from edgevox.core.messages import ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.intents import Spoken, render_reply
from edgevox.tools import Tool, ToolRegistry, build_tool

Room = Annotated[Literal["kitchen", "living_room"], Spoken(de={"kitchen": "Küche", "living_room": "Wohnzimmer"})]

SAYS = {
    "en": "The {room} light is {on}.",
    "de": "{room}: Das Licht ist {on}.",
    "fr": "La lumière est {on}.",
    "es": "La luz está {on}.",
    "vi": "Đã {on} đèn.",
}


def set_light(room: Room, on: bool, level: float = 100.0) -> str:
    """Light."""
    return f"{room} {on}"


def reply(tool: Tool, arguments: dict[str, Any], language: str = "en", **outcome: Any) -> str | None:
    return render_reply(tool, arguments, ToolCallResult(name=tool.name, **outcome), language)


@pytest.mark.parametrize(
    ("language", "on", "sentence"),
    [
        ("en", True, "The living room light is on."), ("en", False, "The living room light is off."),
        ("en-GB", True, "The living room light is on."), ("de", True, "Wohnzimmer: Das Licht ist an."),
        ("de-AT", False, "Wohnzimmer: Das Licht ist aus."), ("fr", True, "La lumière est allumée."),
        ("fr", False, "La lumière est éteinte."), ("es", True, "La luz está encendida."),
        ("es", False, "La luz está apagada."), ("vi", True, "Đã bật đèn."), ("vi", False, "Đã tắt đèn."),
    ],
)  # fmt: skip
def test_a_template_is_filled_the_way_the_language_says_it(language: str, on: bool, sentence: str) -> None:
    built = build_tool(set_light, says=SAYS)
    assert reply(built, {"room": "living_room", "on": on}, language, result="ok") == sentence


def test_a_switch_is_named_by_the_opposites_that_it_means() -> None:
    def set_door(open: bool, locked: bool = False, muted: bool = True) -> None: ...

    built = build_tool(set_door, says={"en": "{open}, {locked}, {muted}", "de": "{open}"})
    assert reply(built, {"open": True}) == "open, unlocked, muted"
    assert reply(built, {"open": False, "locked": True, "muted": False}) == "closed, locked, unmuted"
    assert reply(built, {"open": False}, "de") == "geschlossen"


def test_what_was_not_said_comes_from_the_defaults_and_numbers_read_well() -> None:
    built = build_tool(set_light, says={"en": "{room} at {level}.", "de": "{room} auf {level}."})
    assert reply(built, {"room": "kitchen", "on": True}) == "kitchen at 100."
    assert reply(built, {"room": "kitchen", "on": True, "level": 21.5}) == "kitchen at 21.5."
    assert reply(built, {"room": "kitchen", "on": True, "level": 21.5}, "de") == "Küche auf 21,5."


@dataclass
class Weather:
    city: str
    temp_c: float
    days: tuple[str, ...] = ("sun", "rain", "wind")


def test_fields_of_the_result_can_be_said() -> None:
    def get_weather(city: str) -> Any:
        return {"city": city, "temp_c": 21.333, "sky": {"clouds": False}, "days": ["sun", "rain"]}

    def typed(city: str) -> Any:
        return Weather(city, 7.0)

    says = "{result.city}: {result.temp_c} degrees, {result.days}, {result.days.0} first."
    for fn, sentence in (
        (get_weather, "Hue: 21.33 degrees, sun and rain, sun first."),
        (typed, "Hue: 7 degrees, sun, rain and wind, sun first."),
    ):
        built = build_tool(fn, says=says)
        result = ToolRegistry(built).dispatch(built.name, {"city": "Hue"})
        assert render_reply(built, {"city": "Hue"}, result, "en") == sentence


def test_the_whole_result_can_be_said() -> None:
    built = build_tool(set_light, says="Done: {result}")
    assert reply(built, {}, result="lit", value="lit") == "Done: lit"
    assert reply(built, {}, result=True, value=True) == "Done: on"


@pytest.mark.parametrize(
    ("result", "spoken"),
    [
        ("living_room", "living room"), ("room-2", "room 2"), ("-6", "-6"), ("-1_000", "-1_000"),
        ("9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"),
        ("ab1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "ab1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"),
    ],
)  # fmt: skip
def test_names_are_said_as_words_and_numbers_and_codes_as_they_are(result: str, spoken: str) -> None:
    def answer() -> str:
        """Answer."""
        return result

    assert reply(build_tool(answer, says="It is {result}."), {}, result=result) == f"It is {spoken}."


def test_without_a_template_the_tools_own_words_are_said() -> None:
    built = build_tool(set_light)
    assert reply(built, {}, result="kitchen light is now on", value="x") == "kitchen light is now on"
    assert reply(built, {}, result=21.50, value=21.5) == "21.5"
    assert reply(built, {}, result="done", value=None) == "Done."
    assert reply(built, {}, "de", result="done", value=None) == "Erledigt."


def test_a_result_that_only_a_model_can_put_into_words_is_left_to_it() -> None:
    assert reply(build_tool(set_light), {}, result={"a": 1}, value={"a": 1}) is None
    assert reply(build_tool(set_light), {}, result=True, value=True) is None


def test_a_template_that_cannot_be_filled_falls_back_to_the_tools_words() -> None:
    built = build_tool(set_light, says="It is {result.temp_c}.")
    assert reply(built, {}, result="no weather today", value="x") == "no weather today"
    assert reply(build_tool(set_light, says="{room} lit"), {}, result="lit", value="x") == "lit"


def test_a_template_reaches_no_private_attributes() -> None:
    built = build_tool(set_light, says="{result.__class__.__name__}")
    assert reply(built, {}, result="plain", value="plain") == "plain"


@pytest.mark.parametrize(
    ("outcome", "language", "sentence"),
    [
        ({"error": "celsius must be between 10 and 30"}, "en", "Sorry, celsius must be between 10 and 30."),
        ({"error": "set_light failed: no bulb"}, "en", "Sorry, set light failed: no bulb."),
        ({"error": "kein Strom."}, "de", "Das ging nicht: kein Strom."),
        ({"error": None}, "en", "Sorry, it did not work."),
        ({"error": "a\nb " * 200}, "en", None),
        ({"status": ResultStatus.DECLINED, "error": "no"}, "en", "Okay, I left it."),
        ({"status": ResultStatus.CANCELLED, "error": "x", "error_code": "cancelled"}, "en", "Stopped."),
        (
            {"status": ResultStatus.CANCELLED, "error": "The halt is not confirmed.", "error_code": "halt_unconfirmed"},
            "en",
            "Sorry, The halt is not confirmed.",
        ),
    ],
)
def test_a_failure_is_one_spoken_sentence(outcome: dict[str, Any], language: str, sentence: str | None) -> None:
    said = reply(build_tool(set_light, says=SAYS), {}, language, **({"status": ResultStatus.ERROR} | outcome))
    assert said is not None
    assert "\n" not in said
    assert len(said) < 260
    if sentence is not None:
        assert said == sentence
