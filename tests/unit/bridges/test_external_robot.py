"""A robot behind Nav2: driving, halting, what odometry says and what its silence means."""

import json
import math
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.bridges import ExternalRobotEnvironment, RobotTopics
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.safety import StopChain
from edgevox.sims import MotionSource, SimEnvironment
from edgevox.testing import FakeActionServer, FakeClock, FakeRosNode, ScriptedModel

PLACES = {"kitchen": (4.0, 1.0), "office": (0.0, 4.0, 90.0), "living_room": (0.0, 0.0), "bedroom": (4.0, 4.0)}
NAVIGATE = "/navigate_to_pose"


class Robot:
    """A world over a fake node, with what the robot would say."""

    def __init__(self, **options: Any) -> None:
        self.clock = FakeClock()
        self.node = FakeRosNode()
        self.server: FakeActionServer = self.node.add_server(NAVIGATE)
        self.world = ExternalRobotEnvironment(PLACES, self.node, clock=self.clock, **options)

    def odometry(self, x: float = 0.0, y: float = 0.0, *, speed: float = 0.0, turning: float = 0.0) -> None:
        """Have odometry come in, and wait until it has."""
        orientation = {"x": 0.0, "y": 0.0, "z": math.sin(math.pi / 4), "w": math.cos(math.pi / 4)}
        pose = {"position": {"x": x, "y": y, "z": 0.0}, "orientation": orientation}
        twist = {"linear": {"x": speed, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": turning}}
        self.node.receive("/odom", {"pose": {"pose": pose}, "twist": {"twist": twist}})
        self.node.settle()

    def drive(self, room: str = "kitchen") -> GoalHandle:
        """Set out, and wait until the server has the goal."""
        known = len(self.server.goals)
        handle = self.world.apply_action("navigate_to", room=room)
        wait_until(lambda: len(self.server.goals) > known)
        self.odometry(speed=0.4)
        return handle

    def zeros(self) -> list[Any]:
        """The zero velocities that went out."""
        return [message for message in self.node.on("/cmd_vel") if message["linear"]["x"] == 0.0]


@pytest.fixture
def robot() -> Iterator[Robot]:
    made = Robot()
    made.world.open()
    made.odometry()
    yield made
    made.world.close()
    assert made.node.faults == []


def wait_until(condition: Callable[[], object], timeout: float = 5.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.002)


def test_it_is_an_environment_that_a_stop_can_halt() -> None:
    world = ExternalRobotEnvironment(PLACES, FakeRosNode())
    assert isinstance(world, SimEnvironment)
    assert isinstance(world, MotionSource)
    assert not world.is_moving()
    world.halt()
    world.close()


def test_a_room_becomes_a_pose_on_the_map(robot: Robot) -> None:
    robot.drive("office")
    pose = robot.server.goals[0].fields["pose"]
    assert pose["header"] == {"frame_id": "map"}
    assert pose["pose"]["position"] == {"x": 0.0, "y": 4.0, "z": 0.0}
    assert pose["pose"]["orientation"]["z"] == pytest.approx(math.sin(math.pi / 4))


def test_a_drive_reports_its_progress_and_ends_in_the_room(robot: Robot) -> None:
    handle = robot.drive()
    robot.server.goals[0].feed_back(distance_remaining=1.0)
    robot.node.settle()
    assert robot.world.is_moving()
    robot.odometry(4.0, 1.0)
    robot.server.goals[0].succeed()
    assert handle.poll(5.0) is GoalStatus.SUCCEEDED
    assert handle.result == {"room": "kitchen", "x": 4.0, "y": 1.0}
    (report,) = handle.feedback()
    assert report["distance_m"] == 1.0
    assert report["progress"] == pytest.approx(1 - 1 / math.hypot(4, 1), abs=0.001)
    assert not robot.world.is_moving()


@pytest.mark.parametrize(
    ("action", "arguments", "words"),
    [
        ("fly", {}, "unknown action"),
        ("navigate_to", {}, "needs a room"),
        ("navigate_to", {"room": "garage"}, "garage"),
        ("navigate_to", {"x": "left", "y": 0}, "must be numbers"),
        ("navigate_to", {"x": math.inf, "y": 0}, "outside"),
        ("set_light", {"room": "kitchen", "on": True}, "unknown action"),
        ("battery_level", {}, "has not said"),
    ],
)
def test_what_cannot_be_done_is_a_failed_handle_that_says_why(
    robot: Robot, action: str, arguments: dict[str, Any], words: str
) -> None:
    handle = robot.world.apply_action(action, **arguments)
    assert handle.status is GoalStatus.FAILED
    assert words in (handle.error or "")


def test_a_halt_commands_zero_before_it_returns_and_cancels_without_waiting(robot: Robot) -> None:
    robot.server.on_cancel = "ignore"
    handle = robot.drive()
    started = time.monotonic()
    robot.world.halt()
    assert robot.zeros(), "zero is out before halt returns"
    assert time.monotonic() - started < 0.5
    assert robot.node.published[-1].kind == "geometry_msgs/msg/Twist"
    wait_until(lambda: robot.server.goals[0].cancels)
    assert handle.status is GoalStatus.RUNNING
    assert robot.world.is_moving(), "nobody confirmed anything"


def test_a_halt_goes_on_commanding_zero_against_a_navigator_that_has_not_heard_of_it(robot: Robot) -> None:
    robot.drive()
    robot.world.halt()
    wait_until(lambda: len(robot.zeros()) >= 5)


def test_a_new_goal_ends_the_zeros(robot: Robot) -> None:
    robot.drive()
    robot.world.halt()
    robot.drive("office")
    count = len(robot.zeros())
    time.sleep(0.15)
    assert len(robot.zeros()) <= count + 1


def test_a_cancel_is_confirmed_when_odometry_says_that_it_stands(robot: Robot) -> None:
    handle = robot.drive()
    handle.cancel()
    assert robot.zeros()
    wait_until(lambda: robot.server.goals[0].over)
    assert handle.poll(0.05) is GoalStatus.RUNNING
    robot.odometry(1.0)
    assert handle.poll(5.0) is GoalStatus.CANCELLED
    assert not robot.world.is_moving()


def test_a_goal_of_somebody_else_is_cancelled_by_a_halt_too(robot: Robot) -> None:
    class Nobody:
        def unavailable(self) -> None: ...
        def answered(self, accepted: bool) -> None: ...
        def fed_back(self, feedback: Any) -> None: ...
        def cancel_answered(self, accepted: bool) -> None: ...
        def ended(self, end: Any, result: Any) -> None: ...

    robot.node.send_goal(NAVIGATE, "nav2_msgs/action/NavigateToPose", {}, Nobody())
    wait_until(lambda: robot.server.running)
    robot.world.halt()
    wait_until(lambda: robot.server.goals[0].over)


def test_one_robot_has_one_goal(robot: Robot) -> None:
    first = robot.drive()
    second = robot.drive("office")
    assert first.status is GoalStatus.CANCELLED
    assert "new goal" in (first.error or "")
    assert second.status is GoalStatus.RUNNING
    first.cancel()
    robot.node.settle()
    assert second.status is GoalStatus.RUNNING


def test_odometry_that_stops_coming_counts_as_moving(robot: Robot) -> None:
    assert not robot.world.is_moving()
    robot.clock.advance(0.6)
    assert robot.world.is_moving()
    assert robot.world.get_world_state()["robot"]["odometry"] == "stale"
    robot.odometry()
    assert not robot.world.is_moving()
    assert robot.world.get_world_state()["robot"]["odometry"] == "fresh"


def test_a_robot_that_was_never_heard_of_may_move() -> None:
    robot = Robot()
    robot.world.open()
    assert robot.world.is_moving()
    state = robot.world.get_world_state()["robot"]
    assert (state["odometry"], state["x"], state["battery_pct"]) == ("missing", None, None)
    assert "has not said where" in (robot.world.apply_action("get_pose").error or "")
    robot.world.close()


def test_a_push_by_hand_is_motion(robot: Robot) -> None:
    robot.odometry(speed=0.2)
    assert robot.world.is_moving()
    robot.odometry(turning=-0.4)
    assert robot.world.is_moving()


def test_a_stop_that_is_not_confirmed_is_reported(robot: Robot) -> None:
    chain = StopChain()
    chain.add_motion(robot.world, "robot")
    robot.drive()
    assert chain.fire("stop").unconfirmed == ("robot",)
    robot.odometry()
    wait_until(lambda: not robot.world.is_moving())
    assert chain.fire("stop").confirmed


def test_the_battery_and_the_scan_are_read(robot: Robot) -> None:
    robot.node.receive("/battery_state", {"percentage": 0.734})
    ranges = [2.0] * 180 + [math.inf] * 180
    robot.node.receive(
        "/scan", {"angle_min": 0.0, "angle_increment": math.pi / 180, "range_max": 8.0, "ranges": ranges}
    )
    robot.node.settle()
    assert robot.world.apply_action("battery_level").result == {"battery_pct": 73.4}
    lidar = robot.world.scene().lidar
    assert lidar is not None
    assert lidar.ranges[:36] == (2.0,) * 36
    assert set(lidar.ranges[37:]) == {8.0}


def test_what_localisation_says_is_where_it_is(robot: Robot) -> None:
    pose = {"position": {"x": 7.0, "y": 8.0, "z": 0.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}
    robot.node.receive("/amcl_pose", {"pose": {"pose": pose}})
    robot.odometry(1.0, 1.0)
    assert robot.world.apply_action("get_pose").result == {"x": 7.0, "y": 8.0, "heading_deg": 0.0}


@pytest.mark.parametrize("message", [{}, {"pose": 5}, {"pose": {"pose": {"position": {}, "orientation": {}}}}])
def test_a_message_that_makes_no_sense_changes_nothing(robot: Robot, message: dict[str, Any]) -> None:
    before = robot.world.get_world_state()
    for topic in ("/odom", "/amcl_pose", "/battery_state", "/scan"):
        robot.node.receive(topic, message)
    robot.node.settle()
    assert robot.world.get_world_state() == before


def test_the_state_is_json_and_the_scene_can_be_drawn(robot: Robot) -> None:
    robot.drive()
    state = robot.world.get_world_state()
    assert json.loads(json.dumps(state)) == state
    assert state["robot"]["goal"] == "kitchen"
    scene = robot.world.scene()
    assert scene.goal == (4.0, 1.0)
    assert scene.moving
    assert {room.name for room in scene.rooms} == set(PLACES)


def test_a_stamped_base_is_commanded_with_a_stamped_zero() -> None:
    robot = Robot(topics=RobotTopics(velocity="/base/cmd_vel", velocity_kind="TwistStamped"))
    robot.world.open()
    robot.world.halt()
    (first, *_) = robot.node.on("/base/cmd_vel")
    assert first["twist"]["linear"] == {"x": 0.0, "y": 0.0, "z": 0.0}
    robot.world.close()


def test_closing_commands_zero_cancels_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    robot = Robot()
    robot.world.open()
    robot.odometry()
    handle = robot.drive()
    robot.world.close()
    robot.world.close()
    assert robot.zeros()
    assert handle.status is GoalStatus.CANCELLED
    assert robot.world.apply_action("navigate_to", room="kitchen").status is GoalStatus.FAILED
    wait_until(lambda: set(threading.enumerate()) <= before)


def test_the_scouts_skills_drive_it_unchanged(robot: Robot) -> None:
    robot.server.seconds = 0.02
    scout = LLMAgent("scout", skills=SCOUT_SKILLS, llm=ScriptedModel(otherwise="MODEL"))
    ctx = AgentContext(deps=robot.world)
    result = scout.run("Go to the kitchen.", ctx)
    assert (result.reply, result.model_calls) == ("I am in the kitchen.", 0)
    assert scout.run("where are you", ctx).reply == "I am at x 0, y 0, heading 90 degrees."


def test_without_ros_2_it_says_what_to_do() -> None:
    code = """
import sys
sys.modules["rclpy"] = None
from edgevox.bridges import ExternalRobotEnvironment
from edgevox.core.errors import LibraryMissing
world = ExternalRobotEnvironment({"kitchen": (1, 2)})
assert not world.is_moving()
print(world.apply_action("navigate_to", room="kitchen").error)
try:
    world.open()
except LibraryMissing as error:
    print(error)
world.halt(); world.close()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == 2
    assert all("source a ROS 2 installation" in line for line in lines)
