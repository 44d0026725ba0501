"""Typed conversations: phrases, model, tools, questions, stop."""

import threading
import time
from collections.abc import Callable

import pytest

from edgevox.agents import AgentContext, GoalHandle, ToyWorld, skill
from edgevox.core.errors import LanguageModelError
from edgevox.core.messages import ResultStatus
from edgevox.core.ports import ApprovalRequest
from edgevox.testing import Conversation, ScriptedModel, call
from edgevox.tools import tool

Start = Callable[..., Conversation]
LIGHTS: dict[str, bool] = {}


@tool(phrases=["turn {on} the {room} light[s]"], says="The {room} light is {on}.")
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    LIGHTS[room] = on
    return f"{room} light is {'on' if on else 'off'}"


@tool(confirm=True, phrases=["delete all notes"])
def delete_notes() -> str:
    """Delete every note."""
    return "all notes are gone"


@skill(latency_class="slow", timeout_s=30, phrases=["go to the {room}"])
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive to a room."""
    return ctx.deps.apply_action("navigate_to", room=room)


def within(seconds: float, true: Callable[[], bool]) -> bool:
    """Wait until something is true, so long at most, and return whether it is."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return true()


def test_a_matched_command_costs_no_model_call(start: Start) -> None:
    model = ScriptedModel()
    talk = start(model=model, tools=[set_light])
    outcome = talk.say("Turn on the kitchen light.")
    assert LIGHTS["kitchen"] is True
    assert outcome.reply == "The kitchen light is on."
    assert outcome.model_calls == 0
    assert model.requests == []
    assert [result.name for result in outcome.tool_calls] == ["set_light"]
    assert talk.kinds().count("tool_call") == 1


def test_what_no_phrase_matches_is_answered_by_the_model(start: Start) -> None:
    talk = start(model=ScriptedModel("It is a fine day."), tools=[set_light])
    outcome = talk.say("how are you")
    assert outcome.reply == "It is a fine day."
    assert outcome.model_calls == 1
    assert talk.payloads("agent_message") == ["It is a fine day."]


def test_voicebot_agent_remembers_previous_turn(start: Start) -> None:
    model = ScriptedModel("Hello Sam.", "Your name is Sam.")
    talk = start(model=model)
    talk.say("my name is Sam")
    talk.say("what is my name")
    assert [m["content"] for m in model.requests[1].messages if m["role"] == "user"] == [
        "my name is Sam",
        "what is my name",
    ]


def test_after_a_model_turn_phrases_are_tried_first_again(start: Start) -> None:
    model = ScriptedModel("Fine.")
    talk = start(model=model, tools=[set_light])
    talk.say("how are you")
    assert talk.say("turn off the office light").model_calls == 0
    assert len(model.requests) == 1


def test_repl_llm_error_survives(start: Start) -> None:
    talk = start(model=ScriptedModel(LanguageModelError("The model is gone."), "Here I am."))
    assert talk.say("hello").error is not None
    assert talk.say("hello again").reply == "Here I am."


@pytest.mark.parametrize("text", ["stop", "Stop!", "please stop", "\uff53\uff54\uff4f\uff50"])
def test_a_typed_stop_never_reaches_the_agent(start: Start, text: str) -> None:
    model = ScriptedModel()
    talk = start(model=model)
    handle = talk.assistant.submit(text)
    assert handle.done
    assert talk.end_of(handle, 0.1).cancelled == "stop"
    assert model.requests == []
    assert talk.kinds().count("safety_preempt") == 1


def test_repl_stop_during_drive(start: Start) -> None:
    world = ToyWorld(navigate_speed=1.0)
    talk = start(skills=[navigate_to], deps=world, model=ScriptedModel())
    handle = talk.assistant.submit("go to the bedroom")
    talk.wait_for("skill_goal")
    time.sleep(0.2)
    assert world.is_moving()
    started = time.monotonic()
    report = talk.assistant.submit("stop")
    assert within(0.3, lambda: not world.is_moving())
    assert time.monotonic() - started < 0.5
    assert talk.end_of(report, 0.1).cancelled == "stop"
    outcome = talk.end_of(handle, 2.0)
    assert outcome.cancelled == "stop"
    robot = world.get_world_state()["robot"]
    assert robot["x"] < 3.0
    assert robot["velocity"] == 0.0


def test_a_barge_in_leaves_the_robot_driving(start: Start) -> None:
    world = ToyWorld(navigate_speed=0.5)
    talk = start(skills=[navigate_to], tools=[set_light], deps=world, model=ScriptedModel())
    talk.assistant.submit("go to the bedroom")
    talk.wait_for("skill_goal")
    assert talk.say("turn on the kitchen light").reply == "The kitchen light is on."
    assert world.is_moving()
    talk.assistant.stop("key")
    assert within(0.3, lambda: not world.is_moving())


def test_stop_cuts_llm_generation(start: Start) -> None:
    model = ScriptedModel("word " * 400, token_delay_s=0.01)
    talk = start(model=model)
    handle = talk.assistant.submit("tell me a story")
    talk.wait_for("text_delta")
    started = time.monotonic()
    talk.assistant.stop("key")
    assert talk.end_of(handle, 1.0).cancelled == "stop"
    assert time.monotonic() - started < 0.6
    assert within(0.3, lambda: model.cancelled == 1)


def test_a_stop_is_seen_while_the_model_reads_a_long_prompt(start: Start) -> None:
    model = ScriptedModel("late", prompt_delay_s=20.0)
    talk = start(model=model)
    handle = talk.assistant.submit("tell me a story")
    time.sleep(0.1)
    talk.assistant.submit("stop")
    assert talk.end_of(handle, 1.0).cancelled == "stop"
    assert within(0.3, lambda: not model.busy)


@pytest.mark.parametrize(("answer", "status"), [("yes", ResultStatus.SUCCESS), ("no", ResultStatus.DECLINED)])
def test_a_question_is_answered_by_typing(start: Start, answer: str, status: ResultStatus) -> None:
    talk = start(tools=[delete_notes], model=ScriptedModel())
    handle = talk.assistant.submit("delete all notes")
    asked: ApprovalRequest = talk.wait_for("approval_requested").payload
    assert asked.tool_name == "delete_notes"
    assert talk.assistant.state == "asking"
    talk.assistant.submit(answer)
    outcome = talk.end_of(handle, 5.0)
    assert outcome.tool_calls[0].status is status


def test_a_stop_while_a_question_is_open_is_no(start: Start) -> None:
    talk = start(tools=[delete_notes], model=ScriptedModel())
    handle = talk.assistant.submit("delete all notes")
    talk.wait_for("approval_requested")
    talk.assistant.submit("stop")
    outcome = talk.end_of(handle, 2.0)
    assert outcome.cancelled == "stop"
    _, approval = talk.wait_for("approval_decided").payload
    assert not approval.approved
    assert talk.assistant.question is None


def test_appagent_stop_words_used(start: Start) -> None:
    model = ScriptedModel("Hm.")
    talk = start(model=model, stop_words=("cease",))
    assert talk.say("cease").cancelled == "stop"
    assert talk.say("halt").reply == "Hm."


def test_no_stop_words_means_none(start: Start) -> None:
    talk = start(model=ScriptedModel("Hm."), stop_words=())
    assert talk.say("stop").reply == "Hm."
    assert any("Stop words are switched off" in notice for notice in talk.assistant.notices)


def test_a_tool_that_hangs_does_not_delay_a_stop(start: Start) -> None:
    release = threading.Event()

    @tool(phrases=["wait for ever"])
    def wait_for_ever() -> str:
        """Wait."""
        release.wait(30)
        return "done"

    talk = start(tools=[wait_for_ever], model=ScriptedModel())
    handle = talk.assistant.submit("wait for ever")
    talk.wait_for("tool_use")
    started = time.monotonic()
    talk.assistant.stop("key")
    assert talk.end_of(handle, 1.0).cancelled == "stop"
    assert time.monotonic() - started < 0.6
    release.set()


def test_a_finished_tool_is_remembered_and_not_run_again_after_a_barge_in(start: Start) -> None:
    runs: list[str] = []

    @tool
    def open_gripper() -> str:
        """Open the gripper."""
        runs.append("open")
        return "gripper is open"

    model = ScriptedModel(call("open_gripper"), "word " * 300, "It is open.", token_delay_s=0.01)
    talk = start(tools=[open_gripper], model=model)
    talk.assistant.submit("open the gripper")
    talk.wait_for("text_delta")
    assert talk.say("is it open").reply == "It is open."
    assert runs == ["open"]
    assert "gripper is open" in model.requests[-1].tool_results


def test_the_model_calls_a_tool_and_words_its_result(start: Start) -> None:
    model = ScriptedModel(call("set_light", room="hall", on=True), "Done, the hall is lit.")
    talk = start(tools=[set_light], model=model)
    outcome = talk.say("it is too dark in the hall")
    assert LIGHTS["hall"] is True
    assert outcome.reply == "Done, the hall is lit."
    assert outcome.model_calls == 2


def test_reset_forgets_the_conversation(start: Start) -> None:
    model = ScriptedModel("One.", "Two.")
    talk = start(model=model)
    talk.say("first")
    talk.assistant.reset()
    talk.say("second")
    assert [m["content"] for m in model.requests[1].messages if m["role"] == "user"] == ["second"]
