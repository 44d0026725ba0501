"""Workflows through their public names: agents in order, instead of each other, again, at once, within a time."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import (
    Agent,
    AgentContext,
    AgentEvent,
    AgentResult,
    Fallback,
    LLMAgent,
    Loop,
    Orchestrator,
    Parallel,
    Retry,
    Router,
    Sequence,
    Timeout,
    Workflow,
)
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import AgentError, WorkflowInvalid
from edgevox.core.messages import MessageStatus
from edgevox.llm import tool
from edgevox.testing import ScriptedAgent, ScriptedModel, call

BOOM = RuntimeError("boom")


@pytest.fixture
def ctx() -> AgentContext:
    return AgentContext()


@pytest.fixture
def events(ctx: AgentContext) -> list[AgentEvent]:
    seen: list[AgentEvent] = []
    ctx.bus.subscribe_all(seen.append)
    return seen


def names(events: list[AgentEvent], kind: str) -> list[str]:
    return [event.agent_name for event in events if event.kind == kind]


def test_every_workflow_is_an_agent() -> None:
    one = ScriptedAgent("one")
    made = [
        Sequence("s", [one]),
        Fallback("f", [one]),
        Loop("l", one),
        Parallel("p", [one]),
        Retry(one),
        Timeout(one, 1.0),
        Orchestrator("o", "You plan.", "You sum up."),
    ]
    for workflow in made:
        assert isinstance(workflow, Agent)
        assert workflow.name
        assert workflow.description
        assert workflow.children
    assert [workflow.kind for workflow in made] == [
        *("sequence", "fallback", "loop", "parallel", "retry", "timeout", "orchestrator")
    ]


# -- in order ---------------------------------------------------------------------------------------------------------


def test_a_sequence_gives_each_agent_what_the_one_before_said() -> None:
    planner, doer = ScriptedAgent("planner", "go to the kitchen"), ScriptedAgent("doer", "done")
    result = Sequence("plan_and_do", [planner, doer]).run("fetch the cup")
    assert (result.reply, result.agent_name, result.error) == ("done", "plan_and_do", None)
    assert planner.tasks == ["fetch the cup"]
    assert doer.tasks == ["go to the kitchen"]


def test_a_sequence_ends_at_the_first_agent_without_a_reply() -> None:
    never = ScriptedAgent("never")
    result = Sequence("s", [ScriptedAgent("silent", ""), never]).run("x")
    assert never.tasks == []
    assert result.error == "silent: gave no reply"
    assert result.reply


def test_a_sequence_ends_with_the_error_of_an_agent_that_raises() -> None:
    never = ScriptedAgent("never")
    result = Sequence("s", [ScriptedAgent("bad", BOOM), never]).run("x")
    assert never.tasks == []
    assert result.error == "bad: RuntimeError: boom"
    assert result.reply == "Sorry, that did not work."


def test_a_sequence_streams_its_last_agent_only() -> None:
    stream = Sequence("s", [ScriptedAgent("a", "first words"), ScriptedAgent("b", "last words")]).run_stream("x")
    assert list(stream) == ["last", " words"]


# -- instead of each other --------------------------------------------------------------------------------------------


def test_a_fallback_asks_the_next_when_one_raises() -> None:
    result = Fallback("f", [ScriptedAgent("bad", BOOM), ScriptedAgent("good", "here")]).run("x")
    assert (result.reply, result.error) == ("here", None)


def test_a_fallback_asks_the_next_when_the_model_of_one_fails() -> None:
    broken = LLMAgent("broken", llm=ScriptedModel(BOOM))
    pieces: list[str] = []
    stream = Fallback("f", [broken, ScriptedAgent("good", "here")]).run_stream("x")
    pieces.extend(stream)
    assert pieces == ["here"]


def test_a_fallback_answers_from_the_next_after_a_timeout() -> None:
    slow = ScriptedAgent("slow", delay_s=5.0)
    result = Fallback("f", [Timeout(slow, 0.2), ScriptedAgent("quick", "here")]).run("x")
    assert (result.reply, result.preempted, result.error) == ("here", False, None)
    assert slow.finished == 0


def test_a_fallback_that_fails_altogether_says_why_each_failed() -> None:
    result = Fallback("f", [ScriptedAgent("a", BOOM), ScriptedAgent("b", "")]).run("x")
    assert result.error == "a: RuntimeError: boom; b: gave no reply"
    assert result.reply == "Sorry, that did not work."


def test_a_fallback_does_not_ask_those_after_the_first_that_answers() -> None:
    second = ScriptedAgent("second")
    assert Fallback("f", [ScriptedAgent("first", "here"), second]).run("x").reply == "here"
    assert second.tasks == []


# -- again ------------------------------------------------------------------------------------------------------------


def test_retry_asks_again_after_an_exception() -> None:
    flaky = ScriptedAgent("flaky", BOOM, BOOM, "third time lucky")
    result = Retry(flaky, max_attempts=3, backoff_s=0.0).run("x")
    assert (result.reply, result.error) == ("third time lucky", None)
    assert flaky.tasks == ["x", "x", "x"]


def test_retry_gives_up_after_so_many_attempts_and_says_why() -> None:
    flaky = ScriptedAgent("flaky", BOOM)
    result = Retry(flaky, max_attempts=2, backoff_s=0.0).run("x")
    assert flaky.tasks == ["x", "x"]
    assert result.error == "flaky: RuntimeError: boom (2 times)"


def test_retry_asks_again_after_an_attempt_that_took_too_long() -> None:
    def flaky(task: str, ctx: AgentContext) -> str:
        slow = len(agent.tasks) == 1
        return "" if slow and ctx.scope.wait(5.0) else "second time"

    agent = ScriptedAgent("flaky", flaky)
    assert Retry(Timeout(agent, 0.2), max_attempts=2, backoff_s=0.0).run("x").reply == "second time"
    assert len(agent.tasks) == 2


def test_retry_and_timeout_tell_when_they_begin_and_end(ctx: AgentContext, events: list[AgentEvent]) -> None:
    Retry(Timeout(ScriptedAgent("one", "hi"), 5.0), max_attempts=1).run("x", ctx)
    assert names(events, "agent_start") == ["retry_timeout_one", "timeout_one", "one"]
    assert names(events, "agent_end") == ["one", "timeout_one", "retry_timeout_one"]


def test_a_stop_ends_the_pause_between_attempts(ctx: AgentContext) -> None:
    flaky = ScriptedAgent("flaky", BOOM)
    threading.Timer(0.1, ctx.stop.set).start()
    began = time.monotonic()
    result = Retry(flaky, max_attempts=5, backoff_s=20.0).run("x", ctx)
    assert time.monotonic() - began < 5.0
    assert result.preempted
    assert len(flaky.tasks) == 1


def test_retry_runs_a_command_again_whose_tool_failed() -> None:
    tries: list[int] = []

    @tool(phrases=["ring the bell"], says="Ding.")
    def ring() -> str:
        """Ring."""
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("the bell is stuck")
        return "rung"

    agent = LLMAgent("bell", tools=[ring], llm=ScriptedModel())
    assert Retry(agent, max_attempts=2, backoff_s=0.0).run("ring the bell").reply == "Ding."
    assert len(tries) == 2


# -- within a time ----------------------------------------------------------------------------------------------------


def test_a_timeout_called_directly_sets_the_stop_of_its_context(ctx: AgentContext) -> None:
    result = Timeout(ScriptedAgent("slow", delay_s=5.0), 0.1).run("x", ctx)
    assert ctx.stop.is_set()
    assert ctx.scope.reason == CancelReason.TIMEOUT
    assert result.error == "slow: took longer than 0.1 s"
    assert result.reply == "Sorry, that took too long."


def test_a_timeout_that_is_kept_leaves_its_context_alone(ctx: AgentContext) -> None:
    assert Timeout(ScriptedAgent("quick", "here"), 5.0).run("x", ctx).reply == "here"
    assert not ctx.stop.is_set()


def test_a_timeout_reports_what_its_agent_raised() -> None:
    result = Timeout(ScriptedAgent("bad", BOOM), 5.0).run("x")
    assert result.error == "bad: RuntimeError: boom"
    assert result.reply == "Sorry, that did not work."


def test_a_timeout_returns_although_its_agent_works_on(ctx: AgentContext, events: list[AgentEvent]) -> None:
    began = time.monotonic()
    result = Timeout(ScriptedAgent("blocked", delay_s=3.0, heeds_stop=False), 0.1).run("x", ctx)
    assert time.monotonic() - began < 1.5
    assert result.error == "blocked: took longer than 0.1 s and still runs"
    told = [event.payload for event in events if event.kind == "degraded"]
    assert told == ["blocked did not end when it was told to; it may still be at work."]


def test_a_timeout_streams_while_there_is_time() -> None:
    assert list(Timeout(ScriptedAgent("one", "a b c"), 5.0).run_stream("x")) == ["a", " b", " c"]


WRAPPERS: dict[str, Callable[[Any], Workflow]] = {
    "sequence": lambda one: Sequence("s", [one]),
    "retry": lambda one: Retry(one, 1),
    "loop": lambda one: Loop("l", one),
}


@pytest.mark.parametrize("kind", WRAPPERS)
def test_that_the_time_is_over_is_said_once(kind: str) -> None:
    result = WRAPPERS[kind](Timeout(ScriptedAgent("slow", delay_s=5.0), 0.05)).run("x")
    assert result.reply == "Sorry, that took too long."
    assert result.error == "timeout_slow: slow: took longer than 0.05 s"


# -- at once ----------------------------------------------------------------------------------------------------------


def test_parallel_agents_overlap() -> None:
    together = threading.Barrier(3, timeout=5.0)

    def met(task: str, ctx: AgentContext) -> str:
        together.wait()
        return "met"

    agents = [ScriptedAgent(name, met) for name in "abc"]
    assert Parallel("p", agents).run("x").reply == "met\n\nmet\n\nmet"


def test_three_agents_of_half_a_second_take_half_a_second() -> None:
    began = time.monotonic()
    Parallel("p", [ScriptedAgent(name, delay_s=0.5) for name in "abc"]).run("x")
    assert time.monotonic() - began < 1.2


def test_a_timeout_in_one_branch_does_not_stop_the_other(ctx: AgentContext) -> None:
    answering = LLMAgent("answering", llm=ScriptedModel("a whole answer", token_delay_s=0.15))
    slow = ScriptedAgent("slow", delay_s=5.0)
    result = Parallel("p", [Timeout(slow, 0.2), answering]).run("x", ctx)
    assert (result.reply, result.error) == ("a whole answer", None)
    assert not ctx.stop.is_set()


def test_parallel_reduces_those_that_did_not_fail(ctx: AgentContext, events: list[AgentEvent]) -> None:
    def most(results: list[AgentResult]) -> str:
        return " and ".join(sorted(result.reply for result in results))

    agents = [ScriptedAgent("a", "one"), ScriptedAgent("bad", BOOM), ScriptedAgent("b", "two")]
    result = Parallel("p", agents, reduce=most).run("x", ctx)
    assert (result.reply, result.error) == ("one and two", None)
    assert [event.payload for event in events if event.kind == "error"] == ["bad: RuntimeError: boom"]


def test_parallel_fails_when_all_fail() -> None:
    result = Parallel("p", [ScriptedAgent("a", BOOM), ScriptedAgent("b", "")]).run("x")
    assert result.error == "a: RuntimeError: boom; b: gave no reply"


def test_a_reduce_that_raises_is_an_error() -> None:
    def broken(results: list[AgentResult]) -> str:
        raise KeyError("lost")

    result = Parallel("p", [ScriptedAgent("a", "one")], reduce=broken).run("x")
    assert result.error == "p: reduce failed: KeyError: 'lost'"
    assert result.reply == "Sorry, that did not work."


def test_a_stop_brings_parallel_agents_back_that_ignore_it(ctx: AgentContext) -> None:
    agents = [ScriptedAgent(name, delay_s=3.0, heeds_stop=False) for name in "ab"]
    threading.Timer(0.2, ctx.stop.set).start()
    began = time.monotonic()
    result = Parallel("p", agents).run("x", ctx)
    assert time.monotonic() - began < 1.0
    assert result.preempted
    assert "did not end" in (result.error or "")


def test_parallel_agents_have_conversations_of_their_own(ctx: AgentContext) -> None:
    @tool
    def weigh() -> str:
        """Weigh it."""
        return "heavy"

    model = ScriptedModel(call("weigh"), "it is heavy")
    other = ScriptedAgent("other", "it is red")
    Parallel("p", [LLMAgent("scales", tools=[weigh], llm=model), other]).run("what is it?", ctx)
    Parallel("p", [other]).run("and now?", ctx)
    assert other.histories[0] == []
    roles = [message["role"] for message in other.histories[1]]
    assert roles == ["user", "assistant", "tool", "assistant"]


# -- until something is so --------------------------------------------------------------------------------------------


def test_a_loop_runs_until_the_scratchpad_says_so(ctx: AgentContext) -> None:
    def count(task: str, ctx: AgentContext) -> str:
        ctx.session.state["n"] = ctx.session.state.get("n", 0) + 1
        return f"round {ctx.session.state['n']}"

    agent = ScriptedAgent("counter", count)
    result = Loop("l", agent, until=lambda state: state["n"] >= 3, max_iterations=10).run("count", ctx)
    assert (result.reply, result.error) == ("round 3", None)
    assert agent.tasks == ["count"] * 3


def test_a_loop_may_look_at_the_result() -> None:
    agent = ScriptedAgent("a", "cold", "warm", "hot")

    def hot(state: dict[str, Any], result: AgentResult) -> bool:
        return result.reply == "hot"

    assert Loop("l", agent, until=hot, max_iterations=10).run("x").reply == "hot"


def test_a_loop_that_is_never_done_is_bounded_and_says_so() -> None:
    agent = ScriptedAgent("a", "not yet")
    result = Loop("l", agent, until=lambda state: False, max_iterations=4).run("x")
    assert len(agent.tasks) == 4
    assert (result.reply, result.error) == ("not yet", "l: not done after 4 rounds")


def test_a_loop_without_a_condition_runs_so_many_times() -> None:
    agent = ScriptedAgent("a", "tick")
    result = Loop("l", agent, max_iterations=3).run("x")
    assert (len(agent.tasks), result.reply, result.error) == (3, "tick", None)


def test_a_condition_that_raises_ends_the_loop_with_an_error() -> None:
    agent = ScriptedAgent("a", "tick")
    result = Loop("l", agent, until=lambda state: state["missing"], max_iterations=9).run("x")
    assert len(agent.tasks) == 1
    assert (result.reply, result.error) == ("tick", "l: until failed: KeyError: 'missing'")


def test_a_loop_ends_with_the_error_of_its_agent() -> None:
    agent = ScriptedAgent("a", "tick", BOOM)
    result = Loop("l", agent, max_iterations=5).run("x")
    assert len(agent.tasks) == 2
    assert result.error == "a: RuntimeError: boom"


# -- stop -------------------------------------------------------------------------------------------------------------


def test_nothing_begins_after_a_stop(ctx: AgentContext, events: list[AgentEvent]) -> None:
    def stopping(task: str, ctx: AgentContext) -> str:
        whole.stop.set()
        return "said too late"

    whole, never = ctx, ScriptedAgent("never")
    inner = Parallel("p", [ScriptedAgent("stopper", stopping), ScriptedAgent("other", delay_s=5.0)])
    result = Sequence("s", [Fallback("f", [Retry(inner), never]), never]).run("x", ctx)
    assert result.preempted
    assert never.tasks == []
    assert sorted(names(events, "agent_start")) == sorted(names(events, "agent_end"))
    assert names(events, "safety_preempt")


def test_a_stop_names_the_agent_that_blocks_however_deep_it_is(ctx: AgentContext) -> None:
    blocked = ScriptedAgent("blocked", delay_s=4.0, heeds_stop=False)
    workflow = Timeout(Sequence("s", [Fallback("f", [Retry(Parallel("p", [blocked]))])]), 30.0)
    threading.Timer(0.1, ctx.stop.set).start()
    began = time.monotonic()
    result = workflow.run("x", ctx)
    assert time.monotonic() - began < 2.0
    assert result.preempted
    assert result.error == "blocked did not end when it was told to; it may still be at work."


def test_a_stop_does_not_wait_for_a_function_of_the_application(ctx: AgentContext) -> None:
    release = threading.Event()

    def slow(state: dict[str, Any]) -> bool:
        threading.Timer(0.05, ctx.stop.set).start()
        return release.wait(20.0)

    began = time.monotonic()
    result = Loop("l", ScriptedAgent("a", "tick"), until=slow).run("x", ctx)
    release.set()
    assert time.monotonic() - began < 5.0
    assert result.preempted


def test_a_workflow_that_is_stopped_before_it_begins_asks_nobody(ctx: AgentContext) -> None:
    ctx.stop.set()
    agent = ScriptedAgent("a")
    result = Sequence("s", [agent]).run("x", ctx)
    assert (agent.tasks, result.reply, result.preempted) == ([], "", True)
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_closing_the_stream_of_a_workflow_ends_its_agents(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel("one two three four five six", token_delay_s=0.05)
    stream = Timeout(LLMAgent("talker", llm=model), 30.0).run_stream("x", ctx)
    next(stream)
    stream.close()
    assert names(events, "agent_end") == ["talker", "timeout_talker"]
    assert not ctx.stop.is_set()
    assert ctx.session.messages[-1].plain == "one"
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_closing_the_stream_of_parallel_agents_ends_those_that_go_on(
    ctx: AgentContext, events: list[AgentEvent]
) -> None:
    agents = [ScriptedAgent("quick", "first", tools=["look"]), ScriptedAgent("slow", "late", delay_s=30.0)]
    stream = Parallel("p", agents).run_stream("x", ctx)
    assert next(stream) == "first"
    stream.close()
    assert names(events, "agent_end") == ["quick", "slow", "p"]
    assert [str(message.role) for message in ctx.session.messages] == ["user", "assistant", "tool", "assistant"]
    assert ctx.session.messages[-1].plain == "first"
    assert events[-1].payload.preempted


# -- sums and bad input -----------------------------------------------------------------------------------------------


def test_calls_of_models_and_tools_are_summed_over_failed_attempts_too() -> None:
    @tool
    def look() -> str:
        """Look."""
        return "nothing there"

    model = ScriptedModel(call("look"), BOOM, call("look"), "a cup")
    result = Retry(LLMAgent("eyes", tools=[look], llm=model), max_attempts=2, backoff_s=0.0).run("what is there?")
    assert (result.reply, result.model_calls, len(result.tool_calls)) == ("a cup", 4, 2)


def test_a_router_within_a_workflow_costs_what_it_costs_alone() -> None:
    model = ScriptedModel(call("hand_off_to_weather", reason="rain"), "It rains.")
    router = Router.build("casa", "You route.", {"weather": LLMAgent("weather"), "lights": LLMAgent("lights")})
    workflow = Timeout(Sequence("s", [router]), 30.0)
    workflow.bind_llm(model)
    result = workflow.run("do I need an umbrella?")
    assert (result.reply, result.model_calls, result.handed_off_to) == ("It rains.", 2, "weather")


ONE = ScriptedAgent("one")
WORDS: Any = "words"


@pytest.mark.parametrize(
    "build",
    [
        lambda: Sequence("s", []),
        lambda: Fallback("f", []),
        lambda: Parallel("p", ()),
        lambda: Sequence("", [ONE]),
        lambda: Sequence("s", "one"),
        lambda: Sequence("s", [ScriptedAgent]),
        lambda: Fallback("f", [ONE, object()]),
        lambda: Parallel("p", [ONE], reduce=WORDS),
        lambda: Loop("l", None),
        lambda: Loop("l", ONE, max_iterations=0),
        lambda: Loop("l", ONE, until=WORDS),
        lambda: Retry(ONE, max_attempts=0),
        lambda: Retry(ONE, max_attempts=-1),
        lambda: Retry(ONE, max_attempts=True),
        lambda: Retry(ONE, backoff_s=-0.1),
        lambda: Retry(ONE, backoff_s=float("nan")),
        lambda: Retry("one"),
        lambda: Timeout(ONE, 0),
        lambda: Timeout(ONE, -1.0),
        lambda: Timeout(ONE, float("nan")),
        lambda: Timeout(ONE, float("inf")),
        lambda: Timeout(ONE, WORDS),
        lambda: Timeout(None, 5.0),
        lambda: Orchestrator("o", "", "", max_subtasks=0),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(build: Any) -> None:
    with pytest.raises(WorkflowInvalid) as refused:
        build()
    assert isinstance(refused.value, AgentError)
    assert isinstance(refused.value, ValueError)
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith(".")


def test_a_workflow_cannot_hold_itself() -> None:
    inner = Sequence("inner", [ONE])
    outer = Sequence("outer", [inner])
    inner.children = (outer,)
    with pytest.raises(WorkflowInvalid, match="'outer' in Fallback 'f' holds itself"):
        Fallback("f", [outer])
