"""A tool with a final reply ends the turn of a model that called it; where more is to be done, the model goes on."""

from collections.abc import Iterable

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.messages import Message, Role
from edgevox.core.values import Empty, Stop, Str
from edgevox.testing import ScriptedModel, call, calls
from edgevox.tools import tool


@tool(says={"en": "The {room} light is {on}.", "de": "Licht: {room}, {on}."}, final=True)
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    if room == "cellar":
        raise ValueError("there is no light in the cellar")
    return "done"


@tool(says="It is {result} degrees.")
def read_degrees() -> int:
    """Say how warm it is."""
    return 21


@tool(final=True)
def ring() -> str:
    """Ring."""
    return "Ding."


@tool
def begin(input: Empty, messages: list[Message]) -> Str:
    """Begin the chain."""
    return Str(value=f"chain of {len(messages)}")


@tool(chained_to=begin, says="All of it: {result.value}.", final=True)
def finish(input: Str, messages: list[Message]) -> Str:
    """End the chain."""
    return Str(value=f"{len(messages) and input.value.split()[0]} done")


def answer(text: str, script: Iterable[object], language: str = "en") -> tuple[str, int, ScriptedModel]:
    model = ScriptedModel(*script, otherwise="The model says so.")  # pyright: ignore[reportArgumentType]
    agent = LLMAgent("house", tools=[set_light, read_degrees, ring, begin, finish], llm=model)
    result = agent.run(text, AgentContext(language=language))
    return result.reply, result.model_calls, model


LIGHT = call("set_light", room="kitchen", on=True)


def test_a_final_reply_ends_the_turn_without_another_question() -> None:
    assert answer("it is dark here", [LIGHT])[:2] == ("The kitchen light is on.", 1)


def test_the_reply_is_in_the_language_of_the_run() -> None:
    assert answer("es ist dunkel", [LIGHT], "de")[:2] == ("Licht: kitchen, an.", 1)


def test_two_calls_of_one_answer_tell_both() -> None:
    both = calls(LIGHT, call("set_light", room="office", on=False))
    assert answer("lights please", [both])[:2] == ("The kitchen light is on. The office light is off.", 1)


def test_a_chain_is_told_by_its_end() -> None:
    assert answer("go", [call("begin")])[:2] == ("All of it: chain done.", 1)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("it is dark here and tell me how warm it is", [LIGHT]),
        ("it is dark. How warm is it?", [LIGHT]),
        ("how warm is it", [call("read_degrees")]),
        ("ring the bell", [call("ring")]),
        ("light in the cellar", [call("set_light", room="cellar", on=True)]),
        ("light and heat", [calls(LIGHT, call("read_degrees"))]),
        ("lights", [calls(LIGHT, call("read_degrees"))]),
    ],
)
def test_the_model_goes_on_where_there_is_more_to_do_or_to_say(text: str, asked: list[object]) -> None:
    assert answer(text, asked)[:2] == ("The model says so.", 2)


def test_the_conversation_keeps_call_result_and_reply() -> None:
    model = ScriptedModel(LIGHT, otherwise="The model says so.")
    agent, ctx = LLMAgent("house", tools=[set_light], llm=model), AgentContext()
    agent.run("it is dark here", ctx)
    assert [message.role for message in ctx.session.messages] == [
        Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT,
    ]  # fmt: skip
    assert ctx.session.messages[-1].plain == "The kitchen light is on."
    assert agent.run("thanks", ctx).reply == "The model says so."
    assert [message["role"] for message in model.requests[-1].messages][-5:] == [
        "user", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip


def test_a_stop_at_the_end_of_a_chain_leaves_its_reply_unsaid() -> None:
    ctx = AgentContext()
    ctx.bus.subscribe("tool_result", lambda event: event.payload.tool_name == "finish" and ctx.stop.set())
    agent = LLMAgent("house", tools=[begin, finish], llm=ScriptedModel(call("begin"), otherwise="The model says so."))
    result = agent.run("go", ctx)
    assert result.preempted
    assert result.reply == ""


def test_a_stop_at_the_tool_that_ends_the_turn_leaves_its_words_unsaid() -> None:
    @tool
    def finish_all(input: Empty, messages: list[Message]) -> Stop:
        """End the turn."""
        return Stop(value=f"All {len(messages)} are done.")

    ctx = AgentContext()
    ctx.bus.subscribe("tool_result", lambda _: ctx.stop.set())
    agent = LLMAgent("house", tools=[finish_all], llm=ScriptedModel(call("finish_all"), otherwise="Well."))
    result = agent.run("go", ctx)
    assert result.preempted
    assert result.reply == ""
