"""Turns that cost no model call."""

from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, LLMAgent
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import MessageStatus, Origin, ResultStatus, Role
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


class Person:
    """Answers questions as told."""

    def __init__(self, approves: bool) -> None:
        self.approves = approves
        self.asked: list[str] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request.question)
        return Approval(approved=self.approves)


def test_a_phrase_runs_its_tool_and_speaks_its_template_without_a_model(
    lamps: dict[str, bool], lamp_tools: Tools, ctx: AgentContext
) -> None:
    model = ScriptedModel()
    result = LLMAgent("home", tools=lamp_tools, llm=model).run("turn on the kitchen light", ctx)
    assert (result.reply, result.model_calls, model.requests) == ("The kitchen light is on.", 0, [])
    assert [(call.name, call.arguments, call.origin) for call in result.tool_calls] == [
        ("set_light", {"room": "kitchen", "on": True}, Origin.PHRASE)
    ]
    assert lamps["kitchen"]


def test_the_conversation_keeps_the_request_the_result_and_the_reply(lamp_tools: Tools, ctx: AgentContext) -> None:
    LLMAgent("home", tools=lamp_tools).run("turn on the kitchen light", ctx)
    assert [message.role for message in ctx.session.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    use, result = ctx.session.messages[1].tool_uses[0], ctx.session.messages[2].tool_results[0]
    assert use.tool_use_id == result.tool_use_id
    assert ctx.session.messages[-1].plain == "The kitchen light is on."


def test_a_phrase_publishes_one_tool_call_between_start_and_end(
    lamp_tools: Tools, ctx: AgentContext, events: list[AgentEvent]
) -> None:
    LLMAgent("home", tools=lamp_tools).run("turn on the kitchen light", ctx)
    assert [event.kind for event in events] == ["agent_start", "tool_use", "tool_call", "tool_result", "agent_end"]


def test_after_a_turn_with_the_model_phrases_are_tried_first_again(lamp_tools: Tools, ctx: AgentContext) -> None:
    model = ScriptedModel("Why did the lamp cross the road?")
    agent = LLMAgent("home", tools=lamp_tools, llm=model)
    agent.run("tell me a joke", ctx)
    assert agent.run("turn on the bedroom light", ctx).model_calls == 0
    assert len(model.requests) == 1


def test_the_model_sees_what_a_phrase_did_before(lamp_tools: Tools, ctx: AgentContext) -> None:
    model = ScriptedModel("You asked for the light.")
    agent = LLMAgent("home", tools=lamp_tools, llm=model)
    agent.run("turn on the kitchen light", ctx)
    agent.run("what did I just ask for?", ctx)
    assert model.requests[0].tool_results == ["kitchen is on"]


def test_a_failing_tool_is_told_in_words(ctx: AgentContext) -> None:
    @tool(phrases=["open the door"])
    def open_door() -> str:
        """Open the door."""
        raise ValueError("the door is locked")

    result = LLMAgent("home", tools=[open_door]).run("open the door", ctx)
    assert "the door is locked" in result.reply
    assert result.model_calls == 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "done"),
        ("It is noon.", "It is noon."),
        (3, "3"),
        ({"temp_c": 12.5, "sky": "clear"}, "temp c 12.5, sky clear."),
        (["a_b", "c"], "a b, c"),
        ({"open": True, "rooms": ["x", "y"], "at": {"floor": 2}}, "open yes, rooms x y, at floor 2."),
    ],
)
def test_a_result_without_a_template_is_still_said(value: Any, said: str, ctx: AgentContext) -> None:
    @tool(phrases=["tell me now"])
    def tell_me() -> Any:
        """Tell."""
        return value

    reply = LLMAgent("home", tools=[tell_me]).run("tell me now", ctx).reply
    assert reply.rstrip(".").casefold() == said.rstrip(".").casefold()


@pytest.mark.parametrize("approves", [True, False])
def test_a_destructive_tool_asks_before_it_runs(approves: bool) -> None:
    done: list[int] = []

    @tool(phrases=["delete note {number}"], says="Note {number} is deleted.", confirm="Delete note {number}?")
    def delete_note(number: int) -> str:
        """Delete a note.

        Args:
            number: which
        """
        done.append(number)
        return "deleted"

    person = Person(approves)
    result = LLMAgent("dev", tools=[delete_note]).run("delete note 3", AgentContext(approver=person))
    assert person.asked == ["Delete note 3?"]
    assert done == ([3] if approves else [])
    assert result.tool_calls[0].status is (ResultStatus.SUCCESS if approves else ResultStatus.DECLINED)
    assert result.reply


def test_a_secret_argument_is_not_kept(ctx: AgentContext) -> None:
    @tool(phrases=["unlock with {code}"], secret_fields=("code",))
    def unlock(code: str) -> str:
        """Unlock.

        Args:
            code: secret
        """
        return "open" if code == "4711" else "wrong"

    result = LLMAgent("home", tools=[unlock]).run("unlock with 4711", ctx)
    assert result.tool_calls[0].result == "open"
    assert "4711" not in str([message.openai() for message in ctx.session.messages[1:]])


def test_phrases_of_the_application_come_beside_those_of_the_tool(lamp_tools: Tools, ctx: AgentContext) -> None:
    agent = LLMAgent("home", tools=lamp_tools, phrases={"set_light": ["let there be light in the {room} {on}"]})
    assert agent.run("let there be light in the bedroom on", ctx).reply == "The bedroom light is on."
    assert agent.run("turn off the bedroom light", ctx).reply == "The bedroom light is off."


def test_phrases_of_the_application_may_be_given_by_language(lamp_tools: Tools) -> None:
    agent = LLMAgent("home", tools=lamp_tools, phrases={"set_light": {"de": ["mach {room} {on}"]}})
    assert agent.matches_phrase("mach kitchen an", "de")
    assert not agent.matches_phrase("mach kitchen an", "en")


def test_the_language_of_the_context_decides_which_phrases_count(lamp_tools: Tools) -> None:
    result = LLMAgent("home", tools=lamp_tools).run("Licht kitchen an", AgentContext(language="de"))
    assert [call.arguments for call in result.tool_calls] == [{"room": "kitchen", "on": True}]


def test_a_tool_that_is_registered_later_is_understood_from_the_next_turn_on(ctx: AgentContext) -> None:
    agent = LLMAgent("home", llm=ScriptedModel(otherwise="I cannot sing."))
    assert agent.run("sing a song", ctx).reply == "I cannot sing."

    @tool(phrases=["sing a song"])
    def sing() -> str:
        """Sing."""
        return "La la la."

    agent.tools.register(sing)
    assert agent.run("sing a song", ctx).reply == "La la la."
    agent.tools.unregister("sing")
    assert agent.run("sing a song", ctx).reply == "I cannot sing."


def test_a_phrase_that_cannot_be_read_costs_the_shortcut_not_the_turn(ctx: AgentContext) -> None:
    @tool(phrases=["sing (a song"])
    def sing() -> str:
        """Sing."""
        return "La."

    agent = LLMAgent("home", tools=[sing], llm=ScriptedModel("The model sings."))
    assert agent.run("sing a song", ctx).reply == "The model sings."
    with pytest.raises(ToolDefinitionError, match="sing"):
        agent.warm(ctx)


def test_a_slot_for_any_words_holds_what_was_said_signs_and_all(ctx: AgentContext) -> None:
    @tool(phrases=["calculate {expression}"])
    def calculate(expression: str) -> str:
        """Calculate.

        Args:
            expression: what
        """
        return expression

    agent = LLMAgent("dev", tools=[calculate])
    assert agent.run("calculate 12 times 7", ctx).reply == "12 times 7"
    assert agent.run("calculate 2 * -3", ctx).reply == "2 * -3"


def test_a_stopped_run_says_nothing_and_leaves_a_cancelled_message(lamp_tools: Tools, ctx: AgentContext) -> None:
    ctx.stop.set()
    result = LLMAgent("home", tools=lamp_tools).run("turn on the kitchen light", ctx)
    assert (result.reply, result.preempted, result.tool_calls) == ("", True, ())
    assert [message.status for message in ctx.session.messages] == [MessageStatus.COMPLETED, MessageStatus.CANCELLED]


def test_a_stop_while_the_tool_runs_leaves_its_result_and_a_cancelled_message(ctx: AgentContext) -> None:
    @tool(phrases=["open the grip"])
    def open_grip(ctx: AgentContext) -> str:
        """Open it."""
        ctx.stop.set()
        return "open"

    result = LLMAgent("robot", tools=[open_grip]).run("open the grip", ctx)
    assert result.preempted
    assert result.reply == ""
    assert [message.role for message in ctx.session.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_examples_are_sentences_that_the_agent_understands(lamp_tools: Tools) -> None:
    agent = LLMAgent("home", tools=lamp_tools)
    examples = agent.examples()
    assert examples
    assert all(agent.matches_phrase(example) for example in examples)
