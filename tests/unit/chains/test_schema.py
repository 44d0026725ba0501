"""What a reply may look like, as a schema and as a grammar."""

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from edgevox.chains.completion import Asking
from edgevox.chains.reply_forms import ActionForm
from edgevox.chains.schema import reply_grammar, reply_options, reply_schema
from edgevox.core.completion import Answer
from edgevox.core.messages import Message
from edgevox.core.values import All, Empty, Int, Stop, Str
from edgevox.endpoints.scripted import MockLLMEndpoint
from edgevox.testing.gbnf import Grammar
from edgevox.tools import tool


class Tree(BaseModel):
    name: str
    branches: list["Tree"] = []


class Planting(Empty):
    tree: Tree
    where: Literal["garden", "park"] = "park"


class Felling(Empty):
    tree: Tree


@tool
def count(input: Int, messages: list[Message]) -> Int:
    """Count."""
    return input


@tool
def finish(input: Empty, messages: list[Message]) -> Stop:
    """End."""
    return Stop()


@tool
def plant(input: Planting, messages: list[Message]) -> Stop:
    """Plant."""
    return Stop()


@tool
def fell(input: Felling, messages: list[Message]) -> Stop:
    """Fell."""
    return Stop()


@tool
def anything(input: All, messages: list[Message]) -> Stop:
    """Take anything."""
    return Stop()


@tool(chained_to=count)
def hidden(input: Int, messages: list[Message]) -> Str:
    """Never seen."""
    return Str(value="")


TOOLS = [count, finish, plant, fell, anything, hidden]
OFFERED = [each for each in TOOLS if not each.is_passive]

FITS: list[dict[str, Any]] = [
    {"action": "count", "value": -3},
    {"action": "finish"},
    {"action": "plant", "tree": {"name": "oak", "branches": [{"name": "twig"}]}},
    {"action": "plant", "tree": {"name": "oak"}, "where": "garden"},
    {"action": "fell", "tree": {"name": 'a "quoted" name'}},
    {"action": "anything"},
    {"action": "anything", "mood": "good", "list": [1, {"x": None}]},
]
DOES_NOT: list[dict[str, Any]] = [
    {"action": "count", "value": "three"},
    {"action": "count"},
    {"action": "finish", "value": 1},
    {"action": "hidden", "value": 1},
    {"action": "other"},
    {"value": 3},
    {"action": "plant", "tree": {"name": "oak"}, "where": "roof"},
    {"action": "count", "value": 3, "truncation": []},
]


@pytest.mark.parametrize("reply", FITS, ids=json.dumps)
def test_the_grammar_lets_an_action_that_fits_through(reply: dict[str, Any]) -> None:
    text = json.dumps(reply)
    assert Grammar(reply_grammar(OFFERED, words=True)).accepts(text)
    assert Grammar(reply_grammar(OFFERED, words=False)).accepts(text)
    action = ActionForm(TOOLS).read(Answer(text=text)).action
    assert action is not None
    assert action.tool.name == reply["action"]


@pytest.mark.parametrize("reply", DOES_NOT, ids=json.dumps)
def test_the_grammar_leaves_no_way_to_an_action_that_does_not(reply: dict[str, Any]) -> None:
    for words in (True, False):
        assert not Grammar(reply_grammar(OFFERED, words=words)).accepts(json.dumps(reply))


def test_words_are_a_branch_of_the_grammar_only_where_they_are_a_reply() -> None:
    with_words, without = (Grammar(reply_grammar(OFFERED, words=words)) for words in (True, False))
    for said in ("Good evening, what may I do?", "42", "ä", "two\nlines with {braces}"):
        assert with_words.accepts(said)
        assert not without.accepts(said)
    assert not with_words.accepts("")
    assert not with_words.accepts('{"action"')


def test_a_reason_is_a_part_of_the_form_only_where_it_is_wanted() -> None:
    said = json.dumps({"action": "count", "rationale": "because", "value": 1})
    assert Grammar(reply_grammar(OFFERED, words=False, rationale=True)).accepts(said)
    assert not Grammar(reply_grammar(OFFERED, words=False)).accepts(said)
    open_ended = json.dumps({"action": "anything", "rationale": "because", "mood": "good"})
    assert Grammar(reply_grammar([anything], words=False, rationale=True)).accepts(open_ended)


def branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return schema["anyOf"]


def test_the_schema_has_a_branch_for_each_tool_and_one_for_words() -> None:
    schema = reply_schema(OFFERED, words=True)
    names = [branch["properties"].get("action", {}).get("const", "(words)") for branch in branches(schema)]
    assert names == ["count", "finish", "plant", "fell", "anything", "(words)"]
    assert branches(schema)[0] == {
        "type": "object",
        "properties": {"action": {"const": "count"}, "value": {"type": "integer"}},
        "required": ["action", "value"],
        "additionalProperties": False,
    }
    assert branches(schema)[4]["additionalProperties"] is True
    assert len(branches(reply_schema(OFFERED, words=False))) == 5


def test_definitions_of_two_tools_keep_apart() -> None:
    schema = reply_schema(OFFERED, words=True)
    assert sorted(schema["$defs"]) == ["fell.Tree", "plant.Tree"]
    inner = schema["$defs"]["plant.Tree"]["properties"]["branches"]["items"]
    assert inner == {"$ref": "#/$defs/plant.Tree"}


def test_one_tool_without_words_needs_no_choice() -> None:
    assert reply_schema([count], words=False)["properties"]["action"] == {"const": "count"}


def test_no_metadata_of_a_value_is_in_what_a_model_sees() -> None:
    seen = json.dumps(reply_schema(OFFERED, words=True)) + reply_grammar(OFFERED, words=True)
    for hidden_key in ("truncation", "message_kind", "token_input", "endpoint"):
        assert hidden_key not in seen


def test_passive_tools_restrain_nothing() -> None:
    assert reply_options([hidden], words=True) == {}
    assert "hidden" not in json.dumps(reply_options(TOOLS, words=True))


def test_the_restraint_goes_to_the_endpoint_in_both_notations() -> None:
    endpoint = MockLLMEndpoint([{"action": "count", "value": 1}])
    form = ActionForm(TOOLS, words=True)
    Asking(endpoint=endpoint, form=form, options=form.restraint()).complete([{"role": "user", "content": "go"}])
    options = endpoint.requests[0].options
    assert options["grammar"] == reply_grammar(OFFERED, words=True)
    assert options["response_format"]["json_schema"]["schema"] == reply_schema(OFFERED, words=True)


def test_words_that_a_schema_made_an_object_of_are_words_again() -> None:
    said = Answer(text='{"words": "Good evening."}')
    assert ActionForm(TOOLS, words=True).read(said).words == "Good evening."
