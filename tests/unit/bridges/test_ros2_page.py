"""The page on ROS 2: its scripts run as they stand there, over a fake node."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext
from edgevox.bridges import ExternalRobotEnvironment, RosEventBridge
from edgevox.testing import FakeActionServer, FakeRosNode, ScriptedModel

PAGE = Path(__file__).parents[3] / "docs" / "ros2.md"
STILL: dict[str, Any] = {
    "pose": {"pose": {"position": {"x": 4.0, "y": 1.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}},
    "twist": {"twist": {"linear": {"x": 0.0, "y": 0.0}, "angular": {"z": 0.0}}},
}


@pytest.fixture
def page() -> dict[str, Any]:
    """Everything that the scripts of the page define, run one after the other in one module."""
    names: dict[str, Any] = {"__name__": "my_robot"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(PAGE), "exec"), names)
    return names


@pytest.fixture
def node(page: dict[str, Any]) -> Iterator[FakeRosNode]:
    made: FakeRosNode = page["node"]
    yield made
    made.close()
    assert made.faults == []


def wait_until(condition: Callable[[], object], timeout: float = 5.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.002)


def test_the_robot_of_the_page_drives_docks_and_says_so(page: dict[str, Any], node: FakeRosNode) -> None:
    docking = node.add_server("/dock_robot", seconds=0.02)
    definition = page["app"].definition()
    world: ExternalRobotEnvironment = definition.deps
    world.open()
    node.receive("/odom", STILL)
    node.settle()
    agent: Any = definition.build()
    agent.bind_llm(ScriptedModel(otherwise="MODEL"))
    ctx = AgentContext(deps=world)
    server: FakeActionServer = page["server"]
    assert agent.run("go to the kitchen", ctx).reply == "I am in the kitchen."
    assert server.goals[0].fields["pose"]["pose"]["position"]["x"] == 4.0
    assert agent.run("go and charge", ctx).reply == "I am on the charger."
    assert docking.goals[0].fields == {"use_dock_id": True, "dock_id": "home"}
    world.close()


def test_importing_the_script_needs_no_ros_2_and_touches_nothing(page: dict[str, Any]) -> None:
    assert page["APP"].name == "Porter"
    assert not page["APP"].definition().deps.is_moving()
    assert page["world"].room_names() == ["dock"]
    page["node"].close()


def test_the_chat_of_the_page_runs_to_its_end(
    page: dict[str, Any], node: FakeRosNode, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    typed = tmp_path / "typed"
    typed.write_text("what rooms do you know\n/quit\n")
    with typed.open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        assert page["talk"](node) == 0
    kinds = [json.loads(said["data"])["kind"] for said in node.on("/edgevox/events")]
    assert "agent_end" in kinds


def test_the_bus_of_the_page_is_on_the_topics(
    page: dict[str, Any], node: FakeRosNode, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    server: FakeActionServer = page["server"]
    server.seconds = None
    assistant: Any = page["build_assistant"](
        page["robot_app"](node).definition(), page["Options"](text_mode=True), model=ScriptedModel(otherwise="MODEL")
    )
    bridge = RosEventBridge(assistant.bus, node, on_text=assistant.submit, on_stop=assistant.stop)
    assistant.start()
    try:
        assert assistant.wait_ready(10.0)
        node.receive("/odom", STILL)
        node.receive("/edgevox/say", {"data": "go to the kitchen"})
        wait_until(lambda: server.running)
        node.receive("/edgevox/stop", {})
        wait_until(lambda: server.goals[0].over)
        assert node.on("/cmd_vel")
        wait_until(lambda: any('"safety_preempt"' in said["data"] for said in node.on("/edgevox/events")))
    finally:
        bridge.close()
        assistant.close()
