"""A slip in what an agent is made of or asked is one sentence, where it was made."""

from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentPool, Blackboard, LLMAgent, Router, Volunteer, draw_tree, skill
from edgevox.agents.definition import AgentDefinition
from edgevox.core.errors import EdgeVoxError
from edgevox.testing import ScriptedAgent
from edgevox.tools import tool

WRONG: Any = 5


def greet() -> str:
    """Say hello."""
    return "hello"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LLMAgent(""), "An agent needs a name, but got ''"),
        (lambda: LLMAgent(WRONG), "An agent needs a name, but got 5"),
        (lambda: LLMAgent("a", tools=WRONG), "tools of a must be a list, not 5: write tools=[…]."),
        (lambda: LLMAgent("a", tools=greet), "tools of a must be a list"),  # type: ignore[arg-type]
        (lambda: LLMAgent("a", skills=WRONG), "skills of a must be a list"),
        (lambda: LLMAgent("a", hooks=[WRONG]), "5 is no hook of a"),
        (lambda: LLMAgent("a", phrases=WRONG), "phrases of a must name the tool of each"),
        (lambda: LLMAgent("a", llm="qwen"), "llm of a must be a language model"),  # type: ignore[arg-type]
        (lambda: LLMAgent("a", max_tool_hops=-1), "max_tool_hops of a must be a whole number, 0 or more, not -1."),
        (lambda: LLMAgent("a", max_tokens=0), "max_tokens of a must be a whole number of at least 1, not 0."),
        (lambda: LLMAgent("a", temperature=float("nan")), "temperature of a must be a number, 0 or more, not nan."),
        (lambda: LLMAgent("a").run(WRONG), "a is asked in words"),
        (lambda: LLMAgent("a").run("hi", WRONG), "a runs in an AgentContext, not in 5"),
        (lambda: Router.build("r", "Route.", {WRONG: LLMAgent("a")}), "r needs a text for what a hand-off is called"),
        (lambda: draw_tree(5), "5 cannot be drawn"),
        (lambda: tool(WRONG), "5 cannot be a tool"),
        (lambda: skill(WRONG), "5 cannot be a tool"),
        (lambda: tool(phrases=WRONG)(greet), "greet: phrases must be a list of texts"),
        (lambda: Blackboard({"visits": "int"}), "A board keeps a type by the name of its key"),
        (lambda: Blackboard({WRONG: int}), "A board keeps a type by the name of its key"),
        (lambda: AgentDefinition(name=WRONG), "An agent needs a name, but got 5"),
        (lambda: AgentDefinition(name="a", greeting=WRONG), "The greeting of a must be a text"),
        (lambda: AgentDefinition(name="a", agent=WRONG), "5 cannot answer for a"),
    ],
)
def test_a_slip_is_one_sentence(make: Callable[[], object], says: str) -> None:
    with pytest.raises(EdgeVoxError) as raised:
        make()
    assert str(raised.value).startswith(says)
    assert "\n" not in str(raised.value)


def test_a_single_topic_is_not_taken_for_its_letters() -> None:
    teller = Volunteer(agent=ScriptedAgent("teller", "Once upon a time."), topics="story")  # type: ignore[arg-type]
    pool = AgentPool("crew", [teller])
    assert pool.run("tell me a story").reply == "Once upon a time."
    assert pool.run("s t o r y").error == "nobody volunteered"
