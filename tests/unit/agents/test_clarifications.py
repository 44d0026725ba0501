"""The short question of an agent without a model, and what becomes of its answer."""

from typing import Annotated, Any, Literal

import pytest

from edgevox.agents import AgentContext, LLMAgent, Session
from edgevox.core.errors import ModelMissing
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel
from edgevox.intents import Spoken
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

ROOMS = {
    "de": {"kitchen": "Küche", "bedroom": "Schlafzimmer"}, "fr": {"kitchen": "cuisine", "bedroom": "chambre"},
    "es": {"kitchen": "cocina", "bedroom": "dormitorio"}, "vi": {"kitchen": "nhà bếp", "bedroom": "phòng ngủ"},
}  # fmt: skip
Room = Annotated[Literal["kitchen", "bedroom"], Spoken(ask={"de": "Welcher Raum?"}, **ROOMS)]


@tool(
    phrases={
        "en": ["turn {on} [the] {room} light", "[the] {room} light {on}"],
        "de": ["mach das Licht (im|in der) {room} {on}"],
        "fr": ["{on} la lumière de la {room}"], "es": ["{on} la luz (de la|del) {room}"], "vi": ["{on} đèn {room}"],
    },
    says="{room} {on}",
)  # fmt: skip
def set_light(room: Room, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} {on}"


@tool(phrases=["set a timer for {minutes}"], says="{minutes} minutes")
def start_timer(minutes: float) -> str:
    """Start a timer."""
    return "set"


@tool(phrases=["clean [the] {place}", "clean up the {place}"], says="{place} cleaned")
def clean(
    place: Annotated[str, Spoken({"bath": ["bathroom", "wet room"], "guest": ["guest room", "wet room"]})],
) -> str:
    """Clean."""
    return place


@tool(phrases=["open the hatch"], says="Hatch open.")
def open_hatch() -> str:
    """Open the hatch."""
    return "open"


@tool(phrases=["open the hatch", "launch"], says="Launched.")
def launch_probe() -> str:
    """Launch."""
    return "away"


def no_model() -> ChatModel:
    raise ModelMissing("there is none")


@pytest.fixture
def agent() -> LLMAgent:
    return LLMAgent("home", tools=[set_light, start_timer, clean, open_hatch, launch_probe], llm=no_model)


def say(agent: LLMAgent, *lines: str, language: str = "en") -> list[str]:
    ctx = AgentContext(language=language)
    return [agent.run(line, ctx).reply for line in lines]


@pytest.mark.parametrize(
    ("language", "text", "question", "answer", "reply"),
    [
        ("en", "turn on the light", "Which room: kitchen or bedroom?", "the kitchen", "kitchen on"),
        ("en", "please turn off the light", "Which room: kitchen or bedroom?", "in the bedroom please", "bedroom off"),
        ("en", "the kitchen light", "On or off?", "on", "kitchen on"),
        ("en", "set a timer", "How many minutes?", "five", "5 minutes"),
        ("en", "set a timer for", "How many minutes?", "half an hour", "30 minutes"),
        ("en", "clean the wet room", "Which place: bathroom or guest room?", "the guest room", "guest room cleaned"),
        ("en", "open the hatch", "Which one: open hatch or launch probe?", "the second one", "Launched."),
        ("en", "open the hatch", "Which one: open hatch or launch probe?", "open hatch", "Hatch open."),
        ("de", "mach das Licht an", "Welcher Raum: Küche oder Schlafzimmer?", "im Schlafzimmer", None),
        ("fr", "allume la lumière", "Quoi exactement : cuisine ou chambre ?", "la chambre", None),
        ("es", "enciende la luz", "¿Cuál: cocina o dormitorio?", "la cocina", None),
        ("vi", "bật đèn", "Cái nào: nhà bếp hoặc phòng ngủ?", "phòng ngủ", None),
    ],
)  # fmt: skip
def test_the_answer_completes_the_command(
    agent: LLMAgent, language: str, text: str, question: str, answer: str, reply: str | None
) -> None:
    ctx = AgentContext(language=language)
    assert agent.run(text, ctx).reply == question
    result = agent.run(answer, ctx)
    assert len(result.tool_calls) == 1
    assert reply in (None, result.reply)


def test_with_a_model_nobody_is_asked() -> None:
    agent = LLMAgent("home", tools=[set_light], llm=ScriptedModel(otherwise="MODEL"))
    assert say(agent, "turn on the light") == ["MODEL"]


def test_other_words_go_on_normally_and_end_the_question(agent: LLMAgent) -> None:
    lines = say(agent, "turn on the light", "set a timer for five minutes", "the kitchen")
    assert lines[1] == "5 minutes"
    assert "language model" in lines[2]
    lines = say(agent, "turn on the light", "tell me a joke", "the kitchen")
    assert "language model" in lines[1]
    assert "language model" in lines[2]


@pytest.mark.parametrize(
    "answer", ["the garage", "kitchen or bedroom", "not the kitchen", "no", "why", "the kitchen is nice"]
)
def test_what_is_no_answer_completes_nothing(agent: LLMAgent, answer: str) -> None:
    assert "language model" in say(agent, "turn on the light", answer)[1]


@pytest.mark.parametrize(
    "text", ["turn", "don't turn on the light", "why is the light on", "turn on the light tomorrow", "light", "go"]
)
def test_what_is_too_far_from_a_command_is_not_asked_about(agent: LLMAgent, text: str) -> None:
    assert "language model" in say(agent, text)[0]


def test_a_question_outlives_a_restart(agent: LLMAgent) -> None:
    ctx = AgentContext()
    agent.run("turn on the light", ctx)
    stored = [message.model_dump(mode="json") for message in ctx.session.messages]
    restored = Session([Message.model_validate(each) for each in stored])
    fresh = LLMAgent("home", tools=[set_light], llm=no_model)
    assert fresh.run("the kitchen", AgentContext(session=restored)).reply == "kitchen on"


def test_a_question_that_was_cut_off_can_be_answered(agent: LLMAgent) -> None:
    ctx = AgentContext()
    agent.run("turn on the light", ctx)
    ctx.session.keep_heard("Which room")
    assert agent.run("the kitchen", ctx).reply == "kitchen on"


def test_many_names_are_not_listed() -> None:
    names = [f"room {number}" for number in range(1, 20)]

    @tool(phrases=["sweep the {room} floor"])
    def sweep(room: Annotated[str, Spoken(lambda: names)]) -> str:
        """Sweep."""
        return f"swept {room}"

    agent = LLMAgent("home", tools=[sweep], llm=no_model)
    assert say(agent, "sweep the floor", "room 7") == ["Which room?", "swept room 7"]


def test_what_takes_any_words_is_not_asked_for(agent: LLMAgent) -> None:
    @tool(phrases=["write down {text} in the {book}"])
    def write(text: str, book: Literal["diary", "log"]) -> Any:
        """Write."""
        return text

    assert "language model" in say(LLMAgent("x", tools=[write], llm=no_model), "write down in the diary")[0]


def test_an_answer_belongs_to_its_question_before_anything_else() -> None:
    @tool(phrases=["[heat to] {celsius}"])
    def heat(celsius: float) -> str:
        """Heat."""
        return f"{celsius:g} degrees"

    agent = LLMAgent("home", tools=[start_timer, heat], llm=no_model)
    assert say(agent, "five", "set a timer", "five") == ["5 degrees", "How many minutes?", "5 minutes"]
