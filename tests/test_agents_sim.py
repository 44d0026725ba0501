"""Agents in a world: the `SimEnvironment` protocol, the actions of `ToyWorld`, and another world in its place."""

from typing import Any

from edgevox.agents import AgentContext, GoalHandle, GoalStatus, LLMAgent, SimEnvironment, ToyWorld
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.sims import Pose, Scene
from edgevox.testing import ScriptedModel, call


class StairsRobot:
    """A world of somebody else's: one staircase, one robot, every action is over at once."""

    def __init__(self) -> None:
        self.floor = 0
        self.render = False

    def open(self) -> None:
        pass

    def reset(self) -> None:
        self.floor = 0

    def get_world_state(self) -> dict[str, Any]:
        return {"robot": {"x": 0.0, "y": float(self.floor), "heading_deg": 0.0}}

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        handle = GoalHandle()
        if name == "navigate_to":
            self.floor = 3
            handle.succeed({"room": arguments["room"]})
        else:
            handle.fail(f"unknown action '{name}'")
        return handle

    def scene(self) -> Scene:
        return Scene(robot=Pose(x=0.0, y=float(self.floor), heading_deg=0.0))

    def halt(self) -> None:
        pass

    def is_moving(self) -> bool:
        return False

    def close(self) -> None:
        pass


def test_both_worlds_are_environments() -> None:
    assert isinstance(ToyWorld(), SimEnvironment)
    assert isinstance(StairsRobot(), SimEnvironment)
    assert not isinstance(object(), SimEnvironment)


def test_the_same_agent_acts_in_either_world() -> None:
    agent = LLMAgent("scout", skills=SCOUT_SKILLS)
    toy, stairs = ToyWorld(navigate_speed=50.0), StairsRobot()
    assert agent.run("go to the kitchen", AgentContext(deps=toy)).reply == "I am in the kitchen."
    assert agent.run("go to the kitchen", AgentContext(deps=stairs)).reply == "I am in the kitchen."
    assert (toy.get_world_state()["robot"]["x"], stairs.floor) == (4.0, 3)


def test_the_actions_of_the_toy_world() -> None:
    world = ToyWorld(navigate_speed=50.0)
    assert world.apply_action("get_pose").result == {"x": 0.0, "y": 0.0, "heading_deg": 0.0}
    assert world.apply_action("battery_level").result == {"battery_pct": 100.0}
    assert world.apply_action("list_rooms").result == ["living_room", "kitchen", "bedroom", "office"]
    assert world.apply_action("set_light", room="office", on=True).status is GoalStatus.SUCCEEDED
    assert world.get_world_state()["rooms"]["office"]["light_on"] is True
    assert world.apply_action("navigate_to", room="bedroom").poll(2.0) is GoalStatus.SUCCEEDED
    assert world.apply_action("fly").status is GoalStatus.FAILED


def test_one_robot_has_one_goal() -> None:
    world = ToyWorld(navigate_speed=8.0)
    first = world.apply_action("navigate_to", room="kitchen")
    second = world.apply_action("navigate_to", room="office")
    assert first.poll(0.5) in (GoalStatus.CANCELLED, GoalStatus.FAILED)
    assert second.poll(3.0) is GoalStatus.SUCCEEDED
    robot = world.get_world_state()["robot"]
    assert (robot["x"], robot["y"]) == (0.0, 4.0)


def test_a_model_drives_the_robot_with_the_same_skills() -> None:
    world = ToyWorld(navigate_speed=50.0)
    model = ScriptedModel(call("navigate_to", room="office"), "I am where you work.")
    result = LLMAgent("scout", skills=SCOUT_SKILLS, llm=model).run("go where I work", AgentContext(deps=world))
    assert result.reply == "I am where you work."
    assert world.get_world_state()["robot"]["y"] == 4.0


def test_two_runs_with_two_worlds_do_not_share_state() -> None:
    agent = LLMAgent("scout", skills=SCOUT_SKILLS)
    one, other = ToyWorld(), ToyWorld()
    agent.run("turn on the kitchen light", AgentContext(deps=one))
    assert one.get_world_state()["rooms"]["kitchen"]["light_on"]
    assert not other.get_world_state()["rooms"]["kitchen"]["light_on"]
