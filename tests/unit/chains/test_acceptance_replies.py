"""Replies as models and servers really write them: what is taken, what is sent back, and what a person hears of it."""

import json
from typing import Any

import pytest

from edgevox.chains import Agent, Empty, Int, Str, stop, tool
from edgevox.chains.models import Message
from edgevox.chains.state import RunStatus
from edgevox.chains.tools import say
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LanguageModelError, OutputFormatError
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint

DONE = {"action": "stop", "value": "done"}
HALF, OTHER_HALF = "\ud83d", "\ude00"


@tool
def echo(input: Str, messages: list[Message]) -> Str:
    """Say it again."""
    return Str(value=input.value)


@tool
def count(input: Empty, messages: list[Message]) -> Int:
    """Count to one."""
    return Int(value=1)


class Server:
    """A model whose answers have whatever shape they have."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked = 0

    def complete(self, messages: Any, **options: Any) -> Any:
        self.asked += 1
        return self.answers.pop(0)


def agent(model: Any, *tools: Any, **options: Any) -> Agent:
    return Agent(name="tested", system_prompt="x", agent_endpoint=model, tools=[*tools, stop], **options)


def whole(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


CALL = '{"name": "echo", "arguments": {"value": "hi"}}'


@pytest.mark.parametrize(
    "reply",
    [
        CALL,
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"I will do that. <tool_call>{CALL}</tool_call>",
        '{"name": "echo", "parameters": {"value": "hi"}}',
        json.dumps({"name": "echo", "arguments": '{"value": "hi"}'}),
    ],
)
def test_a_call_in_the_form_of_servers_is_run_and_never_said(reply: str) -> None:
    model = MockLLMEndpoint(responses=[reply, DONE])
    said: list[str] = []
    pieces = agent(model, echo).run_stream("say hi")
    while True:
        try:
            said.append(next(pieces))
        except StopIteration as end:
            result = end.value
            break
    assert [call.name for call in result.tool_calls] == ["echo", "stop"]
    assert result.tool_calls[0].result == {"value": "hi"}
    assert "tool_call" not in "".join(said)
    assert "arguments" not in "".join(said)


def test_a_call_that_the_server_read_out_of_the_reply_is_an_action_too() -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "echo", "arguments": '{"value": "hi"}'}}]
    server = Server(whole(content=None, tool_calls=calls), whole(content=json.dumps(DONE)))
    stopped, messages = agent(server, echo).invoke()
    assert stopped.value == "done"
    assert [result.tool_name for message in messages for result in message.tool_results] == ["echo", "stop"]


def test_a_call_of_a_tool_that_is_not_there_is_sent_back() -> None:
    model = MockLLMEndpoint(responses=['{"name": "ecko", "arguments": {}}', DONE])
    assert agent(model, echo).invoke()[0].value == "done"
    assert "There is no tool 'ecko'" in model.requests[1].messages[-1]["content"]


@pytest.mark.parametrize("reply", ["", "  ", "```\n```", "<think>what now", "{", '{"action": "sto', "[1]", "{}"])
def test_a_person_hears_no_json_when_a_model_cannot_keep_to_the_form(reply: str) -> None:
    model = MockLLMEndpoint(responses=[reply, reply])
    tested = agent(model)
    result = tested.run("hello")
    assert result.reply == "Sorry, I could not work out how to do that. Please say it another way."
    assert result.error
    assert "did not answer in the form" in result.error
    assert tested.status is RunStatus.FAILED


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "cannot be read: it is None"),
        (5, "cannot be read: it is 5"),
        ("text", "cannot be read: it is 'text'"),
        (b"x", "cannot be read"),
        ([None], "cannot be read"),
        ({"choices": [None]}, "cannot be read"),
        ({"error": {"message": "no credit left"}}, "says: no credit left"),
        ({"error": "no credit left"}, "says: no credit left"),
    ],
)
def test_an_answer_of_another_shape_is_an_error_in_words(answer: Any, says: str) -> None:
    with pytest.raises(LanguageModelError, match=says):
        agent(Server(answer)).invoke()
    assert says in agent(Server(answer)).run("hello").reply


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": None}, whole(), whole(content=None), []])
def test_an_answer_that_says_nothing_is_asked_for_once_more(answer: Any) -> None:
    server = Server(answer, whole(content=json.dumps(DONE)))
    assert agent(server).invoke()[0].value == "done"
    with pytest.raises(OutputFormatError, match="empty"):
        agent(Server(answer, answer)).invoke()


def test_an_answer_in_parts_is_read_together() -> None:
    parts = [{"type": "text", "text": "Good "}, {"type": "text", "text": "morning."}]
    assert agent(Server(whole(content=parts))).invoke()[0].value == "Good morning."


@pytest.mark.parametrize(
    ("written", "read"), [(f'"{HALF}"', "�"), ('"\\ud83d"', "�"), ('"\\ud83d\\ude00 日本 é"', "😀 日本 é")]
)
def test_half_a_character_is_replaced_and_the_conversation_can_be_sent_and_stored(written: str, read: str) -> None:
    reply = f'{{"action": "echo", "rationale": {written}, "value": {written}}}'
    tested = agent(MockLLMEndpoint(responses=[reply, DONE]), echo)
    _, messages = tested.invoke()
    assert messages[2].tool_results[0].payload == {"value": read}
    for message in messages:
        assert message.model_dump_json().encode()


def test_half_a_character_in_words_is_replaced_as_well() -> None:
    tested = agent(MockLLMEndpoint(responses=[f"Hello {HALF}{OTHER_HALF} and {HALF}."]))
    ctx = AgentContext()
    result = tested.run(f"hi {HALF}", ctx)
    assert result.reply == "Hello 😀 and �."
    assert [message.plain for message in ctx.session.messages] == ["hi �", "Hello 😀 and �."]


def test_half_a_character_that_a_tool_returns_reaches_the_next_tool_and_costs_no_text() -> None:
    long = "x" * 20_000 + HALF

    @tool
    def read(input: Empty, messages: list[Message]) -> Str:
        return Str(value=long)

    @tool(chained_to=read)
    def length(input: Str, messages: list[Message]) -> Int:
        return Int(value=len(input.value))

    _, messages = agent(MockLLMEndpoint(responses=[{"action": "read"}, DONE]), read, length).invoke()
    stored, counted = messages[2].tool_results[0], messages[3].tool_results[0]
    assert stored.payload == {"value": "x" * 20_000 + "�"}
    assert counted.payload == {"value": 20_001}


class BrokenChannel:
    """A way to a person that fails."""

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        raise RuntimeError

    def notify(self, message: str) -> None:
        raise RuntimeError


def test_a_channel_that_fails_while_a_sentence_is_said_ahead_is_told_to_the_model() -> None:
    speak = {"action": "say", "value": "First sentence. Second one."}
    stopped, messages = agent(MockLLMEndpoint(responses=[speak, DONE]), say).invoke(
        ctx=AgentContext(channel=BrokenChannel())
    )
    assert stopped.value == "done"
    assert messages[2].tool_results[0].text == "say failed: RuntimeError"
