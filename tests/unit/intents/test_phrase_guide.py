"""The page about phrases says what is so: its examples run, and its tables hold."""

import re
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.errors import ModelMissing
from edgevox.core.ports import ChatModel

GUIDE = Path(__file__).parents[3] / "docs" / "phrases.md"


def none() -> ChatModel:
    raise ModelMissing("there is none")


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    """What the page's examples define, run in order."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 5
    namespace: dict[str, Any] = {"__name__": "phrases"}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), namespace)
    return namespace


def test_the_question_of_the_page_is_asked_and_answered(guide: dict[str, Any]) -> None:
    agent, ctx = LLMAgent("home", tools=[guide["set_light"]], llm=none), AgentContext()
    line = next(
        line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("> turn on the light")
    )
    said, question, answer, reply = (part.strip(" >*") for part in line.split(" — "))
    assert agent.run(said, ctx).reply == question
    assert agent.run(answer, ctx).reply == reply


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("turn it off again", {"room": "kitchen", "on": False}),
        ("and the bedroom too", {"room": "bedroom", "on": True}),
        ("no, the bedroom", {"room": "bedroom", "on": True}),
        ("I meant the bedroom", {"room": "bedroom", "on": True}),
        ("again", {"room": "kitchen", "on": True}),
    ],
)
def test_the_follow_ups_of_the_page_are_understood(guide: dict[str, Any], text: str, arguments: dict[str, Any]) -> None:
    agent, ctx = LLMAgent("home", tools=[guide["set_light"]], llm=none), AgentContext()
    agent.run("turn on the kitchen light", ctx)
    assert [call.arguments for call in agent.run(text, ctx).tool_calls] == [arguments]


@pytest.mark.parametrize(
    "text",
    [
        "don't turn on the kitchen light", "did I turn on the kitchen light", "she said turn on the kitchen light",
        "if it is dark, turn on the kitchen light", "turn on the kitchen light tomorrow",
    ],
)  # fmt: skip
def test_what_the_page_says_is_never_carried_out_is_not(guide: dict[str, Any], text: str) -> None:
    assert LLMAgent("home", tools=[guide["set_light"]], llm=none).run(text).tool_calls == ()
