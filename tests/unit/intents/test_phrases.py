"""How templates, slots and languages work, and which mistakes in them are named."""

import enum
import logging
from typing import Annotated, Any, Literal, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgevox.core.errors import ToolDefinitionError
from edgevox.intents import PhraseMatcher, Spoken
from edgevox.tools import Tool, build_tool, tool

Room = Literal["kitchen", "living_room"]


class Mode(enum.Enum):
    ECO = "eco"
    FULL_HEAT = "full_heat"


class Fan(enum.IntEnum):
    LOW = 1
    HIGH = 2


WORDS = [
    *("turn", "on", "off", "the", "kitchen", "light", "lights", "in", "living", "room", "21", "degrees", "to", "go"),
    *("set", "timer", "for", "two", "and", "not", "{room}", "["),
]


def set_light(room: Room, on: bool) -> str:
    """Light."""
    return ""


def matched(tools: Any, text: str, language: str = "en", **options: Any) -> tuple[str, dict[str, Any]] | None:
    listed = cast("list[Any]", tools if isinstance(tools, list) else [tools])
    match = PhraseMatcher(listed, language=language, **options).match(text)
    return (match.tool_name, match.arguments) if match else None


def arguments(tool_: Any, text: str, language: str = "en", **options: Any) -> dict[str, Any] | None:
    found = matched(tool_, text, language, **options)
    return found[1] if found else None


def light(*phrases: str) -> Tool:
    return build_tool(set_light, phrases=phrases)


def test_the_documented_phrases_turn_the_light_on() -> None:
    built = light("turn {on} the {room} light[s]", "lights {on} in the {room}")
    for said, expected in (
        ("Turn on the kitchen light.", {"room": "kitchen", "on": True}),
        ("turn off the living room lights", {"room": "living_room", "on": False}),
        ("lights off in the kitchen", {"room": "kitchen", "on": False}),
    ):
        match = PhraseMatcher([built]).match(said)
        assert match is not None
        assert (match.tool_name, match.arguments, match.score, match.text) == ("set_light", expected, 1.0, said)


def test_alternatives_optionals_and_permutations_are_hassils() -> None:
    built = light("(switch|turn) {on} [the] {room} (light|lamp)", "({room};light;{on})")
    assert arguments(built, "switch on kitchen lamp") == {"room": "kitchen", "on": True}
    assert arguments(built, "light kitchen off") == {"room": "kitchen", "on": False}


def test_enumerations_are_said_by_value_or_by_name() -> None:
    def set_mode(mode: Mode, fan: Fan = Fan.LOW) -> None: ...

    built = build_tool(set_mode, phrases=["set mode to {mode}", "set mode to {mode} with fan {fan}"])
    assert arguments(built, "set mode to full heat") == {"mode": "full_heat"}
    assert arguments(built, "set mode to eco with fan high") == {"mode": "eco", "fan": 2}


def test_a_slot_that_was_not_said_is_left_to_its_default() -> None:
    def timer(minutes: float, label: str = "timer") -> None: ...

    built = build_tool(timer, phrases=["timer for {minutes} [called {label}]"])
    assert arguments(built, "timer for 5 minutes") == {"minutes": 5}
    assert arguments(built, "timer for 5 minutes called Green Tea") == {"minutes": 5, "label": "Green Tea"}


def test_words_for_a_text_slot_are_kept_as_they_were_said() -> None:
    def send(text: str, to: Literal["Ann", "Bob"]) -> None: ...

    built = build_tool(send, phrases=["tell {to} that {text}"])
    said = "Please tell Bob that I'm at the Living-Room with twenty two apples, thanks!"
    assert arguments(built, said) == {"to": "Bob", "text": "I'm at the Living-Room with twenty two apples"}


NUMBERS = [
    ("twenty one", 21), ("twenty-one", 21), ("21", 21), ("21.5", 21.5), ("two and a half", 2.5), ("2 and a half", 2.5),
    ("minus five", -5), ("-5", -5), ("one hundred and five", 105), ("two thousand five hundred", 2500), ("1,000", 1000),
    ("three point one four", 3.14), ("zero", 0), ("half a", 0.5), ("nineteen", 19), ("a hundred", 100),
]  # fmt: skip


@pytest.mark.parametrize(("said", "value"), NUMBERS)
def test_numbers_are_understood_as_they_are_spoken(said: str, value: float) -> None:
    def count(amount: float) -> None: ...

    assert arguments(build_tool(count, phrases=["count to {amount}"]), f"count to {said}") == {"amount": value}


UNITS = [
    ("minutes", "two hours", 120), ("minutes", "an hour and a half", 90), ("minutes", "90 seconds", 1.5),
    ("minutes", "one hour and thirty minutes", 90), ("minutes", "5", 5), ("minutes", "a minute", 1),
    ("minutes", "half an hour", 30), ("minutes", "2 metres", None), ("minutes", "20 percent", None),
    ("seconds", "two minutes", 120), ("duration_s", "1 min", 60), ("hours", "two days", 48),
    ("meters", "50 centimeters", 0.5), ("meters", "ten metres", 10), ("distance_m", "2 km", 2000),
    ("meters", "three feet", 0.9144), ("meters", "to metres", 2), ("cm", "two metres", 200), ("meters", "5 minutes",
        None),
    ("celsius", "21 degrees", 21), ("celsius", "21°C", 21), ("celsius", "70 degrees fahrenheit", 21.1),
    ("celsius", "20 percent", None), ("percent", "50%", 50), ("percent", "fifty percent", 50), ("level", "30", 30),
    ("percent", "20 metres", None), ("degrees", "ninety degrees", 90), ("amount", "5 metres", None), ("amount", "5%",
        5),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "said", "value"), UNITS)
def test_units_are_converted_to_the_parameters_own_or_the_phrase_does_not_match(
    parameter: str, said: str, value: float | None
) -> None:
    scope: dict[str, Any] = {}
    exec(f"def act({parameter}: float) -> None: ...", scope)
    got = arguments(build_tool(scope["act"], phrases=[f"act {{{parameter}}}"]), f"act {said}")
    assert (got[parameter] if got else None) == (pytest.approx(value) if value is not None else None)


def test_a_number_out_of_range_matches_so_that_the_tool_can_say_why() -> None:
    def heat(celsius: Annotated[float, "10 to 30"]) -> None: ...

    assert arguments(build_tool(heat, phrases=["heat to {celsius}"]), "heat to 100 degrees") == {"celsius": 100}


def test_a_range_in_the_template_is_held() -> None:
    def dim(level: int) -> None: ...

    built = build_tool(dim, phrases=["dim to {0..100:level}"])
    assert arguments(built, "dim to forty") == {"level": 40}
    assert arguments(built, "dim to 400") is None


def test_values_can_be_said_in_other_words() -> None:
    def go(room: Annotated[Room, Spoken({"kitchen": ["cooking room", "galley"]}, de={"kitchen": "Küche"})]) -> None: ...

    built = build_tool(go, phrases={"en": ["go to the {room}"], "de": ["geh in die {room}"]})
    assert arguments(built, "go to the galley") == {"room": "kitchen"}
    assert arguments(built, "go to the living room") == {"room": "living_room"}
    assert arguments(built, "Geh in die Küche!", "de") == {"room": "kitchen"}


def test_names_that_change_are_asked_for_at_every_match(caplog: pytest.LogCaptureFixture) -> None:
    contacts = ["Ann Lee"]

    def names() -> list[str]:
        return contacts

    def call(contact: Annotated[str, Spoken(names)]) -> None: ...

    matcher = PhraseMatcher([build_tool(call, phrases=["call {contact}"])])
    assert matcher.match("call ann lee") is not None
    assert matcher.match("call Bob") is None
    contacts.append("Bob")
    match = matcher.match("call bob")
    assert match is not None
    assert match.arguments == {"contact": "Bob"}
    contacts.append(None)  # type: ignore[arg-type]
    assert matcher.match("call Ann Lee") is not None


def test_a_source_of_names_that_fails_is_no_names(caplog: pytest.LogCaptureFixture) -> None:
    def names() -> list[str]:
        raise ConnectionError("no network")

    def call(contact: Annotated[str, names]) -> None: ...

    with caplog.at_level(logging.ERROR):
        assert arguments(build_tool(call, phrases=["call {contact}"]), "call Ann") is None
    assert "call.contact" in caplog.text


def test_names_can_be_given_to_the_matcher() -> None:
    def go(room: Room) -> None: ...

    built = build_tool(go, phrases=["go to the {room}"])
    extra = {"room": {"kitchen": "galley"}, "go.room": Spoken({"living_room": "saloon"})}
    assert arguments(built, "go to the galley", extra=extra) == {"room": "kitchen"}
    assert arguments(built, "go to the saloon", extra=extra) == {"room": "living_room"}


def test_a_regional_language_falls_back_to_its_base() -> None:
    built = build_tool(
        set_light, phrases={"de": ["mach das licht im {room} {on}"], "en": ["turn {on} the {room} light"]}
    )
    assert arguments(built, "Mach das Licht im Kitchen an", "de-AT") == {"room": "kitchen", "on": True}
    assert arguments(built, "turn on the kitchen light", "en_GB") == {"room": "kitchen", "on": True}
    assert arguments(built, "turn on the kitchen light", "fr") is None


SWITCHES = [
    ("open", "open", True), ("open", "close", False), ("closed", "close", True), ("closed", "open", False),
    ("muted", "mute", True), ("muted", "unmute", False), ("locked", "unlock", False), ("is_open", "open", True),
    ("enabled", "disable", False), ("armed", "enable", True), ("armed", "on", True), ("armed", "off", False),
    ("on", "lock", None), ("on", "yes", True), ("open", "off", False), ("closed", "on", True),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "said", "value"), SWITCHES)
def test_a_switch_is_told_with_the_opposites_that_its_name_means(parameter: str, said: str, value: bool | None) -> None:
    scope: dict[str, Any] = {}
    exec(f"def act({parameter}: bool) -> None: ...", scope)
    got = arguments(build_tool(scope["act"], phrases=[f"{{{parameter}}} the thing"]), f"{said} the thing")
    assert (got[parameter] if got else None) is value


LANGUAGES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("de", "(schalte|mach) das Licht in der {room} {on}", "Könntest du bitte das Licht in der Küche ausschalten", {}),
    ("de", "(schalte|mach) das Licht in der {room} {on}", "Mach bitte das Licht in der Küche an!", {"room": "kitchen",
        "on": True}),
    ("de", "(schalte|mach) das Licht in der {room} {on}", "Äh, schalte das das Licht in der Küche aus, danke",
        {"room": "kitchen", "on": False}),
    ("de", "(schalte|mach) das Licht in der {room} {on}", "Mach das Licht in der Küche nicht an", {}),
    ("fr", "{on} la lumière de la {room}", "Allume la lumière de la cuisine s'il te plaît", {"room": "kitchen",
        "on": True}),
    ("fr", "{on} la lumière de la {room}", "éteindre la lumière de la cuisine", {"room": "kitchen", "on": False}),
    ("fr", "{on} la lumière de la {room}", "N'allume pas la lumière de la cuisine", {}),
    ("es", "{on} la luz de la {room}", "Por favor, enciende la luz de la cocina.", {"room": "kitchen", "on": True}),
    ("es", "{on} la luz de la {room}", "¿Puedes apagar la luz de la cocina?", {"room": "kitchen", "on": False}),
    ("es", "{on} la luz de la {room}", "no enciendas la luz de la cocina", {}),
    ("vi", "{on} đèn [trong] {room}", "Bật đèn phòng bếp giúp tôi nhé", {"room": "kitchen", "on": True}),
    ("vi", "{on} đèn [trong] {room}", "tắt đèn trong phòng bếp", {"room": "kitchen", "on": False}),
    ("vi", "{on} đèn [trong] {room}", "đừng bật đèn phòng bếp", {}),
]  # fmt: skip

KITCHENS = {
    "room": Spoken(
        de={"kitchen": "Küche"}, fr={"kitchen": "cuisine"}, es={"kitchen": "cocina"}, vi={"kitchen": "phòng bếp"}
    )
}


@pytest.mark.parametrize(("language", "phrase", "said", "expected"), LANGUAGES)
def test_other_languages_have_their_politeness_switches_and_negations(
    language: str, phrase: str, said: str, expected: dict[str, Any]
) -> None:
    built = build_tool(set_light, phrases={language: [phrase]})
    assert (arguments(built, said, language, extra=KITCHENS) or {}) == expected


OTHER_NUMBERS = [
    ("de", "einundzwanzig Grad", 21), ("de", "einundzwanzig Komma fünf", 21.5), ("de", "21,5 Grad", 21.5),
    ("de", "achtzehneinhalb", None), ("fr", "vingt et un degrés", 21), ("fr", "vingt-deux virgule cinq", 22.5),
    ("fr", "dix-neuf degrés et demi", 19.5), ("es", "veintiún grados", 21), ("es", "veinte coma cinco", 20.5),
    ("vi", "hai mươi mốt độ", 21), ("vi", "hai mươi hai phẩy năm", 22.5),
]  # fmt: skip


@pytest.mark.parametrize(("language", "said", "value"), OTHER_NUMBERS)
def test_numbers_in_other_languages(language: str, said: str, value: float | None) -> None:
    def heat(celsius: float) -> None: ...

    got = arguments(build_tool(heat, phrases={language: ["heizung {celsius}"]}), f"heizung {said}", language)
    assert (got["celsius"] if got else None) == value


def test_a_language_without_tables_still_has_its_templates() -> None:
    built = build_tool(set_light, phrases={"nl": ["lamp {room} {on}"]})
    extra = {"on": {True: "aan", False: "uit"}, "room": {"kitchen": "keuken"}}
    assert arguments(built, "Lamp keuken aan!", "nl", extra=extra) == {"room": "kitchen", "on": True}


MISTAKES = [
    ("turn {on} the {rom} light", "'{rom}' is not one of its parameters; did you mean 'room'"),
    ("turn {on} the {room light", "'{' and '}' do not match up"),
    ("turn {on} the ({room} light", "'(' and ')' do not match up"),
    ("turn {on} the {room} [light", "'[' and ']' do not match up"),
    ("<turn> {on} the {room} light", "angle brackets"),
    ("turn {on} the light", "it never says 'room'"),
    ("turn {on:off} the {room}", "is not a slot"),
    ("[{room}] [{on}]", None),
    ("()", "cannot be used"),
]


@pytest.mark.parametrize(("phrase", "words"), MISTAKES)
def test_a_mistake_in_a_phrase_is_named_with_its_tool_when_it_is_registered(phrase: str, words: str | None) -> None:
    built = light(phrase)
    if words is None:
        PhraseMatcher([built])
        return
    with pytest.raises(ToolDefinitionError) as caught:
        PhraseMatcher([built])
    assert words in str(caught.value)
    assert str(caught.value).startswith("set_light: the phrase")
    assert phrase in str(caught.value)
    assert "\n" not in str(caught.value)


def test_phrases_that_would_match_everything_are_refused() -> None:
    def say(text: str, tone: str = "") -> None: ...

    def mix(parts: dict[str, int]) -> None: ...

    for built, words in (
        (build_tool(say, phrases=["{text}"]), "match everything"),
        (build_tool(say, phrases=["say {text} {tone}"]), "nothing tells where '{text}' ends"),
        (build_tool(mix, phrases=["mix {parts}"]), "cannot be spoken"),
    ):
        with pytest.raises(ToolDefinitionError, match=words.replace("{", r"\{")):
            PhraseMatcher([built])


def test_examples_are_sentences_that_match(house: PhraseMatcher) -> None:
    examples = house.examples(limit=30)
    assert examples[0] == "turn on the kitchen light"
    assert "set a timer for 10 minutes" in examples
    assert len(examples) == 30
    fixed = [example for example in examples if "…" not in example]
    assert len(fixed) > 20
    assert [example for example in fixed if house.match(example) is None] == []
    assert house.examples(limit=3) == examples[:3]


def test_an_example_is_said_as_its_author_would() -> None:
    def act(room: Annotated[Room, Spoken(de={"kitchen": "Küche"})], minutes: int, on: bool, note: str = "") -> None: ...

    built = build_tool(
        act,
        phrases={
            "en": ["(turn|put) [the] {room} light[s] {on}, for {minutes} [very] [much] [with {note}]"],
            "de": ["(Mach|Schalte) das Licht in der {room} [für {minutes}] {on}"],
            "fr": ["{on} la lumière ({room}) {minutes}"],
        },
    )
    assert PhraseMatcher([built]).examples() == ["turn the kitchen light on, for 10 minutes"]
    assert PhraseMatcher([built], language="de").examples() == ["Mach das Licht in der Küche für 10 Minuten an"]
    assert PhraseMatcher([built], language="fr").examples() == ["allume la lumière kitchen 10 minutes"]


def test_a_tool_without_phrases_or_switched_off_is_not_matched() -> None:
    built = light("turn {on} the {room} light")
    matcher = PhraseMatcher([built, tool(lambda_free)])
    assert matcher.match("turn on the kitchen light") is not None
    built.active = False
    assert matcher.match("turn on the kitchen light") is None
    assert PhraseMatcher([tool(lambda_free)]).match("anything") is None
    assert PhraseMatcher([]).examples() == []


def lambda_free() -> None:
    """Do nothing."""


def test_two_tools_that_both_fit_are_left_to_the_model() -> None:
    def one(room: Room) -> None: ...

    def two(room: Room) -> None: ...

    tools = [build_tool(fn, phrases=["clean the {room}"]) for fn in (one, two)]
    assert matched(tools, "clean the kitchen") is None


def test_the_more_specific_phrase_wins_over_free_words() -> None:
    def play(what: str) -> None: ...

    def play_jazz() -> None: ...

    tools = [build_tool(play, phrases=["play {what}"]), build_tool(play_jazz, phrases=["play some jazz"])]
    assert matched(tools, "play some jazz") == ("play_jazz", {})
    assert matched(tools, "play Yesterday") == ("play", {"what": "Yesterday"})


def test_opposites_are_never_taken_for_each_other() -> None:
    def arm() -> None: ...

    def lock(door: Literal["front door", "back door"]) -> None: ...

    tools = [build_tool(arm, phrases=["arm the alarm"]), build_tool(lock, phrases=["lock the {door}"])]
    for said in ("disarm the alarm", "unlock the front door", "block the front door please not"):
        assert matched(tools, said) is None
    assert matched(tools, "harm the alarm") == ("arm", {})


def test_names_that_are_nearly_the_same_are_not_guessed_between() -> None:
    def go(place: Literal["bay one", "bay two", "bedroom", "bathroom"]) -> None: ...

    built = build_tool(go, phrases=["go to [the] {place}"])
    assert arguments(built, "go to bay") is None
    assert arguments(built, "go to bay 2") == {"place": "bay two"}
    assert arguments(built, "go to the bedrom") == {"place": "bedroom"}
    assert arguments(built, "go to the badroom") in (None, {"place": "bedroom"})


def test_small_words_that_end_free_words_cannot_be_left_out() -> None:
    def tell(name: str, text: str) -> None: ...

    built = build_tool(tell, phrases=["tell {name} that {text}"])
    assert arguments(built, "tell Bob that it rains") == {"name": "Bob", "text": "it rains"}
    assert arguments(built, "tell Bob it rains") is None


@given(st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_makes_the_matcher_fail(house: PhraseMatcher, caplog: pytest.LogCaptureFixture, text: str) -> None:
    match = house.match(text)
    assert match is None or match.text == text
    assert caplog.text == ""


def test_hopeless_input_is_no_match_and_no_exception(house: PhraseMatcher, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        for text in (
            "",
            " ",
            "…",
            "{room}",
            "(((",
            "\x00\ud800",
            "a" * 100_000,
            "turn " * 5000,
            "🙂 turn",
            "[[kitchen]]",
            "<|tool|>",
        ):
            assert house.match(text) is None
    assert caplog.text == ""
