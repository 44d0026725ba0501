"""The agent layer through its public names: sessions, contexts, events, hand-off values, `LLMAgent`."""

import threading
import time
from typing import Any

import pytest

from edgevox.agents import (
    Agent,
    AgentContext,
    AgentEvent,
    AgentResult,
    EventBus,
    Handoff,
    HandoffNews,
    InterruptPolicy,
    LLMAgent,
    Router,
    Session,
)
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle
from edgevox.core.messages import Message, Role
from edgevox.llm import ToolCallResult, ToolRegistry, tool
from edgevox.testing import ScriptedModel, call, calls


@tool
def add(first: int, second: int) -> int:
    """Add two numbers.

    Args:
        first: one
        second: the other
    """
    return first + second


def test_every_promised_name_is_there() -> None:
    import edgevox.agents

    promised = {
        *("Agent", "AgentContext", "AgentEvent", "AgentResult", "EventBus", "GoalHandle", "GoalStatus", "Handoff"),
        *("InterruptPolicy", "LLMAgent", "SafetyMonitor", "Session", "SimEnvironment", "Skill", "ToyWorld", "skill"),
        *("HandoffNews", "Router", "Supervisor"),
    }
    assert promised <= set(edgevox.agents.__all__) == set(dir(edgevox.agents))
    for name in edgevox.agents.__all__:
        assert getattr(edgevox.agents, name).__name__ == name
    with pytest.raises(AttributeError, match="Butler"):
        _ = edgevox.agents.Butler  # type: ignore[attr-defined]


def test_a_session_takes_dictionaries_and_reads_like_them() -> None:
    session = Session(messages=[{"role": "user", "content": "my name is Sam"}])
    assert session.messages[0]["content"] == "my name is Sam"
    assert session.openai() == [{"role": "user", "content": "my name is Sam"}]


def test_a_context_stops_when_its_event_is_set() -> None:
    stop = threading.Event()
    ctx = AgentContext(stop=stop)
    assert not ctx.should_stop()
    stop.set()
    assert ctx.should_stop()


def test_an_llm_agent_is_an_agent() -> None:
    agent = LLMAgent(name="adder", description="Adds.", instructions="You add.", tools=[add], llm=ScriptedModel())
    assert isinstance(agent, Agent)
    assert (agent.name, agent.description) == ("adder", "Adds.")
    assert isinstance(agent.tools, ToolRegistry)
    assert "add" in agent.tools


def test_a_handoff_says_who_should_answer() -> None:
    weather = LLMAgent("weather")
    assert Handoff("weather", reason="asked for rain").target_name == "weather"
    assert str(Handoff(weather, reason="asked for rain")) == "This should be answered by weather (asked for rain)."


def test_a_tool_that_returns_a_handoff_lets_the_target_answer() -> None:
    leaf = LLMAgent("weather", llm=ScriptedModel("No rain."))

    @tool
    def ask_weather() -> Handoff:
        """Pass the question on."""
        return Handoff(target=leaf)

    result = LLMAgent("home", tools=[ask_weather], llm=ScriptedModel(call("ask_weather"))).run("rain?")
    assert (result.reply, result.handed_off_to, result.model_calls) == ("No rain.", "weather", 2)


def test_a_tool_that_returns_a_handoff_to_nobody_does_not_crash_the_turn() -> None:
    @tool
    def ask_weather() -> Handoff:
        """Pass the question on."""
        return Handoff("weather")

    model = ScriptedModel(call("ask_weather"), "Ask weather.")
    assert LLMAgent("home", tools=[ask_weather], llm=model).run("rain?").reply == "Ask weather."


def test_the_bus_sees_what_the_target_of_a_handoff_does_and_why_it_was_asked() -> None:
    bus, seen = EventBus(), list[AgentEvent]()
    bus.subscribe_all(seen.append)
    model = ScriptedModel(
        call("hand_off_to_adder", reason="user asked a sum"), call("add", first=1, second=2), "Three."
    )
    router = Router.build("casa", "Route.", {"adder": LLMAgent("adder", tools=[add])}, llm=model)
    assert router.run("one and two", AgentContext(bus=bus)).reply == "Three."
    assert [(e.agent_name, e.payload.name) for e in seen if e.kind == "tool_call"] == [("adder", "add")]
    news = [event.payload for event in seen if event.kind == "handoff"]
    assert news == [HandoffNews(source="casa", target="adder", reason="user asked a sum")]


def test_agents_that_hand_to_each_other_for_ever_give_a_reply_after_few_model_calls() -> None:
    def pass_on(request: Any) -> Any:
        return call(next(iter(request.tool_names), "hand_off_to_b"))

    model = ScriptedModel(otherwise=pass_on)
    first = LLMAgent("a", llm=model)
    first.handoffs = [LLMAgent("b", handoffs=[first], llm=model)]
    result = first.run("hello")
    assert result.model_calls <= 5
    assert result.reply
    assert not result.preempted


def test_a_subagents_events_are_on_the_bus() -> None:
    bus, seen = EventBus(), list[AgentEvent]()
    bus.subscribe_all(seen.append)
    model = ScriptedModel(call("add", first=1, second=2), "Three.")
    LLMAgent("adder", tools=[add], llm=model).spawn_subagent("one and two", AgentContext(bus=bus))
    kinds = [(event.kind, event.agent_name) for event in seen]
    assert kinds[0] == ("agent_start", "adder")
    assert ("tool_call", "adder") in kinds
    assert kinds[-1] == ("agent_end", "adder")


def test_a_stop_cuts_a_generation_short_also_behind_a_router() -> None:
    for through_router in (False, True):
        model = ScriptedModel("word " * 400, token_delay_s=0.005)
        agent = LLMAgent("leaf", llm=model)
        if through_router:
            model.replies.insert(0, call("hand_off_to_leaf"))
            agent = Router.build("casa", "Route.", {"leaf": agent}, llm=model)
        ctx, began = AgentContext(), time.monotonic()
        threading.Timer(0.2, ctx.stop.set).start()
        assert agent.run("talk", ctx).preempted
        assert time.monotonic() - began < 0.8


def test_the_length_and_temperature_of_answers_are_settable() -> None:
    model = ScriptedModel("Hello.")
    LLMAgent("home", llm=model, max_tokens=900, temperature=0.2).run("hello")
    assert model.requests[0].options == {"max_tokens": 900, "temperature": 0.2}


def test_a_first_message_that_was_there_survives_the_run() -> None:
    model = ScriptedModel("Sam.")
    session = Session(messages=[{"role": "user", "content": "my name is Sam"}])
    LLMAgent("home", llm=model).run("who am I", AgentContext(session=session))
    assert [m["content"] for m in model.requests[0].messages if m["role"] == "user"] == ["my name is Sam", "who am I"]
    assert session.messages[0]["content"] == "my name is Sam"


@pytest.mark.slow
def test_a_long_session_keeps_the_prompt_bounded() -> None:
    model, session = ScriptedModel(otherwise="Of course, here it is.", context_size=4096), Session()
    agent = LLMAgent("home", llm=model)
    for turn in range(200):
        agent.run(f"question {turn} {'about the garden and the weather ' * 8}", AgentContext(session=session))
    sizes = [sum(model.count_tokens(m["content"]) for m in request.messages) for request in model.requests]
    assert max(sizes) < 4096 - 512
    assert model.requests[-1].last_user_text.startswith("question 199")


def test_a_context_that_overflows_once_costs_nothing() -> None:
    overflow = ValueError("Requested tokens (5000) exceed context window of 4096")
    result = LLMAgent("home", llm=ScriptedModel(overflow, "Here I am.")).run("hello")
    assert (result.reply, result.error) == ("Here I am.", None)


def test_one_turn_with_a_tool_end_to_end() -> None:
    bus, seen = EventBus(), list[AgentEvent]()
    bus.subscribe_all(seen.append)
    agent = LLMAgent("adder", tools=[add], llm=ScriptedModel(call("add", first=20, second=22), "Forty-two."))
    result = agent.run("what is 20 and 22", AgentContext(bus=bus))
    assert isinstance(result, AgentResult)
    assert (result.reply, result.model_calls, result.preempted) == ("Forty-two.", 2, False)
    assert [one.result for one in result.tool_calls] == [42]
    kinds = [event.kind for event in seen]
    assert kinds[0] == "agent_start"
    assert kinds[-1] == "agent_end"
    assert kinds.count("tool_call") == 1
    payload = next(event.payload for event in seen if event.kind == "tool_call")
    assert isinstance(payload, ToolCallResult)


@pytest.mark.parametrize(
    "name", ["stop", "halt", "emergency", "emergency_stop", "stop_robot", "e_stop", "halt_all_motion"]
)
def test_no_tool_of_a_model_is_called_like_a_stop(name: str) -> None:
    @tool(name=name)
    def pretend() -> None:
        """Pretend to stop."""

    with pytest.raises(ToolDefinitionError, match="stop words"):
        LLMAgent("robot", tools=[pretend])


@pytest.mark.parametrize("name", ["stop_timer", "emergency_contacts", "unstoppable", "list_bus_stops"])
def test_a_tool_whose_name_only_mentions_stopping_is_fine(name: str) -> None:
    @tool(name=name)
    def harmless() -> str:
        """Do it."""
        return "done"

    assert name in LLMAgent("home", tools=[harmless]).tools


def test_null_arguments_of_a_tool_without_parameters_run_it() -> None:
    @tool
    def ping() -> str:
        """Ping."""
        return "pong"

    for arguments in ("null", "{}", ""):
        model = ScriptedModel(calls(("ping", arguments)), "It says pong.")
        result = LLMAgent("home", tools=[ping], llm=model).run("ping it")
        assert [one.result for one in result.tool_calls] == ["pong"]


def test_a_tool_mentioned_in_prose_is_not_run() -> None:
    lamps: list[str] = []

    @tool
    def set_light(room: str, on: bool) -> str:
        """Turn a light on or off."""
        lamps.append(room)
        return "on"

    model = ScriptedModel('You can call set_light(room="kitchen", on=True) yourself.')
    result = LLMAgent("home", tools=[set_light], llm=model).run("how does it work")
    assert lamps == []
    assert result.tool_calls == ()


def test_an_unclosed_thought_is_never_said() -> None:
    result = LLMAgent("home", llm=ScriptedModel("<think>the person wants, hmm")).run("hello")
    assert "hmm" not in result.reply
    assert result.reply


def test_three_calls_run_at_once_and_are_answered_in_their_order() -> None:
    together = threading.Barrier(3, timeout=5)

    def waiter(name: str, seconds: float) -> Any:
        @tool(name=name, effect="read")
        def wait() -> str:
            """Wait until all three are here, and a little longer."""
            together.wait()
            time.sleep(seconds)
            return name

        return wait

    tools = [waiter("slowest", 0.1), waiter("middle", 0.05), waiter("quick", 0.0)]
    model = ScriptedModel(calls(call("slowest"), call("middle"), call("quick")), "All done.")
    LLMAgent("home", tools=tools, llm=model).run("do all three")
    assert model.requests[1].tool_results == ["slowest", "middle", "quick"]


def test_a_huge_result_reaches_the_model_bounded() -> None:
    @tool
    def dump() -> str:
        """Dump."""
        return "x" * 5_000_000

    model = ScriptedModel(call("dump"), "That is a lot.")
    LLMAgent("home", tools=[dump], llm=model).run("dump it")
    assert len(model.requests[1].tool_results[0]) <= 4000


def test_a_tool_that_exits_does_not_end_the_program() -> None:
    import sys

    @tool(phrases=["leave the program"])
    def leave() -> None:
        """Leave."""
        sys.exit(3)

    result = LLMAgent("home", tools=[leave]).run("leave the program")
    assert result.reply
    assert not result.tool_calls[0].ok


def test_a_barge_in_does_not_cancel_a_running_skill_by_default() -> None:
    from edgevox.agents import skill

    handles: list[GoalHandle] = []

    @skill(phrases=["drive on"])
    def drive(ctx: AgentContext) -> GoalHandle:
        """Drive; the person speaks a little later."""
        handles.append(GoalHandle())
        threading.Timer(0.05, ctx.scope.cancel, (CancelReason.BARGE_IN,)).start()
        return handles[-1]

    for policy, cancelled in ((InterruptPolicy(), False), (InterruptPolicy(cancel_skills=True), True)):
        agent = LLMAgent("robot", skills=[drive], interrupt_policy=policy)
        result = agent.run("drive on", AgentContext())
        assert result.preempted
        assert handles[-1].should_cancel() is cancelled
        handles[-1].mark_cancelled()


def test_a_home_remembers_two_turns_that_depend_on_each_other_without_a_model() -> None:
    from edgevox.examples.agents.home_assistant import HOME_TOOLS
    from edgevox.examples.agents.house import House

    house, agent = House(), LLMAgent("home", tools=HOME_TOOLS)
    ctx = AgentContext(deps=house)
    first, second, third = (
        agent.run(text, ctx) for text in ("turn on the kitchen light", "turn it off again", "and the bedroom too")
    )
    assert [first.reply, second.reply, third.reply] == [
        "The kitchen light is on.",
        "The kitchen light is off.",
        "The bedroom light is off.",
    ]
    assert first.model_calls + second.model_calls + third.model_calls == 0


def test_the_conversation_is_in_the_session_for_the_next_run() -> None:
    model = ScriptedModel(otherwise="Yes.")
    agent, session = LLMAgent("home", llm=model), Session()
    for text in ("first", "second"):
        agent.run(text, AgentContext(session=session))
    assert [m.role for m in session.messages] == [Role.USER, Role.ASSISTANT] * 2
    assert [m["content"] for m in model.requests[1].messages if m["role"] == "user"] == ["first", "second"]
    assert isinstance(session.messages[0], Message)
