"""Values as people say them in five languages: lists, places in a row, parts of a whole, durations, changes."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import pytest

from edgevox.core.errors import ToolDefinitionError
from edgevox.intents import Adjustable, Change, PhraseMatcher, Spoken, render_reply
from edgevox.tools import ToolRegistry, build_tool

LANGUAGES = ("en", "de", "fr", "es", "vi")

Room = Annotated[
    Literal["kitchen", "bedroom", "living_room"], Spoken(de={"kitchen": "Küche", "bedroom": "Schlafzimmer"})
]


def understood(fn: Callable[..., Any], phrases: Sequence[str], text: str, language: str = "en") -> Any:
    """What the one parameter of a function is when a text is said; `None` when it is not understood."""
    built = build_tool(fn, phrases={language: list(phrases)})
    match = PhraseMatcher([built], language=language).match(text)
    return next(iter(match.arguments.values())) if match else None


def light(rooms: list[Room]) -> str:
    """Light."""
    return ""


@pytest.mark.parametrize(
    ("text", "rooms"),
    [
        ("light the kitchen", ["kitchen"]), ("light the kitchen and bedroom", ["kitchen", "bedroom"]),
        ("light the kitchen and the bedroom", ["kitchen", "bedroom"]),
        ("light the kitchen, the living room and bedroom", ["kitchen", "living_room", "bedroom"]),
        ("please light the bedroom and the bedroom", ["bedroom"]), ("light the kitchen or bedroom", None),
        ("light the kitchen and the garage", None), ("light the kitchen and", None),
    ],
)  # fmt: skip
def test_several_names_are_a_list(text: str, rooms: list[str] | None) -> None:
    assert understood(light, ["light [the] {rooms}"], text) == rooms


def test_a_list_is_said_by_the_names_of_the_language() -> None:
    built = build_tool(light, phrases={"de": ["beleuchte {rooms}"]}, says={"de": "Hell: {rooms}."})
    match = PhraseMatcher([built], language="de").match("beleuchte Küche und Schlafzimmer")
    assert match is not None
    result = ToolRegistry(built).dispatch("light", match.arguments)
    assert render_reply(built, match.arguments, result, "de") == "Hell: Küche und Schlafzimmer."


def test_names_that_change_can_be_listed() -> None:
    people = ["Ann Lee", "Bob"]

    def call(who: list[Annotated[str, Spoken(lambda: people)]]) -> None: ...

    assert understood(call, ["call {who}"], "call bob and ann lee") == ["Bob", "Ann Lee"]
    assert understood(call, ["call {who}"], "call bob and carol") is None


def test_numbers_can_be_listed() -> None:
    def delete(numbers: list[int]) -> None: ...

    assert understood(delete, ["delete notes {numbers}"], "delete notes two, three and 7") == [2, 3, 7]


@pytest.mark.parametrize(
    ("language", "phrase", "text", "place"),
    [
        ("en", "delete the {number} note", "delete the second note", 2),
        ("en", "delete the {number} note", "delete the 3rd note", 3),
        ("en", "delete the {number} note", "delete the twenty-first note", 21),
        ("en", "delete the {number} note", "delete the last note", -1),
        ("de", "lösche (den|die|das) {number}", "lösche den zweiten", 2),
        ("de", "lösche (den|die|das) {number}", "lösche die dritte", 3),
        ("fr", "supprime la {number} note", "supprime la deuxième note", 2),
        ("fr", "supprime la {number} note", "supprime la première note", 1),
        ("es", "borra la {number} nota", "borra la segunda nota", 2),
        ("es", "borra la {number} nota", "borra la última nota", -1),
        ("vi", "xóa ghi chú {number}", "xóa ghi chú thứ hai", 2),
        ("vi", "xóa ghi chú {number}", "xóa ghi chú thứ ba", 3),
    ],
)  # fmt: skip
def test_places_in_a_row_are_numbers(language: str, phrase: str, text: str, place: int) -> None:
    def delete(number: int) -> None: ...

    assert understood(delete, [phrase], text, language) == place


def test_what_is_measured_has_no_places_in_a_row() -> None:
    def wait(seconds: int) -> None: ...

    assert understood(wait, ["wait {seconds}"], "wait third") is None


@pytest.mark.parametrize(
    ("language", "text", "percent"),
    [
        ("en", "dim fifty percent", 50), ("en", "dim half", 50), ("en", "dim a quarter", 25), ("en", "dim 75%", 75),
        ("en", "dim three quarters", 75), ("en", "dim maximum", 100), ("de", "dim halb", 50),
        ("de", "dim die Hälfte", 50), ("de", "dim fünfzig Prozent", 50), ("fr", "dim moitié", 50),
        ("fr", "dim cinquante pour cent", 50), ("fr", "dim 50 %", 50), ("es", "dim la mitad", 50),
        ("es", "dim cincuenta por ciento", 50), ("vi", "dim một nửa", 50), ("vi", "dim năm mươi phần trăm", 50),
    ],
)  # fmt: skip
def test_parts_of_a_whole_are_percentages(language: str, text: str, percent: float) -> None:
    def dim(brightness: int) -> None: ...

    assert understood(dim, ["dim {brightness}"], text, language) == percent


DURATIONS = [
    ("en", "an hour and a half", 90), ("en", "90 seconds", 1.5), ("en", "a quarter of an hour", 15),
    ("en", "three quarters of an hour", 45), ("en", "half an hour", 30), ("en", "1 hour 20 minutes", 80),
    ("en", "two and a half minutes", 2.5), ("de", "eine halbe Stunde", 30), ("de", "anderthalb Stunden", 90),
    ("de", "eineinhalb Stunden", 90), ("de", "eine Viertelstunde", 15), ("de", "eine Dreiviertelstunde", 45),
    ("de", "neunzig Sekunden", 1.5), ("de", "zwei Stunden und zehn Minuten", 130), ("fr", "une demi-heure", 30),
    ("fr", "une heure et demie", 90), ("fr", "un quart d'heure", 15), ("fr", "trois quarts d'heure", 45),
    ("fr", "quatre-vingt-dix secondes", 1.5), ("es", "media hora", 30), ("es", "una hora y media", 90),
    ("es", "un cuarto de hora", 15), ("es", "tres cuartos de hora", 45), ("es", "noventa segundos", 1.5),
    ("vi", "nửa tiếng", 30), ("vi", "một tiếng rưỡi", 90), ("vi", "chín mươi giây", 1.5),
]  # fmt: skip


@pytest.mark.parametrize(("language", "said", "minutes"), DURATIONS)
def test_durations_are_said_in_many_ways(language: str, said: str, minutes: float) -> None:
    def timer(minutes: float) -> None: ...

    assert understood(timer, ["timer {minutes}"], f"timer {said}", language) == pytest.approx(minutes)


@pytest.mark.parametrize(
    ("language", "said", "celsius"),
    [
        ("en", "70 degrees fahrenheit", 21.1), ("en", "70°F", 21.1), ("de", "70 Grad Fahrenheit", 21.1),
        ("fr", "70 degrés fahrenheit", 21.1), ("es", "70 grados fahrenheit", 21.1), ("vi", "70 độ f", 21.1),
        ("de", "einundzwanzig Komma fünf Grad", 21.5), ("fr", "vingt et un degrés", 21),
        ("es", "veintiún grados", 21), ("vi", "hai mươi mốt độ", 21),
    ],
)  # fmt: skip
def test_temperatures_are_converted(language: str, said: str, celsius: float) -> None:
    def heat(celsius: float) -> None: ...

    assert understood(heat, ["heat {celsius}"], f"heat {said}", language) == pytest.approx(celsius)


CHANGES = [
    ("en", "warmer", 1), ("en", "a bit colder", -1), ("en", "five degrees warmer", 5), ("en", "warmer by 2 degrees", 2),
    ("en", "up", 1), ("en", "down a bit", -1), ("en", "a lot warmer", 3), ("en", "half a degree cooler", -0.5),
    ("en", "9 degrees fahrenheit warmer", 5), ("en", "five percent warmer", None), ("en", "louder", None),
    ("de", "wärmer", 1), ("de", "etwas kälter", -1), ("de", "um zwei Grad wärmer", 2), ("de", "runter", -1),
    ("fr", "plus chaud", 1), ("fr", "un peu plus froid", -1), ("fr", "deux degrés de plus", 2),
    ("es", "más caliente", 1), ("es", "un poco más frío", -1), ("es", "dos grados más", 2),
    ("vi", "ấm hơn", 1), ("vi", "mát hơn một chút", -1), ("vi", "ấm thêm hai độ", 2),
]  # fmt: skip


@pytest.mark.parametrize(("language", "said", "amount"), CHANGES)
def test_a_change_is_told_by_its_direction(language: str, said: str, amount: float | None) -> None:
    def heat(celsius: Annotated[float, Adjustable(step=1)]) -> None: ...

    found = understood(heat, ["make {+celsius}"], f"make {said}", language)
    assert (found and found.amount) == (None if amount is None else pytest.approx(amount))


def test_directions_of_ones_own_can_be_added() -> None:
    adjustable = Adjustable(step=10, more={"en": "crank it | punchier"}, less={"en": "calmer"})

    def bass(level: Annotated[int, adjustable]) -> None: ...

    for said, amount in (("punchier", 10), ("much calmer", -30), ("crank it by five", 5)):
        assert understood(bass, ["bass {+level}"], f"bass {said}") == Change(amount)


def test_a_tool_that_takes_the_change_itself_gets_the_number() -> None:
    def nudge(degrees: Annotated[float, Adjustable(step=2, by=True)]) -> None: ...

    assert understood(nudge, ["a bit {+degrees}", "{+degrees} please"], "a bit lower") == -2


def test_a_change_of_what_has_no_steps_is_named_as_a_mistake() -> None:
    def heat(celsius: float) -> None: ...

    with pytest.raises(ToolDefinitionError, match="Adjustable"):
        PhraseMatcher([build_tool(heat, phrases=["make it {+celsius}"])])


def test_examples_fill_changes_in() -> None:
    def heat(celsius: Annotated[float, Adjustable(step=1)]) -> None: ...

    for language, example in zip(LANGUAGES, ("warmer", "wärmer", "plus chaud", "más caliente", "ấm hơn"), strict=True):
        matcher = PhraseMatcher([build_tool(heat, phrases={language: ["{+celsius} x"]})], language=language)
        assert matcher.examples() == [f"{example} x"]


def test_sentences_that_two_tools_claim_are_found() -> None:
    def one(room: Room) -> None: ...

    def two(place: Literal["kitchen", "roof"]) -> None: ...

    clean = build_tool(one, phrases=["clean [the] {room}", "wipe the {room}"])
    tidy = build_tool(two, phrases=["(tidy|clean) the {place}"])
    overlaps = PhraseMatcher([clean, tidy]).overlaps()
    assert {(said, match.tool_name) for said, match in overlaps} >= {("clean the kitchen", "two")}
    assert not any("wipe" in said or "tidy" in said for said, _ in overlaps)
    assert PhraseMatcher([clean]).overlaps() == []


def test_what_is_missing_is_found() -> None:
    def set_light(room: Room, on: bool) -> None: ...

    def say(text: str, to: Literal["Ann", "Bob"]) -> None: ...

    matcher = PhraseMatcher(
        [
            build_tool(set_light, phrases=["(turn|switch) {on} [the] {room} light[s]"]),
            build_tool(say, phrases=["tell {to} {text}"]),
        ]
    )
    gap = matcher.gaps("please turn off the lights")[0]
    assert (gap.tool, gap.parameter, gap.arguments) == ("set_light", "room", {"on": False})
    for text in ("turn", "turn off the lights tomorrow", "don't turn off the light", "tell Ann", "lights", ""):
        assert matcher.gaps(text) == []
