"""Grammars from tools: what a model may answer, whatever the tools are called."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.llm.grammar import chosen_name, schema_grammar, tools_grammar
from edgevox.testing.gbnf import Grammar


def function(
    name: str, properties: dict[str, Any] | None = None, required: list[str] | None = None, **more: Any
) -> Any:
    parameters = {"type": "object", "properties": properties or {}, "required": required or [], **more}
    return {"type": "function", "function": {"name": name, "description": "", "parameters": parameters}}


LIGHT = function(
    "set_light",
    {"room": {"enum": ["kitchen", "bedroom"]}, "on": {"type": "boolean"}, "level": {"type": "integer"}},
    ["room", "on"],
)
TIME = function("get_time")


def grammar(tools: list[Any], choice: Any = None) -> Grammar:
    text = tools_grammar(tools, choice)
    assert text is not None
    return Grammar(text)


def call(name: str, **arguments: Any) -> str:
    return f'{{"tool": {json.dumps(name, ensure_ascii=False)}, "args": {json.dumps(arguments, ensure_ascii=False)}}}'


@pytest.mark.parametrize(
    "text",
    [
        call("set_light", room="kitchen", on=True),
        call("set_light", room="bedroom", on=False, level=-12),
        call("get_time"),
        call("get_time") + "\n" + call("set_light", room="kitchen", on=True),
        "Hello there!",
        " Hello",
        "It is 5 o'clock {really}.",
        "¡Hola!",
        "你好",
    ],
)
def test_a_call_that_fits_and_words_are_allowed(text: str) -> None:
    assert grammar([LIGHT, TIME]).accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        call("set_lights", room="kitchen", on=True),
        call("set_light", room="garage", on=True),
        call("set_light", room="kitchen", on="yes"),
        call("set_light", room="kitchen"),
        call("set_light", room="kitchen", on=True, extra=1),
        call("get_time", now=1),
        '{"name": "set_light"}',
        "<tool_call>",
        "[TOOL_CALLS]",
        "```json",
        "{}",
        "\n".join([call("get_time")] * 5),
    ],
)
def test_a_call_that_does_not_fit_is_impossible(text: str) -> None:
    assert not grammar([LIGHT, TIME]).accepts(text)


def test_a_required_call_leaves_no_way_to_words() -> None:
    required = grammar([LIGHT, TIME], "required")
    assert required.accepts(call("get_time"))
    assert not required.accepts("Hello")


@pytest.mark.parametrize("choice", ["get_time", {"type": "function", "function": {"name": "get_time"}}])
def test_a_named_call_is_the_only_way(choice: Any) -> None:
    named = grammar([LIGHT, TIME], choice)
    assert named.accepts(call("get_time"))
    assert not named.accepts(call("set_light", room="kitchen", on=True))
    assert not named.accepts("Hello")


def test_when_calls_are_not_wanted_only_words_are_left() -> None:
    words = grammar([LIGHT, TIME], "none")
    assert words.accepts("Hello")
    assert not words.accepts(call("get_time"))


def test_without_tools_nothing_is_restrained() -> None:
    assert tools_grammar([]) is None


def test_the_ways_to_write_a_choice_are_understood() -> None:
    assert [chosen_name(each) for each in (None, "auto", "none", "required", "x")] == [
        "auto", "auto", "none", "required", "x",
    ]  # fmt: skip
    assert chosen_name({"type": "function", "function": {"name": "x"}}) == "x"
    assert chosen_name({"type": "function"}) == "auto"


VALUES: list[tuple[Any, list[Any], list[Any]]] = [
        ({"type": "string"}, ["", "a", 'q"uo\\te\n', "ünï🙂"], [1, None]),
        ({"type": "integer"}, [0, -5, 123], [1.5, "1"]),
        ({"type": "number"}, [0, -5, 1.5, 2e3], ["1"]),
        ({"type": "boolean"}, [True, False], [0]),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, [1, None], ["x"]),
        ({"type": ["integer", "null"]}, [1, None], ["x"]),
        ({"enum": ["a", 1, None, True]}, ["a", 1, None, True], ["b", 2, False]),
        ({"const": "only"}, ["only"], ["other"]),
        ({"type": "array", "items": {"type": "integer"}}, [[], [1], [1, 2, 3]], [["x"], 1]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3}, [[1, 2], [1, 2, 3]], [[1], []]),
        ({"type": "array", "maxItems": 0, "items": {}}, [[]], [[1]]),
        ({"type": "array"}, [[], [1, "x", None]], [1]),
        ({"type": "object"}, [{}, {"a": [1]}], [1]),
        ({}, [1, "x", None, {"a": 1}], []),
        ({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
         [{}, {"a": "x"}, {"b": 1}, {"a": "x", "b": 1}], [{"c": 1}, {"a": 1}]),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, [{"a": ""}], [{}]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "fits", "does_not"), VALUES)
def test_values_follow_their_schema(schema: Any, fits: list[Any], does_not: list[Any]) -> None:
    made = Grammar(schema_grammar(schema))
    for value in fits:
        assert made.accepts(json.dumps(value, ensure_ascii=False)), value
    for value in does_not:
        assert not made.accepts(json.dumps(value, ensure_ascii=False)), value


def test_definitions_are_followed_and_may_refer_to_themselves() -> None:
    tree = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
            "required": ["children"]}  # fmt: skip
    made = Grammar(schema_grammar({"$ref": "#/$defs/Tree", "$defs": {"Tree": tree}}))
    assert made.accepts('{"children": [{"children": []}, {"children": [{"children": []}]}]}')
    assert not made.accepts('{"children": [1]}')


def test_definitions_of_one_tool_are_not_taken_for_another_tools() -> None:
    a = function("a", {"x": {"$ref": "#/$defs/X"}}, ["x"], **{"$defs": {"X": {"enum": ["one"]}}})
    b = function("b", {"x": {"$ref": "#/$defs/X"}}, ["x"], **{"$defs": {"X": {"enum": ["two"]}}})
    made = grammar([a, b])
    assert made.accepts(call("a", x="one"))
    assert made.accepts(call("b", x="two"))
    assert not made.accepts(call("b", x="one"))


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/Nowhere"},
        {"enum": []},
        {"type": "martian"},
        {"type": []},
        {"anyOf": []},
        {"enum": [f"value {n}" for n in range(5000)]},
        True,
        None,
        "string",
    ],
)
def test_a_schema_that_is_not_understood_allows_anything(schema: Any) -> None:
    assert grammar([function("t", {"x": schema}, ["x"])]).accepts(call("t", x="value 1"))


HOSTILE = [
    '"',
    "\\",
    '"]',
    "\n",
    "root ::= x",
    "x ::= y",
    "ü🙂",
    "\x00",
    "\u2028",
    "(a|b)*",
    "{1,9}",
    "<|im_end|>",
    "#",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    tool = function(f"t{name}", {f"p{name}": {"enum": [f"v{name}", name]}}, [f"p{name}"])
    made = grammar([tool])
    assert made.accepts(call(f"t{name}", **{f"p{name}": name}))
    assert not made.accepts(call("t", **{f"p{name}": name}))


def test_descriptions_never_reach_the_grammar() -> None:
    tool = function("t", {"p": {"type": "string", "description": 'root ::= "x"\n<tool_call>'}}, ["p"])
    tool["function"]["description"] = "words ::= [^]"
    assert tools_grammar([tool]) == tools_grammar([function("t", {"p": {"type": "string"}}, ["p"])])


names = st.text(min_size=1, max_size=12).filter(lambda s: s.encode("utf-8", "ignore").decode() == s)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
schemas = st.recursive(
    st.sampled_from([{"type": each} for each in ("string", "integer", "number", "boolean", "null", "object", "array")])
    | st.lists(json_values, min_size=1, max_size=4).map(lambda values: {"enum": values}),
    lambda inner: st.one_of(
        inner.map(lambda each: {"type": "array", "items": each}),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: {"anyOf": each}),
        st.dictionaries(names, inner, max_size=3).map(
            lambda each: {"type": "object", "properties": each, "required": list(each)[:1]}
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(names, st.dictionaries(names, schemas, max_size=3), min_size=1, max_size=3))
def test_any_tools_give_a_grammar_that_can_be_read_and_takes_words(tools: dict[str, dict[str, Any]]) -> None:
    made = grammar([function(name, properties, list(properties)[:2]) for name, properties in tools.items()])
    assert made.accepts("Hello")
    assert not made.accepts("{}")


@settings(max_examples=100, deadline=None)
@given(names, names, json_values)
def test_any_names_and_values_can_be_called_with(tool_name: str, parameter: str, value: Any) -> None:
    made = grammar([function(tool_name, {parameter: {"enum": [value]}}, [parameter])])
    assert made.accepts(call(tool_name, **{parameter: value}))
