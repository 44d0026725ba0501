"""What a person may get wrong when an agent is made, and the sentences for it."""

from typing import Any, cast

import pytest

from edgevox.chains import Agent, Empty, Int, Stop, Str, stop, tool
from edgevox.chains.models import Message
from edgevox.chains.tools import stop_after
from edgevox.core.errors import AgentError, ChainForkError, ChainGraphError
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool

DONE = {"action": "stop", "value": "done"}


@tool
def one(input: Empty, messages: list[Message]) -> Int:
    """Return one."""
    return Int(value=1)


def follower(name: str) -> Tool:
    @tool(chained_to=one)
    def made(input: Int, messages: list[Message]) -> Str:
        return Str(value=name)

    return made.rename(name)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"tools": None}, "tools takes a list, not None"),
        ({"tools": 5}, "tools takes a list, not 5"),
        ({"tools": "abc"}, "tools takes a list, not 'abc'"),
        ({"tools": {"one": one}}, "tools takes a list, not {"),
        ({"tools": [5]}, "tools: 5 is not a tool"),
        ({"default_tools": 5}, "default_tools takes a list, not 5"),
        ({"default_tools": ["x"]}, "default_tools: 'x' is not a tool"),
        ({"skills": 5}, "skills takes a list, not 5"),
        ({"skills": ["x"]}, "skills takes Skill objects, not 'x'"),
        ({"auto_loaded_skills": 5}, "auto_loaded_skills takes a list, not 5"),
        ({"event_sinks": 5}, "event_sinks takes a list, not 5"),
        ({"event_sinks": print}, "event_sinks takes a list, not <built-in function print>"),
        ({"system_prompt": None}, "system_prompt must be a text, not None"),
        ({"system_prompt": 5}, "system_prompt must be a text, not 5"),
        ({"description": None}, "description must be a text, not None"),
        ({"language": 5}, "language must be a text, not 5"),
        ({"permissions": 5}, "permissions must be a PermissionEngine, not 5"),
        ({"custom_prompt_user_tool": 5}, "custom_prompt_user_tool must be a tool, not 5"),
    ],
)
def test_what_is_of_the_wrong_kind_is_named_with_its_field(wrong: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {"name": "tested", "system_prompt": "x", "agent_endpoint": MockLLMEndpoint(), "tools": []}
    with pytest.raises(ChainGraphError) as caught:
        Agent(**(given | wrong))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_agent_among_the_tools_is_told_how_it_becomes_one() -> None:
    child = Agent(name="child", mode="deterministic", default_tools=[one])
    with pytest.raises(ChainGraphError, match=r"tools: child is an agent, not a tool: give run_nested_agent\(child\)"):
        Agent(name="tested", mode="deterministic", default_tools=[one], tools=[child])


def test_one_tool_needs_no_list() -> None:
    assert Agent(name="tested", mode="deterministic", default_tools=cast("Any", one)).default_tools == (one,)


def test_a_fork_of_three_names_all_three_in_the_lint_and_in_the_run() -> None:
    tools = [one, *map(follower, ("left", "middle", "right"))]
    model = MockLLMEndpoint(responses=[{"action": "one"}])
    tested = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=tools)
    assert "after one, left, middle and right all follow on Int(value=0)" in list(tested.lint())
    with pytest.raises(ChainForkError, match="after one, left, middle and right all want to run"):
        tested.invoke()


def test_the_last_tool_of_an_end_and_what_tidies_before_it_may_be_async() -> None:
    tidied: list[str] = []

    @tool
    async def tidy(input: Empty, messages: list[Message]) -> Empty:
        tidied.append("up")
        return Empty()

    @tool
    async def goodbye(input: Str, messages: list[Message]) -> Stop:
        return Stop(value=f"{input.value}, and goodbye")

    model = MockLLMEndpoint(responses=[DONE])
    tested = Agent(
        name="tested", system_prompt="x", agent_endpoint=model, tools=stop_after(tidy, final_stop_tool=goodbye)
    )
    assert tested.invoke()[0].value == "done, and goodbye"
    assert tidied == ["up"]


def test_a_tool_that_tidies_and_fails_leaves_the_run_to_the_model() -> None:
    failures = [OSError("the disk is full")]

    @tool
    def tidy(input: Empty, messages: list[Message]) -> Empty:
        if failures:
            raise failures.pop()
        return Empty()

    model = MockLLMEndpoint(responses=[DONE, {"action": "stop", "value": "done at last"}])
    tested = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=stop_after(tidy))
    assert tested.invoke()[0].value == "done at last"
    assert "the disk is full" in model.requests[1].messages[-1]["content"]


def test_an_end_without_tidying_is_still_there() -> None:
    model = MockLLMEndpoint(responses=[DONE])
    assert Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[stop]).invoke()[0].value == "done"


@pytest.mark.parametrize(("input", "ctx"), [("text", None), ({"value": 1}, None), (None, "ctx"), (Str(value="x"), 5)])
def test_what_is_no_value_and_no_context_is_refused_in_a_sentence(input: Any, ctx: Any) -> None:
    tested = Agent(name="tested", mode="deterministic", default_tools=[one])
    with pytest.raises(AgentError, match=r"tested is invoked with a value, in an AgentContext: invoke\(Str"):
        tested.invoke(input, ctx)
