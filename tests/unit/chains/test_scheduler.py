"""What follows what in a run of a chain agent, with a scripted model."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SerializeAsAny

from edgevox.chains import Agent, AgentMode, Empty, Int, Invoke, Stop, Str, stop, tool
from edgevox.chains.models import Message, Origin, filter_messages
from edgevox.chains.state import RunStatus
from edgevox.core.errors import ChainForkError, OutputFormatError
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Role
from edgevox.core.values import All
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool


def act(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, "rationale": "it is next", **arguments}


DONE = act("stop", value="done")


class Flow:
    """An agent over some tools, and everything that its runs tell."""

    def __init__(self, *tools: Any, responses: tuple[Any, ...] = (DONE,), **options: Any) -> None:
        self.model = MockLLMEndpoint(responses)
        self.agent = Agent(
            name="flow", system_prompt="Do it.", tools=[*tools, stop], agent_endpoint=self.model, **options
        )
        self.events: list[AgentEvent] = []
        self.agent.bus.subscribe_all(self.events.append)

    def ran(self) -> list[str]:
        """The tools that ran, in order."""
        return [result.tool_name for message in self.agent.messages for result in message.tool_results]

    def answers(self) -> list[tuple[str, Any]]:
        """Who returned what."""
        return [(r.tool_name, r.payload.get("value")) for m in self.agent.messages for r in m.tool_results]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


@tool
def one(input: Empty, messages: list[Message]) -> Int:
    """Return one."""
    return Int(value=1)


@tool(chained_to=one)
def plus_one(input: Int, messages: list[Message]) -> Int:
    """Add one."""
    return Int(value=input.value + 1)


def returning(name: str, value: int, **options: Any) -> Tool:
    """Make a tool that takes anything and returns a number."""

    @tool(**options)
    def made(input: Empty, messages: list[Message]) -> Int:
        return Int(value=value)

    return made.rename(name)


def when(test: Callable[[Any], object]) -> Callable[[Any], object]:
    """Say what kind of function a condition is."""
    return test


def after(name: str, parents: Any, condition: Callable[[Any], object] | None = None) -> Tool:
    """Make a tool that passes numbers on."""

    @tool(chained_to=parents, chain_condition=condition)
    def made(input: Int, messages: list[Message]) -> Int:
        return Int(value=input.value)

    return made.rename(name)


def test_a_chained_tool_follows_without_asking_the_model() -> None:
    flow = Flow(one, plus_one, responses=(act("one"), DONE))
    ended, messages = flow.agent.invoke()
    assert ended == Stop(value="done")
    assert flow.answers() == [("one", 1), ("plus_one", 2), ("stop", "done")]
    assert [m.role for m in messages] == [
        Role.SYSTEM, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.ASSISTANT, Role.TOOL
    ]  # fmt: skip
    assert len(flow.model.requests) == 2
    assert flow.agent.status is RunStatus.COMPLETED


def test_a_result_says_who_caused_the_run_and_what_came_before_it() -> None:
    flow = Flow(one, plus_one, responses=(act("one"), DONE))
    _, messages = flow.agent.invoke()
    asked = filter_messages(messages, action="one")[0].tool_uses[0]
    first, second = (filter_messages(messages, caller=name)[0].tool_results[0] for name in ("one", "plus_one"))
    assert (first.origin, first.tool_use_id, first.output_type) == (Origin.MODEL, asked.tool_use_id, "Int")
    assert (second.origin, second.parent_use_id) == (Origin.CHAIN, first.tool_use_id)


@pytest.mark.parametrize(("value", "follows"), [(2, "small"), (-10, "large"), (0, None)])
def test_the_branch_whose_condition_holds_is_taken(value: int, follows: str | None) -> None:
    source = returning("source", value)
    flow = Flow(
        source,
        after("small", source, lambda x: x.value > 1),
        after("large", source, lambda x: abs(x.value) > 5),
        responses=(act("source"), DONE),
    )
    flow.agent.invoke()
    assert flow.ran() == ["source", *([follows] if follows else []), "stop"]


def test_two_branches_that_hold_at_once_end_the_run_and_are_both_named() -> None:
    source = returning("source", 15)
    flow = Flow(
        source,
        after("small", source, lambda x: x.value > 1),
        after("large", source, lambda x: abs(x.value) > 5),
        responses=(act("source"), DONE),
    )
    with pytest.raises(ChainForkError, match=r"after source, small and large both.*exclude"):
        flow.agent.invoke()
    assert flow.agent.status is RunStatus.FAILED


def test_a_condition_gets_what_the_parent_returned_and_not_what_the_child_takes() -> None:
    seen: list[Any] = []
    source = returning("source", 3)

    @tool(chained_to=source, chain_condition=lambda x: seen.append(x) or "yes")
    def child(input: Empty, messages: list[Message]) -> Int:
        return Int(value=0)

    Flow(source, child, responses=(act("source"), DONE)).agent.invoke()
    assert seen == [Int(value=3)]


def test_a_tool_with_two_parents_runs_after_each() -> None:
    a, b = returning("a", 1), returning("b", 2)
    flow = Flow(a, b, after("c", [a, b]), responses=(act("a"), act("b"), DONE))
    flow.agent.invoke()
    assert flow.answers() == [("a", 1), ("c", 1), ("b", 2), ("c", 2), ("stop", "done")]


def test_a_parent_that_is_named_twice_lets_its_child_run_once() -> None:
    source = returning("source", 1)
    flow = Flow(source, after("child", [source, source]), responses=(act("source"), DONE))
    flow.agent.invoke()
    assert flow.ran() == ["source", "child", "stop"]


def test_each_edge_has_a_condition_of_its_own() -> None:
    a, b = returning("a", 1), returning("b", 1)
    flow = Flow(a, b, after("c", [(a, when(lambda x: x.value > 1)), b]), responses=(act("a"), act("b"), DONE))
    flow.agent.invoke()
    assert flow.ran() == ["a", "b", "c", "stop"]


def test_every_default_runs_once_before_each_question() -> None:
    entry = returning("entry", 1)
    flow = Flow(entry, default_tools=[returning("d1", 1), returning("d2", 2)], responses=(act("entry"), DONE))
    flow.agent.invoke()
    assert flow.ran() == ["d1", "d2", "entry", "d1", "d2", "stop"]


def test_the_chain_of_a_default_comes_before_the_next_default() -> None:
    da, db = returning("da", 1), returning("db", 2)
    flow = Flow(returning("entry", 1), after("da2", da), default_tools=[da, db], responses=(act("entry"), DONE))
    flow.agent.invoke()
    assert flow.ran() == ["da", "da2", "db", "entry", "da", "da2", "db", "stop"]


def test_a_default_is_given_what_came_before_it() -> None:
    seen: list[int] = []

    @tool
    def watch(input: Int, messages: list[Message]) -> Int:
        seen.append(input.value)
        return Int(value=input.value + 1)

    Flow(returning("entry", 7), default_tools=[watch], responses=(act("entry"), DONE)).agent.invoke(Int(value=1))
    assert seen == [1, 7]


def test_what_a_run_is_invoked_with_is_not_among_its_messages() -> None:
    @tool
    def end(input: Str, messages: list[Message]) -> Stop:
        return Stop(value=f"{input.value} after {len(messages)}")

    agent = Agent(name="quiet", mode=AgentMode.DETERMINISTIC, default_tools=[end])
    ended, messages = agent.invoke(Str(value="secret"))
    assert ended.value == "secret after 0"
    assert len(messages) == 1


def test_a_deterministic_agent_needs_neither_model_nor_prompt() -> None:
    @tool
    def end(input: Empty, messages: list[Message]) -> Stop:
        return Stop(value="tidy")

    agent = Agent(name="caretaker", mode="deterministic", default_tools=[returning("noop", 0), end])
    assert agent.invoke()[0] == Stop(value="tidy")


def test_a_default_that_stops_ends_the_run_before_what_is_chained_to_it() -> None:
    @tool
    def end(input: Empty, messages: list[Message]) -> Stop | Int:
        return Stop(value="over")

    flow = Flow(after("never", end), default_tools=[end])
    assert flow.agent.invoke()[0].value == "over"
    assert flow.ran() == ["end"]


def test_a_tool_may_call_another_by_name_and_chains_follow_that_one() -> None:
    @tool
    def jump(input: Empty, messages: list[Message]) -> Invoke:
        return Invoke(action="one")

    flow = Flow(jump, one, plus_one, responses=(act("jump"), DONE))
    flow.agent.invoke()
    assert flow.ran() == ["jump", "one", "plus_one", "stop"]
    assert len(flow.model.requests) == 2


def test_a_call_by_name_brings_its_arguments() -> None:
    @tool
    def say_goodbye(input: Empty, messages: list[Message]) -> Invoke:
        return Invoke.model_validate({"action": "stop", "value": "bye"})

    flow = Flow(say_goodbye, responses=(act("say_goodbye"),))
    assert flow.agent.invoke()[0].value == "bye"


@pytest.mark.parametrize(
    ("name", "why"), [("plus_one", "only a chain may run that"), ("plus_on", "there is no such tool")]
)
def test_a_call_of_a_tool_that_cannot_be_called_is_told_to_the_model(name: str, why: str) -> None:
    @tool
    def jump(input: Empty, messages: list[Message]) -> Invoke:
        return Invoke(action=name)

    flow = Flow(jump, one, plus_one, responses=(act("jump"), DONE))
    _, messages = flow.agent.invoke()
    answer = next(m.tool_results[0] for m in messages if m.tool_results and not m.tool_results[0].ok)
    assert why in answer.text


def test_what_a_child_does_to_its_input_leaves_the_parents_value_alone() -> None:
    class Room(Empty):
        lamp: SerializeAsAny[Empty]
        names: list[str]

    class Lamp(Empty):
        watts: int

    given = Room(lamp=Lamp(watts=60), names=["a"])
    seen: list[type] = []

    @tool
    def source(input: Empty, messages: list[Message]) -> Room:
        return given

    @tool(chained_to=source)
    def child(input: Room, messages: list[Message]) -> Int:
        seen.append(type(input.lamp))
        input.names.append("b")
        return Int(value=0)

    _, messages = Flow(source, child, responses=(act("source"), DONE)).agent.invoke()
    assert seen == [Lamp]
    assert given.names == ["a"]
    assert filter_messages(messages, caller="source")[0].tool_results[0].payload["names"] == ["a"]


def test_words_are_a_reply_and_end_the_run() -> None:
    flow = Flow(one, responses=("Nothing to do here.",))
    ended, messages = flow.agent.invoke()
    assert ended == Stop(value="Nothing to do here.")
    assert messages[-1].plain == "Nothing to do here."


def test_a_wrong_name_is_sent_back_once_and_leaves_no_trace_in_the_conversation() -> None:
    flow = Flow(one, plus_one, responses=(act("plus_one"), act("one"), DONE))
    _, messages = flow.agent.invoke()
    assert flow.ran() == ["one", "plus_one", "stop"]
    assert not any("plus_one" in message.plain for message in messages)
    assert flow.kinds().count("output_rejected") == 1
    assert flow.kinds().count("llm_call") == 3


def test_a_model_that_never_keeps_to_the_form_fails_the_run() -> None:
    flow = Flow(one, responses=('{"action": 5}',) * 5)
    with pytest.raises(OutputFormatError):
        flow.agent.invoke()
    assert flow.agent.status is RunStatus.FAILED


def test_an_agent_can_run_again_and_leaves_the_first_messages_alone() -> None:
    flow = Flow(one, plus_one, responses=(act("one"), DONE, DONE))
    _, first = flow.agent.invoke()
    kept = list(first)
    _, second = flow.agent.invoke()
    assert first == kept
    assert len(second) == 3


def test_tools_may_change_the_list_of_messages_in_place() -> None:
    @tool
    def tidy(input: Empty, messages: list[Message]) -> Int:
        del messages[1:]
        return Int(value=len(messages))

    flow = Flow(one, plus_one, tidy, responses=(act("one"), act("tidy"), DONE))
    _, messages = flow.agent.invoke()
    assert [r.tool_name for m in messages for r in m.tool_results] == ["tidy", "stop"]
    assert len(flow.model.requests[-1].messages) == 2


def test_extra_keys_travel_through_a_tool_that_takes_everything() -> None:
    @tool
    def source(input: Empty, messages: list[Message]) -> All:
        return All.model_validate({"room": "kitchen"})

    @tool(chained_to=source)
    def sink(input: All, messages: list[Message]) -> Str:
        return Str(value=input.model_dump()["room"])

    flow = Flow(source, sink, responses=(act("source"), DONE))
    flow.agent.invoke()
    assert ("sink", "kitchen") in flow.answers()


def test_every_run_of_a_tool_is_published_once_between_the_start_and_the_end() -> None:
    flow = Flow(one, plus_one, responses=(act("one"), DONE))
    flow.agent.invoke()
    assert flow.kinds() == [
        "agent_start", "llm_call", "tool_use", "tool_call", "tool_result", "tool_call", "tool_result",
        "llm_call", "tool_use", "tool_call", "tool_result", "agent_end",
    ]  # fmt: skip
    result = flow.events[-1].payload
    assert (result.reply, result.model_calls, len(result.tool_calls)) == ("done", 2, 3)
