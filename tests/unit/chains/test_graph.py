"""What tools may be chained to what, checked when an agent is made, and what `lint` finds beyond that."""

from collections.abc import Callable
from typing import Any

import pytest

from edgevox.chains import Agent, AgentMode, Empty, Int, Invoke, Skill, Stop, Str, Strs, factory, retry, stop, tool
from edgevox.chains.models import Message
from edgevox.core.errors import ChainGraphError
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool


@tool
def text(input: Empty, messages: list[Message]) -> Str:
    """Return a text."""
    return Str(value="5")


@tool
def nothing(input: Empty, messages: list[Message]) -> Empty:
    """Return nothing."""
    return Empty()


@tool
def either(input: Empty, messages: list[Message]) -> Int | Str:
    """Return a number or a text."""
    return Int(value=1)


@tool
def number_or_end(input: Empty, messages: list[Message]) -> Int | Stop:
    """Return a number, or end."""
    return Int(value=1)


@tool
def jump(input: Empty, messages: list[Message]) -> Invoke:
    """Call another tool."""
    return Invoke(action="text")


@tool
def end(input: Empty, messages: list[Message]) -> Stop:
    """End."""
    return Stop()


def when(test: Callable[[Any], object]) -> Callable[[Any], object]:
    """Say what kind of function a condition is."""
    return test


def taking(model: type[Empty], parents: Any, name: str = "child") -> Tool:
    """Make a tool that takes a class and is chained to something."""

    def made(input: Any, messages: list[Message]) -> Empty:
        return Empty()

    made.__annotations__["input"] = model
    return tool(chained_to=parents)(made).rename(name)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType]


def agent(*tools: Any, **options: Any) -> Agent:
    given: dict[str, Any] = {"name": "graph", "system_prompt": "x", "agent_endpoint": MockLLMEndpoint()} | options
    return Agent(tools=tools, **given)


@pytest.mark.parametrize(
    ("parents", "takes"),
    [
        ([text], Empty),
        ([text], Str),
        ([number_or_end], Int),
        ([either], Int),
        ([end], Int),
        ([text, nothing], Empty),
    ],
)
def test_a_tool_may_follow_one_whose_output_it_can_take(parents: list[Tool], takes: type[Empty]) -> None:
    assert agent(*parents, taking(takes, parents))


@pytest.mark.parametrize(
    ("parents", "takes", "said"),
    [
        ([either], Strs, "child takes Strs, but either, which it is chained to, returns Int or Str"),
        ([jump], Empty, "child cannot be chained to jump, which returns Invoke"),
        ([text, nothing], Str, "child takes Str, but nothing, which it is chained to, returns Empty"),
    ],
)
def test_a_tool_that_cannot_take_an_output_is_refused(parents: list[Tool], takes: type[Empty], said: str) -> None:
    with pytest.raises(ChainGraphError, match=said):
        agent(*parents, taking(takes, parents))


def test_a_parent_must_be_there_or_be_a_default() -> None:
    child = taking(Str, text)
    with pytest.raises(ValueError, match="child is chained to text, which is not among the tools: add text"):
        agent(child)
    assert agent(child, default_tools=[text])


def test_a_child_of_the_original_does_not_follow_a_copy() -> None:
    with pytest.raises(ChainGraphError, match="a copy is another tool"):
        agent(text.copy(), taking(Str, text))


def test_two_active_tools_cannot_share_a_name_and_passive_ones_can() -> None:
    with pytest.raises(ChainGraphError, match="2 tools are called text: rename all but one"):
        agent(text, nothing.copy(name="text"))
    assert agent(text, taking(Str, text, "nothing"), nothing)


def test_a_skill_cannot_be_called_like_a_tool() -> None:
    with pytest.raises(ChainGraphError, match="2 tools are called text"):
        agent(text, skills=[Skill("text", "For texts.", "Write.")])


def test_the_same_tool_twice_is_one() -> None:
    assert agent(text, text).graph.active["text"] is text


def test_a_factory_bound_twice_needs_a_copy() -> None:
    @factory
    def ask(input: Empty, messages: list[Message], ctx: str) -> Str:
        return Str(value=ctx)

    first, second = ask("a"), ask("b")
    second.rename("ask_again")
    with pytest.raises(ChainGraphError, match=r"ask and ask_again are the same tool.*copy"):
        agent(first, second)
    assert agent(first, second.copy())


def test_a_default_may_not_follow_another_tool_nor_call_one() -> None:
    with pytest.raises(ChainGraphError, match="child is a default tool and cannot be chained to text"):
        agent(text, default_tools=[taking(Str, text)])
    with pytest.raises(ChainGraphError, match="jump is a default tool and cannot return Invoke"):
        agent(default_tools=[jump])


def test_every_problem_is_said_at_once() -> None:
    with pytest.raises(ChainGraphError) as caught:
        agent(jump, taking(Empty, jump), taking(Str, text, "orphan"), name="no name", max_steps=0, on_error="ignore")
    said = str(caught.value)
    for part in ("no name", "max_steps", "on_error", "child cannot be chained to jump", "orphan is chained to text"):
        assert part in said


def test_a_function_tool_is_no_link() -> None:
    @tool
    def plain(room: str) -> str:
        return room

    with pytest.raises(ChainGraphError, match="plain is not a typed tool"):
        agent(plain)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"system_prompt": " "}, "needs a system_prompt"),
        ({"agent_endpoint": None}, "give it an agent_endpoint"),
        ({"mode": "deterministic"}, "give it some in default_tools"),
        ({"mode": "autonomous", "custom_prompt_user_tool": text}, "never asks the person"),
        ({"mode": "chatty"}, "there is no mode 'chatty'"),
        ({"initial_messages": [5]}, "initial_messages takes texts and paths, not 5"),
        ({"deadline_s": -1}, "deadline_s must be more than 0"),
        ({"max_llm_calls": True}, "max_llm_calls must be a whole number"),
        ({"on_error": retry(-1)}, "on_error must be"),
        ({"name": "class"}, "cannot be its name"),
        ({"name": "con"}, "cannot be its name"),
    ],
)
def test_an_agent_that_cannot_run_is_refused_when_it_is_made(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        agent(text, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"agent_endpoint": lambda: None},
        {"agent_endpoint": MockLLMEndpoint},
        {"name": 5},
        {"skills": ["house"]},
        {"event_sinks": [5]},
    ],
)
def test_what_is_of_the_wrong_kind_is_a_type_error_too(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        agent(text, **options)


def test_a_name_is_stripped_and_may_be_in_capitals() -> None:
    assert agent(text, name=" Bob ").name == "Bob"


def test_an_agent_that_may_ask_people_has_a_tool_for_it() -> None:
    assert "prompt_user" in agent(text).graph.active
    assert "prompt_user" not in agent(text, mode=AgentMode.AUTONOMOUS).graph.active


def test_a_skill_whose_tools_would_not_fit_is_refused_before_it_is_loaded() -> None:
    broken = Skill("garden", "For the garden.", "Water it.", [text.copy(name="nothing"), taking(Str, either, "x")])
    with pytest.raises(ChainGraphError, match=r"(?s)2 tools are called nothing.*x is chained to either"):
        agent(nothing, skills=[broken])


def test_lint_finds_conditions_that_overlap_and_tools_that_nothing_reaches() -> None:
    source = number_or_end
    small = taking(Int, [(source, when(lambda x: x.value > 1))], "small")
    large = taking(Int, [(source, when(lambda x: abs(x.value) > 5))], "large")
    lost = taking(Empty, None, "lost")
    lost.chain(lost)
    found = agent(source, small, large, lost).lint()
    assert any("small and large" in each for each in found.overlaps)
    assert found.unreachable == ("lost is never reached",)
    assert found


def test_lint_tries_the_samples_that_it_is_given() -> None:
    source = number_or_end
    a = taking(Int, [(source, when(lambda x: x.value == 4711))], "a")
    b = taking(Int, [(source, when(lambda x: x.value > 4000))], "b")
    made = agent(source, a, b)
    assert not made.lint().overlaps
    assert made.lint(lambda _: [Int(value=4711)]).overlaps == (
        "after number_or_end, a and b both follow on Int(value=4711)",
    )


def test_lint_finds_edges_that_let_through_what_the_child_cannot_take() -> None:
    found = agent(either, taking(Int, either)).lint()
    assert found.unguarded == ("child follows either without a condition, but cannot take Str",)


def test_lint_has_nothing_to_say_about_a_sound_agent() -> None:
    assert not agent(text, taking(Str, text), stop).lint()
