"""What `@tool` makes of a function, and what it refuses."""

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, Optional, TypedDict, cast

import pytest
from annotated_types import Ge, Le
from pydantic import BaseModel, Field

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, LatencyClass, ToolSite
from edgevox.tools import Tool, ToolRegistry, as_tool, build_tool, tool


def properties(fn: Any) -> dict[str, Any]:
    return as_tool(fn).parameters["properties"]


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
    hour: int = Field(ge=0, le=23, description="in 24 hours")
    label: str = ""


class Place(TypedDict, total=False):
    city: str


class Node(BaseModel):
    name: str
    children: list["Node"] = []


def test_the_documented_light_has_the_schema_a_model_reads() -> None:
    @tool
    def set_light(room: str, on: bool) -> str:
        """Turn a room's light on or off.

        Args:
            room: the room name, e.g. "kitchen"
            on: true to turn on, false to turn off
        """
        return f"{room} {on}"

    schema = set_light.__edgevox_tool__.openai_schema()  # type: ignore[attr-defined]
    assert schema == {
        "type": "function",
        "function": {
            "name": "set_light",
            "description": "Turn a room's light on or off.",
            "parameters": {
                "type": "object",
                "properties": {
                    "room": {"type": "string", "description": 'the room name, e.g. "kitchen"'},
                    "on": {"type": "boolean", "description": "true to turn on, false to turn off"},
                },
                "required": ["room", "on"],
            },
        },
    }


def test_the_decorated_function_stays_the_function_it_was() -> None:
    def add(a: int, b: int = 1) -> int:
        return a + b

    decorated = tool(add)
    assert decorated is add
    assert decorated(2, b=3) == 5


def test_every_plain_type_has_its_json_type() -> None:
    def fn(a: str, b: int, c: float, d: bool, e: list[int], f: dict[str, int], g: list[str] | None = None) -> None: ...

    assert {name: schema["type"] for name, schema in properties(fn).items()} == {
        "a": "string",
        "b": "integer",
        "c": "number",
        "d": "boolean",
        "e": "array",
        "f": "object",
        "g": "array",
    }
    assert properties(fn)["e"]["items"] == {"type": "integer"}


def test_literals_and_enumerations_reach_the_model_as_their_values() -> None:
    def fn(mode: Literal["eco", "heat"], same: Mode, fan: Fan) -> None: ...

    schemas = properties(fn)
    assert schemas["mode"]["enum"] == schemas["same"]["enum"] == ["eco", "heat"]
    assert schemas["fan"]["enum"] == [1, 2]
    assert "1 = LOW" in schemas["fan"]["description"]


def test_a_parameter_that_may_be_left_out_needs_no_null() -> None:
    def fn(a: int | None = None, b: Optional[str] = None, c: int = 5) -> None: ...  # noqa: UP045

    tool_ = as_tool(fn)
    assert tool_.parameters["properties"] == {
        "a": {"type": "integer"},
        "b": {"type": "string"},
        "c": {"type": "integer", "default": 5},
    }
    assert "required" not in tool_.parameters


def test_a_required_parameter_that_may_be_null_says_so() -> None:
    def fn(a: int | None) -> None: ...

    assert {"type": "null"} in properties(fn)["a"]["anyOf"]


def test_structured_arguments_are_written_out_without_references() -> None:
    def fn(point: Point, alarm: Alarm, place: Place) -> None: ...

    schemas = properties(fn)
    assert schemas["point"]["properties"]["x"]["type"] == "number"
    assert schemas["alarm"]["properties"]["hour"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 23,
        "description": "in 24 hours",
    }
    assert schemas["place"]["properties"] == {"city": {"type": "string"}}
    assert "$ref" not in json.dumps(as_tool(fn).parameters)


def test_a_type_that_holds_itself_keeps_its_reference() -> None:
    def fn(node: Node) -> None: ...

    parameters = as_tool(fn).parameters
    assert "$ref" in json.dumps(parameters["properties"])
    assert "Node" in parameters["$defs"]


def test_constraints_reach_the_schema() -> None:
    def fn(
        a: Annotated[float, Ge(10), Le(30)],
        b: Annotated[str, Field(max_length=8, description="short")],
        c: int = Field(3, gt=0),
    ) -> None: ...

    schemas = properties(fn)
    assert (schemas["a"]["minimum"], schemas["a"]["maximum"]) == (10, 30)
    assert schemas["b"]["maxLength"] == 8
    assert schemas["b"]["description"] == "short"
    assert schemas["c"]["exclusiveMinimum"] == 0
    assert ToolRegistry(fn).dispatch("fn", {"a": 20, "b": "x"}).ok


def test_a_missing_hint_is_text() -> None:
    def fn(thing, other="x") -> None: ...  # type: ignore[no-untyped-def]

    assert {name: schema["type"] for name, schema in properties(fn).items()} == {"thing": "string", "other": "string"}


def test_a_hint_that_cannot_be_resolved_is_text_and_spoils_no_other() -> None:
    def fn(thing: "NoSuchThing", count: int) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert properties(fn)["thing"]["type"] == "string"
    assert properties(fn)["count"]["type"] == "integer"


def test_the_context_is_injected_by_name_or_annotation_and_hidden() -> None:
    def by_name(room: str, ctx) -> str:  # type: ignore[no-untyped-def]
        return f"{room} {cast('AgentContext', ctx).deps}"

    def by_type(room: str, run: AgentContext) -> str:
        return f"{room} {run.deps}"

    def by_text(room: str, run: "AgentContext | None" = None) -> str:
        return f"{room} {run.deps if run else '-'}"

    functions: list[Callable[..., str]] = [by_name, by_type, by_text]  # pyright: ignore[reportUnknownVariableType]
    for fn in functions:
        built = as_tool(fn)
        assert list(built.parameters["properties"]) == ["room"]
        assert len(built.inject) == 1
        result = ToolRegistry(fn).dispatch(fn.__name__, {"room": "hall"}, AgentContext(deps="world"))
        assert result.result == "hall world"


def test_a_tool_that_wants_a_context_gets_one_even_without_a_run() -> None:
    def fn(ctx: AgentContext) -> str:
        return type(ctx).__name__

    assert ToolRegistry(fn).dispatch("fn").result == "AgentContext"


class House:
    def __init__(self) -> None:
        self.lit: list[str] = []

    def light(self, room: str) -> str:
        """Light a room."""
        self.lit.append(room)
        return f"{room} is lit"

    @tool
    def dim(self, room: str) -> str:
        """Dim a room."""
        self.lit.append(f"dim {room}")
        return "dimmed"


def test_a_bound_method_works_and_self_is_not_offered() -> None:
    house = House()
    for method in (house.light, house.dim):
        registry = ToolRegistry(tool(method)) if method == house.light else ToolRegistry(method)
        name = method.__name__
        assert list(registry.tools[0].parameters["properties"]) == ["room"]
        assert registry.dispatch(name, {"room": "hall"}).ok
    assert house.lit == ["hall", "dim hall"]


def test_two_objects_of_one_class_keep_their_own_state() -> None:
    one, other = House(), House()
    ToolRegistry(one.dim).dispatch("dim", {"room": "hall"})
    assert other.lit == []
    assert one.lit == ["dim hall"]


def test_a_method_without_its_object_is_refused_in_words_when_it_is_called() -> None:
    result = ToolRegistry(House.dim).dispatch("dim", {"room": "hall"})
    assert not result.ok
    assert "house.dim" in (result.error or "")


async def fetch(city: str) -> str:
    """Fetch something."""
    return f"{city}!"


def test_a_coroutine_function_is_awaited() -> None:
    assert ToolRegistry(tool(fetch)).dispatch("fetch", {"city": "Hue"}).result == "Hue!"


def test_a_callable_object_and_a_partial_can_be_tools_under_a_name() -> None:
    class Doubler:
        def __call__(self, n: int) -> int:
            """Double a number."""
            return 2 * n

    def scale(n: int, factor: int) -> int:
        return n * factor

    registry = ToolRegistry(
        build_tool(Doubler(), name="double"), build_tool(functools.partial(scale, factor=3), name="triple")
    )
    assert registry.dispatch("double", {"n": 4}).value == 8
    assert registry.dispatch("triple", {"n": 4}).value == 12


@pytest.mark.parametrize(
    ("signature", "named"),
    [("*rooms: str", "*rooms"), ("**options: str", "**options"), ("room: str, /", "room")],
)
def test_a_parameter_without_a_usable_name_is_refused(signature: str, named: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def fn({signature}): ...", scope)
    with pytest.raises(ToolDefinitionError, match="a model names each argument") as caught:
        tool(scope["fn"])
    assert named in str(caught.value)


def test_a_type_that_json_cannot_hold_is_refused_by_name() -> None:
    class Robot: ...

    def fn(robot: Robot) -> None: ...

    with pytest.raises(ToolDefinitionError, match="'robot'"):
        tool(fn)


def test_a_generator_a_class_and_a_nameless_function_are_refused() -> None:
    def counts() -> Iterator[int]:
        yield 1

    with pytest.raises(ToolDefinitionError, match="yields"):
        tool(counts)
    with pytest.raises(ToolDefinitionError, match="function or a method"):
        tool(House)
    with pytest.raises(ToolDefinitionError, match="name"):
        tool(lambda: 1)
    with pytest.raises(ToolDefinitionError, match="not a tool"):
        as_tool(42)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "turn on light"}, "cannot be a tool's name"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": -2.0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"timeout_s": float("inf")}, "timeout_s"),
        ({"timeout_s": "5"}, "timeout_s"),
        ({"timeout_s": True}, "timeout_s"),
        ({"effect": "sometimes"}, "effect"),
        ({"latency_class": "medium"}, "latency_class"),
        ({"secret_fields": ["pin"]}, "'pin'"),
        ({"phrases": [""]}, "phrase"),
        ({"says": "The {rom} is lit."}, "did you mean 'room'"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_in_one_sentence(options: dict[str, Any], words: str) -> None:
    def fn(room: str) -> None: ...

    with pytest.raises(ToolDefinitionError, match=words) as caught:
        tool(**options)(fn)
    assert "\n" not in str(caught.value)


def test_options_are_kept() -> None:
    @tool(
        name="lit",
        description="Light it.",
        phrases={"en": ["light {room}"], "de": "licht {room}"},
        says="{room} is lit.",
        confirm=True,
        effect="idempotent",
        timeout_s=2.0,
        latency_class="slow",
        secret_fields=["room"],
        resources=["lamp"],
    )
    def fn(room: str) -> None: ...

    built = as_tool(fn)
    assert (built.name, built.description, built.confirm, built.timeout_s) == ("lit", "Light it.", True, 2.0)
    assert built.phrases == {"en": ("light {room}",), "de": ("licht {room}",)}
    assert built.says == {"en": "{room} is lit."}
    assert (built.effect, built.latency_class, built.site) == (Effect.IDEMPOTENT, LatencyClass.SLOW, ToolSite.INLINE)
    assert (built.resources, built.spec.secret_fields) == (frozenset({"lamp"}), ("room",))


def test_the_description_is_the_first_paragraph_or_the_name() -> None:
    def summed() -> None:
        """Add everything
        up.

        Not this.

        Returns:
            Nor this.
        """

    def turn_lights_off() -> None: ...

    assert as_tool(summed).description == "Add everything up."
    assert as_tool(turn_lights_off).description == "turn lights off"


def test_argument_descriptions_may_wrap_and_carry_types() -> None:
    def fn(room: str, on: bool) -> None:
        """Light.

        Args:
            room (str): the room,
                as it is called: kitchen
            on: yes or no

        Raises:
            ValueError: never.
        """

    assert properties(fn)["room"]["description"] == "the room, as it is called: kitchen"
    assert properties(fn)["on"]["description"] == "yes or no"


def test_a_very_long_description_is_cut() -> None:
    def fn() -> None: ...

    assert len(build_tool(fn, description="word " * 1000).description) <= 1000


def test_any_parameter_name_can_be_used() -> None:
    def fn(model_config: str, _hidden: int, json: str, copy: bool, schema: float) -> str:
        return f"{model_config}{_hidden}{json}{copy}{schema}"

    arguments = {"model_config": "a", "_hidden": 1, "json": "b", "copy": True, "schema": 2.5}
    assert ToolRegistry(fn).dispatch("fn", arguments).result == "a1bTrue2.5"


def test_a_skill_like_object_brings_its_own_tool() -> None:
    def fn() -> None: ...

    built = build_tool(fn, site=ToolSite.WORKER)

    class SkillLike:
        tool: Tool = built

    assert as_tool(SkillLike()) is built
    assert as_tool(built) is built
