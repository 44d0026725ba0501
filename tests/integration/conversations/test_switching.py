"""Another agent takes over in a running conversation: words, models, worlds and stops stay."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.agents import LLMAgent
from edgevox.assistant.commands import run_command
from edgevox.core.messages import Role
from edgevox.testing import Conversation, ScriptedModel, call

Start = Callable[..., Conversation]

SCRIPT = """
from edgevox.agents import AgentContext, skill
from edgevox.examples.agents.framework import AgentApp


class Crane:
    moving = True
    opened = closed = 0

    def open(self):
        {opening}

    def halt(self):
        Crane.moving = False

    def is_moving(self):
        return Crane.moving

    def close(self):
        Crane.closed += 1


@skill(latency_class="fast")
def lift(ctx: AgentContext) -> str:
    'Lift.'
    return f"by a {type(ctx.deps).__name__} that was opened {Crane.opened} times"


APP = AgentApp("Crane", description="Lifts.", deps=Crane(), greeting="Ready to lift.", {more})
"""


@pytest.fixture
def crane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put an agent with a moving world into the person's folder."""

    def write(more: str = "", opening: str = "Crane.opened += 1") -> None:
        folder = tmp_path / "config" / "agents"
        folder.mkdir(parents=True)
        (folder / "crane.py").write_text(SCRIPT.replace("{more}", more).replace("{opening}", opening))
        monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))

    return write


def test_the_conversation_and_the_model_stay(start: Start) -> None:
    model = ScriptedModel("Hello Sam.", "You are Sam.")
    talk = start(model=model)
    talk.assistant._model = model  # pyright: ignore[reportPrivateUsage]
    talk.say("my name is Sam")
    assert run_command(talk.assistant, "/agent robot-scout") == ""
    assert talk.payloads("agent_changed") == ["Scout"]
    assert talk.say("what is my name").reply == "You are Sam."
    said = [message.plain for message in talk.assistant.session.messages if message.role is Role.USER]
    assert said == ["my name is Sam", "what is my name"]
    shown = model.requests[1].messages
    assert "Scout" in shown[0]["content"]
    assert any(message["content"] == "my name is Sam" for message in shown)


def test_the_new_agents_phrases_tools_and_world_count(start: Start) -> None:
    talk = start()
    run_command(talk.assistant, "/agent robot-scout")
    outcome = talk.say("where are you")
    assert [call.name for call in outcome.tool_calls] == ["get_pose"]
    assert "living room" in run_command(talk.assistant, "/map")
    run_command(talk.assistant, "/agent home")
    assert talk.say("turn on the office light").reply == "The office light is on."
    assert "has no world to draw" in run_command(talk.assistant, "/map")


def test_a_stop_reaches_the_world_of_the_agent_before(start: Start, crane: Callable[..., None]) -> None:
    crane()
    talk = start()
    talk.assistant.switch_agent("crane")
    world = talk.assistant.deps
    assert world.is_moving()
    run_command(talk.assistant, "/agent home")
    assert "Ready to lift." in talk.payloads("agent_message")
    talk.assistant.submit("stop")
    report = talk.wait_for("safety_preempt").payload
    assert not world.is_moving()
    assert "Crane" in report.latencies
    talk.assistant.close()
    assert world.closed == 1


def test_a_world_is_opened_before_it_is_used(start: Start, crane: Callable[..., None]) -> None:
    crane()
    talk = start()
    talk.assistant.switch_agent("crane")
    assert talk.assistant.deps.opened == 1


def test_the_new_agents_stop_words_count_and_none_are_announced(start: Start, crane: Callable[..., None]) -> None:
    crane("stop_words=('drop it',)")
    talk = start()
    assert not talk.assistant.is_stop("drop it")
    talk.assistant.switch_agent("crane")
    assert talk.assistant.is_stop("drop it")
    assert not talk.assistant.is_stop("halt")
    talk.assistant.switch_agent("home")
    assert talk.assistant.is_stop("halt")
    assert not talk.assistant.is_stop("drop it")


def test_an_agent_without_stop_words_is_said_to_have_none(start: Start, crane: Callable[..., None]) -> None:
    crane("stop_words=()")
    talk = start()
    talk.assistant.switch_agent("crane")
    assert not talk.assistant.is_stop("stop")
    assert any("Stop words are switched off" in notice for notice in talk.assistant.notices)


@pytest.mark.parametrize("name", ["hoem", "nowhere.py", "broken"])
def test_an_agent_that_cannot_be_had_leaves_the_old_one(
    start: Start, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "config" / "agents"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("1/0")
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    talk = start()
    answer = run_command(talk.assistant, f"/agent {name}")
    assert name in answer
    assert "\n" not in answer
    assert talk.assistant.agent.name == "casa"
    assert talk.payloads("agent_changed") == []


def test_a_world_that_cannot_be_opened_leaves_the_old_agent(start: Start, crane: Callable[..., None]) -> None:
    crane(opening="from edgevox.core.errors import AgentError; raise AgentError('The crane is not plugged in.')")
    talk = start()
    assert run_command(talk.assistant, "/agent crane") == "The crane is not plugged in."
    assert talk.assistant.agent.name == "casa"


def test_coming_back_finds_the_same_world(start: Start, crane: Callable[..., None]) -> None:
    crane()
    talk = start()
    talk.assistant.switch_agent("crane")
    world = talk.assistant.deps
    talk.assistant.switch_agent("robot-scout")
    talk.assistant.switch_agent("crane")
    assert talk.assistant.deps is world


def test_a_listed_agent_that_is_handed_the_turn_acts_in_its_own_world(start: Start, crane: Callable[..., None]) -> None:
    crane("skills=[lift]")
    model = ScriptedModel(call("hand_off_to_crane"), call("lift"), "Lifted.")
    talk = start(agent=LLMAgent("casa", handoffs=["crane"], llm=model), deps="the house")
    outcome = talk.say("get that up there")
    assert (outcome.reply, outcome.error) == ("Lifted.", None)
    assert [result.result for result in outcome.tool_calls] == ["by a Crane that was opened 1 times"]
    assert talk.assistant.deps == "the house"
    assert "Crane" in talk.assistant.stop().latencies


def test_a_listed_agent_whose_world_is_missing_is_an_apology(start: Start, crane: Callable[..., None]) -> None:
    crane(opening="from edgevox.core.errors import AgentError; raise AgentError('The crane is not plugged in.')")
    talk = start(agent=LLMAgent("casa", handoffs=["crane"], llm=ScriptedModel(call("hand_off_to_crane"))))
    outcome = talk.say("get that up there")
    assert outcome.error == "The crane is not plugged in."
    assert outcome.reply
