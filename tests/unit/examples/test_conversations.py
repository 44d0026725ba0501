"""The built-in agents in conversation, through the whole assistant: greeting, commands, follow-ups, ringing timers."""

from collections.abc import Mapping
from typing import Any

import pytest

from edgevox.agents import LLMAgent
from edgevox.assistant import build_assistant
from edgevox.assistant.options import Options
from edgevox.config.settings import Settings
from edgevox.examples.agents import dev_toolbox, home_assistant, robot_commander, robot_scout
from edgevox.examples.agents.dev_notes import NOTES
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.house import House
from edgevox.examples.agents.robot_commander import ROBOT
from edgevox.examples.agents.sayings import LANGUAGES
from edgevox.sims.toyworld import ToyWorld
from edgevox.testing import Conversation, ScriptedModel
from edgevox.tools import as_tool

APPS: Mapping[str, AgentApp] = {
    "home": home_assistant.APP,
    "dev": dev_toolbox.APP,
    "robot": robot_commander.APP,
    "robot-scout": robot_scout.APP,
}
TRY = {"en": "Try: ", "de": "Versuch: ", "fr": "Essayez : ", "es": "Prueba: ", "vi": "Hãy thử: "}


def agent_of(name: str) -> LLMAgent:
    definition = APPS[name].definition()
    model = ScriptedModel(otherwise="MODEL")
    return LLMAgent(definition.name, tools=definition.tools, skills=definition.skills, llm=model)


def talk(name: str, language: str, deps: Any = None) -> Conversation:
    return Conversation(agent_of(name), deps=deps, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", APPS)
def test_the_greeting_says_something_that_works(name: str, language: str) -> None:
    greeting = APPS[name].definition().greeting_in(language)
    suggestion = greeting.partition(TRY[language])[2]
    assert suggestion, greeting
    assert agent_of(name).matches_phrase(suggestion, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", APPS)
def test_every_tool_has_phrases_in_every_language_and_a_reply_of_its_own(name: str, language: str) -> None:
    definition = APPS[name].definition()
    tools = [as_tool(declared) for declared in (*definition.tools, *definition.skills)]
    goes_on = {edge.parent_id for tool in tools for edge in tool.chained_to}
    for tool in tools:
        assert tool.is_passive or tool.phrases.get(language), tool.name
        returns_text = tool.fn.__annotations__.get("return") is str
        assert language in tool.says or returns_text or tool.id in goes_on, tool.name
        assert "stop" not in tool.name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", APPS)
def test_its_own_examples_are_understood(name: str, language: str) -> None:
    agent = agent_of(name)
    plain = [example for example in agent.examples(language, 40) if "…" not in example]
    assert len(plain) >= 5
    assert [example for example in plain if not agent.matches_phrase(example, language)] == []


@pytest.mark.parametrize(
    ("language", "lines", "replies"),
    [
        (
            "en",
            ("turn on the kitchen light", "turn it off again", "good night"),
            ("The kitchen light is on.", "The kitchen light is off.", "Good night. All the lights are off"),
        ),
        (
            "de",
            ("schalte das Licht in der Küche an", "schalte es wieder aus", "gute Nacht"),
            ("Das Licht in der Küche ist an.", "Das Licht in der Küche ist aus.", "Gute Nacht. Alle Lichter sind aus"),
        ),
        (
            "fr",
            ("allume la lumière de la cuisine", "éteins-la", "bonne nuit"),
            ("La lumière de la cuisine est allumée.", "La lumière de la cuisine est éteinte.", "Bonne nuit. Toutes"),
        ),
        (
            "es",
            ("enciende la luz de la cocina", "apágala", "buenas noches"),
            ("La luz de la cocina está encendida.", "La luz de la cocina está apagada.", "Buenas noches. Todas"),
        ),
        (
            "vi",
            ("bật đèn nhà bếp", "tắt nó đi", "chúc ngủ ngon"),
            ("Đèn nhà bếp đang bật.", "Đèn nhà bếp đang tắt.", "Chúc ngủ ngon."),
        ),
    ],
)
def test_the_home_agent_talks(language: str, lines: tuple[str, ...], replies: tuple[str, ...]) -> None:
    house = House()
    with talk("home", language, house) as conversation:
        outcomes = [conversation.say(line) for line in lines]
    assert [outcome.model_calls for outcome in outcomes] == [0, 0, 0]
    for outcome, reply in zip(outcomes, replies, strict=True):
        assert outcome.reply.startswith(reply)
    assert not any(house.lights.values())


@pytest.mark.parametrize(
    ("language", "line", "rings"),
    [
        ("en", "set a tea timer for 0.2 seconds", "The tea timer is done."),
        ("de", "stelle einen Timer auf 0,2 Sekunden", "Der Timer über 0 Sekunden ist abgelaufen."),
        ("fr", "minuteur 0,2 secondes", "Le minuteur de 0 secondes est terminé."),
        ("es", "temporizador de 0,2 segundos", "El temporizador de 0 segundos ha terminado."),
        ("vi", "hẹn giờ 0,2 giây", "Hẹn giờ 0 giây đã hết."),
    ],
)
def test_a_timer_rings_in_the_persons_language(language: str, line: str, rings: str) -> None:
    house = House()
    with talk("home", language, house) as conversation:
        assert conversation.say(line).model_calls == 0
        conversation.wait_for("announcement", lambda payload: payload == rings)
        conversation.wait_for("agent_message", lambda payload: rings in str(payload))
    assert house.timers() == []


@pytest.mark.parametrize(
    ("language", "line", "reply"),
    [
        ("en", "note that the build is broken", "Noted."),
        ("de", "notiere der Build ist kaputt", "Notiert."),
        ("fr", "note que la compilation échoue", "C'est noté."),
        ("es", "anota que la compilación falla", "Anotado."),
        ("vi", "ghi chú bản dựng bị hỏng", "Đã ghi."),
    ],
)
def test_the_dev_agent_talks(language: str, line: str, reply: str) -> None:
    with talk("dev", language) as conversation:
        outcome = conversation.say(line)
    assert (outcome.reply, outcome.model_calls, len(NOTES)) == (reply, 0, 1)


@pytest.mark.parametrize(
    ("language", "line", "reply"),
    [
        ("en", "turn left 90 degrees", "Turned 90 degrees to the left."),
        ("de", "dreh dich um 90 Grad nach links", "90 Grad nach links gedreht."),
        ("fr", "tourne de 90 degrés à gauche", "J'ai tourné de 90 degrés à gauche."),
        ("es", "gira 90 grados a la izquierda", "He girado 90 grados a la izquierda."),
        ("vi", "quay sang trái 90 độ", "Đã quay trái 90 độ."),
    ],
)
def test_the_rover_talks(language: str, line: str, reply: str) -> None:
    ROBOT.reset()
    with talk("robot", language) as conversation:
        outcome = conversation.say(line)
    assert (outcome.reply, outcome.model_calls, ROBOT.heading_deg) == (reply, 0, 90.0)
    ROBOT.reset()


@pytest.mark.parametrize(
    ("language", "line", "reply"),
    [
        ("en", "go into the kitchen", "I am in the kitchen."),
        ("de", "ab in die Küche", "Ich bin da: Küche."),
        ("fr", "va dans la cuisine", "Je suis arrivé : cuisine."),
        ("es", "ve hasta la cocina", "Ya he llegado: cocina."),
        ("vi", "đi đến nhà bếp", "Tôi đã đến nhà bếp."),
    ],
)
def test_the_scout_talks(language: str, line: str, reply: str) -> None:
    with talk("robot-scout", language, ToyWorld(navigate_speed=100.0)) as conversation:
        outcome = conversation.say(line)
    assert (outcome.reply, outcome.model_calls) == (reply, 0)


@pytest.mark.parametrize("name", APPS)
def test_an_assistant_of_it_greets_in_the_language(name: str) -> None:
    options = Options(text_mode=True, language="fr")
    assistant = build_assistant(APPS[name].definition(), options, Settings(language="fr"), model=ScriptedModel())
    assert "Essayez" in assistant.greeting
