"""The rover and the scout."""

from collections.abc import Iterator
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent, ToyWorld
from edgevox.core.ports import MotionSource
from edgevox.examples.agents import robot_commander, robot_scout
from edgevox.examples.agents.robot_commander import ROBOT, ROBOT_TOOLS, Rover
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.llm import ToolRegistry
from edgevox.testing import ScriptedModel

ROVER = LLMAgent("rover", tools=ROBOT_TOOLS, llm=ScriptedModel(otherwise="MODEL"))
SCOUT = LLMAgent("scout", skills=SCOUT_SKILLS, llm=ScriptedModel(otherwise="MODEL"))


@pytest.fixture(autouse=True)
def docked() -> Iterator[None]:
    ROBOT.reset()
    yield
    ROBOT.reset()


@pytest.mark.parametrize(
    ("text", "pose"),
    [
        ("Move forward two meters.", (2.0, 0.0, 0.0)),
        ("drive forward 50 centimeters", (0.5, 0.0, 0.0)),
        ("turn left 90 degrees", (0.0, 0.0, 90.0)),
        ("turn 45 degrees to the right", (0.0, 0.0, 315.0)),
        ("turn right", (0.0, 0.0, 270.0)),
        ("rotate 180", (0.0, 0.0, 180.0)),
    ],
)
def test_the_rover_does_what_it_is_told_without_a_model(text: str, pose: tuple[float, float, float]) -> None:
    result = ROVER.run(text, AgentContext())
    assert result.model_calls == 0
    assert (ROBOT.x, ROBOT.y, ROBOT.heading_deg) == pose


@pytest.mark.parametrize(
    ("language", "text", "pose"),
    [
        ("de", "fahre zwei Meter vorwärts", (2.0, 0.0, 0.0)),
        ("de", "drehe dich um 90 Grad nach links", (0.0, 0.0, 90.0)),
        ("fr", "avance de deux mètres", (2.0, 0.0, 0.0)),
        ("fr", "tourne de 45 degrés à droite", (0.0, 0.0, 315.0)),
        ("es", "avanza dos metros", (2.0, 0.0, 0.0)),
        ("es", "gira a la izquierda", (0.0, 0.0, 90.0)),
        ("vi", "đi thẳng hai mét", (2.0, 0.0, 0.0)),
    ],
)
def test_the_rover_understands_five_languages(language: str, text: str, pose: tuple[float, float, float]) -> None:
    ROVER.run(text, AgentContext(language=language))
    assert (ROBOT.x, ROBOT.y, ROBOT.heading_deg) == pose


def test_a_square_ends_where_it_began() -> None:
    registry = ToolRegistry(*ROBOT_TOOLS)
    for _ in range(4):
        assert registry.dispatch("move_forward", {"meters": 2}).ok
        assert registry.dispatch("turn", {"degrees": 90}).ok
    assert registry.dispatch("get_pose").result == {"x": 0.0, "y": 0.0, "heading_deg": 0.0}


@pytest.mark.parametrize(("degrees", "heading"), [(360, 0.0), (450, 90.0), (-90, 270.0), (-720, 0.0)])
def test_turning_wraps_at_360(degrees: float, heading: float) -> None:
    assert ToolRegistry(*ROBOT_TOOLS).dispatch("turn", {"degrees": degrees}).ok
    assert ROBOT.heading_deg == heading


@pytest.mark.parametrize("meters", [-1, 0, 1000])
def test_a_distance_that_makes_no_sense_is_refused(meters: float) -> None:
    outcome = ToolRegistry(*ROBOT_TOOLS).dispatch("move_forward", {"meters": meters})
    assert not outcome.ok
    assert "meters" in (outcome.error or "")
    assert ROBOT.x == 0.0


def test_the_battery_limits_the_way_and_home_charges_it() -> None:
    rover = Rover()
    assert rover.drive(100)
    assert rover.drive(99)
    assert not rover.drive(5)
    assert rover.x == 199.0
    registry = ToolRegistry(*ROBOT_TOOLS)
    registry.dispatch("move_forward", {"meters": 10})
    assert registry.dispatch("battery_level").result == {"battery_pct": 95.0}
    registry.dispatch("go_home")
    assert registry.dispatch("battery_level").result == {"battery_pct": 100.0}


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "move forward one meter", "Moved forward 1 meter."),
        ("en", "drive 500 meters", "Sorry, I can drive between 0 and 100 meters at a time, not 500."),
        ("de", "fahre 500 Meter", "Das ging nicht: ich kann auf einmal zwischen 0 und 100 Meter fahren, nicht 500."),
        ("fr", "avance de deux mètres", "J'ai avancé de 2 mètres."),
        ("es", "gira a la derecha", "He girado 90 grados a la derecha."),
        ("vi", "về nhà", "Tôi đã về nhà."),
    ],
)
def test_the_rover_answers_in_the_language(language: str, text: str, reply: str) -> None:
    assert ROVER.run(text, AgentContext(language=language)).reply == reply


def test_a_way_that_the_battery_does_not_last_for_is_refused_in_the_language() -> None:
    ROBOT.drive(100)
    ROBOT.drive(99)
    reply = ROVER.run("fahre 99 Meter", AgentContext(language="de")).reply
    assert reply == "Das ging nicht: der Akku hat noch 0,5 Prozent, und 99 Meter brauchen 49,5."
    assert ROBOT.x == 199.0


@pytest.mark.parametrize("meters", [0, -1, 100.5])
def test_a_distance_out_of_range_is_refused(meters: float) -> None:
    outcome = ToolRegistry(*ROBOT_TOOLS).dispatch("move_forward", {"meters": meters})
    assert not outcome.ok
    assert "between 0 and 100" in (outcome.error or "")


@pytest.mark.parametrize(
    ("language", "text", "room"),
    [
        ("en", "Go to the kitchen.", "kitchen"),
        ("en", "please drive over to the office", "office"),
        ("en", "take me to the bedroom", "bedroom"),
        ("en", "navigate to kitchen", "kitchen"),
        ("de", "fahre in die Küche", "kitchen"),
        ("de", "bring mich ins Büro", "office"),
        ("fr", "va à la cuisine", "kitchen"),
        ("es", "llévame al dormitorio", "bedroom"),
        ("vi", "đi đến nhà bếp", "kitchen"),
    ],
)
def test_the_scout_drives_where_it_is_sent(language: str, text: str, room: str) -> None:
    world = ToyWorld(navigate_speed=100.0)
    result = SCOUT.run(text, AgentContext(deps=world, language=language))
    assert result.model_calls == 0
    target: dict[str, Any] = world.get_world_state()["rooms"][room]
    robot = world.get_world_state()["robot"]
    assert (robot["x"], robot["y"]) == (target["x"], target["y"])


def test_what_recognition_makes_of_a_command_is_still_understood() -> None:
    world = ToyWorld(navigate_speed=100.0)
    world.apply_action("navigate_to", room="kitchen").poll(2.0)
    SCOUT.run("live over to the living room", AgentContext(deps=world))
    assert world.get_world_state()["robot"]["x"] == 0.0


@pytest.mark.parametrize("text", ["do not go to the kitchen", "go to the garage", "when do you go to the kitchen"])
def test_what_is_no_order_moves_nothing(text: str) -> None:
    world = ToyWorld()
    assert SCOUT.run(text, AgentContext(deps=world)).reply == "MODEL"
    assert not world.is_moving()


def test_no_model_has_a_tool_that_is_called_like_a_stop() -> None:
    from edgevox.examples.agents import dev_toolbox, home_assistant

    agents = [robot_commander.APP, robot_scout.APP, dev_toolbox.APP, home_assistant.APP]
    for app in agents:
        definition = app.definition()
        names = [tool.name for tool in ToolRegistry(*definition.tools, *definition.skills)]
        assert not [name for name in names if {"stop", "halt", "emergency"} & set(name.split("_"))]


def test_the_scouts_world_can_be_halted_by_a_stop() -> None:
    assert isinstance(robot_scout.APP.definition().deps, MotionSource)
