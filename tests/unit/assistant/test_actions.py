"""`/goals` and `/cancel`: a person sees what is under way and ends one of it."""

import threading
import time

import pytest

from edgevox.agents import AgentContext, AgentEvent, GoalHandle, LLMAgent, ToyWorld, skill
from edgevox.assistant.commands import complete, is_urgent, run_command
from edgevox.testing import Conversation, ScriptedModel
from edgevox.testing.assistant import ScriptedAssistant
from edgevox.tools import tool


@pytest.fixture
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant()


def add(assistant: ScriptedAssistant, name: str, **arguments: object) -> GoalHandle:
    handle = GoalHandle()
    assistant.goals.add(name, handle, arguments)
    return handle


def test_without_an_action_both_say_so(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/goals") == "Nothing is under way."
    assert run_command(assistant, "/cancel") == "Nothing is under way."
    assert run_command(assistant, "/cancel all") == "Nothing is under way."


def test_actions_are_listed_with_arguments_time_and_progress(assistant: ScriptedAssistant) -> None:
    add(assistant, "navigate_to", room="kitchen").set_feedback(progress=0.4, distance_m=5.04)
    add(assistant, "fill_tank").cancel()
    first, second = run_command(assistant, "/goals").splitlines()
    assert first.split() == ["1", "navigate_to(room=kitchen)", "0", "s,", "40", "%,", "distance_m", "5.04"]
    assert second.split() == ["2", "fill_tank()", "told", "to", "end,", "0", "s"]


@pytest.mark.parametrize("line", ["/cancel", "/cancel navigate_to", "/cancel NAVIGATE_TO", "/cancel 1", "/cancel all"])
def test_the_only_action_is_cancelled_however_it_is_named(assistant: ScriptedAssistant, line: str) -> None:
    handle = add(assistant, "navigate_to", room="kitchen")
    assert run_command(assistant, line) == "Told to end: navigate_to."
    assert handle.wait_cancel(2.0)
    assert handle.cancel_reason == "user"


def test_of_several_actions_the_person_says_which(assistant: ScriptedAssistant) -> None:
    drive, fill = add(assistant, "navigate_to"), add(assistant, "fill_tank")
    assert "1 (navigate_to), 2 (fill_tank)" in run_command(assistant, "/cancel")
    assert not drive.should_cancel()
    assert run_command(assistant, "/cancel dance") == "No action dance is under way, only navigate_to, fill_tank."
    assert run_command(assistant, "/cancel fill_tank") == "Told to end: fill_tank."
    assert fill.wait_cancel(2.0)
    assert not drive.should_cancel()


def test_what_is_under_way_is_suggested(assistant: ScriptedAssistant) -> None:
    add(assistant, "navigate_to")
    add(assistant, "fill_tank")
    assert complete(assistant, "/cancel ") == ["/cancel navigate_to", "/cancel fill_tank", "/cancel all"]
    assert is_urgent("/goals")
    assert is_urgent("/cancel all")


@skill(phrases=["go to the {room}"])
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive to a room."""
    return ctx.deps.apply_action("navigate_to", room=room)


@tool(phrases=["say hello"], says="Hello.")
def hello() -> str:
    """Say hello."""
    return "hello"


def test_cancelling_an_action_ends_its_turn_and_stops_nothing_else() -> None:
    world, events = ToyWorld(), list[AgentEvent]()
    with Conversation(LLMAgent("scout", skills=[navigate_to], llm=ScriptedModel()), deps=world) as talk:
        talk.assistant.bus.subscribe("skill_cancelled", events.append)
        turn = talk.assistant.submit("go to the bedroom")
        talk.wait_for("skill_goal")
        (action,) = talk.assistant.running_actions()
        assert (action.name, action.arguments) == ("navigate_to", {"room": "bedroom"})
        assert run_command(talk.assistant, "/cancel") == "Told to end: navigate_to."
        outcome = talk.end_of(turn, 2.0)
        assert outcome.cancelled is None
        assert outcome.reply
        assert outcome.tool_calls[0].error_code == "cancelled"
        assert not world.is_moving()
        assert events[0].payload.reason == "user"
        assert "safety_preempt" not in talk.kinds()


def test_an_action_that_a_barge_in_left_running_can_still_be_seen_and_cancelled() -> None:
    world, ended = ToyWorld(navigate_speed=0.5), threading.Event()
    with Conversation(LLMAgent("scout", tools=[hello], skills=[navigate_to], llm=ScriptedModel()), deps=world) as talk:
        talk.assistant.bus.subscribe("skill_cancelled", lambda _: ended.set())
        talk.assistant.submit("go to the bedroom")
        talk.wait_for("skill_goal")
        assert talk.say("say hello").reply == "Hello."
        assert world.is_moving()
        (action,) = talk.assistant.running_actions()
        assert talk.assistant.cancel_action(action.goal_id)
        assert ended.wait(2.0)
        assert not world.is_moving()
        assert not talk.assistant.cancel_action(action.goal_id)


UNCONFIRMED = "Stop was sent, but the halt is not confirmed."


@skill(phrases=["swing the arm"])
def swing(ctx: AgentContext) -> GoalHandle:
    """Swing; nobody listens to cancel."""
    return ctx.deps.swinging


class Arm:
    """A world whose arm does not obey."""

    def __init__(self) -> None:
        self.swinging = GoalHandle()


def swings(talk: Conversation) -> None:
    talk.assistant.submit("swing the arm")
    talk.wait_for("skill_goal")


def says(talk: Conversation, words: str, seconds: float = 3.0) -> bool:
    until = time.monotonic() + seconds
    while words not in talk.payloads("agent_message") and time.monotonic() < until:
        time.sleep(0.01)
    return words in talk.payloads("agent_message")


def test_an_action_that_does_not_obey_a_stop_is_said_aloud() -> None:
    with Conversation(LLMAgent("arm", skills=[swing], llm=ScriptedModel()), deps=Arm()) as talk:
        swings(talk)
        talk.assistant.stop()
        assert says(talk, UNCONFIRMED)
        assert [action.ending for action in talk.assistant.running_actions()] == [True]


def test_an_action_left_running_that_does_not_obey_is_said_aloud() -> None:
    with Conversation(LLMAgent("arm", tools=[hello], skills=[swing], llm=ScriptedModel()), deps=Arm()) as talk:
        swings(talk)
        talk.say("say hello")
        assert run_command(talk.assistant, "/cancel swing") == "Told to end: swing."
        assert says(talk, UNCONFIRMED)
        assert run_command(talk.assistant, "/goals").split()[1:3] == ["swing()", "told"]


def test_an_action_cancelled_within_its_turn_is_answered_by_the_turn_alone() -> None:
    with Conversation(LLMAgent("arm", skills=[swing], llm=ScriptedModel()), deps=Arm()) as talk:
        turn = talk.assistant.submit("swing the arm")
        talk.wait_for("skill_goal")
        run_command(talk.assistant, "/cancel")
        assert "not confirmed" in talk.end_of(turn, 3.0).reply
        assert UNCONFIRMED not in talk.payloads("agent_message")
