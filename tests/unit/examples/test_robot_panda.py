"""Talking to the arm: what is picked up, where it goes, what a stop leaves, in five languages and without a model."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.ports import MotionSource
from edgevox.examples.agents import robot_mujoco, robot_panda
from edgevox.examples.agents.robot_panda import APP, PANDA_SKILLS
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.sims import MujocoArmEnvironment, MujocoMobileEnvironment
from edgevox.testing import Conversation, ScriptedModel
from edgevox.tools.goals import GoalNews

pytest.importorskip("mujoco")

PANDA = LLMAgent("panda", skills=PANDA_SKILLS, llm=ScriptedModel(otherwise="MODEL"))


@pytest.fixture
def table() -> Iterator[MujocoArmEnvironment]:
    world = MujocoArmEnvironment(time_scale=30.0)
    world.open()
    yield world
    world.close()


def say(world: MujocoArmEnvironment, text: str, language: str = "en") -> str:
    result = PANDA.run(text, AgentContext(deps=world, language=language))
    assert result.reply == "MODEL" or result.model_calls == 0
    return result.reply


def thing(world: MujocoArmEnvironment, name: str) -> dict[str, Any]:
    return world.get_world_state()["objects"][name]


def wait_until(condition: Any, timeout: float = 20.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def carries(news: GoalNews) -> bool:
    """Whether an action reports that the arm carries something across the table."""
    feedback: Mapping[str, Any] = news.feedback or {}
    return feedback.get("phase") == "carrying"


def test_a_table_is_tidied_by_talking(table: MujocoArmEnvironment) -> None:
    seen = "I see the red cube, the green cube, the yellow cube and the blue cylinder."
    assert say(table, "What is on the table?") == seen
    assert say(table, "pick up the red cube") == "I have the red cube."
    assert say(table, "what are you holding?") == "Red cube."
    assert say(table, "put it in the bin") == "The red cube is in the bin now."
    assert say(table, "where is the red cube") == "The red cube is in the bin."
    assert say(table, "put the green cube on the tray") == "The green cube is on the tray now."
    assert say(table, "go home") == "I am home."
    assert thing(table, "red_cube")["place"] == "bin"
    assert thing(table, "green_cube")["place"] == "tray"


@pytest.mark.parametrize(
    ("language", "pick", "put"),
    [
        ("de", ("nimm den roten Würfel", "Der rote Würfel ist im Greifer."),
         ("leg ihn in die Kiste", "Der rote Würfel liegt jetzt in der Kiste.")),
        ("fr", ("prends le cube rouge", "Je tiens le cube rouge."),
         ("pose-le dans le bac", "Le cube rouge est maintenant dans le bac.")),
        ("es", ("coge el cubo rojo", "Tengo el cubo rojo."),
         ("ponlo en la caja", "El cubo rojo está ahora en la caja.")),
        ("vi", ("nhặt khối đỏ", "Tôi đã cầm khối đỏ."), ("đặt nó vào thùng", "Bây giờ khối đỏ trong thùng.")),
    ],
)  # fmt: skip
def test_it_understands_and_answers_in_other_languages(
    table: MujocoArmEnvironment, language: str, pick: tuple[str, str], put: tuple[str, str]
) -> None:
    assert say(table, pick[0], language) == pick[1]
    assert say(table, put[0], language) == put[1]
    assert thing(table, "red_cube")["place"] == "bin"


@pytest.mark.parametrize(
    "text",
    [
        "do not pick up the red cube",
        "when will you pick up the red cube",
        "could the red cube be picked up by a child",
        "pick up the banana",
        "put the red cube on the moon",
    ],
)
def test_what_is_no_order_it_can_carry_out_moves_nothing(table: MujocoArmEnvironment, text: str) -> None:
    assert say(table, text) == "MODEL"
    assert not table.is_moving()


def test_a_failure_is_said_in_words(table: MujocoArmEnvironment) -> None:
    assert "holds nothing" in say(table, "put it on the tray")
    say(table, "pick up the green cube")
    assert "already holds the green cube" in say(table, "pick up the red cube")


def test_a_stop_while_it_carries_leaves_the_thing_in_the_gripper() -> None:
    world = MujocoArmEnvironment(time_scale=4.0)
    with Conversation(skills=PANDA_SKILLS, model=ScriptedModel(otherwise="MODEL"), deps=world) as talk:
        assert talk.say("pick up the red cube", timeout=30).reply == "I have the red cube."
        turn = talk.assistant.submit("put it on the tray")
        talk.wait_for("skill_feedback", carries, timeout=20)
        talk.say("stop")
        wait_until(lambda: not world.is_moving(), 2.0)
        assert talk.end_of(turn).cancelled
        state = world.get_world_state()
        assert state["holding"] == "red_cube"
        assert talk.say("put it on the tray", timeout=30).reply == "The red cube is on the tray now."
    world.close()


def test_a_stop_in_the_first_half_of_put_this_there_ends_both_halves() -> None:
    world = MujocoArmEnvironment(time_scale=4.0)
    with Conversation(skills=PANDA_SKILLS, model=ScriptedModel(otherwise="MODEL"), deps=world) as talk:
        turn = talk.assistant.submit("put the green cube in the bin")
        talk.wait_for("skill_feedback", lambda news: bool(news.feedback), timeout=20)
        talk.say("stop")
        talk.end_of(turn)
        wait_until(lambda: not world.is_moving(), 2.0)
        time.sleep(0.3)
        assert not world.is_moving()
        assert world.get_world_state()["objects"]["green_cube"]["place"] != "bin"
    world.close()


def test_no_skill_is_called_like_a_stop_and_the_world_can_be_halted() -> None:
    names = [known.name for known in PANDA_SKILLS]
    assert not [name for name in names if {"stop", "halt", "emergency"} & set(name.split("_"))]
    assert isinstance(APP.definition().deps, MotionSource)


def test_it_greets_in_five_languages() -> None:
    greetings = {APP.definition().greeting_in(language) for language in ("en", "de", "fr", "es", "vi")}
    assert len(greetings) == 5


def test_opening_the_module_shows_no_window_and_loads_no_world() -> None:
    assert robot_panda.WORLD.render
    assert not robot_panda.WORLD.is_moving()


def test_the_scouts_skills_drive_the_mujoco_flat_unchanged() -> None:
    world = MujocoMobileEnvironment(time_scale=30.0)
    scout = LLMAgent("scout", skills=SCOUT_SKILLS, llm=ScriptedModel(otherwise="MODEL"))
    result = scout.run("Go to the kitchen.", AgentContext(deps=world))
    assert (result.reply, result.model_calls) == ("I am in the kitchen.", 0)
    assert world.get_world_state()["robot"]["x"] == pytest.approx(4.0, abs=0.1)
    scout.run("turn on the kitchen light", AgentContext(deps=world))
    assert world.get_world_state()["rooms"]["kitchen"]["light_on"]
    world.close()


def test_the_mujoco_scout_is_an_application_with_that_world() -> None:
    definition = robot_mujoco.APP.definition()
    assert isinstance(definition.deps, MujocoMobileEnvironment)
    assert definition.skills == SCOUT_SKILLS
