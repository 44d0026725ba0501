"""Hand-offs by the model, by tools and skills: what the target is asked, what is kept, who is refused."""

import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from edgevox.agents import (
    AgentContext,
    AgentEvent,
    AgentResult,
    GoalHandle,
    Handoff,
    HandoffNews,
    LLMAgent,
    Session,
    skill,
)
from edgevox.core.errors import AgentError
from edgevox.core.messages import ResultStatus, Role
from edgevox.testing import ScriptedModel, call, calls
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


@tool
def get_weather(city: str) -> str:
    """Say what the weather is like.

    Args:
        city: where
    """
    return f"sunny in {city}"


def weather_agent(llm: Any = None, **options: Any) -> LLMAgent:
    return LLMAgent("weather", "Answers weather questions.", tools=[get_weather], llm=llm, **options)


def news_of(events: list[AgentEvent]) -> list[HandoffNews]:
    return [event.payload for event in events if event.kind == "handoff"]


def is_valid_for_a_model(session: Session) -> bool:
    """Whether every request is followed by exactly its results, and nothing else answers."""
    waiting: list[str] = []
    for message in session.openai():
        if message["role"] == "tool":
            if not waiting or message["tool_call_id"] != waiting.pop(0):
                return False
        elif waiting:
            return False
        waiting += [each["id"] for each in message.get("tool_calls", ())]
    return not waiting


# -- the model hands off --------------------------------------------------------------------------------------------


def test_a_target_is_offered_to_the_model_as_a_tool() -> None:
    model = ScriptedModel("I can do that myself.")
    LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("hello")
    offered = {each["function"]["name"]: each["function"] for each in model.requests[0].tools or ()}
    assert list(offered) == ["hand_off_to_weather"]
    assert offered["hand_off_to_weather"]["description"] == "Answers weather questions (get weather)."
    assert list(offered["hand_off_to_weather"]["parameters"]["properties"]) == ["reason", "task"]
    assert offered["hand_off_to_weather"]["parameters"].get("required", []) == []


def test_the_target_answers_in_the_agents_place(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(call("hand_off_to_weather", reason="user asked weather"), "It is sunny.")
    result = LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("how is it outside", ctx)
    assert (result.reply, result.agent_name, result.handed_off_to) == ("It is sunny.", "casa", "weather")
    assert (result.model_calls, result.tool_calls, result.error) == (2, (), None)
    assert news_of(events) == [HandoffNews(source="casa", target="weather", reason="user asked weather")]


def test_everything_the_target_does_is_told_on_the_same_bus_and_to_the_listener() -> None:
    heard: list[AgentEvent] = []
    ctx = AgentContext(on_event=heard.append)
    published: list[AgentEvent] = []
    ctx.bus.subscribe_all(published.append)
    model = ScriptedModel(call("hand_off_to_weather"), call("get_weather", city="Oslo"), "Sunny.")
    result = LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("and in Oslo?", ctx)
    told = [(event.kind, event.agent_name) for event in published]
    assert told == [(event.kind, event.agent_name) for event in heard]
    assert told == [
        ("agent_start", "casa"),
        ("llm_call", "casa"),
        ("handoff", "casa"),
        ("agent_start", "weather"),
        ("llm_call", "weather"),
        ("tool_use", "weather"),
        ("tool_call", "weather"),
        ("tool_result", "weather"),
        ("llm_call", "weather"),
        ("agent_end", "weather"),
        ("agent_end", "casa"),
    ]
    assert [one.name for one in result.tool_calls] == ["get_weather"]
    assert result.model_calls == 3


def test_results_of_the_target_reach_the_callback_of_the_source_as_they_come(ctx: AgentContext) -> None:
    told: list[str] = []
    model = ScriptedModel(call("hand_off_to_weather"), call("get_weather", city="Oslo"), "Sunny.")
    agent = LLMAgent("casa", handoffs=[weather_agent()], llm=model, on_tool_call=lambda one: told.append(one.name))
    agent.run("and in Oslo?", ctx)
    assert told == ["get_weather"]


def test_the_words_of_the_person_are_in_the_conversation_once(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_weather"), "Sunny.")
    LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("how is it outside", ctx)
    assert [message.role for message in ctx.session.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert ctx.session.messages[2].tool_results[0].payload == "weather answers now."
    assert is_valid_for_a_model(ctx.session)
    assert [m["content"] for m in model.requests[1].messages[1:]] == ["how is it outside"]


def test_the_target_remembers_the_conversation_and_is_remembered_in_it(ctx: AgentContext) -> None:
    model = ScriptedModel("Hello Sam.", call("hand_off_to_weather"), "Sunny, Sam.", "I said sunny.")
    agent = LLMAgent("casa", handoffs=[weather_agent()], llm=model)
    for text in ("my name is Sam", "how is it outside", "what did you say"):
        agent.run(text, ctx)
    seen_by_target = [m["content"] for m in model.requests[2].messages[1:]]
    assert seen_by_target == ["my name is Sam", "Hello Sam.", "how is it outside"]
    assert "Sunny, Sam." in [m["content"] for m in model.requests[3].messages]


def test_messages_that_were_there_before_survive_a_hand_off() -> None:
    model = ScriptedModel(call("hand_off_to_weather"), "Sunny, Sam.")
    session = Session(messages=[{"role": "user", "content": "my name is Sam"}])
    LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("how is it outside", AgentContext(session=session))
    assert session.messages[0].plain == "my name is Sam"
    assert model.requests[1].messages[1]["content"] == "my name is Sam"


def test_a_task_replaces_the_words_and_the_conversation_keeps_both(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(call("hand_off_to_weather", task="Weather in Oslo tomorrow"), "Rain.")
    LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("do I need an umbrella", ctx)
    assert model.requests[1].last_user_text == "Weather in Oslo tomorrow"
    users = [message for message in ctx.session.messages if message.role is Role.USER]
    assert [(message.plain, message.kind) for message in users] == [
        ("do I need an umbrella", None),
        ("Weather in Oslo tomorrow", "handoff"),
    ]
    assert news_of(events)[0].task == "Weather in Oslo tomorrow"
    assert is_valid_for_a_model(ctx.session)


def test_pieces_of_the_target_are_streamed_as_they_come(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(calls(call("hand_off_to_weather"), text="One moment."), "It is sunny in Oslo.")
    pieces = LLMAgent("casa", handoffs=[weather_agent()], llm=model).run_stream("and in Oslo?", ctx)
    said = [next(pieces) for _ in range(4)]
    assert "".join(said) == "One moment. It is"
    assert "agent_end" not in [event.kind for event in events]
    assert "".join([*said, *pieces]) == "One moment. It is sunny in Oslo."


def test_what_goes_with_a_hand_off_can_be_declared() -> None:
    session = Session(state={"tone": "short"})
    wish = Handoff(weather_agent(), task="Say the weather", reason="always", state_update={"unit": "celsius"})
    model = ScriptedModel(call("hand_off_to_weather"), "Sunny.")
    LLMAgent("casa", handoffs=[wish], llm=model).run("hm", AgentContext(session=session))
    assert model.requests[1].last_user_text == "Say the weather"
    assert (session.state["tone"], session.state["unit"]) == ("short", "celsius")


def test_limits_and_hops_are_those_of_each_agent(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_weather"), otherwise=call("get_weather", city="Oslo"))
    target = weather_agent(max_tokens=40, temperature=0.7, max_tool_hops=1)
    result = LLMAgent("casa", handoffs=[target], llm=model, max_tokens=900, temperature=0.1).run("hm", ctx)
    assert [request.options for request in model.requests] == [
        {"max_tokens": 900, "temperature": 0.1},
        {"max_tokens": 40, "temperature": 0.7},
        {"max_tokens": 40, "temperature": 0.7},
    ]
    assert result.model_calls == 3
    assert result.reply


def test_the_target_uses_its_own_policy_of_interruptions(ctx: AgentContext) -> None:
    from edgevox.agents import InterruptPolicy

    policies: list[Any] = []

    @tool
    def look(ctx: AgentContext) -> str:
        """Look at the policy."""
        policies.append(ctx.interrupt)
        return "seen"

    policy = InterruptPolicy(cancel_skills=True)
    target = LLMAgent("robot", tools=[look], interrupt_policy=policy)
    model = ScriptedModel(call("hand_off_to_robot"), call("look"), "Seen.", call("hand_off_to_robot"), call("look"), "")
    agent = LLMAgent("casa", handoffs=[target], llm=model)
    agent.run("go", ctx)
    mine = InterruptPolicy()
    agent.run("go", AgentContext(interrupt=mine))
    assert policies[0] is policy
    assert policies[1] is mine


# -- tools and skills hand off --------------------------------------------------------------------------------------


def test_a_tool_may_hand_off_by_returning_it(ctx: AgentContext, events: list[AgentEvent]) -> None:
    leaf = weather_agent(ScriptedModel("Sunny."))

    @tool
    def ask_weather() -> Handoff:
        """Pass the question on."""
        return Handoff(target=leaf, reason="rain", state_update={"asked": True})

    result = LLMAgent("casa", tools=[ask_weather], llm=ScriptedModel(call("ask_weather"))).run("rain?", ctx)
    assert (result.reply, result.handed_off_to, result.model_calls) == ("Sunny.", "weather", 2)
    assert [one.name for one in result.tool_calls] == ["ask_weather"]
    assert ctx.session.state["asked"] is True
    assert news_of(events) == [HandoffNews(source="casa", target="weather", reason="rain")]
    assert is_valid_for_a_model(ctx.session)
    assert "object at" not in str(ctx.session.openai())


def test_a_phrase_whose_tool_hands_off_asks_no_model_of_the_source(ctx: AgentContext) -> None:
    @tool(phrases=["ask somebody about the weather"], says="This is never said.")
    def ask_weather() -> Handoff:
        """Pass the question on."""
        return Handoff("weather", task="Weather, please")

    target = weather_agent(ScriptedModel("Sunny."))
    agent = LLMAgent("casa", tools=[ask_weather], handoffs=[target], llm=ScriptedModel())
    result = agent.run("ask somebody about the weather", ctx)
    assert (result.reply, result.model_calls, result.handed_off_to) == ("Sunny.", 1, "weather")
    assert is_valid_for_a_model(ctx.session)


def fast_skill(target: LLMAgent) -> Any:
    @skill(latency_class="fast")
    def pass_on() -> Handoff:
        """Pass the question on."""
        return Handoff(target, reason="a skill")

    return pass_on


def worker_skill(target: LLMAgent) -> Any:
    @skill
    def pass_on() -> Handoff:
        """Pass the question on, from a worker."""
        return Handoff(target, reason="a skill")

    return pass_on


def delegating_skill(target: LLMAgent) -> Any:
    @skill
    def pass_on() -> GoalHandle:
        """Pass the question on when somebody else's action has succeeded."""
        handle = GoalHandle()
        handle.succeed(Handoff(target, reason="a skill"))
        return handle

    return pass_on


@pytest.mark.parametrize("make", [fast_skill, worker_skill, delegating_skill])
def test_a_skill_may_hand_off_whatever_its_body_is(
    make: Callable[[LLMAgent], Any], ctx: AgentContext, events: list[AgentEvent]
) -> None:
    leaf = weather_agent(ScriptedModel("Sunny."))
    result = LLMAgent("casa", skills=[make(leaf)], llm=ScriptedModel(call("pass_on"))).run("rain?", ctx)
    assert (result.reply, result.handed_off_to) == ("Sunny.", "weather")
    assert news_of(events)[0].reason == "a skill"


def test_calls_beside_a_hand_off_run_and_are_in_the_conversation(
    lamps: dict[str, bool], lamp_tools: Tools, ctx: AgentContext
) -> None:
    model = ScriptedModel(
        calls(
            call("set_light", room="kitchen", on=True),
            call("hand_off_to_weather"),
            call("set_light", room="bedroom", on=True),
        ),
        "Sunny, and the lights are on.",
    )
    result = LLMAgent("casa", tools=lamp_tools, handoffs=[weather_agent()], llm=model).run("do it all", ctx)
    assert lamps == {"kitchen": True, "bedroom": True}
    assert [block.tool_name for block in ctx.session.messages[2].tool_results] == [
        "set_light",
        "hand_off_to_weather",
        "set_light",
    ]
    assert is_valid_for_a_model(ctx.session)
    assert [one.name for one in result.tool_calls] == ["set_light", "set_light"]
    assert model.requests[1].tool_results == ["kitchen is on", "bedroom is on"]


def test_of_two_hand_offs_in_one_message_the_first_is_followed_and_the_second_is_answered(ctx: AgentContext) -> None:
    model = ScriptedModel(calls(call("hand_off_to_weather"), call("hand_off_to_news")), "Sunny.")
    agent = LLMAgent("casa", handoffs=[LLMAgent("news"), weather_agent()], llm=model)
    result = agent.run("both", ctx)
    assert (result.handed_off_to, result.model_calls) == ("weather", 2)
    first, second = ctx.session.messages[2].tool_results
    assert (first.tool_name, first.ok) == ("hand_off_to_weather", True)
    assert (second.tool_name, second.status) == ("hand_off_to_news", ResultStatus.DECLINED)
    assert "weather was asked first" in second.text
    assert is_valid_for_a_model(ctx.session)


def test_of_two_tools_that_hand_off_the_first_in_the_message_counts_though_it_is_slower(ctx: AgentContext) -> None:
    @tool(effect="read")
    def slow_to_weather() -> Handoff:
        """Pass on, after a moment."""
        time.sleep(0.1)
        return Handoff("weather")

    @tool(effect="read")
    def quick_to_news() -> Handoff:
        """Pass on at once."""
        return Handoff("news")

    model = ScriptedModel(calls(call("slow_to_weather"), call("quick_to_news")), "Sunny.")
    targets = [LLMAgent("news"), weather_agent()]
    agent = LLMAgent("casa", tools=[slow_to_weather, quick_to_news], handoffs=targets, llm=model)
    assert agent.run("both", ctx).handed_off_to == "weather"
    assert [block.status for block in ctx.session.messages[2].tool_results] == [
        ResultStatus.SUCCESS,
        ResultStatus.DECLINED,
    ]


# -- whom it cannot go to -------------------------------------------------------------------------------------------


def test_a_hand_off_tool_that_does_not_exist_is_answered_with_the_nearest_and_may_be_corrected(
    ctx: AgentContext,
) -> None:
    model = ScriptedModel(call("hand_off_to_wether"), call("hand_off_to_weather"), "Sunny.")
    result = LLMAgent("casa", handoffs=[weather_agent()], llm=model).run("rain?", ctx)
    assert "did you mean 'hand_off_to_weather'" in model.requests[1].tool_results[0]
    assert (result.reply, result.model_calls) == ("Sunny.", 3)


def handing_to(name: str) -> Any:
    @tool(phrases=["pass it on"])
    def pass_on() -> Handoff:
        """Pass the question on."""
        return Handoff(name)

    return pass_on


def test_a_wish_for_nobody_names_those_there_are_and_may_be_corrected(ctx: AgentContext) -> None:
    model = ScriptedModel(call("pass_on"), call("hand_off_to_weather"), "Sunny.")
    agent = LLMAgent("casa", tools=[handing_to("wether")], handoffs=[weather_agent()], llm=model)
    result = agent.run("rain?", ctx)
    told = model.requests[1].tool_results[0]
    assert told == "There is no agent 'wether'; did you mean 'weather'. The agents are: weather."
    assert (result.reply, result.handed_off_to) == ("Sunny.", "weather")
    assert [one.ok for one in result.tool_calls] == [False]


def test_a_wish_for_nobody_over_and_over_ends_in_a_sentence(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(otherwise=call("pass_on"))
    result = LLMAgent("casa", tools=[handing_to("nobody")], llm=model).run("rain?", ctx)
    assert result.reply == "Sorry, I could not work out how to do that. Please say it another way."
    assert result.model_calls <= 3
    assert news_of(events) == []


@pytest.mark.parametrize(
    ("language", "reply"),
    [("en", "Sorry, nobody here could take that."), ("de", "das konnte hier niemand übernehmen.")],
)
def test_a_phrase_that_hands_off_to_nobody_is_one_spoken_sentence(language: str, reply: str) -> None:
    ctx = AgentContext(language=language)
    agent = LLMAgent("casa", tools=[handing_to("nobody")], phrases={"pass_on": {"de": ["gib das weiter"]}})
    result = agent.run("pass it on" if language == "en" else "gib das weiter", ctx)
    assert reply in result.reply
    assert (result.model_calls, result.handed_off_to) == (0, None)
    assert ctx.session.messages[-1].plain == result.reply


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "agent.py", ""])
def test_a_name_that_a_model_made_up_is_never_a_path(name: str, ctx: AgentContext) -> None:
    model = ScriptedModel(call("pass_on"), "I could not.")
    assert LLMAgent("casa", tools=[handing_to(name)], llm=model).run("go", ctx).reply == "I could not."
    assert model.requests[1].tool_results[0].startswith("There is no agent")


def test_something_that_is_no_agent_is_refused_in_words(ctx: AgentContext) -> None:
    @tool
    def pass_on() -> Handoff:
        """Pass the question on."""
        return Handoff(target=3)

    model = ScriptedModel(call("pass_on"), "I could not.")
    assert LLMAgent("casa", tools=[pass_on], llm=model).run("go", ctx).reply == "I could not."
    assert model.requests[1].tool_results == ["3 is not an agent."]


def test_an_agent_does_not_hand_off_to_itself(ctx: AgentContext, events: list[AgentEvent]) -> None:
    model = ScriptedModel(call("pass_on"), "I am casa.")
    agent = LLMAgent("casa", tools=[handing_to("casa")], llm=model)
    assert agent.run("go", ctx).reply == "I am casa."
    assert "answer the person yourself" in model.requests[1].tool_results[0]
    assert news_of(events) == []


@pytest.mark.parametrize(
    ("handoffs", "says"),
    [(["casa"], "itself"), ([""], "without a name"), ([3], "cannot be a hand-off"), (["a", "a"], "two hand-offs")],
)
def test_hand_offs_that_cannot_be_are_said_when_the_agent_is_made(handoffs: list[Any], says: str) -> None:
    with pytest.raises(AgentError, match=says):
        LLMAgent("casa", handoffs=handoffs)


def test_a_built_in_agent_can_be_named(ctx: AgentContext) -> None:
    agent = LLMAgent("casa", handoffs=["dev"], llm=ScriptedModel(call("hand_off_to_dev"), "Hello from Dev."))
    assert (agent.handoffs, agent.children) == (("dev",), ())
    model: Any = agent.llm
    result = agent.run("somebody technical, please", ctx)
    assert result.reply == "Hello from Dev."
    offered: list[dict[str, Any]] = model.requests[0].tools or []
    assert offered[0]["function"]["description"] == "What is for dev."
    assert len(agent.children) == 1


def test_a_target_that_raises_costs_a_sentence(ctx: AgentContext, events: list[AgentEvent]) -> None:
    class Broken:
        name, description = "broken", "Raises."

        def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
            raise RuntimeError("no motor")

        def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
            yield "I will"
            raise RuntimeError("no motor")

    result = LLMAgent("casa", handoffs=[Broken()], llm=ScriptedModel(call("hand_off_to_broken"))).run("go", ctx)
    assert result.reply == "I will… Sorry, that did not work."
    assert result.error == "RuntimeError: no motor"
    assert events[-1].kind == "agent_end"


def test_an_agent_of_any_kind_may_take_the_turn_and_its_words_are_kept(ctx: AgentContext) -> None:
    class Parrot:
        name, description = "parrot", "Repeats."

        def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
            return AgentResult(f"You said: {task}", "parrot")

    result = LLMAgent("casa", handoffs=[Parrot()], llm=ScriptedModel(call("hand_off_to_parrot"))).run("hello", ctx)
    assert result.reply == "You said: hello"
    assert ctx.session.messages[-1].plain == "You said: hello"


def test_a_workflow_may_take_the_turn(ctx: AgentContext) -> None:
    from edgevox.agents import Sequence

    model = ScriptedModel(call("hand_off_to_plan"), "First.", "Second.")
    plan = Sequence("plan", [LLMAgent("first", llm=model), LLMAgent("second", llm=model)])
    result = LLMAgent("casa", handoffs=[plan], llm=model).run("plan it", ctx)
    assert (result.handed_off_to, result.model_calls) == ("plan", 3)
    assert result.reply.endswith("Second.")
    assert [message.plain for message in ctx.session.messages if message.role is Role.USER] == ["plan it"]
    assert is_valid_for_a_model(ctx.session)
