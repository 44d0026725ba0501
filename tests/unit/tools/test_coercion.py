"""What becomes of the arguments that models write: the table of repairs and refusals."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field

from edgevox.tools import ToolRegistry, as_tool
from edgevox.tools.coercion import Refused


class Mode(Enum):
    ECO = "eco"
    HEAT = "heat"


class Fan(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    x: float
    y: float = 0.0


class Alarm(BaseModel):
    hour: int
    days: list[Literal["mon", "tue"]] = []


class Place(TypedDict):
    city: str


Room = Literal["kitchen", "living_room", "office"]
Percent = Annotated[int, Field(ge=0, le=100)]


def bound(annotation: Any, value: Any) -> Any:
    """Return what a function whose parameter `x` has that annotation is called with."""

    def fn(x: Any) -> None: ...

    fn.__annotations__["x"] = annotation
    return as_tool(fn).bind({"x": value})["x"]


ACCEPTED: list[tuple[Any, Any, Any]] = [
    (int, 5, 5), (int, "5", 5), (int, " 5000 ", 5000), (int, "-3", -3), (int, "+7", 7), (int, 3.0, 3), (int, "5.0", 5),
    (int, "５", 5), (int, 10**20, 10**20),
    (float, 5, 5.0), (float, 21.5, 21.5), (float, "21.5", 21.5), (float, "5000", 5000.0), (float, "-.5", -0.5),
    (float, "1e3", 1000.0),
    (bool, True, True), (bool, False, False), (bool, "true", True), (bool, "True", True), (bool, "on", True),
    (bool, "yes", True), (bool, "1", True), (bool, "ENABLED", True), (bool, "false", False), (bool, "False", False),
    (bool, "0", False), (bool, "no", False), (bool, "off", False), (bool, " Off ", False), (bool, "disabled", False),
    (str, "kitchen", "kitchen"), (str, 5, "5"), (str, 2.5, "2.5"), (str, "", ""), (str, "null", "null"),
    (int | None, None, None), (int | None, "null", None), (int | None, "None", None), (int | None, "7", 7),
    (str | None, None, None), (str | None, "null", "null"), (float | None, "", None),
    (int | str, "5", "5"), (int | str, 5, 5), (bool | int, 1, 1), (int | float, 2.5, 2.5),
    (Room, "kitchen", "kitchen"), (Room, "Kitchen", "kitchen"), (Room, "living room", "living_room"),
    (Room, "LIVING-ROOM", "living_room"), (Literal[1, 2], "2", 2), (Literal["on", "off"], "ON", "on"),
    (Literal[True, "auto"], "auto", "auto"), (Literal[True, "auto"], True, True),
    (Mode, "eco", Mode.ECO), (Mode, "HEAT", Mode.HEAT), (Mode, Mode.ECO, Mode.ECO),
    (Fan, 1, Fan.LOW), (Fan, "2", Fan.HIGH), (Fan, "high", Fan.HIGH),
    (list[int], [1, 2], [1, 2]), (list[int], ["1", 2.0], [1, 2]), (list[int], "[1, 2]", [1, 2]), (list[int], (), []),
    (list[bool], ["off", True], [False, True]), (tuple[int, str], ["1", "a"], (1, "a")), (set[int], [1, "1"], {1}),
    (dict[str, int], {"a": "1"}, {"a": 1}), (dict[str, int], '{"a": 1}', {"a": 1}), (dict, {"a": [1]}, {"a": [1]}),
    (list, [1, "a"], [1, "a"]), (Any, {"free": None}, {"free": None}), (object, 3, 3),
    (Point, {"x": "1.5"}, Point(1.5)), (Point, '{"X": 1, "y": "2"}', Point(1.0, 2.0)), (Point, Point(1.0), Point(1.0)),
    (Alarm, {"hour": "7", "days": ["MON"]}, Alarm(hour=7, days=["mon"])), (Place, {"city": "Hue"}, {"city": "Hue"}),
    (list[Point], [{"x": 1}], [Point(1.0)]), (Percent, "100", 100), (Point | None, None, None),
]  # fmt: skip

REFUSED: list[tuple[Any, Any, str]] = [
    (int, 3.5, "x must be a whole number, not 3.5"), (int, "3.5", "whole number"), (int, True, "not true"),
    (int, "five", "not 'five'"), (int, "", "whole number"), (int, None, "whole number"), (int, "5,000", "whole number"),
    (int, "0x10", "whole number"), (int, [5], "whole number"), (int, float("inf"), "whole number"),
    (float, "warm", "x must be a number"), (float, True, "a number"), (float, "nan", "a number"),
    (float, float("nan"), "a number"), (float, "inf", "a number"), (float, "1e999", "a number"),
    (bool, "maybe", "x must be true or false, not 'maybe'"), (bool, 1, "true or false"), (bool, 0, "true or false"),
    (bool, None, "true or false"), (bool, "", "true or false"), (bool, 1.0, "true or false"),
    (str, None, "x must be text"), (str, True, "text"), (str, ["a"], "text"), (str, {"a": 1}, "text"),
    (Room, "garage", "x must be one of kitchen, living_room, office, not 'garage'"),
    (Room, "kitchn", "did you mean 'kitchen'"), (Room, 5, "one of"), (Room, None, "one of"), (Room, True, "one of"),
    (Literal[1, 2], True, "one of 1, 2"), (Mode, "cool", "one of eco, heat"), (Fan, "medium", "one of 1, 2"),
    (list[int], [1, "a"], "x[1] must be a whole number"), (list[int], "1, 2", "x must be a list of whole numbers"),
    (list[int], 5, "a list"), (list[int], [True], "x[0]"), (list[str], {"a": 1}, "a list of texts"),
    (tuple[int, str], [1], "entries"), (dict[str, int], {"a": "b"}, "x.a must be a whole number"),
    (dict[str, int], "a: 1", "an object"), (Point, {"y": 1}, "x.x is missing"), (Point, {"x": 1, "z": 2}, "has no 'z'"),
    (Alarm, {"hour": "late"}, "x.hour must be a whole number"), (Alarm, {"hour": 1, "days": ["sun"]}, "x.days[0]"),
    (Percent, 101, "between 0 and 100"), (Percent, "-1", "between 0 and 100"), (int | None, "soon", "a whole number"),
    (int | list[int], "soon", "a whole number or a list of whole numbers"),
    (Annotated[str, Field(min_length=2, max_length=4)], "a", "2 to 4 characters"),
    (Annotated[float, Field(gt=0)], 0, "greater than 0"), (Annotated[list[int], Field(min_length=1)], [], "at least 1"),
    (Annotated[str, Field(pattern="^[a-z]+$")], "A1", "pattern"),
]  # fmt: skip


def test_the_table_is_as_long_as_it_should_be() -> None:
    assert len(ACCEPTED) + len(REFUSED) >= 60


@pytest.mark.parametrize(("annotation", "value", "expected"), ACCEPTED)
def test_nothing_is_lost_by_the_repair(annotation: Any, value: Any, expected: Any) -> None:
    got = bound(annotation, value)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(("annotation", "value", "words"), REFUSED)
def test_a_refusal_names_the_field_and_what_is_allowed(annotation: Any, value: Any, words: str) -> None:
    with pytest.raises(Refused) as caught:
        bound(annotation, value)
    assert words in str(caught.value)
    assert "x" in str(caught.value)
    assert "\n" not in str(caught.value)


def armed(armed: bool) -> bool:
    """Arm the alarm."""
    return armed


@pytest.mark.parametrize("word", ["false", "0", "no", "off", "False", "OFF"])
def test_a_switch_that_says_no_is_never_read_as_yes(word: str) -> None:
    assert ToolRegistry(armed).dispatch("armed", {"armed": word}).value is False


def light(room: Room, on: bool, level: int = 100) -> str:
    """Light a room."""
    return f"{room} {on} {level}"


def test_every_problem_of_a_call_is_named_at_once() -> None:
    error = ToolRegistry(light).dispatch("light", {"room": "kitchn", "on": "maybe"}).error or ""
    assert "room must be" in error
    assert "on must be" in error


def test_a_missing_argument_is_named_with_what_it_must_be() -> None:
    result = ToolRegistry(light).dispatch("light", {"room": "kitchen"})
    assert (result.ok, result.error_code) == (False, "bad_arguments")
    assert result.error == "on is missing; it must be true or false."


def test_an_unknown_argument_is_refused_with_the_nearest_name() -> None:
    error = ToolRegistry(light).dispatch("light", {"room": "kitchen", "on": True, "levle": 3}).error or ""
    assert "no argument 'levle'; did you mean 'level'" in error


def test_an_argument_name_may_differ_in_case_and_hyphens() -> None:
    assert ToolRegistry(light).dispatch("light", {"Room": "kitchen", "ON": "yes"}).result == "kitchen True 100"


def test_an_empty_additional_argument_is_no_argument() -> None:
    arguments: dict[str, Any] = {"room": "kitchen", "on": True, "reason": None, "": {}}
    assert ToolRegistry(light).dispatch("light", arguments).ok


def test_null_leaves_the_default_in_place() -> None:
    assert ToolRegistry(light).dispatch("light", {"room": "kitchen", "on": True, "level": None}).result.endswith("100")


def test_an_explicit_null_for_an_optional_parameter_is_accepted() -> None:
    def recent(limit: int | None = None) -> str:
        return str(limit)

    assert ToolRegistry(recent).dispatch("recent", {"limit": None}).result == "None"


def test_a_secret_is_not_repeated_in_a_refusal() -> None:
    def fn(pin: int) -> None: ...

    from edgevox.tools import build_tool

    result = ToolRegistry(build_tool(fn, secret_fields=["pin"])).dispatch("fn", {"pin": "hunter2"})
    assert not result.ok
    assert "hunter2" not in repr(result)


def test_deeply_nested_arguments_are_refused_not_raised() -> None:
    def fn(x: list) -> None: ...  # type: ignore[type-arg]

    result = ToolRegistry(fn).dispatch("fn", '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}")
    assert (result.ok, result.error_code) == (False, "bad_arguments")
