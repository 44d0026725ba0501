"""A router on the real 1.5B model: whom it picks for words that no phrase matches, and what that costs."""

import os
from collections.abc import Iterator

import pytest

from edgevox.agents import AgentContext, LLMAgent, Router
from edgevox.config.models import find
from edgevox.config.paths import models_dir
from edgevox.llm import LLM
from edgevox.tools import tool

pytestmark = [pytest.mark.models, pytest.mark.timeout(900)]

MODEL = "qwen2.5-coder-1.5b-instruct"

SAID = {
    "do I need an umbrella in Oslo today": "weather",
    "please have the robot come to the bedroom": "robot",
    "is it cold in Rome": "weather",
    "switch everything off in the office": "lights",
    "make the bedroom brighter": "lights",
    "will it snow tomorrow": "weather",
    "hello, who are you?": None,
    "thanks, that was nice": None,
}


@tool
def set_light(room: str, on: bool) -> str:
    """Turn a room's light on or off."""
    return f"The {room} light is {'on' if on else 'off'}."


@tool
def get_weather(city: str) -> str:
    """Look up the weather in a city."""
    return f"14 degrees and rain in {city}."


@tool
def navigate_to(room: str) -> str:
    """Drive the robot to a room."""
    return f"The robot is in the {room}."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LLM]:
    """The model in a process of its own."""
    files = find(MODEL)
    if files is None:
        pytest.skip(f"the model {MODEL} is not on this machine (edgevox models get {MODEL})")
    models = os.environ.get("EDGEVOX_MODELS") or str(models_dir())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EDGEVOX_MODELS", models)
        patch.setenv("EDGEVOX_HOME", str(tmp_path_factory.mktemp("home")))
        loaded = LLM(files.path("model.gguf"), n_ctx=2048, max_tokens=60, temperature=0.0)
        yield loaded
        loaded.close()


def team(model: LLM) -> Router:
    lights = LLMAgent("lights", "Controls household lights.", "You control the lights.", tools=[set_light])
    weather = LLMAgent("weather", "Answers questions about the weather.", "You know the weather.", tools=[get_weather])
    robot = LLMAgent("robot", "Drives the robot around the house.", "You drive a robot.", tools=[navigate_to])
    instructions = "You are Casa, the receptionist of a house."
    return Router.build("casa", instructions, {"lights": lights, "weather": weather, "robot": robot}, llm=model)


def test_a_router_finds_the_specialist_and_answers_small_talk_itself(model: LLM) -> None:
    wrong: dict[str, str | None] = {}
    for text, wanted in SAID.items():
        result = team(model).run(text, AgentContext())
        assert result.reply
        assert result.error is None
        assert result.model_calls <= 6
        if result.handed_off_to != wanted:
            wrong[text] = result.handed_off_to
    assert len(wrong) <= 1, wrong


def test_the_specialist_answers_with_its_tool_and_stays_in_the_conversation(model: LLM) -> None:
    router, ctx = team(model), AgentContext()
    result = router.run("do I need an umbrella in Oslo today", ctx)
    assert [(one.name, one.ok) for one in result.tool_calls][:1] == [("get_weather", True)]
    assert "Oslo" in str(result.tool_calls[0].arguments)
    assert result.model_calls == 3
    assert ctx.session.messages[-1].plain == result.reply
