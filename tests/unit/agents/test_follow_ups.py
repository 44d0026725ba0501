"""What only makes sense after what was said before."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.cancel import CancelReason
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

Tools = list[Callable[..., Any]]


@pytest.fixture
def agent(lamp_tools: Tools) -> LLMAgent:
    """Two lamps and a heater; what it cannot do without a model is answered with MODEL."""

    @tool(phrases=["set the heat to {celsius} [degrees]"], says="{celsius} degrees.")
    def set_heat(celsius: float) -> str:
        """Set the heat.

        Args:
            celsius: how warm
        """
        return "set"

    return LLMAgent("home", tools=[*lamp_tools, set_heat], llm=ScriptedModel(otherwise="MODEL"))


def say(agent: LLMAgent, ctx: AgentContext, *lines: str) -> list[str]:
    return [agent.run(line, ctx).reply for line in lines]


def test_it_is_what_was_spoken_of_last(agent: LLMAgent, ctx: AgentContext) -> None:
    assert say(agent, ctx, "turn on the kitchen light", "turn it off again") == [
        "The kitchen light is on.",
        "The kitchen light is off.",
    ]


def test_another_place_gets_the_same(agent: LLMAgent, ctx: AgentContext) -> None:
    assert say(agent, ctx, "turn on the kitchen light", "and the bedroom too")[1] == "The bedroom light is on."


def test_again_repeats_and_numbers_can_be_changed(agent: LLMAgent, ctx: AgentContext) -> None:
    assert say(agent, ctx, "set the heat to 20", "make it 22 degrees", "again") == [
        "20 degrees.",
        "22 degrees.",
        "22 degrees.",
    ]


def test_a_question_about_one_thing_lets_another_tool_act_on_it(agent: LLMAgent, ctx: AgentContext) -> None:
    lines = say(agent, ctx, "turn on the kitchen light", "is the bedroom light on", "turn it on")
    assert lines[2] == "The bedroom light is on."
    assert say(agent, AgentContext(), "is the bedroom light on", "turn it off")[1] == "The bedroom light is off."


def test_a_follow_up_costs_no_model_call(agent: LLMAgent, ctx: AgentContext) -> None:
    agent.run("turn on the kitchen light", ctx)
    assert agent.run("turn it off", ctx).model_calls == 0


def test_a_follow_up_after_a_turn_with_the_model_still_works(agent: LLMAgent, ctx: AgentContext) -> None:
    assert say(agent, ctx, "turn on the kitchen light", "tell me a joke", "turn it off") == [
        "The kitchen light is on.",
        "MODEL",
        "The kitchen light is off.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "turn off",
        "and what is the capital of France",
        "it is off",
        "is it on",
        "do not turn it off",
        "and the kitchen and the bedroom too",
        "turn it into a disco",
        "again and again I wonder",
        "the bedroom",
        "and the garage too",
    ],
)
def test_what_is_not_accounted_for_word_by_word_is_no_follow_up(agent: LLMAgent, ctx: AgentContext, text: str) -> None:
    assert say(agent, ctx, "turn on the kitchen light", text)[1] == "MODEL"


def test_without_anything_before_there_is_nothing_to_follow(agent: LLMAgent, ctx: AgentContext) -> None:
    assert say(agent, ctx, "turn it off again") == ["MODEL"]


def test_what_was_long_ago_is_forgotten(agent: LLMAgent, ctx: AgentContext) -> None:
    chat = ["tell me a joke"] * 4
    assert say(agent, ctx, "turn on the kitchen light", *chat, "turn it off")[-1] == "MODEL"


def test_a_call_that_failed_is_not_followed(ctx: AgentContext) -> None:
    @tool(phrases=["open the {door} door"])
    def open_door(door: Literal["front", "back"]) -> str:
        """Open.

        Args:
            door: which
        """
        raise ValueError("locked")

    agent = LLMAgent("home", tools=[open_door], llm=ScriptedModel(otherwise="MODEL"))
    assert say(agent, ctx, "open the front door", "again")[1] == "MODEL"


def test_a_follow_up_of_what_the_model_did_works_too(lamp_tools: Tools, ctx: AgentContext) -> None:
    from edgevox.testing import call

    model = ScriptedModel(call("set_light", room="bedroom", on=True), "It is bright.", otherwise="MODEL")
    agent = LLMAgent("home", tools=lamp_tools, llm=model)
    assert say(agent, ctx, "it is dark where I sleep", "turn it off")[1] == "The bedroom light is off."


def test_a_tool_that_asks_still_asks_when_it_is_repeated() -> None:
    class Nobody:
        def __init__(self) -> None:
            self.asked = 0

        def ask(self, request: Any, scope: Any) -> Any:
            from edgevox.core.ports import Approval

            self.asked += 1
            return Approval(approved=True)

    @tool(phrases=["sound the horn"], confirm=True)
    def sound_horn() -> str:
        """Sound it."""
        return "Beep."

    person = Nobody()
    agent = LLMAgent("car", tools=[sound_horn], llm=ScriptedModel(otherwise="MODEL"))
    assert say(agent, AgentContext(approver=person), "sound the horn", "again") == ["Beep.", "Beep."]
    assert person.asked == 2


def test_an_interrupted_turn_can_be_followed(lamp_tools: Tools, ctx: AgentContext) -> None:
    agent = LLMAgent("home", tools=lamp_tools)
    pieces = agent.run_stream("turn on the kitchen light", ctx)
    next(pieces)
    ctx.scope.cancel(CancelReason.BARGE_IN)
    list(pieces)
    assert agent.run("turn it off", AgentContext(session=ctx.session)).reply == "The kitchen light is off."


def test_german_points_back_in_german(lamp_tools: Tools) -> None:
    agent, ctx = LLMAgent("home", tools=lamp_tools), AgentContext(language="de")
    agent.run("Licht kitchen an", ctx)
    assert [c.arguments for c in agent.run("und auch bedroom", ctx).tool_calls] == [{"room": "bedroom", "on": True}]
    assert [c.arguments for c in agent.run("schalte es wieder aus", ctx).tool_calls] == [
        {"room": "bedroom", "on": False}
    ]


def test_a_language_without_a_table_has_no_follow_ups(lamp_tools: Tools) -> None:
    agent = LLMAgent(
        "home", tools=lamp_tools, llm=ScriptedModel(otherwise="MODEL"), phrases={"set_light": ["lys {room} {on}"]}
    )
    ctx = AgentContext(language="da")
    assert say(agent, ctx, "lys kitchen true", "it off again")[1] == "MODEL"
