"""What `say` says is told while the model is still writing it, once, and in whole sentences."""

import json
import time
from typing import Any

import pytest

from edgevox.chains import Agent, AgentMode
from edgevox.chains.ahead import SayAhead, WordsAhead
from edgevox.chains.tools import say, stop
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import UserInputUnavailable
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint

STORY = "I have looked everywhere. The keys are in the fridge, beside the milk. Shall I bring them"


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, **arguments}


class Ear:
    """A person who notes what they hear, and when."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.at: list[float] = []

    def notify(self, message: str) -> None:
        self.heard.append(message)
        self.at.append(time.monotonic())

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        raise AssertionError(f"nobody is to be asked {message!r} within {timeout_s}, {scope}")


def told(reply: str, size: int) -> tuple[list[str], SayAhead]:
    """What is told of a reply that comes in pieces of a size."""
    sentences: list[str] = []
    ahead = SayAhead("say", sentences.append)
    ahead.begin()
    for start in range(0, len(reply), size):
        ahead.feed(reply[start : start + size])
    return sentences, ahead


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    "words",
    [STORY, 'She said "no". Then \\ she left.\nThat was all.', "Schöne Grüße 🌷🌷. Und 日本 auch. Ende.", "One.", ""],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_what_is_told_and_what_is_left_are_the_words_however_they_come(size: int, words: str, ascii_only: bool) -> None:
    reply = json.dumps(action("say", value=words), ensure_ascii=ascii_only)
    sentences, ahead = told(reply, size)
    rest = ahead.rest(words)
    assert " ".join([*sentences, rest]).split() == words.split()


def test_the_first_sentence_is_told_before_the_second_is_written() -> None:
    reply = json.dumps(action("say", value=STORY))
    sentences, _ = told(reply[: reply.index(" beside")], 5)
    assert sentences[0] == "I have looked everywhere."


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(action("stop", value=STORY)),
        json.dumps({"value": STORY, "action": "say"}),
        json.dumps(action("say_more", value=STORY)),
        STORY,
        f"<think>{STORY}</think>",
        '{"action": "say", "other": 1',
    ],
)
def test_of_any_other_reply_nothing_is_told(reply: str) -> None:
    assert told(reply, 4)[0] == []


def test_a_reason_may_stand_before_or_after_the_action() -> None:
    for reply in ({"rationale": 'a "good" one', **action("say", value=STORY)},
                  {"action": "say", "rationale": "why not", "value": STORY}):  # fmt: skip
        assert told(json.dumps(reply), 6)[0][0] == "I have looked everywhere."


def test_where_nobody_is_told_the_tool_gets_all_the_words() -> None:
    def refuse(_: str) -> None:
        raise UserInputUnavailable("This run may not ask a person.")

    ahead = SayAhead("say", refuse)
    ahead.begin()
    ahead.feed(json.dumps(action("say", value=STORY)))
    ahead.begin()
    assert ahead.rest(STORY) == STORY


def test_in_a_run_each_sentence_is_told_once_and_early() -> None:
    ear = Ear()
    model = MockLLMEndpoint(responses=[action("say", value=STORY), action("stop", value="Done.")], piece_delay_s=0.05)
    agent = Agent(name="finder", system_prompt="You find things.", tools=[say, stop], agent_endpoint=model)
    output, messages = agent.invoke(ctx=AgentContext(channel=ear))
    assert output.value == "Done."
    assert " ".join(ear.heard).split() == STORY.split()
    assert ear.at[-1] - ear.at[0] > 0.05, "all of it was told at once"
    (asked, _) = [use for message in messages for use in message.tool_uses]
    assert asked.input["value"] == STORY


def test_a_reply_that_is_sent_back_is_told_from_its_second_writing() -> None:
    ear = Ear()
    script = [action("say"), action("say", value="It is here."), action("stop", value="")]
    agent = Agent(
        name="finder", system_prompt="You find things.", tools=[say, stop], agent_endpoint=MockLLMEndpoint(script)
    )
    agent.invoke(ctx=AgentContext(channel=ear))
    assert ear.heard == ["It is here."]


def test_an_autonomous_agent_that_says_something_learns_that_nobody_listens() -> None:
    ear = Ear()
    script = [action("say", value=STORY), action("stop", value="")]
    agent = Agent(
        name="loner", system_prompt="You are alone.", tools=[say, stop], mode=AgentMode.AUTONOMOUS,
        agent_endpoint=MockLLMEndpoint(script),
    )  # fmt: skip
    _, messages = agent.invoke(ctx=AgentContext(channel=ear))
    assert ear.heard == []
    assert [result.ok for message in messages for result in message.tool_results] == [False, True]


# Plain words


def streamed(reply: str, size: int) -> tuple[str, str]:
    """What is passed on of a reply that comes in pieces, and what is left of its words."""
    pieces: list[str] = []
    ahead = WordsAhead(pieces.append)
    ahead.begin()
    for start in range(0, len(reply), size):
        ahead.feed(reply[start : start + size])
    return "".join(pieces), ahead.rest(reply.strip())


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("reply", [STORY, f"\n  {STORY}\n", "Use {x} in braces, then go on.", "a"])
def test_plain_words_are_passed_on_once(reply: str, size: int) -> None:
    told, rest = streamed(reply, size)
    assert (told + rest).strip() == reply.strip()


@pytest.mark.parametrize("reply", ['{"action": "stop"}', '```json\n{"action"', "<think>Let me see.", '"quoted"', "[1]"])
def test_what_does_not_begin_as_words_is_not_passed_on(reply: str) -> None:
    assert streamed(reply, 2)[0] == ""


def test_a_reply_in_words_comes_in_pieces_while_it_is_written() -> None:
    model = MockLLMEndpoint([STORY], piece_delay_s=0.03)
    agent = Agent(name="finder", system_prompt="You find things.", tools=[stop], agent_endpoint=model)
    pieces, times = list[str](), list[float]()
    for piece in agent.run_stream("where are my keys", AgentContext()):
        pieces.append(piece)
        times.append(time.monotonic())
    assert "".join(pieces) == STORY
    assert all(pieces)
    assert len(pieces) > 2
    assert times[-1] - times[0] > 0.03


def test_words_before_an_action_are_said_and_so_is_the_answer() -> None:
    model = MockLLMEndpoint(['Let me see. {"action": "stop", "value": "They are in the fridge."}'])
    agent = Agent(name="finder", system_prompt="You find things.", tools=[stop], agent_endpoint=model)
    result = agent.run("where are my keys", AgentContext())
    assert result.reply == "Let me see. They are in the fridge."


def test_very_many_words_are_told_while_they_come_and_each_piece_costs_the_same() -> None:
    began = time.monotonic()
    sentences, ahead = told(json.dumps({"action": "say", "value": "Hello there. " * 20_000}), 24)
    assert time.monotonic() - began < 6.0
    assert len(sentences) >= 19_999
    assert len(ahead.rest("Hello there. " * 20_000)) < 30


@pytest.mark.parametrize("reply", ['{"action": "say", "value": "a \\x b', '{"rationale": "' + "x" * 9000])
def test_what_is_no_json_or_begins_too_late_is_left_to_the_whole_reply(reply: str) -> None:
    sentences, ahead = told(reply + "y" * 5000 + '. And more."}', 7)
    assert sentences == []
    assert ahead.rest("All of it.") == "All of it."
