"""A team of agents in a running conversation: who answers, what is remembered, and that a stop reaches all of them."""

import threading
import time
from collections.abc import Callable

from edgevox.agents import AgentContext, AgentDefinition, GoalHandle, LLMAgent, Router, ToyWorld, skill
from edgevox.agents.cards import card_of
from edgevox.assistant.commands import run_command
from edgevox.testing import Conversation, ModelRequest, ScriptedModel, call
from edgevox.tools import tool

Start = Callable[..., Conversation]


@tool(phrases=["turn {on} the {room} light[s]"], says="The {room} light is {on}.")
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} light is {'on' if on else 'off'}"


@skill(latency_class="slow", timeout_s=30, phrases=["go to the {room}"], says="I am in the {room}.")
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive to a room."""
    return ctx.deps.apply_action("navigate_to", room=room)


def team(model: ScriptedModel) -> Router:
    lights = LLMAgent("lights", "Controls household lights.", tools=[set_light])
    robot = LLMAgent("robot", "Drives the robot.", skills=[navigate_to])
    return Router.build("casa", "You are Casa.", {"lights": lights, "robot": robot}, llm=model)


def test_a_phrase_of_a_specialist_is_answered_at_once(start: Start) -> None:
    model = ScriptedModel()
    talk = start(agent=team(model))
    outcome = talk.say("Turn on the kitchen light.")
    assert (outcome.reply, outcome.model_calls) == ("The kitchen light is on.", 0)
    assert [result.name for result in outcome.tool_calls] == ["set_light"]
    assert [news.target for news in talk.payloads("handoff")] == ["lights"]


def test_the_model_hands_over_and_the_conversation_goes_on(start: Start) -> None:
    model = ScriptedModel(
        call("hand_off_to_lights", reason="it is about light"), call("set_light", room="kitchen", on=True), "It is on."
    )
    talk = start(agent=team(model))
    outcome = talk.say("it is so dark where I cook")
    assert (outcome.reply, outcome.model_calls, outcome.error) == ("It is on.", 3, None)
    assert [news.reason for news in talk.payloads("handoff")] == ["it is about light"]
    model.replies.append(lambda request: request.messages[-2]["content"])
    assert talk.say("what did you say").reply == "It is on."


def test_a_stop_halts_the_robot_that_another_agent_drives(start: Start) -> None:
    world = ToyWorld(navigate_speed=0.5)
    model = ScriptedModel(call("hand_off_to_robot"), call("navigate_to", room="kitchen"))
    talk = start(agent=team(model), deps=world)
    handle = talk.assistant.submit("somebody should look after the stove")
    talk.wait_for("skill_goal")
    deadline = time.monotonic() + 5
    while not world.is_moving() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert world.is_moving()
    talk.assistant.submit("stop")
    outcome = talk.end_of(handle)
    assert outcome.cancelled == "stop"
    assert not world.is_moving()
    assert world.get_world_state()["robot"]["x"] < 3.9
    assert talk.kinds().count("safety_preempt") == 1
    assert len(model.requests) == 2


def test_a_stop_frees_a_model_that_another_agent_keeps_busy(start: Start) -> None:
    model = ScriptedModel(call("hand_off_to_lights"), "word " * 4000, "I am free.", token_delay_s=0.003)
    talk = start(agent=team(model))
    handle = talk.assistant.submit("tell me everything about lamps")
    talk.wait_for("handoff")
    threading.Event().wait(0.1)
    stopped = time.monotonic()
    talk.assistant.stop("key")
    talk.end_of(handle)
    assert time.monotonic() - stopped < 0.6
    assert talk.say("are you free").reply == "I am free."


def test_another_model_reaches_every_specialist(start: Start) -> None:
    def reply(request: ModelRequest) -> object:
        return call("hand_off_to_lights") if "hand_off_to_lights" in request.tool_names else "From the new one."

    agent, old = team(ScriptedModel()), ScriptedModel()
    talk = start(agent=agent)
    agent.bind_llm(old)
    agent.bind_llm(ScriptedModel(otherwise=reply))
    assert talk.say("hello there").reply == "From the new one."
    assert old.requests == []


def test_the_tools_that_a_person_is_shown_are_those_of_the_whole_team(start: Start) -> None:
    talk = start(agent=team(ScriptedModel()))
    shown = str(run_command(talk.assistant, "/tools"))
    assert "set_light" in shown
    assert "navigate_to" in shown
    card = card_of(AgentDefinition(name="Casa", agent=team(ScriptedModel())), "casa", "a test")
    assert (card.tools, card.skills, card.languages) == (("set_light",), ("navigate_to",), ("en",))
    assert any("light" in phrase for phrase in card.phrases)
