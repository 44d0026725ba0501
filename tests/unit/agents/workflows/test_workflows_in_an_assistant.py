"""A workflow as the agent of a whole assistant: turns that remember, a stop, a time limit that is spoken of."""

from edgevox.agents import AgentDefinition, Fallback, LLMAgent, Orchestrator, Parallel, Sequence, Timeout
from edgevox.assistant.build import build_assistant
from edgevox.assistant.options import Options
from edgevox.config.settings import Settings
from edgevox.core.cancel import CancelReason
from edgevox.examples.agents.framework import AgentApp
from edgevox.testing import Conversation, ScriptedAgent, ScriptedModel


def test_an_assistant_of_a_workflow_remembers_the_turn_before() -> None:
    model = ScriptedModel("Hello Sam.", "Your name is Sam.")
    workflow = Fallback("casa", [Timeout(LLMAgent("quick", llm=model), 30.0), ScriptedAgent("last", "no idea")])
    with Conversation(workflow) as talk:
        assert talk.say("my name is Sam").reply == "Hello Sam."
        assert talk.say("what is my name?").reply == "Your name is Sam."
    assert [m["content"] for m in model.requests[1].messages[1:]][:2] == ["my name is Sam", "Hello Sam."]


def test_a_person_hears_that_the_time_is_over() -> None:
    with Conversation(Timeout(ScriptedAgent("slow", delay_s=5.0), 0.1)) as talk:
        outcome = talk.say("think")
        assert outcome.reply == "Sorry, that took too long."
        assert outcome.error == "slow: took longer than 0.1 s"
        assert outcome.cancelled is None
        assert talk.say("think again").reply == "Sorry, that took too long."


def test_a_typed_stop_ends_a_workflow() -> None:
    agent = ScriptedAgent("slow", "too late", delay_s=20.0)
    with Conversation(Sequence("casa", [Parallel("p", [agent, agent]), agent])) as talk:
        handle = talk.assistant.submit("work")
        talk.wait_for("agent_start", lambda payload: payload == "work")
        talk.say("stop")
        assert talk.end_of(handle).cancelled == CancelReason.STOP
    assert agent.finished == 0


def test_an_orchestrator_gets_the_model_of_its_app() -> None:
    model = ScriptedModel('{"subtasks": []}', "Good morning.")
    app = AgentApp(name="Chief", agent=Orchestrator("chief", "You plan.", "You sum up."))
    definition = app.definition()
    assert isinstance(definition, AgentDefinition)
    assistant = build_assistant(definition, Options(text_mode=True), Settings(), model=model)
    assistant.start()
    try:
        outcome = assistant.submit("good morning").wait(10.0)
    finally:
        assistant.close()
    assert outcome is not None
    assert (outcome.reply, outcome.model_calls) == ("Good morning.", 2)
