"""Routers and supervisors: what a turn costs, who is chosen, what reaches the agents below."""

import time
from collections.abc import Callable
from typing import Any, Literal

import pytest

from edgevox.agents import Agent, AgentContext, AgentEvent, HandoffNews, LLMAgent, Router, Session, Supervisor
from edgevox.core.errors import AgentError, ModelMissing
from edgevox.core.messages import Role
from edgevox.testing import ModelRequest, ScriptedModel, call, calls
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


@tool(phrases=["what is the weather in {city}"], says="{result}")
def get_weather(city: Literal["Oslo", "Rome"]) -> str:
    """Say what the weather is like.

    Args:
        city: where
    """
    return f"Sunny in {city}."


@pytest.fixture
def lights(lamp_tools: Tools) -> LLMAgent:
    """A specialist with phrases."""
    return LLMAgent("lights", "Controls household lights.", "You are Sparky.", tools=lamp_tools)


@pytest.fixture
def weather() -> LLMAgent:
    """Another."""
    return LLMAgent("weather", "Answers weather questions.", "You are Skye.", tools=[get_weather])


@pytest.fixture
def routes(lights: LLMAgent, weather: LLMAgent) -> dict[str, Any]:
    """Both."""
    return {"lights": lights, "weather": weather}


def no_model() -> Any:
    raise ModelMissing("no model is here")


def casa(routes: dict[str, Any], model: Any, **options: Any) -> Router:
    return Router.build("casa", "You are Casa. Route to the right specialist.", routes, llm=model, **options)


# -- what a turn costs ----------------------------------------------------------------------------------------------

Cost = tuple[str, list[Any], str, int]
"""Who answers, what the model says, what the person says, and how often a model is asked."""

COSTS: dict[str, Cost] = {
    "leaf, chit-chat": ("leaf", ["Hello."], "hello", 1),
    "leaf, one tool": ("leaf", [call("get_weather", city="Oslo"), "Sunny."], "do I need a coat in Oslo", 2),
    "router to leaf": ("router", [call("hand_off_to_weather"), "Hello."], "hello", 2),
    "router to leaf with a tool": (
        "router",
        [call("hand_off_to_weather"), call("get_weather", city="Oslo"), "Sunny."],
        "do I need a coat in Oslo",
        3,
    ),
    "a phrase of the leaf": ("leaf", [], "what is the weather in Oslo", 0),
    "a phrase through the router": ("router", [], "what is the weather in Oslo", 0),
    "router, answers itself": ("router", ["Hello."], "hello", 1),
    "supervisor to worker": ("supervisor", [call("hand_off_to_weather"), "Hello."], "hello", 2),
    "supervisor whose model will not choose": ("supervisor", ["Hello.", "Hello!", "Hello from Skye."], "hello", 3),
}


@pytest.mark.parametrize(("who", "script", "text", "cost"), list(COSTS.values()), ids=list(COSTS))
def test_what_a_turn_costs(
    who: str, script: list[Any], text: str, cost: int, routes: dict[str, Any], ctx: AgentContext
) -> None:
    model = ScriptedModel(*script)
    agents = {
        "leaf": routes["weather"].bind_llm(model),
        "router": casa(routes, model),
        "supervisor": Supervisor.build("boss", "Dispatch.", routes.values(), llm=model),
    }
    result = agents[who].run(text, ctx)
    assert result.model_calls == len(model.requests) == cost
    assert model.calls_left == 0
    assert result.error is None


# -- phrases through a router ---------------------------------------------------------------------------------------


def test_a_phrase_of_a_specialist_needs_no_model(
    routes: dict[str, Any], lamps: dict[str, bool], ctx: AgentContext, events: list[AgentEvent]
) -> None:
    result = casa(routes, no_model).run("turn on the kitchen light", ctx)
    assert (result.reply, result.model_calls, result.handed_off_to) == ("The kitchen light is on.", 0, "lights")
    assert lamps["kitchen"]
    news = [event.payload for event in events if event.kind == "handoff"]
    assert news == [HandoffNews(source="casa", target="lights", reason="phrase")]
    assert [message.role for message in ctx.session.messages].count(Role.USER) == 1


def test_a_follow_up_reaches_the_specialist_it_belongs_to(routes: dict[str, Any], ctx: AgentContext) -> None:
    router = casa(routes, no_model)
    said = (
        "turn on the kitchen light",
        "what is the weather in Oslo",
        "turn the bedroom light on",
        "turn it off again",
    )
    replies = [router.run(text, ctx).reply for text in said]
    assert replies == [
        "The kitchen light is on.",
        "Sunny in Oslo.",
        "The bedroom light is on.",
        "The bedroom light is off.",
    ]


def test_the_routers_own_phrases_come_first(routes: dict[str, Any], ctx: AgentContext) -> None:
    @tool(phrases=["turn {on} the {room} light"], says="I did it myself.")
    def own_light(room: Literal["kitchen"], on: bool) -> str:
        """Turn a light on or off."""
        return f"{room} {on}"

    result = casa(routes, no_model, tools=[own_light]).run("turn on the kitchen light", ctx)
    assert (result.reply, result.handed_off_to) == ("I did it myself.", None)


def floor(name: str, done: list[str]) -> LLMAgent:
    @tool(phrases=["turn {on} the light", "turn the light {on}"], says="Done {on}.")
    def set_light(on: bool) -> str:
        """Turn the light on or off."""
        done.append(f"{name} {on}")
        return "done"

    return LLMAgent(name, f"Lights of the {name}.", tools=[set_light])


def test_where_two_specialists_know_a_phrase_the_model_decides(ctx: AgentContext) -> None:
    done: list[str] = []
    model = ScriptedModel(call("hand_off_to_upstairs"))
    agents = [floor("upstairs", done), floor("downstairs", done)]
    result = LLMAgent("house", handoffs=agents, llm=model).run("turn on the light", ctx)
    assert done == ["upstairs True"]
    assert (result.model_calls, result.handed_off_to) == (1, "upstairs")


def test_without_a_model_it_asks_which_one_is_meant_and_understands_the_answer(ctx: AgentContext) -> None:
    done: list[str] = []
    house = LLMAgent("house", handoffs=[floor("upstairs", done), floor("downstairs", done)], llm=no_model)
    asked = house.run("turn on the light", ctx)
    assert (asked.reply, asked.model_calls, done) == ("Who should do that: upstairs or downstairs?", 0, [])
    result = house.run("Downstairs, please!", ctx)
    assert done == ["downstairs True"]
    assert (result.handed_off_to, result.model_calls) == ("downstairs", 0)


@pytest.mark.parametrize("answer", ["never mind", "upstairs and downstairs"])
def test_an_answer_that_names_no_one_or_both_does_nothing(answer: str, ctx: AgentContext) -> None:
    done: list[str] = []
    house = LLMAgent("house", handoffs=[floor("upstairs", done), floor("downstairs", done)], llm=no_model)
    house.run("turn on the light", ctx)
    assert "edgevox setup" in house.run(answer, ctx).reply
    assert done == []


def test_without_a_model_the_examples_are_those_of_the_specialists(routes: dict[str, Any], ctx: AgentContext) -> None:
    reply = casa(routes, no_model).run("sing to me", ctx).reply
    assert "light" in reply
    assert "weather" in reply


def test_routers_can_be_nested_and_a_phrase_still_needs_no_model(routes: dict[str, Any], ctx: AgentContext) -> None:
    home = Router.build("home", "Route.", routes)
    top = Router.build("top", "Route.", {"home": home, "robot": LLMAgent("robot")}, llm=no_model)
    result = top.run("turn on the kitchen light", ctx)
    assert (result.reply, result.model_calls, result.handed_off_to) == ("The kitchen light is on.", 0, "home")


# -- what reaches the agents below ----------------------------------------------------------------------------------


def in_a_circle(lamp_tools: Tools) -> tuple[LLMAgent, LLMAgent]:
    first, second = LLMAgent("a"), LLMAgent("b", tools=lamp_tools)
    first.handoffs, second.handoffs = [second], [first]
    return first, second


def test_phrases_examples_and_models_reach_agents_in_a_circle(lamp_tools: Tools) -> None:
    first, second = in_a_circle(lamp_tools)
    model = ScriptedModel(otherwise="Yes.")
    assert first.bind_llm(model) is first
    assert second.llm is model
    assert first.matches_phrase("turn on the kitchen light")
    assert not first.matches_phrase("sing to me")
    assert first.matches_phrase("Licht kitchen an", "de")
    assert any("light" in example for example in first.examples())
    assert len(first.examples("en", 2)) == 2
    assert first.run("turn on the kitchen light").model_calls == 0


def test_a_large_team_where_everybody_knows_everybody_is_asked_once_each(lamp_tools: Tools) -> None:
    team = [LLMAgent(f"agent-{number}") for number in range(12)]
    for agent in team:
        agent.handoffs = [other for other in team if other is not agent]
    team[-1].tools.register(*lamp_tools)
    began = time.monotonic()
    assert team[0].matches_phrase("turn on the kitchen light")
    assert not team[0].matches_phrase("sing to me")
    assert team[0].run("turn on the kitchen light").model_calls == 0
    assert time.monotonic() - began < 10


def test_a_specialist_with_a_model_of_its_own_keeps_it(routes: dict[str, Any], weather: LLMAgent) -> None:
    own, given = ScriptedModel("From my own."), ScriptedModel(call("hand_off_to_news"))
    news = LLMAgent("news", llm=own)
    router = Router.build("casa", "Route.", {**routes, "news": news})
    router.bind_llm(given)
    assert (router.llm, weather.llm, news.llm) == (given, given, own)
    assert router.run("what happened").reply == "From my own."
    other = ScriptedModel()
    router.bind_llm(other)
    assert (router.llm, weather.llm, news.llm) == (other, other, own)


def test_those_below_a_router_with_a_model_of_its_own_answer_with_that_one() -> None:
    own, given = ScriptedModel(), ScriptedModel()
    leaf = LLMAgent("leaf")
    inner = Router.build("inner", "Route.", {"leaf": leaf}, llm=own)
    Router.build("outer", "Route.", {"inner": inner}).bind_llm(given)
    assert (inner.llm, leaf.llm) == (own, own)
    inner.bind_llm(given)
    assert (inner.llm, leaf.llm) == (given, given)


def test_a_factory_builds_one_model_for_all(ctx: AgentContext) -> None:
    built: list[ScriptedModel] = []

    def factory() -> ScriptedModel:
        built.append(ScriptedModel(otherwise=lambda request: call("hand_off_to_leaf") if request.tools else "Hello."))
        return built[-1]

    Router.build("casa", "Route.", {"leaf": LLMAgent("leaf")}).bind_llm(factory).run("hello", ctx)
    assert len(built) == 1
    assert len(built[0].requests) == 2


class WarmModel(ScriptedModel):
    """Remembers which prompts it was shown before anybody waited."""

    def __init__(self) -> None:
        super().__init__()
        self.warmed: list[tuple[str, list[str]]] = []

    def warm(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> None:
        """Read the beginning of a prompt."""
        self.warmed.append((messages[0]["content"].split(".")[0], [each["function"]["name"] for each in tools]))


def test_everybody_is_made_ready_and_the_router_last(routes: dict[str, Any], ctx: AgentContext) -> None:
    model = WarmModel()
    casa(routes, model).warm(ctx)
    assert [persona for persona, _ in model.warmed] == ["You are Sparky", "You are Skye", "You are Casa"]
    assert model.warmed[-1][1] == ["hand_off_to_lights", "hand_off_to_weather"]


def test_a_router_without_a_model_says_so_when_it_is_made_ready(routes: dict[str, Any], ctx: AgentContext) -> None:
    router = casa(routes, no_model)
    with pytest.raises(ModelMissing):
        router.warm(ctx)
    assert router.run("turn on the kitchen light", ctx).model_calls == 0


def test_routes_may_be_called_other_than_their_agents(ctx: AgentContext) -> None:
    model = ScriptedModel(call("hand_off_to_the_night_desk"), "Good night.")
    router = casa({"the night desk": LLMAgent("owl"), "day": LLMAgent("lark")}, model)
    assert router.handoffs == ("the night desk", "day")
    result = router.run("hello", ctx)
    assert (result.reply, result.handed_off_to) == ("Good night.", "owl")


def test_names_that_no_tool_can_have_still_get_one_each() -> None:
    model = ScriptedModel("Hello.")
    names = ["Küche", "K che", "厨房", "部屋", "x" * 90]
    LLMAgent("casa", handoffs=[LLMAgent(name) for name in names], llm=model).run("hello")
    offered = model.requests[0].tool_names
    assert len(set(offered)) == len(names)
    assert all(len(name) <= 64 and name.isascii() for name in offered)


def test_routers_and_supervisors_are_agents_with_children(routes: dict[str, Any]) -> None:
    router, boss = Router.build("casa", "Route.", routes), Supervisor.build("boss", "Dispatch.", routes)
    assert isinstance(router, Agent)
    assert (router.kind, boss.kind, routes["lights"].kind) == ("router", "supervisor", "agent")
    assert router.children == boss.children == tuple(routes.values())
    assert router.name in repr(router.run("turn on the kitchen light"))


@pytest.mark.parametrize("build", [Router.build, Supervisor.build])
def test_nobody_to_route_to_is_one_sentence(build: Callable[..., Any]) -> None:
    with pytest.raises(AgentError, match="give it at least one agent"):
        build("casa", "Route.", {})


def test_the_prompt_of_a_router_stays_the_same_from_turn_to_turn(routes: dict[str, Any]) -> None:
    def reply(request: ModelRequest) -> Any:
        return call("hand_off_to_weather") if "hand_off_to_weather" in request.tool_names else "Sunny."

    model, session = ScriptedModel(otherwise=reply), Session()
    router = casa(routes, model)
    for text in ("first", "second", "third"):
        router.run(text, AgentContext(session=session))
    systems = [request.messages[0]["content"] for request in model.requests]
    assert len(set(systems[0::2])) == len(set(systems[1::2])) == 1
    assert systems[0] != systems[1]


# -- supervisors ----------------------------------------------------------------------------------------------------


@pytest.fixture
def boss(routes: dict[str, Any]) -> Callable[..., Supervisor]:
    """Makes a supervisor of both specialists over a scripted model."""
    return lambda *script: Supervisor.build("boss", "Dispatch.", routes.values(), llm=ScriptedModel(*script))


def test_a_supervisor_requires_a_call(boss: Callable[..., Supervisor], ctx: AgentContext) -> None:
    agent = boss(call("hand_off_to_weather"), "Sunny.")
    assert agent.run("hello", ctx).handed_off_to == "weather"
    model: Any = agent.llm
    assert [request.tool_choice for request in model.requests] == ["required", "auto"]


def test_words_of_a_supervisor_are_never_said(boss: Callable[..., Supervisor], ctx: AgentContext) -> None:
    pieces = list(boss("I would say hello.", "Hello, I said!", "Hello from a worker.").run_stream("hello", ctx))
    assert "".join(pieces) == "Hello from a worker."
    assert "I would say" not in str(ctx.session.openai())


@pytest.mark.parametrize(
    ("words", "text", "target"),
    [
        ("I would ask weather.", "turn something bright", "weather"),
        ("lights", "what is it like outside", "lights"),
        ("Hm.", "which weather question was that", "weather"),
        ("Hm.", "the bedroom lights flicker", "lights"),
        ("Hm.", "xyzzy", "lights"),
    ],
)
def test_what_a_supervisors_model_will_not_choose_is_chosen_by_words(
    words: str, text: str, target: str, boss: Callable[..., Supervisor], ctx: AgentContext
) -> None:
    result = boss("Hm.", words, "Here I am.").run(text, ctx)
    assert (result.handed_off_to, result.reply, result.model_calls) == (target, "Here I am.", 3)


@pytest.mark.parametrize(
    "answer",
    [
        call("hand_off_to_nobody"),
        calls(("hand_off_to_weather", "[1, 2]")),
        calls(("hand_off_to_weather", '{"reason": ')),
        call("get_weather", city="Oslo"),
        "",
        "<think>whom",
    ],
)
def test_a_supervisor_dispatches_whatever_its_model_answers(
    answer: Any, routes: dict[str, Any], ctx: AgentContext
) -> None:
    asked: list[str] = []

    def reply(request: ModelRequest) -> Any:
        supervising = "hand_off_to_weather" in request.tool_names
        asked.append("boss" if supervising else "worker")
        return answer if supervising else "Here I am."

    boss = Supervisor.build("boss", "Dispatch.", routes, llm=ScriptedModel(otherwise=reply))
    result = boss.run("hello", ctx)
    assert result.handed_off_to in routes
    assert (result.reply, result.error) == ("Here I am.", None)
    assert asked == ["boss", "boss", "worker"]


def test_a_supervisor_answers_phrases_of_its_workers_without_a_model(routes: dict[str, Any], ctx: AgentContext) -> None:
    boss = Supervisor.build("boss", "Dispatch.", routes, llm=no_model)
    assert boss.run("turn on the kitchen light", ctx).reply == "The kitchen light is on."


def test_a_supervisor_without_a_model_says_so(routes: dict[str, Any], ctx: AgentContext) -> None:
    boss = Supervisor.build("boss", "Dispatch.", routes, llm=no_model)
    assert "edgevox setup" in boss.run("sing to me", ctx).reply


def test_a_supervisor_has_no_tools_of_its_own(routes: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="to its workers"):
        Supervisor.build("boss", "Dispatch.", routes, tools=[get_weather])


def test_a_stop_while_a_supervisor_chooses_ends_the_turn(routes: dict[str, Any], ctx: AgentContext) -> None:
    import threading

    boss = Supervisor.build("boss", "Dispatch.", routes, llm=ScriptedModel("never said", prompt_delay_s=5))
    threading.Timer(0.05, ctx.stop.set).start()
    result = boss.run("hello", ctx)
    assert (result.preempted, result.handed_off_to, result.reply) == (True, None, "")
