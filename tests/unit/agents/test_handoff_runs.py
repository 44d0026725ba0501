"""How a turn that was handed on comes to its end: circles, stops, interruptions, long sessions, faults of the model."""

import random
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, Handoff, HandoffNews, LLMAgent, Router, Session
from edgevox.agents.following import MAX_HANDOFFS
from edgevox.core.cancel import CancelReason
from edgevox.core.messages import MessageStatus, Role
from edgevox.testing import ModelRequest, ScriptedModel, call, calls
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


def handing_to(target: Any, name: str = "pass_on", phrase: str = "") -> Any:
    @tool(name=name, phrases=[phrase] if phrase else None)
    def pass_on() -> Handoff:
        """Pass the question on."""
        return Handoff(target)

    return pass_on


def pointing_at_each_other(model: ScriptedModel) -> LLMAgent:
    first = LLMAgent("a", llm=model)
    second = LLMAgent("b", handoffs=[first], llm=model)
    first.handoffs = [second]
    return first


def count(events: list[AgentEvent], kind: str) -> int:
    return [event.kind for event in events].count(kind)


# -- circles --------------------------------------------------------------------------------------------------------


def test_two_agents_that_always_point_at_each_other_come_to_an_end(ctx: AgentContext, events: list[AgentEvent]) -> None:
    def the_other(request: ModelRequest) -> Any:
        asked = [tool for tool in request.tool_names if tool.startswith("hand_off_to_")]
        return call(asked[0] if asked else "hand_off_to_b")

    result = pointing_at_each_other(ScriptedModel(otherwise=the_other)).run("hello", ctx)
    assert result.model_calls <= 5
    assert result.reply == "Sorry, I could not work out how to do that. Please say it another way."
    assert (result.error, result.preempted, result.handed_off_to) == (None, False, "b")
    assert count(events, "handoff") == 2
    assert count(events, "agent_start") == count(events, "agent_end") == 3
    assert ctx.session.messages[-1].plain == result.reply


def test_a_turn_that_comes_back_shows_the_agent_why_and_lets_it_answer(ctx: AgentContext) -> None:
    model = ScriptedModel(
        call("hand_off_to_b"), call("hand_off_to_a", reason="not about weather"), "Then I will answer."
    )
    result = pointing_at_each_other(model).run("hello", ctx)
    assert (result.reply, result.model_calls) == ("Then I will answer.", 3)
    assert "not about weather" in str(model.requests[2].messages)
    assert model.requests[2].tools is None


def test_tools_that_hand_off_in_a_circle_by_name_are_bounded(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(otherwise=call("pass_on"))
    second = LLMAgent("b", tools=[handing_to("a")], llm=model)
    first = LLMAgent("a", tools=[handing_to(second)], llm=model)
    result = first.run("hello", ctx)
    assert count(events, "handoff") == 2
    assert result.model_calls <= 5
    assert result.reply
    assert "Traceback" not in result.reply


def test_phrases_that_hand_off_in_a_circle_end_in_a_sentence_without_any_model(ctx: AgentContext) -> None:
    second = LLMAgent("b", tools=[handing_to("a", phrase="pass it on")])
    first = LLMAgent("a", tools=[handing_to(second, phrase="pass it on")])
    result = first.run("pass it on", ctx)
    assert (result.reply, result.model_calls) == ("Sorry, nobody here could take that.", 0)


def test_a_long_chain_is_cut_after_a_few_hand_offs(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(otherwise=lambda request: call(request.tool_names[0]) if request.tools else "I am the last.")
    last = LLMAgent("agent-9", llm=model)
    for number in range(8, -1, -1):
        last = LLMAgent(f"agent-{number}", handoffs=[last], llm=model)
    result = last.run("hello", ctx)
    assert count(events, "handoff") == MAX_HANDOFFS
    assert (result.reply, result.model_calls) == ("I am the last.", MAX_HANDOFFS + 1)
    assert result.handed_off_to == "agent-1"


def test_the_bound_is_per_turn(ctx: AgentContext) -> None:
    model = ScriptedModel(*[call("hand_off_to_b"), "Here."] * 7)
    agent = LLMAgent("a", handoffs=[LLMAgent("b")], llm=model)
    assert [agent.run("hello", ctx).reply for _ in range(7)] == ["Here."] * 7


def random_answer(dice: random.Random) -> Callable[[ModelRequest], Any]:
    """A model that does anything: words, hand-offs to those there are and to those there are not, several at once."""

    def answer(request: ModelRequest) -> Any:
        names = [*request.tool_names, "hand_off_to_nobody", "pass_on"]
        kind = dice.random()
        if kind < 0.3:
            return "Here I am."
        if kind < 0.35:
            return RuntimeError("cuda error 700")
        return calls(
            *[call(dice.choice(names)) for _ in range(dice.choice((1, 1, 2, 3)))], text=dice.choice(("", "Hm."))
        )

    return answer


def random_team(dice: random.Random, model: ScriptedModel) -> LLMAgent:
    names = [f"agent-{number}" for number in range(dice.randint(2, 6))]
    team: list[LLMAgent] = []
    for name in names:
        tools = [handing_to(dice.choice([*names, "nobody"]))] if dice.random() < 0.5 else []
        team.append(LLMAgent(name, tools=tools, llm=model))
    for agent in team:
        others = [other for other in team if other is not agent]
        agent.handoffs = dice.sample(others, dice.randint(0, len(others)))
    return team[0]


@pytest.mark.parametrize("seed", range(100))
def test_whatever_a_team_does_the_turn_ends_with_a_reply_and_a_conversation_that_is_valid(seed: int) -> None:
    dice = random.Random(seed)
    model = ScriptedModel(otherwise=random_answer(dice))
    agent, ctx, events = random_team(dice, model), AgentContext(), list[AgentEvent]()
    ctx.bus.subscribe_all(events.append)
    stops = dice.random() < 0.3
    if stops:
        threading.Timer(dice.random() * 0.02, ctx.stop.set).start()
    result = agent.run("hello", ctx)
    assert result.reply or result.preempted
    assert count(events, "handoff") <= MAX_HANDOFFS
    assert len(model.requests) <= result.model_calls <= 5 * (MAX_HANDOFFS + 1)
    starts = [event.agent_name for event in events if event.kind == "agent_start"]
    ends = [event.agent_name for event in events if event.kind == "agent_end"]
    assert starts == ends[::-1]
    assert len(starts) == count(events, "handoff") + 1
    said = [message.plain for message in ctx.session.messages if message.role is Role.USER]
    assert said == ["hello"]
    assert ctx.session.messages[-1].role is Role.ASSISTANT
    asked = [use.tool_use_id for message in ctx.session.messages for use in message.tool_uses]
    answered = [block.tool_use_id for message in ctx.session.messages for block in message.tool_results]
    assert asked == answered


# -- ends -----------------------------------------------------------------------------------------------------------


def test_a_stop_during_the_targets_answer_ends_the_whole_turn(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(call("hand_off_to_leaf"), "word " * 2000, token_delay_s=0.005)
    agent = LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model)
    stopped: list[float] = []

    def stop() -> None:
        stopped.append(time.monotonic())
        ctx.stop.set()

    threading.Timer(0.2, stop).start()
    result = agent.run("talk", ctx)
    assert time.monotonic() - stopped[0] < 0.6
    assert (result.preempted, result.handed_off_to) == (True, "leaf")
    ends = [event.payload.preempted for event in events if event.kind == "agent_end"]
    assert ends == [True, True]
    assert count(events, "safety_preempt") == 1
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_a_stop_event_of_the_caller_reaches_the_target() -> None:
    stop = threading.Event()
    model = ScriptedModel(call("hand_off_to_leaf"), "word " * 2000, token_delay_s=0.005)
    threading.Timer(0.1, stop.set).start()
    result = LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model).run("talk", AgentContext(stop=stop))
    assert result.preempted


def test_a_stop_before_the_target_begins_keeps_it_from_beginning(ctx: AgentContext, events: list[AgentEvent]) -> None:
    @tool
    def pass_on(ctx: AgentContext) -> Handoff:
        """Pass on; the person says stop meanwhile."""
        threading.Timer(0.0, ctx.stop.set).start()
        return Handoff("leaf")

    def wait_for_the_stop(event: AgentEvent) -> None:
        if event.kind == "tool_call":
            ctx.scope.wait(5)

    ctx.bus.subscribe_all(wait_for_the_stop)
    agent = LLMAgent("casa", tools=[pass_on], handoffs=[LLMAgent("leaf")], llm=ScriptedModel(call("pass_on")))
    result = agent.run("go", ctx)
    assert result.preempted
    assert "leaf" not in [event.agent_name for event in events if event.kind == "agent_start"]
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_a_barge_in_during_the_targets_answer_keeps_what_was_said(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_leaf"), "word " * 400, token_delay_s=0.005)
    pieces = LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model).run_stream("talk", ctx)
    next(pieces)
    ctx.scope.cancel(CancelReason.BARGE_IN)
    list(pieces)
    assert ctx.session.messages[-1].plain.startswith("word")
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_a_reader_that_goes_away_still_learns_what_the_target_did(
    lamp_tools: Tools, ctx: AgentContext, events: list[AgentEvent]
) -> None:
    model = ScriptedModel(call("hand_off_to_leaf"), call("set_light", room="kitchen", on=True), "It is on now.")
    pieces = LLMAgent("casa", handoffs=[LLMAgent("leaf", tools=lamp_tools)], llm=model).run_stream("bright", ctx)
    next(pieces)
    pieces.close()
    outer = events[-1]
    assert (outer.kind, outer.agent_name, outer.payload.preempted) == ("agent_end", "casa", True)
    assert [one.name for one in outer.payload.tool_calls] == ["set_light"]
    assert outer.payload.model_calls == 3
    assert outer.payload.handed_off_to == "leaf"


def test_a_model_that_fails_for_the_target_is_one_sentence(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_leaf"), RuntimeError("cuda error 700"), "I am back.")
    agent = LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model)
    result = agent.run("hello", ctx)
    assert "could not answer" in result.reply
    assert "cuda error 700" in (result.error or "")
    assert agent.run("hello again", ctx).reply == "I am back."


def test_a_full_context_of_the_target_is_squeezed_and_asked_again(ctx: AgentContext) -> None:
    overflow = ValueError("Requested tokens (5000) exceed context window of 4096")
    model = ScriptedModel(call("hand_off_to_leaf"), overflow, "Here I am.")
    assert LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model).run("hello", ctx).reply == "Here I am."


@pytest.mark.slow
def test_200_turns_through_a_router_keep_every_prompt_bounded() -> None:
    def reply(request: ModelRequest) -> Any:
        return call("hand_off_to_leaf") if "hand_off_to_leaf" in request.tool_names else "Of course, here it is."

    model, session = ScriptedModel(otherwise=reply, context_size=1024), Session()
    router = Router.build("casa", "Route.", {"leaf": LLMAgent("leaf", llm=model)}, llm=model)
    for turn in range(200):
        router.run(f"question number {turn} about the weather and the garden", AgentContext(session=session))
    sizes = [sum(model.count_tokens(str(m["content"])) for m in request.messages) for request in model.requests]
    assert max(sizes) < 1024 - 512
    assert len(model.requests) == 400
    assert model.requests[-1].last_user_text.startswith("question number 199")


@pytest.mark.parametrize("arguments", ["null", "{}", ""])
def test_null_arguments_of_a_hand_off_are_none(arguments: str, ctx: AgentContext) -> None:
    model = ScriptedModel(calls(("hand_off_to_leaf", arguments)), "Here.")
    assert LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model).run("hello", ctx).reply == "Here."


def test_two_turns_at_once_do_not_mix() -> None:
    agent = LLMAgent("casa", handoffs=[LLMAgent("leaf")])
    replies: dict[str, str] = {}

    def reply(request: ModelRequest) -> Any:
        return call("hand_off_to_leaf") if request.tools else f"You said {request.last_user_text}"

    agent.bind_llm(ScriptedModel(otherwise=reply, token_delay_s=0.001))

    def answer(text: str) -> None:
        replies[text] = agent.run(text).reply

    threads = [threading.Thread(target=answer, args=(text,)) for text in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert replies == {text: f"You said {text}" for text in "abcdef"}


# -- sub-agents -----------------------------------------------------------------------------------------------------


def test_the_events_of_a_subagent_are_on_the_bus_with_those_of_whom_it_hands_to(
    ctx: AgentContext, events: list[AgentEvent]
) -> None:
    heard: list[AgentEvent] = []
    ctx.on_event = heard.append
    model = ScriptedModel(call("hand_off_to_leaf", reason="deep"), "Here.")
    result = LLMAgent("helper", handoffs=[LLMAgent("leaf")], llm=model).spawn_subagent("look", ctx)
    assert result.reply == "Here."
    told = [(event.kind, event.agent_name) for event in events]
    assert told == [(event.kind, event.agent_name) for event in heard]
    assert ("agent_end", "leaf") in told
    news = next(event.payload for event in events if event.kind == "handoff")
    assert news == HandoffNews(source="helper", target="leaf", reason="deep")
    assert ctx.session.messages == []


def test_a_subagent_keeps_the_bound_on_circles() -> None:
    model, runs = ScriptedModel(otherwise=call("delegate")), list[str]()

    @tool
    def delegate(ctx: AgentContext) -> Handoff:
        """Pass on to an agent that passes on in turn."""
        runs.append("delegate")
        return Handoff(other)

    other = LLMAgent("other", tools=[delegate], llm=model)
    result = LLMAgent("first", tools=[delegate], llm=model).run("go")
    assert len(runs) <= 4
    assert result.reply


def test_what_the_source_said_before_is_part_of_the_reply_and_roles_alternate(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_leaf"), "Here.")
    LLMAgent("casa", handoffs=[LLMAgent("leaf")], llm=model).run("hello", ctx)
    assert [message.role for message in ctx.session.messages].count(Role.USER) == 1
