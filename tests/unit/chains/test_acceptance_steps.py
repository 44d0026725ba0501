"""Steps that go wrong in ways of their own: each is told in words, and none lets a tool run that should not."""

import asyncio
import threading
from typing import Any

import pytest
from pydantic import field_validator

from edgevox.agents import LLMAgent
from edgevox.chains import Agent, Empty, Int, Stop, Str, factory, stop, tool
from edgevox.chains.models import Message, MessageKind
from edgevox.chains.state import RunStatus
from edgevox.core.errors import ChainError, ToolDefinitionError
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint, get_completion
from edgevox.testing import ScriptedModel, ScriptedPerson, call, calls
from edgevox.tools import Tool

SOON_S = 10.0
DONE = {"action": "stop", "value": "done"}


@tool
def one(input: Empty, messages: list[Message]) -> Int:
    """Return one."""
    return Int(value=1)


def following(condition: Any, ran: list[str]) -> Tool:
    @tool(chained_to=one, chain_condition=condition)
    def guarded(input: Int, messages: list[Message]) -> Str:
        ran.append("guarded")
        return Str(value="ran")

    return guarded


def answers(tools: list[Any], *responses: Any) -> list[str]:
    """What the tools of a run answered, before it stopped."""
    model = MockLLMEndpoint(responses=[*responses, DONE])
    stopped, messages = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[*tools, stop]).invoke()
    assert stopped.value == "done"
    return [result.text for message in messages for result in message.tool_results][:-1]


class LaterCondition:
    """Decides when it is awaited."""

    async def __call__(self, value: Any) -> bool:
        return False


async def later(value: Any) -> bool:
    return False


@pytest.mark.parametrize("condition", [later, LaterCondition()])
def test_a_condition_that_would_have_to_be_awaited_is_refused(condition: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="guarded: chain_condition cannot be async"):
        following(condition, [])


def test_a_condition_that_returns_a_coroutine_lets_nothing_run() -> None:
    ran: list[str] = []

    def undecided(value: Any) -> object:
        return later(value)

    (_, told) = answers([one, following(undecided, ran)], {"action": "one"})
    assert ran == []
    assert told.startswith("whether guarded follows one cannot be told")
    assert "cannot be async" in told


def test_a_tool_that_waited_for_something_cancelled_fails_and_the_run_goes_on() -> None:
    @tool
    async def waits(input: Empty, messages: list[Message]) -> Empty:
        raise asyncio.CancelledError

    assert answers([waits], {"action": "waits"}) == ["waits failed: something that it waited for was cancelled."]


class Odd(Empty):
    """A value whose own check breaks."""

    number: int

    @field_validator("number")
    @classmethod
    def _broken(cls, value: int) -> int:
        raise RuntimeError("the check broke")


def test_a_check_of_a_value_that_breaks_is_told_to_the_model() -> None:
    @tool
    def takes(input: Odd, messages: list[Message]) -> Empty:
        return Empty()

    model = MockLLMEndpoint(responses=[{"action": "takes", "number": 1}, DONE])
    tested = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[takes, stop])
    assert tested.invoke()[0].value == "done"
    assert "takes cannot read its arguments: the check broke" in model.requests[1].messages[-1]["content"]


class Holding(Empty):
    """Holds what cannot be copied."""

    held: Any


def test_what_cannot_be_copied_cannot_be_handed_on_and_the_sentence_says_where_to_keep_it() -> None:
    @tool
    def gives(input: Empty, messages: list[Message]) -> Holding:
        return Holding(held=threading.Lock())

    @tool(chained_to=gives)
    def takes(input: Holding, messages: list[Message]) -> Empty:
        return Empty()

    (_, told) = answers([gives, takes], {"action": "gives"})
    assert told == (
        "a lock cannot be handed from tool to tool, because it cannot be copied: keep it in the factory's ctx."
    )


@pytest.mark.parametrize(
    ("reply", "heard"),
    [
        ('All is done {"action": "stop", "value": "done"}', "All is done done"),
        ('It is not OK {"action": "stop", "value": "OK"}', "It is not OK OK"),
        ('Let me see. It is five. {"action": "stop", "value": "It is five."}', "Let me see. It is five."),
        ('Done. {"action": "stop", "value": "Done."}', "Done."),
        ("Let me see, it is five", "Let me see, it is five"),
    ],
)
def test_an_answer_is_heard_once_and_never_lost_in_the_words_before_it(reply: str, heard: str) -> None:
    model = MockLLMEndpoint(responses=[reply])
    result = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[stop]).run("hello")
    assert " ".join(result.reply.split()) == heard


def test_a_fork_is_not_the_fault_of_the_language_model() -> None:
    ran: list[str] = []
    both = [following(None, ran).rename(name) for name in ("left", "right")]
    model = ScriptedModel(calls(call("one")))
    result = LLMAgent(name="plain", description="x", instructions="x", llm=model, tools=[one, *both]).run("go")
    assert result.reply.startswith("Sorry, that did not work. after one, left and right both want to run")
    assert ran == []


class Thinking:
    """A model that answers when it is told to stop."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.in_time = False

    def complete(self, messages: Any, *, stop_event: threading.Event | None = None, **options: Any) -> Any:
        assert stop_event is not None
        self.begun.set()
        self.in_time = stop_event.wait(SOON_S)
        return {"choices": [{"message": {"content": "y"}}]}


@factory
def judge(input: Empty, messages: list[Message], ctx: Thinking) -> Str:
    """Ask another model."""
    return Str(value=str(get_completion(endpoint=ctx, messages=[Message.text("Well?")])))


@factory(timeout_s=60.0)
def judge_in_time(input: Empty, messages: list[Message], ctx: Thinking) -> Str:
    """Ask another model, within a minute."""
    return Str(value=str(get_completion(endpoint=ctx, messages=[Message.text("Well?")])))


@pytest.mark.parametrize("made", [judge, judge_in_time])
@pytest.mark.parametrize("mode", ["steerable", "autonomous"])
def test_an_interruption_breaks_off_the_model_that_a_tool_asks(made: Any, mode: str) -> None:
    guard, person = Thinking(), ScriptedPerson("never mind")
    judging = made(guard).rename("judge")
    model = MockLLMEndpoint(responses=[{"action": "judge"}, DONE])
    tested = Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[judging, stop], mode=mode)
    threading.Thread(target=lambda: (guard.begun.wait(SOON_S), tested.interrupt()), daemon=True).start()
    if mode == "autonomous":
        with pytest.raises(ChainError, match="interrupted"):
            tested.invoke(ctx=AgentContext(channel=person))
        assert person.heard == []
    else:
        stopped, messages = tested.invoke(ctx=AgentContext(channel=person))
        assert stopped.value == "done"
        assert person.heard == ["You broke in. What should I do instead?"]
        assert sum(message.kind == MessageKind.INTERRUPTED_GENERATION for message in messages) == 1
    assert guard.in_time


def test_a_deterministic_run_is_interrupted_in_the_model_that_its_tool_asks() -> None:
    guard, person = Thinking(), ScriptedPerson("never mind")

    @tool
    def end_when_told(input: Empty, messages: list[Message]) -> Stop | Empty:
        return Stop(value="told") if person.heard else Empty()

    tested = Agent(name="tested", mode="deterministic", default_tools=[end_when_told, judge(guard)])
    threading.Thread(target=lambda: (guard.begun.wait(SOON_S), tested.interrupt()), daemon=True).start()
    stopped, _ = tested.invoke(ctx=AgentContext(channel=person))
    assert stopped.value == "told"
    assert tested.status is RunStatus.COMPLETED
