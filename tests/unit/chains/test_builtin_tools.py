"""The tools that come with chains: ending a run, asking and telling the person."""

import threading
import time
from typing import Any

import pytest

from edgevox.chains import Agent, AgentMode, tool
from edgevox.chains.models import Empty, Int, Message, Role, Stop, Str, filter_messages
from edgevox.chains.tools import (
    ask,
    asking,
    asking_at_start,
    message_user,
    prompt_user,
    prompt_user_at_start,
    say,
    stop,
    stop_after,
)
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ChainGraphError, ToolDefinitionError, UserInputUnavailable
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ScriptedPerson


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, "rationale": "it is time", **arguments}


def agent(*tools: Any, script: list[Any], mode: AgentMode = AgentMode.STEERABLE, **options: Any) -> Agent:
    return Agent(
        name="demo", system_prompt="You are a test.", tools=tools, mode=mode,
        agent_endpoint=MockLLMEndpoint(responses=script), **options,
    )  # fmt: skip


def answers(messages: list[Message]) -> list[tuple[str, Any]]:
    """Who answered what, in order."""
    return [(result.tool_name, result.payload) for message in messages for result in message.tool_results]


# Ending


@tool
def a(input: Empty, messages: list[Message]) -> Int:
    """Begin."""
    return Int(value=1)


@tool(chained_to=a)
def b(input: Int, messages: list[Message]) -> Int:
    """Add one."""
    return Int(value=input.value + 1)


def test_a_chain_and_a_stop_take_two_model_calls() -> None:
    endpoint = MockLLMEndpoint(responses=[action("a"), action("stop", value="done")])
    demo = Agent(name="demo", system_prompt="You are a test.", tools=[a, b, stop], agent_endpoint=endpoint)
    output, messages = demo.invoke()
    assert output == Stop(value="done")
    assert len(endpoint.requests) == 2
    assert [use.tool_name for message in messages for use in message.tool_uses] == ["a", "stop"]
    assert answers(messages) == [("a", {"value": 1}), ("b", {"value": 2}), ("stop", {"value": "done"})]
    assert [message.role for message in messages] == [
        Role.SYSTEM, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.ASSISTANT, Role.TOOL,
    ]  # fmt: skip


def test_a_deterministic_agent_needs_neither_a_model_nor_a_prompt() -> None:
    ran: list[str] = []

    @tool
    def noop(input: Empty, messages: list[Message]) -> Empty:
        """Do nothing."""
        ran.append("noop")
        return Empty()

    @tool
    def finish(input: Empty, messages: list[Message]) -> Stop:
        """Be done."""
        ran.append("finish")
        return Stop(value="all done")

    output, _ = Agent(name="demo", mode=AgentMode.DETERMINISTIC, default_tools=[noop, finish]).invoke()
    assert (output.value, ran) == ("all done", ["noop", "finish"])


def cleanup(name: str, ran: list[str]) -> Any:
    @tool
    def tidy(input: Empty, messages: list[Message]) -> Empty:
        """Tidy up."""
        ran.append(name)
        return Empty()

    return tidy.rename(name)


def test_what_has_to_be_tidied_is_tidied_before_the_end_which_keeps_its_words() -> None:
    ran: list[str] = []
    tools = stop_after(cleanup("sweep", ran), cleanup("mop", ran))
    output, messages = agent(tools, script=[action("stop", value="good night")]).invoke()
    assert ran == ["sweep", "mop"]
    assert output.value == "good night"
    assert [name for name, _ in answers(messages)] == ["stop", "sweep", "mop", "stop"]


def test_a_cancelled_run_ends_without_tidying() -> None:
    ran: list[str] = []

    @tool
    def leave(input: Empty, messages: list[Message]) -> Empty:
        """Leave."""
        demo.cancel()
        return Empty()

    tools = [leave, *stop_after(cleanup("sweep", ran))]
    demo = agent(tools, script=[action("leave"), action("stop", value="never")])
    output, _ = demo.invoke()
    assert (output.value, ran, demo.status) == (None, [], "cancelled")


def test_the_last_tool_of_an_end_may_be_ones_own() -> None:
    @tool
    def sign_off(input: Str, messages: list[Message]) -> Stop:
        """Sign off."""
        return Stop(value=f"{input.value}, yours")

    ran: list[str] = []
    tools = stop_after(cleanup("sweep", ran), final_stop_tool=sign_off)
    output, _ = agent(tools, script=[action("stop", value="bye")]).invoke()
    assert (output.value, ran) == ("bye, yours", ["sweep"])


def test_a_tool_that_tidies_can_be_used_by_itself_too() -> None:
    ran: list[str] = []
    sweep = cleanup("sweep", ran)
    output, _ = agent(sweep, *stop_after(sweep), script=[action("sweep"), action("stop", value="ok")]).invoke()
    assert (output.value, ran) == ("ok", ["sweep", "sweep"])


def test_an_end_without_anything_before_it_or_without_an_end_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="at least one tool"):
        stop_after()
    with pytest.raises(ToolDefinitionError, match="a cannot end a run"):
        stop_after(b, final_stop_tool=a)


def test_a_tool_that_cannot_take_what_comes_before_it_is_refused_when_the_agent_is_made() -> None:
    with pytest.raises(ChainGraphError, match="b"):
        agent(stop_after(b), script=[])


# Asking


def test_a_model_asks_the_person_and_reads_the_answer() -> None:
    friend = ScriptedPerson("noodles")
    endpoint = MockLLMEndpoint(
        responses=[action("prompt_user", value="What shall it be?"), action("stop", value="noodles it is")]
    )
    demo = Agent(name="demo", system_prompt="You are a waiter.", tools=[stop], agent_endpoint=endpoint)
    output, messages = demo.invoke(ctx=AgentContext(channel=friend))
    assert output.value == "noodles it is"
    assert friend.heard == ["What shall it be?"]
    assert ("prompt_user", {"value": "noodles"}) in answers(messages)
    assert "noodles" in str(list(endpoint.requests[1].messages))


def test_an_answer_that_does_not_come_is_replaced() -> None:
    friend = ScriptedPerson(None, None)
    waiting = asking(timeout_s=2, fallback="the usual")
    script = [
        action("prompt_user", value="?"),
        action("prompt_user", value="?", timeout_seconds=7),
        action("stop", value=""),
    ]
    _, messages = agent(waiting, stop, script=script).invoke(ctx=AgentContext(channel=friend))
    assert answers(messages)[:2] == [("prompt_user", {"value": "the usual"})] * 2
    assert friend.limits == [2, 7]


def test_a_time_that_is_none_is_told_to_the_model() -> None:
    script = [action("ask", value="?", timeout_seconds=-1), action("stop", value="")]
    endpoint = MockLLMEndpoint(responses=[*script, *script])
    demo = Agent(name="demo", system_prompt="You are a test.", tools=[ask, stop], agent_endpoint=endpoint)
    friend = ScriptedPerson("never")
    demo.invoke(ctx=AgentContext(channel=friend))
    assert friend.heard == []
    assert "timeout_seconds" in str(list(endpoint.requests[1].messages))


def test_ask_waits_and_say_does_not() -> None:
    friend = ScriptedPerson("red")
    script = [action("say", value="One moment."), action("ask", value="Which colour?"), action("stop", value="red")]
    output, messages = agent(say, ask, stop, script=script).invoke(ctx=AgentContext(channel=friend))
    assert output.value == "red"
    assert friend.heard == ["One moment.", "Which colour?"]
    (told,) = filter_messages(messages, caller="say")
    assert told.kind == "user_notification"


def test_a_link_of_a_chain_tells_what_it_was_made_with() -> None:
    friend = ScriptedPerson()
    told = message_user("The number is found.").chain(a)
    agent(a, told, stop, script=[action("a"), action("stop", value="")]).invoke(ctx=AgentContext(channel=friend))
    assert friend.heard == ["The number is found."]


def test_the_person_is_asked_at_the_start_and_not_again() -> None:
    friend = ScriptedPerson("find a number")
    endpoint = MockLLMEndpoint(responses=[action("a"), action("stop", value="")])
    demo = Agent(
        name="demo", system_prompt="You are a test.", tools=[a, stop], agent_endpoint=endpoint,
        default_tools=[prompt_user_at_start],
    )  # fmt: skip
    _, messages = demo.invoke(ctx=AgentContext(channel=friend))
    assert friend.heard == ["What can I do for you?"]
    assert answers(messages)[0] == ("prompt_user_at_start", {"value": "find a number"})
    assert str(list(endpoint.requests[1].messages)).count("prompt_user_at_start") == 1


def test_a_question_of_ones_own_at_the_start_has_a_fallback() -> None:
    friend = ScriptedPerson(None)
    first = asking_at_start("What is it?", timeout_s=1, fallback="nothing special")

    @tool
    def finish(input: Str, messages: list[Message]) -> Stop:
        """Be done."""
        return Stop(value=input.value)

    demo = Agent(name="demo", mode=AgentMode.DETERMINISTIC, default_tools=[first, finish])
    output, _ = demo.invoke(ctx=AgentContext(channel=friend))
    assert (output.value, friend.heard, friend.limits) == ("nothing special", ["What is it?"], [1])


def test_an_autonomous_agent_has_no_tool_to_ask_and_a_tool_that_asks_learns_that_nobody_is_there() -> None:
    friend = ScriptedPerson("I am here")
    demo = agent(ask, stop, script=[action("ask", value="?"), action("stop", value="")], mode=AgentMode.AUTONOMOUS)
    assert prompt_user not in demo.tools
    _, messages = demo.invoke(ctx=AgentContext(channel=friend))
    assert friend.heard == []
    (refused, _) = [result for message in messages for result in message.tool_results]
    assert (refused.ok, refused.error_code) == (False, "nobody_to_ask")


def test_without_a_model_to_tell_a_question_that_may_not_be_asked_fails_the_run() -> None:
    @tool
    def wonder(input: Empty, messages: list[Message]) -> Stop:
        """Ask."""
        raise UserInputUnavailable("This run may not ask a person; decide without one.")

    with pytest.raises(UserInputUnavailable):
        Agent(name="demo", mode=AgentMode.DETERMINISTIC, default_tools=[wonder]).invoke()


def test_a_stop_ends_a_run_that_waits_for_a_person_at_once() -> None:
    asked = threading.Event()

    class Silent(ScriptedPerson):
        def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
            asked.set()
            scope.wait(60)
            return None

    ctx = AgentContext(channel=Silent())
    demo = agent(stop, script=[action("prompt_user", value="Anybody?")])
    ended: list[Any] = []
    running = threading.Thread(target=lambda: ended.append(demo.invoke(ctx=ctx)), daemon=True)
    running.start()
    assert asked.wait(5)
    began = time.monotonic()
    ctx.scope.cancel("stop")
    running.join(5)
    assert time.monotonic() - began < 1.5
    assert ended[0][0].value is None
    assert demo.status == "cancelled"
