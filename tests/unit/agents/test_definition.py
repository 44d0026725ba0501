from typing import Any

import pytest

from edgevox.agents import LLMAgent
from edgevox.agents.definition import AgentDefinition
from edgevox.core.errors import AgentError
from edgevox.examples.agents import home_assistant, robot_commander
from edgevox.tools import tool


@pytest.mark.parametrize(("language", "words"), [("de", "Hallo."), ("en", "Hello."), ("fi", "Hello.")])
def test_a_greeting_per_language_falls_back_to_english(language: str, words: str) -> None:
    assert AgentDefinition(name="casa", greeting={"en": "Hello.", "de": "Hallo."}).greeting_in(language) == words


def test_one_greeting_serves_every_language() -> None:
    assert AgentDefinition(name="casa", greeting="Hello.").greeting_in("de") == "Hello."


@pytest.mark.parametrize("app", [home_assistant.APP, robot_commander.APP])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "vi"])
def test_what_a_greeting_suggests_is_understood(app: home_assistant.AgentApp, language: str) -> None:
    definition = app.definition()
    suggestion = definition.greeting_in(language).split(": ")[-1]
    agent = LLMAgent(definition.name, tools=definition.tools, skills=definition.skills)
    assert agent.matches_phrase(suggestion, language), suggestion


@pytest.mark.parametrize("what", ["tools", "skills", "phrases", "instructions"])
def test_what_a_ready_made_agent_would_not_get_is_refused(what: str) -> None:
    given: dict[str, Any] = {what: {"say": ["hello"]} if what == "phrases" else ["something"]}
    with pytest.raises(AgentError, match=f"Casa has a ready-made agent: give {what} to that agent itself"):
        AgentDefinition(name="Casa", agent=LLMAgent("casa"), **given)


def test_phrases_for_a_tool_that_is_not_there_are_refused() -> None:
    @tool
    def set_light(on: bool) -> None:
        """Switch."""

    with pytest.raises(AgentError, match="a tool 'set_lights' that it does not have; did you mean 'set_light'"):
        LLMAgent("casa", tools=[set_light], phrases={"set_lights": ["light {on}"]})
