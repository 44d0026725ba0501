"""What a model is told about the form of its replies and about the tools."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from edgevox.chains.prompt import technical_prompt, tool_line
from edgevox.core.messages import Message
from edgevox.core.values import All, Empty, Int, Stop, Str
from edgevox.tools import tool


class Stop2(BaseModel):
    where: str
    minutes: int = 5


class Route(Empty):
    stops: list[Stop2]
    pace: Literal["slow", "fast"] = "slow"
    note: str | None = Field(default=None, description="what\n  to say")


@tool
def zebra(input: Int, messages: list[Message]) -> Int:
    """Count zebras."""
    return input


@tool
def apple(input: Str, messages: list[Message]) -> Str:
    """Eat an apple."""
    return input


@tool
def finish(input: Empty, messages: list[Message]) -> Stop:
    return Stop()


@tool
def drive(input: Route, messages: list[Message]) -> Stop:
    """Drive.

    Slowly.
    """
    return Stop()


@tool
def anything(input: All, messages: list[Message]) -> Stop:
    """Take anything."""
    return Stop()


@tool(chained_to=zebra)
def hidden(input: Int, messages: list[Message]) -> Int:
    """Never seen."""
    return input


THREE = [zebra, apple, finish]


def test_tools_stand_in_the_order_of_their_registration_after_what_never_changes() -> None:
    prompt, turned = technical_prompt(THREE), technical_prompt(THREE[::-1])
    head = prompt.split("Tools:")[0]
    assert turned.startswith(head)
    assert prompt.index("zebra") < prompt.index("apple") < prompt.index("finish")
    assert turned.index("finish") < turned.index("apple") < turned.index("zebra")


def test_a_tool_is_a_line_of_name_arguments_and_what_it_does() -> None:
    assert tool_line(zebra) == '- zebra {"value": integer}: Count zebras.'
    assert tool_line(finish) == "- finish {}: its name says what it does."
    assert tool_line(anything) == "- anything {…}: Take anything."


def test_arguments_of_many_parts_are_written_below_the_line() -> None:
    line = tool_line(drive)
    assert line.startswith(
        '- drive {"stops": see below, "pace"?: "slow" | "fast", "note"?: string}: Drive.\n\nSlowly.\n'
    )
    assert '  stops: [{"properties":{"where":{"type":"string"},"minutes":{"default":5,' in line
    assert line.endswith("\n  note: what to say")


def test_passive_tools_are_not_shown_and_no_tool_needs_no_words() -> None:
    assert "hidden" not in technical_prompt([*THREE, hidden])
    assert technical_prompt([hidden]) == ""
    assert technical_prompt([]) == ""


def test_words_and_reasons_are_spoken_of_only_where_they_are_allowed() -> None:
    assert "plain words" in technical_prompt(THREE)
    assert "plain words" not in technical_prompt(THREE, words=False)
    assert "rationale" not in technical_prompt(THREE)
    assert '"rationale": "<why>"' in technical_prompt(THREE, rationale=True)


def test_what_the_framework_says_for_three_tools_is_short() -> None:
    assert len(technical_prompt(THREE)) / 3 < 300  # three letters are a token where a tokenizer is bad at it


def test_two_processes_print_the_same_bytes() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_prompt as t; from edgevox.chains.schema import "
        "reply_grammar, reply_schema; tools = [*t.THREE, t.drive, t.anything]; print(t.technical_prompt(tools), "
        "reply_schema(tools, words=True), reply_grammar(tools, words=True))"
    )
    here = Path(__file__).parent
    printed = {
        subprocess.run(
            [sys.executable, "-c", code, here],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert b"zebra" in printed.pop()
