import pytest

from edgevox.agents.definition import AgentDefinition
from edgevox.examples.agents import home_assistant, robot_commander


@pytest.mark.parametrize(("language", "words"), [("de", "Hallo."), ("en", "Hello."), ("fi", "Hello.")])
def test_a_greeting_per_language_falls_back_to_english(language: str, words: str) -> None:
    assert AgentDefinition(name="casa", greeting={"en": "Hello.", "de": "Hallo."}).greeting_in(language) == words


def test_one_greeting_serves_every_language() -> None:
    assert AgentDefinition(name="casa", greeting="Hello.").greeting_in("de") == "Hello."


@pytest.mark.parametrize("app", [home_assistant.APP, robot_commander.APP])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "vi"])
def test_what_a_greeting_suggests_is_understood(app: home_assistant.AgentApp, language: str) -> None:
    from edgevox.agents import LLMAgent

    definition = app.definition()
    suggestion = definition.greeting_in(language).split(": ")[-1]
    agent = LLMAgent(definition.name, tools=definition.tools, skills=definition.skills)
    assert agent.matches_phrase(suggestion, language), suggestion
