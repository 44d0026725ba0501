"""Grammars from tools: what a model may answer, whatever the tools are called."""

import json
import re
from collections.abc import Iterable
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.llm.grammar import chosen_name, schema_grammar, tools_grammar

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[A-Za-z][\w-]*|\{\d+,?\d*\}|[()|?*+]', re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "]": "]", "[": "[", "/": "/", "^": "^", "-": "-"}

Node = tuple[object, ...]


class Grammar:
    """A small reader of GBNF: a grammar that can be asked whether a text follows it."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, Node] = {}
        for line in text.strip().splitlines():
            name, separator, body = line.partition(" ::= ")
            assert separator, f"not a rule: {line!r}"
            assert re.fullmatch(r"[a-z][a-z0-9]*", name), f"not a rule's name: {name!r}"
            tokens = _TOKEN.findall(body)
            assert "".join(tokens) == _without_spaces(body), f"unreadable: {line!r}"
            reader = _Reader(tokens)
            self.rules[name] = reader.choices()
            assert reader.at == len(tokens), f"left over in {line!r}"
        missing = {each for rule in self.rules.values() for each in _references(rule)} - set(self.rules)
        assert not missing, f"rules that do not exist: {missing}"

    def accepts(self, text: str) -> bool:
        """Whether the whole text follows the grammar."""
        return len(text) in _Match(self.rules, text).ends(self.rules["root"], 0)


class _Match:
    """Where each part of a grammar may end in one text."""

    def __init__(self, rules: dict[str, Node], text: str) -> None:
        self.rules = rules
        self.text = text
        self.known: dict[tuple[Node, int], frozenset[int]] = {}

    def ends(self, node: Node, at: int) -> frozenset[int]:
        if (node, at) not in self.known:
            self.known[node, at] = frozenset(self._ends(node, at))
        return self.known[node, at]

    def _ends(self, node: Any, at: int) -> Iterable[int]:
        kind = node[0]
        first: Any = node[1] if len(node) > 1 else None
        if kind == "text":
            return [at + len(first)] if self.text.startswith(first, at) else []
        if kind == "class":
            return [at + 1] if at < len(self.text) and re.fullmatch(first, self.text[at], re.DOTALL) else []
        if kind == "rule":
            return self.ends(self.rules[first], at)
        if kind == "any":
            return {end for each in node[1:] for end in self.ends(each, at)}
        if kind == "all":
            reached = {at}
            for part in node[1:]:
                reached = {end for start in reached for end in self.ends(part, start)}
            return reached
        return self._repeated(first, at, least=node[2], most=node[3])

    def _repeated(self, inner: Node, at: int, *, least: int, most: int) -> set[int]:
        reached, found, times = {at}, {at} if least == 0 else set[int](), 0
        while reached and times < most:
            times += 1
            reached = {end for start in reached for end in self.ends(inner, start) if end > start}
            if times >= least:
                if reached <= found:
                    break
                found |= reached
        return found


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def choices(self) -> Node:
        parts = [self.sequence()]
        while self._next() == "|":
            self.at += 1
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else ("any", *parts)

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self._next() not in ("|", ")", ""):
            parts.append(self._item())
        return parts[0] if len(parts) == 1 else ("all", *parts)

    def _item(self) -> Node:
        token = self._take()
        if token == "(":
            node = self.choices()
            assert self._take() == ")"
        elif token[0] == '"':
            node = ("text", _unescaped(token[1:-1]))
        elif token[0] == "[":
            node = ("class", _class(token))
        else:
            assert token[0].isalpha(), token
            node = ("rule", token)
        return self._counted(node)

    def _counted(self, node: Node) -> Node:
        token = self._next()
        if token in ("?", "*", "+") or token[:1] == "{":
            self.at += 1
            if token[0] == "{":
                least, comma, most = token[1:-1].partition(",")
                high = int(most) if most else (10_000 if comma else int(least))
                return ("repeat", node, int(least), high)
            return ("repeat", node, int(token == "+"), 1 if token == "?" else 10_000)
        return node

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]


def _without_spaces(body: str) -> str:
    quoted = re.findall(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[^"\[\s]+', body, re.DOTALL)
    return "".join(quoted)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        body = match[1]
        return chr(int(body[1:], 16)) if body[0] in "xuU" else _SHORT[body]

    return re.sub(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, text, flags=re.DOTALL)


def _class(token: str) -> str:
    return token if token != "[]" else r"[^\s\S]"


def _references(node: Node) -> set[str]:
    if node[0] == "rule":
        return {str(node[1])}
    return {name for each in node[1:] if isinstance(each, tuple) for name in _references(cast("Node", each))}


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
