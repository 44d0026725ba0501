"""Turns that ask a model: what it is shown, what is said when it fails, what a cut leaves behind."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, LLMAgent, Session
from edgevox.agents.prompt import clock_facts
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import ContextOverflow, LibraryMissing, ModelCrashed, ModelMissing
from edgevox.core.messages import Message, MessageStatus, Role
from edgevox.testing import ScriptedModel, call, calls
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


def test_the_model_answers_what_no_phrase_matches(ctx: AgentContext) -> None:
    result = LLMAgent("home", llm=ScriptedModel("Paris.")).run("what is the capital of France", ctx)
    assert (result.reply, result.model_calls, result.error, result.agent_name) == ("Paris.", 1, None, "home")


def test_the_reply_comes_in_pieces(ctx: AgentContext) -> None:
    pieces = list(LLMAgent("home", llm=ScriptedModel("One two three.")).run_stream("count", ctx))
    assert "".join(pieces).strip() == "One two three."
    assert len(pieces) > 1


def test_a_tool_that_the_model_asks_for_runs_and_is_answered(
    lamps: dict[str, bool], lamp_tools: Tools, ctx: AgentContext
) -> None:
    model = ScriptedModel(call("set_light", room="kitchen", on=True), "The kitchen is bright now.")
    result = LLMAgent("home", tools=lamp_tools, llm=model).run("it is dark where I cook", ctx)
    assert lamps["kitchen"]
    assert (result.reply, result.model_calls) == ("The kitchen is bright now.", 2)
    assert [(one.name, one.ok) for one in result.tool_calls] == [("set_light", True)]


def test_words_before_and_after_a_tool_call_do_not_run_into_each_other(lamp_tools: Tools, ctx: AgentContext) -> None:
    model = ScriptedModel(calls(call("light_status", room="kitchen"), text="Let me look."), "It is off.")
    pieces = list(LLMAgent("home", tools=lamp_tools, llm=model).run_stream("what about my stove lamp", ctx))
    assert "".join(pieces) == "Let me look. It is off."


def test_the_next_turn_sees_the_one_before(ctx: AgentContext) -> None:
    model = ScriptedModel("Hello Sam.", "You are Sam.")
    agent = LLMAgent("home", llm=model)
    agent.run("my name is Sam", ctx)
    agent.run("who am I", ctx)
    assert [m["content"] for m in model.requests[1].messages[1:]] == ["my name is Sam", "Hello Sam.", "who am I"]


def test_messages_that_were_there_before_survive_the_run() -> None:
    model = ScriptedModel("Hello again.")
    session = Session(messages=[{"role": "user", "content": "my name is Sam"}])
    LLMAgent("home", llm=model).run("hello", AgentContext(session=session))
    assert model.requests[0].messages[1]["content"] == "my name is Sam"
    assert session.messages[0].plain == "my name is Sam"


def test_two_agents_keep_their_own_conversations_over_one_model() -> None:
    model = ScriptedModel("A.", "B.")
    LLMAgent("a", llm=model).run("first", AgentContext())
    LLMAgent("b", llm=model).run("second", AgentContext())
    assert "first" not in str(model.requests[1].messages)


def test_the_prompt_begins_the_same_on_every_turn(lamp_tools: Tools, ctx: AgentContext) -> None:
    model = ScriptedModel(otherwise="Yes.")
    agent = LLMAgent("home", instructions="You are Casa.", tools=lamp_tools, llm=model, facts=clock_facts)
    for text in ("first", "second", "third"):
        agent.run(text, ctx)
    systems = {request.messages[0]["content"] for request in model.requests}
    assert len(systems) == 1
    system = systems.pop()
    assert system.startswith("You are Casa.")
    assert "Answer in English." in system
    assert "tool" in system


def test_facts_stand_beside_the_words_of_the_person_only(ctx: AgentContext) -> None:
    model = ScriptedModel(otherwise="Yes.")
    LLMAgent("home", llm=model, facts=lambda ctx: "It is noon.").run("hello", ctx)
    assert model.requests[0].messages[-1]["content"] == "(It is noon.)\nhello"
    assert ctx.session.messages[0].plain == "hello"


def test_an_agent_without_tools_is_not_told_how_to_use_them(ctx: AgentContext) -> None:
    model = ScriptedModel("Hi.")
    LLMAgent("home", llm=model).run("hello", ctx)
    assert "tool" not in model.requests[0].messages[0]["content"]
    assert model.requests[0].tools is None


def test_the_language_of_the_context_reaches_the_prompt() -> None:
    model = ScriptedModel("Hallo.")
    LLMAgent("home", llm=model).run("Hallo", AgentContext(language="de"))
    assert "Answer in German." in model.requests[0].messages[0]["content"]


def test_limits_reach_the_model_only_when_they_are_set(ctx: AgentContext) -> None:
    model = ScriptedModel(otherwise="Yes.")
    LLMAgent("home", llm=model).run("a", ctx)
    LLMAgent("home", llm=model, max_tokens=900, temperature=0.2).run("b", ctx)
    assert model.requests[0].options == {}
    assert model.requests[1].options == {"max_tokens": 900, "temperature": 0.2}


@pytest.mark.slow
def test_a_session_of_200_turns_keeps_the_prompt_bounded() -> None:
    model, session = ScriptedModel(otherwise="Of course, here it is.", context_size=1024), Session()
    agent = LLMAgent("home", llm=model)
    for turn in range(200):
        agent.run(f"question number {turn} about the weather and the garden", AgentContext(session=session))
    sizes = [sum(model.count_tokens(str(m["content"])) for m in request.messages) for request in model.requests]
    assert max(sizes) < 1024 - 512
    assert model.requests[-1].last_user_text.startswith("question number 199")
    assert len(session.messages) == 400


def test_a_model_that_calls_tools_for_ever_is_stopped(lamp_tools: Tools, ctx: AgentContext) -> None:
    model = ScriptedModel(otherwise=call("light_status", room="kitchen"))
    result = LLMAgent("home", tools=lamp_tools, llm=model, max_tool_hops=3).run("look after the lamp", ctx)
    assert result.model_calls <= 4
    assert result.reply


NOT_HERE = [ModelMissing("no model is here"), LibraryMissing("llama-cpp-python is missing")]


@pytest.mark.parametrize("error", NOT_HERE)
def test_without_a_model_the_agent_says_what_it_can_do_and_how_to_get_one(
    error: Exception, lamp_tools: Tools, ctx: AgentContext
) -> None:
    def factory() -> Any:
        raise error

    result = LLMAgent("home", tools=lamp_tools, llm=factory).run("sing to me", ctx)
    assert "edgevox setup" in result.reply
    assert "kitchen" in result.reply
    assert result.error == str(error)
    assert result.model_calls == 0


def test_without_a_model_and_without_phrases_it_still_says_so(ctx: AgentContext) -> None:
    def factory() -> Any:
        raise ModelMissing("none")

    assert LLMAgent("home", llm=factory).run("hello", ctx).reply.endswith("edgevox setup.")


@pytest.mark.parametrize(
    ("error", "in_reply", "in_error"),
    [
        (ModelCrashed("The language model died; say it again."), "say it again", "died"),
        (RuntimeError("cuda error 700"), "could not answer", "cuda error 700"),
        (ContextOverflow("That is too long."), "too long", "too long"),
        (OSError("connection reset"), "could not answer", "connection reset"),
    ],
)
def test_a_model_that_fails_costs_one_sentence_and_not_the_session(
    error: Exception, in_reply: str, in_error: str, ctx: AgentContext
) -> None:
    agent = LLMAgent(
        "home", llm=ScriptedModel(*[error] * (4 if isinstance(error, ContextOverflow) else 1), "I am back.")
    )
    result = agent.run("hello", ctx)
    assert in_reply in result.reply
    assert in_error in (result.error or "")
    assert result.model_calls >= 1
    assert "Traceback" not in result.reply
    assert ctx.session.messages[-1].status is MessageStatus.FAILED
    assert agent.run("hello again", ctx).reply == "I am back."


def test_a_full_context_is_squeezed_and_asked_again(ctx: AgentContext) -> None:
    overflow = ValueError("Requested tokens (5000) exceed context window of 4096")
    assert LLMAgent("home", llm=ScriptedModel(overflow, "Here I am.")).run("hello", ctx).reply == "Here I am."


def test_a_model_is_built_when_it_is_first_needed_and_once(lamp_tools: Tools, ctx: AgentContext) -> None:
    built: list[ScriptedModel] = []

    def factory() -> ScriptedModel:
        built.append(ScriptedModel(otherwise="Yes."))
        return built[-1]

    agent = LLMAgent("home", tools=lamp_tools, llm=factory)
    agent.run("turn on the kitchen light", ctx)
    assert not built
    agent.run("are you there", ctx)
    agent.run("still", ctx)
    assert len(built) == 1


def test_another_model_can_be_bound_between_turns(ctx: AgentContext) -> None:
    agent = LLMAgent("home", llm=ScriptedModel("Old."))
    assert agent.run("a", ctx).reply == "Old."
    agent.bind_llm(ScriptedModel("New."))
    assert agent.run("b", ctx).reply == "New."


def test_a_stop_cuts_the_generation_and_keeps_what_was_said(ctx: AgentContext) -> None:
    pieces = LLMAgent("home", llm=ScriptedModel("word " * 400, token_delay_s=0.005)).run_stream("talk", ctx)
    said = [next(pieces) for _ in range(3)]
    ctx.stop.set()
    stopped = time.monotonic()
    said.extend(pieces)
    assert time.monotonic() - stopped < 0.4
    assert len(said) < 400
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED
    assert ctx.session.messages[-1].plain.startswith("word")


def test_a_stop_before_the_first_word_leaves_a_cancelled_message(ctx: AgentContext) -> None:
    model = ScriptedModel("never said", prompt_delay_s=5)
    threading.Timer(0.05, ctx.stop.set).start()
    result = LLMAgent("home", llm=model).run("talk", ctx)
    assert (result.reply, result.preempted) == ("", True)
    assert ctx.session.messages[-1].role is Role.ASSISTANT
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_a_reader_that_goes_away_is_a_cut(ctx: AgentContext, events: list[AgentEvent]) -> None:
    pieces = LLMAgent("home", llm=ScriptedModel("one two three four five")).run_stream("talk", ctx)
    next(pieces)
    pieces.close()
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED
    assert events[-1].kind == "agent_end"
    assert events[-1].payload.preempted


def test_a_finished_tool_stays_finished_when_the_turn_is_interrupted(ctx: AgentContext) -> None:
    opened: list[str] = []

    @tool
    def open_grip() -> str:
        """Open the grip."""
        opened.append("grip")
        return "the grip is open"

    def interrupted(request: Any) -> str:
        ctx.scope.cancel(CancelReason.BARGE_IN)
        return "I have opened"

    model = ScriptedModel(call("open_grip"), interrupted, "It is open already.")
    agent = LLMAgent("robot", tools=[open_grip], llm=model)
    first = agent.run("open the grip", ctx)
    assert first.preempted
    assert [one.name for one in first.tool_calls] == ["open_grip"]
    result = agent.run("what about the grip", AgentContext(session=ctx.session))
    assert model.requests[-1].tool_results == ["the grip is open"]
    assert result.reply == "It is open already."
    assert opened == ["grip"]


def test_a_stop_in_the_middle_of_a_run_is_published_once(ctx: AgentContext, events: list[AgentEvent]) -> None:
    threading.Timer(0.05, ctx.stop.set).start()
    LLMAgent("home", llm=ScriptedModel("word " * 400, token_delay_s=0.005)).run("talk", ctx)
    assert [event.kind for event in events].count("safety_preempt") == 1


def test_a_stop_that_somebody_announces_is_not_announced_again(ctx: AgentContext, events: list[AgentEvent]) -> None:
    def stop() -> None:
        ctx.stop.set()
        time.sleep(0.02)
        ctx.emit("safety_preempt", "assistant", "stop")

    threading.Timer(0.05, stop).start()
    LLMAgent("home", llm=ScriptedModel("word " * 400, token_delay_s=0.005)).run("talk", ctx)
    assert [event.agent_name for event in events if event.kind == "safety_preempt"] == ["assistant"]


def test_a_barge_in_is_no_stop(ctx: AgentContext, events: list[AgentEvent]) -> None:
    threading.Timer(0.05, lambda: ctx.scope.cancel(CancelReason.BARGE_IN)).start()
    result = LLMAgent("home", llm=ScriptedModel("word " * 400, token_delay_s=0.005)).run("talk", ctx)
    assert result.preempted
    assert "safety_preempt" not in [event.kind for event in events]


def test_a_subscriber_that_raises_stops_nobody(ctx: AgentContext) -> None:
    def broken(event: AgentEvent) -> None:
        raise RuntimeError("no")

    ctx.bus.subscribe_all(broken)
    assert LLMAgent("home", llm=ScriptedModel("Fine.")).run("hello", ctx).reply == "Fine."


def test_a_subagent_answers_in_a_conversation_of_its_own_on_the_same_bus(
    ctx: AgentContext, events: list[AgentEvent]
) -> None:
    model = ScriptedModel("Sunny.")
    ctx.session.add(Message.text("a secret"))
    result = LLMAgent("weather", llm=model).spawn_subagent("how is it outside", ctx)
    assert result.reply == "Sunny."
    assert "a secret" not in str(model.requests[0].messages)
    assert [event.agent_name for event in events if event.kind == "agent_end"] == ["weather"]
    assert len(ctx.session.messages) == 1


def test_a_parents_stop_reaches_the_subagent(ctx: AgentContext) -> None:
    threading.Timer(0.05, ctx.stop.set).start()
    slow = LLMAgent("slow", llm=ScriptedModel("word " * 400, token_delay_s=0.005))
    assert slow.spawn_subagent("talk", ctx).preempted


def test_results_are_told_as_they_come(lamp_tools: Tools, ctx: AgentContext) -> None:
    told: list[str] = []
    model = ScriptedModel(call("set_light", room="kitchen", on=True), "Done.")
    agent = LLMAgent("home", tools=lamp_tools, llm=model, on_tool_call=lambda result: told.append(result.name))
    agent.run("make it bright", ctx)
    agent.run("turn on the bedroom light", ctx)
    assert told == ["set_light", "set_light"]


def test_a_run_without_a_context_makes_its_own() -> None:
    agent = LLMAgent("home", llm=ScriptedModel("Hallo."), language="de")
    assert agent.run("hallo").reply == "Hallo."
