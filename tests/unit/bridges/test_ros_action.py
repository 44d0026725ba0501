"""A goal at an action server as a goal of edgevox: accepted, refused, lost, cancelled, and a robot that goes on."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.bridges import RosActionSkill
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.testing import FakeRosNode, ScriptedModel

KIND = "opennav_docking_msgs/action/DockRobot"
ACTION = "/dock_robot"


@pytest.fixture
def node() -> Iterator[FakeRosNode]:
    made = FakeRosNode()
    yield made
    made.close()
    assert made.faults == []


def wait_until(condition: Callable[[], object], timeout: float = 5.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.002)


def dock(dock_id: str, speed: float = 0.2) -> dict[str, Any]:
    """Dock the robot.

    Args:
        dock_id: which dock
        speed: metres per second
    """
    return {"dock_id": dock_id, "max_speed": speed}


def start(node: FakeRosNode, **options: Any) -> GoalHandle:
    skill = RosActionSkill("dock_robot", KIND, ACTION, dock, node=node, **options)
    return skill.start(AgentContext(), dock_id="north")


def test_the_arguments_of_the_goals_function_are_those_of_the_skill(node: FakeRosNode) -> None:
    skill = RosActionSkill("dock_robot", KIND, ACTION, dock, node=node)
    assert skill.description == "Dock the robot."
    assert set(skill.parameters["properties"]) == {"dock_id", "speed"}
    assert skill.parameters["required"] == ["dock_id"]
    assert skill.parameters["properties"]["speed"]["type"] == "number"


def test_a_goal_runs_reports_and_succeeds(node: FakeRosNode) -> None:
    server = node.add_server(ACTION)
    handle = start(node)
    wait_until(lambda: server.running)
    assert server.goals[0].fields == {"dock_id": "north", "max_speed": 0.2}
    assert handle.status is GoalStatus.RUNNING
    server.goals[0].feed_back(num_retries=1)
    wait_until(lambda: handle.latest_feedback == {"num_retries": 1})
    server.goals[0].succeed(success=True)
    assert handle.poll(5.0) is GoalStatus.SUCCEEDED
    assert handle.result == {"success": True}
    assert {"num_retries": 1} in handle.feedback()


def test_a_constant_goal_has_no_arguments(node: FakeRosNode) -> None:
    server = node.add_server("/undock", seconds=0.0)
    skill = RosActionSkill("undock", "opennav_docking_msgs/action/UndockRobot", "/undock", {"type": "x"}, node=node)
    assert skill.parameters["properties"] == {}
    assert skill.start().poll(5.0) is GoalStatus.SUCCEEDED
    assert server.goals[0].fields == {"type": "x"}


def test_a_rejected_goal_fails_and_says_so(node: FakeRosNode) -> None:
    node.add_server(ACTION, accepts=False)
    handle = start(node)
    assert handle.poll(5.0) is GoalStatus.FAILED
    assert "rejected" in (handle.error or "")


@pytest.mark.parametrize(
    ("result", "words"),
    [({"error_msg": "no dock in sight"}, "no dock in sight"), ({"error_code": 905}, "error 905"), ({}, "aborted")],
)
def test_an_aborted_goal_fails_with_the_servers_words(node: FakeRosNode, result: dict[str, Any], words: str) -> None:
    server = node.add_server(ACTION)
    handle = start(node)
    wait_until(lambda: server.running)
    server.goals[0].abort(**result)
    assert handle.poll(5.0) is GoalStatus.FAILED
    assert words in (handle.error or "")


def test_a_server_that_is_not_there_is_named(node: FakeRosNode) -> None:
    handle = start(node, server_within_s=0.05)
    assert handle.poll(5.0) is GoalStatus.FAILED
    assert handle.error == "there is no action server /dock_robot; start it, or check its name"


def test_a_server_that_never_answers_ends_with_the_time_limit_and_is_not_confirmed(node: FakeRosNode) -> None:
    node.add_server(ACTION, answers=False)
    skill = RosActionSkill("dock_robot", KIND, ACTION, dock, node=node, timeout_s=0.2, phrases=["dock at {dock_id}"])
    agent = LLMAgent("robot", skills=[skill], llm=ScriptedModel(otherwise="MODEL"))
    result = agent.run("dock at north", AgentContext())
    assert result.tool_calls[0].error_code == "halt_unconfirmed"
    assert "timed out" in (result.tool_calls[0].error or "")


def test_cancelled_is_said_only_when_the_server_has_confirmed_it(node: FakeRosNode) -> None:
    server = node.add_server(ACTION, on_cancel="accept")
    handle = start(node)
    wait_until(lambda: server.running)
    handle.cancel()
    node.settle()
    assert server.goals[0].cancels == 1
    assert handle.status is GoalStatus.RUNNING
    server.goals[0].confirm_cancel()
    assert handle.poll(5.0) is GoalStatus.CANCELLED


def test_cancelled_is_said_only_when_the_robot_stands(node: FakeRosNode) -> None:
    server = node.add_server(ACTION)
    moving = [True]
    handle = start(node, moves=lambda: moving[0])
    wait_until(lambda: server.running)
    handle.cancel()
    wait_until(lambda: server.goals[0].over)
    assert handle.poll(0.1) is GoalStatus.RUNNING
    moving[0] = False
    assert handle.poll(5.0) is GoalStatus.CANCELLED


def test_a_robot_that_drives_on_after_a_confirmed_cancel_is_reported(node: FakeRosNode) -> None:
    node.add_server(ACTION)
    skill = RosActionSkill(
        "dock_robot", KIND, ACTION, dock, node=node, moves=lambda: True, phrases=["dock at {dock_id}"]
    )
    agent = LLMAgent("robot", skills=[skill], llm=ScriptedModel(otherwise="MODEL"))
    ctx = AgentContext()
    ctx.bus.subscribe("skill_goal", lambda _: ctx.stop.set())
    result = agent.run("dock at north", ctx)
    assert result.tool_calls[0].error_code == "halt_unconfirmed"
    assert "not confirmed" in (result.tool_calls[0].error or "")


def test_a_refused_cancel_leaves_the_goal_running_and_says_so(node: FakeRosNode) -> None:
    server = node.add_server(ACTION, on_cancel="refuse")
    handle = start(node)
    wait_until(lambda: server.running)
    handle.cancel()
    node.settle()
    assert handle.status is GoalStatus.RUNNING
    assert {"cancel": "refused"} in handle.feedback()
    server.goals[0].succeed()
    assert handle.poll(5.0) is GoalStatus.SUCCEEDED


def test_an_abort_after_a_cancel_is_a_cancel(node: FakeRosNode) -> None:
    server = node.add_server(ACTION, on_cancel="accept")
    handle = start(node)
    wait_until(lambda: server.running)
    handle.cancel()
    server.goals[0].abort(error_msg="cancelled by the user")
    assert handle.poll(5.0) is GoalStatus.CANCELLED


def test_a_cancel_before_the_server_is_found_ends_the_goal(node: FakeRosNode) -> None:
    handle = start(node, server_within_s=0.1)
    handle.cancel()
    assert handle.poll(5.0) is GoalStatus.CANCELLED


def test_a_stop_of_the_turn_cancels_at_the_server_at_once(node: FakeRosNode) -> None:
    server = node.add_server(ACTION)
    skill = RosActionSkill("dock_robot", KIND, ACTION, dock, node=node, phrases=["dock at {dock_id}"])
    agent = LLMAgent("robot", skills=[skill], llm=ScriptedModel(otherwise="MODEL"))
    ctx = AgentContext()
    ctx.bus.subscribe("skill_goal", lambda _: ctx.stop.set())
    began = time.monotonic()
    result = agent.run("dock at north", ctx)
    assert result.preempted
    assert time.monotonic() - began < 2.0
    assert server.goals[0].cancels >= 1


def test_the_node_may_come_from_the_world(node: FakeRosNode) -> None:
    node.add_server(ACTION, seconds=0.0)
    skill = RosActionSkill("dock_robot", KIND, ACTION, dock)
    assert skill.start(AgentContext(deps=node), dock_id="x").poll(5.0) is GoalStatus.SUCCEEDED
    lost = skill.start(AgentContext(), dock_id="x")
    assert lost.poll(5.0) is GoalStatus.FAILED
    assert "no ROS 2 node" in (lost.error or "")


def test_a_goal_that_is_neither_fields_nor_a_function_is_refused() -> None:
    wrong: Any = 5
    with pytest.raises(ToolDefinitionError, match="fields of a goal"):
        RosActionSkill("dock_robot", KIND, ACTION, wrong)
