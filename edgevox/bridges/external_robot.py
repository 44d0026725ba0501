"""A robot outside of this process, in Gazebo or in a room, behind ROS 2 and Nav2: the same world as any simulator.

Knows Nav2's action, velocity commands, odometry, charge and scans. It believes odometry, not its own commands: a robot
that has not been heard of lately may move, and counts as moving.
"""

import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edgevox.bridges.ros_action import ActionRun
from edgevox.bridges.ros_messages import (
    Motion,
    VelocityKind,
    charge_of,
    lidar_of,
    motion_of,
    navigate_goal,
    pose_of,
    zero_velocity,
)
from edgevox.bridges.ros_node import Quality, RosMessage, RosNode, RosUnavailable
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.goals import GoalHandle
from edgevox.sims.actions import done, failed, named, perform
from edgevox.sims.scene import LidarScan, Point, Pose, Room, Scene

log = logging.getLogger(__name__)

NAVIGATE_TYPE = "nav2_msgs/action/NavigateToPose"

STALE_S = 0.5
"""Odometry that is older says nothing of now."""

STILL_M_S = 0.02
STILL_RAD_S = 0.05

ZERO_PERIOD_S = 0.05
ZERO_FOR_S = 1.0
"""A halt commands zero this often and this long: a navigator that has not heard of it yet commands, too."""

LAST_WORDS_S = 0.2
"""What a halt has to reach the robot before the node leaves the graph."""

PATH_STEP_M = 0.1
PATH_POINTS = 500

Place = tuple[float, float] | tuple[float, float, float]
"""x, y in metres, and the heading in degrees where it matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotTopics:
    """What a robot calls its action and its topics."""

    navigate: str = "/navigate_to_pose"
    velocity: str = "/cmd_vel"
    velocity_kind: VelocityKind = "Twist"
    odometry: str = "/odom"
    localisation: str | None = "/amcl_pose"
    """Where the pose on the map comes; `None` takes that of the odometry."""
    battery: str | None = "/battery_state"
    scan: str | None = "/scan"
    frame: str = "map"
    """In which places are meant."""


class ExternalRobotEnvironment:
    """A robot that Nav2 drives. Safe from any thread; every method but `close` returns at once.

    Args:
        places: name to x, y, or x, y and heading; the rooms that it can be sent to.
        node: a node of ROS 2; `None` makes one with `rclpy` when the world is opened.
        topics: what the robot calls them.
        stale_s: age at which odometry says nothing any more, seconds.
        clock: for tests.
    """

    def __init__(
        self,
        places: Mapping[str, Place],
        node: RosNode | None = None,
        *,
        topics: RobotTopics | None = None,
        stale_s: float = STALE_S,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.render = False
        """There is nothing to show: the robot is outside."""
        self._places = {name: tuple(float(value) for value in place) for name, place in places.items()}
        self._node = node
        self._topics = topics if topics is not None else RobotTopics()
        self._stale_s = stale_s
        self._clock = clock
        self._lock = threading.Lock()
        self._opened = False
        self._closed = threading.Event()
        self._forget: list[Callable[[], None]] = []
        self._run: ActionRun | None = None
        self._goal: tuple[Point, str] | None = None
        self._motion: Motion | None = None
        self._heard_at: float | None = None
        self._located: Pose | None = None
        self._charge: float | None = None
        self._lidar: LidarScan | None = None
        self._path: deque[Point] = deque(maxlen=PATH_POINTS)
        self._zeroing = _Zeroing(self._command_zero)
        self._actions: Mapping[str, Callable[..., GoalHandle]] = {
            "navigate_to": self._navigate_to,
            "get_pose": self._get_pose,
            "battery_level": self._battery_level,
            "list_rooms": self._list_rooms,
        }

    @property
    def node(self) -> RosNode:
        """The node of ROS 2, for `RosActionSkill` and others.

        Raises:
            RosUnavailable: there is none yet; the world has not been opened.
        """
        if self._node is None:
            raise RosUnavailable("The robot has no ROS 2 node yet: open the world first.")
        return self._node

    def open(self) -> None:
        """Join the graph and listen to the robot. Twice is fine.

        Raises:
            LibraryMissing: there is no ROS 2 here.
            RosUnavailable: the graph cannot be joined, or a message type is not installed.
        """
        with self._lock:
            if self._opened or self._closed.is_set():
                return
            if self._node is None:
                from edgevox.bridges.rclpy_node import RclpyNode

                self._node = RclpyNode()
            self._node.open()
            self._node.advertise(self._topics.velocity, zero_velocity(self._topics.velocity_kind)[0])
            self._listen(self._node)
            self._opened = True

    def reset(self) -> None:
        """Halt. A robot outside is not put back by a program."""
        self.halt()

    def room_names(self) -> list[str]:
        """The places it can be sent to."""
        return list(self._places)

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of what is known, JSON-compatible: `robot` and `rooms`.

        `robot` holds x, y in metres, `heading_deg`, `velocity` in m/s, moving, `battery_pct`, goal, and `odometry`:
        fresh, stale or missing. What is not known is `None`.
        """
        goal = self._goal
        state = {
            "velocity": round(self._motion.speed, 3) if self._motion is not None else None,
            "moving": self.is_moving(),
            "battery_pct": self._charge,
            "goal": (goal[1] or list(goal[0])) if goal is not None else None,
            "odometry": self.odometry(),
        }
        rooms = {name: {"x": place[0], "y": place[1], "light_on": None} for name, place in self._places.items()}
        return {"robot": (self._pose() or dict.fromkeys(("x", "y", "heading_deg"))) | state, "rooms": rooms}

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action by name.

        `navigate_to(room=)` or `navigate_to(x=, y=)` takes time; a new drive cancels the one before. `get_pose()`,
        `battery_level()` and `list_rooms()` are over at once. What cannot be done is a FAILED handle that says why.
        """
        try:
            self.open()
        except EdgeVoxError as error:
            return failed(str(error))
        return perform(self._actions, name, arguments)

    def halt(self) -> None:
        """Command velocity zero, now and for the next second, and have every goal cancelled. Waits for nothing."""
        run = self._run  # without the lock: nothing may hold up a halt
        if not self._opened:
            return
        self._zeroing.begin()
        if run is not None:
            run.handle.cancel()
        self.node.cancel_all(self._topics.navigate)

    def is_moving(self) -> bool:
        """Whether it moves, is commanded to, or has not been heard of lately."""
        if self._closed.is_set() or not self._opened:
            return False
        run = self._run
        if run is not None and not run.handle.status.is_terminal():
            return True
        return self._rolls()

    def odometry(self) -> Literal["fresh", "stale", "missing"]:
        """How well it is known whether the robot moves."""
        heard = self._heard_at
        if heard is None:
            return "missing"
        return "fresh" if self._clock.monotonic() - heard <= self._stale_s else "stale"

    def scene(self) -> Scene:
        """What is known of the surroundings, for drawing."""
        pose = self._where()
        goal = self._goal
        return Scene(
            robot=pose,
            rooms=tuple(Room(name=name, x=place[0], y=place[1]) for name, place in self._places.items()),
            path=tuple(self._path),
            goal=goal[0] if goal is not None else None,
            lidar=self._lidar,
            moving=self.is_moving(),
        )

    def close(self) -> None:
        """Halt and leave the graph. Twice is fine."""
        if self._closed.is_set():
            return
        driving = self._run is not None and not self._run.handle.status.is_terminal()
        self.halt()
        if driving:
            self._closed.wait(LAST_WORDS_S)
        with self._lock:
            self._closed.set()
            run, node, forget = self._run, self._node, self._forget
            opened, self._forget = self._opened, []
        self._zeroing.end()
        for stop_listening in forget:
            stop_listening()
        if run is not None:
            run.handle.mark_cancelled("the world was closed")
        if opened and node is not None:
            node.close()

    # Actions

    def _navigate_to(self, room: str | None = None, x: float | None = None, y: float | None = None) -> GoalHandle:
        if room is not None:
            known = named(self._places, room)
            if known is None:
                return failed(f"there is no room '{room}'; the rooms are {', '.join(self._places)}")
            return self._drive(self._places[known], known)
        if x is None or y is None:
            return failed("navigate_to needs a room, or x and y in metres")
        try:
            target = (float(x), float(y))
        except (TypeError, ValueError):
            return failed(f"x and y must be numbers in metres, not {x!r} and {y!r}")
        if not all(math.isfinite(value) for value in target):
            return failed(f"({x}, {y}) is outside the world")
        return self._drive(target, "")

    def _drive(self, place: Sequence[float], label: str) -> GoalHandle:
        target = (place[0], place[1])
        heading = place[2] if len(place) > 2 else None
        with self._lock:
            if self._closed.is_set():
                return failed("this world is closed")
            before = self._run
            self._zeroing.end()  # what commands zero must not fight what commands the way
            here = self._where()
            start = math.dist(target, (here.x, here.y)) if here is not None else 0.0
            run = ActionRun(
                self.node,
                self._topics.navigate,
                NAVIGATE_TYPE,
                navigate_goal(*target, heading, self._topics.frame),
                moves=self._rolls,
                on_cancel=lambda: self._zeroed(run),
                result=lambda _: self._arrival(label),
                feedback=lambda message: self._progress(message, start),
            )
            self._run, self._goal = run, (target, label)
        run.handle.on_end(lambda: self._over(run))
        if before is not None and before.handle.mark_cancelled("a new goal took its place"):
            before.handle.cancel()  # at its server too, which may refuse the new one and go on with the old
        return run.handle

    def _get_pose(self) -> GoalHandle:
        pose = self._pose()
        return done(pose) if pose is not None else failed("the robot has not said where it is yet")

    def _battery_level(self) -> GoalHandle:
        if self._charge is None:
            return failed("the robot has not said how full its battery is")
        return done({"battery_pct": self._charge})

    def _list_rooms(self) -> GoalHandle:
        return done(self.room_names())

    # What the robot says, on the node's thread

    def _listen(self, node: RosNode) -> None:
        topics = self._topics
        self._hear(node, topics.odometry, "nav_msgs/msg/Odometry", self._moved, "sensor")
        self._hear(node, topics.localisation, "geometry_msgs/msg/PoseWithCovarianceStamped", self._placed, "latched")
        self._hear(node, topics.battery, "sensor_msgs/msg/BatteryState", self._charged, "sensor")
        self._hear(node, topics.scan, "sensor_msgs/msg/LaserScan", self._scanned, "sensor")

    def _hear(
        self, node: RosNode, topic: str | None, kind: str, take: Callable[[RosMessage], None], quality: Quality
    ) -> None:
        def heard(message: RosMessage) -> None:
            try:
                take(message)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                log.warning("%s sends what is no %s: %s", topic, kind, error)

        if topic is not None:
            self._forget.append(node.subscribe(topic, kind, heard, quality=quality))

    def _moved(self, message: RosMessage) -> None:
        motion = motion_of(message)
        self._motion, self._heard_at = motion, self._clock.monotonic()
        here = self._where()
        if here is not None and (not self._path or math.dist(self._path[-1], (here.x, here.y)) >= PATH_STEP_M):
            self._path.append((here.x, here.y))

    def _placed(self, message: RosMessage) -> None:
        self._located = pose_of(message)

    def _charged(self, message: RosMessage) -> None:
        self._charge = charge_of(message)

    def _scanned(self, message: RosMessage) -> None:
        self._lidar = lidar_of(message)

    # Moving and standing

    def _rolls(self) -> bool:
        """Whether the wheels turn, or nobody knows."""
        motion = self._motion
        if motion is None or self.odometry() != "fresh":
            return True
        return motion.speed > STILL_M_S or abs(motion.turning) > STILL_RAD_S

    def _zeroed(self, run: ActionRun) -> None:
        """Command zero for a goal that is cancelled, unless another one drives by now."""
        if self._run is run:
            self._zeroing.begin()

    def _command_zero(self) -> None:
        kind, message = zero_velocity(self._topics.velocity_kind)
        self.node.publish(self._topics.velocity, kind, message)

    def _over(self, run: ActionRun) -> None:
        if self._run is run:
            self._goal = None

    def _progress(self, message: RosMessage, start: float) -> dict[str, Any]:
        left = message.get("distance_remaining")
        if left is None:
            return dict(message)
        share = max(0.0, min(1.0, 1 - float(left) / start)) if start > 0 else 0.0
        return {"progress": round(share, 3), "distance_m": round(float(left), 2)}

    def _arrival(self, label: str) -> dict[str, Any]:
        pose = self._pose() or {}
        there = {key: pose[key] for key in ("x", "y") if key in pose}
        return {"room": label, **there} if label else there

    def _where(self) -> Pose | None:
        if self._located is not None:
            return self._located
        return self._motion.pose if self._motion is not None else None

    def _pose(self) -> dict[str, Any] | None:
        pose = self._where()
        if pose is None:
            return None
        x, y = (round(value, 3) + 0.0 for value in (pose.x, pose.y))  # + 0.0: nobody is at minus zero
        return {"x": x, "y": y, "heading_deg": round(pose.heading_deg, 1) % 360}


class _Zeroing:
    """Commands zero at once, and again and again for a while.

    Args:
        command: commands it once.
    """

    def __init__(self, command: Callable[[], None]) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._over: threading.Event | None = None

    def begin(self) -> None:
        """Command zero now, before this returns, and keep on commanding it."""
        self._once()
        with self._lock:
            if self._over is not None:
                self._over.set()
            over = self._over = threading.Event()
        threading.Thread(target=self._repeat, args=(over,), name="ros-zero-velocity", daemon=True).start()

    def end(self) -> None:
        """Leave the velocity to others."""
        with self._lock:
            over, self._over = self._over, None
        if over is not None:
            over.set()

    def _repeat(self, over: threading.Event) -> None:
        for _ in range(round(ZERO_FOR_S / ZERO_PERIOD_S)):
            if over.wait(ZERO_PERIOD_S):
                return
            self._once()

    def _once(self) -> None:
        try:
            self._command()
        except RosUnavailable as error:
            log.error("velocity zero cannot be commanded: %s", error)
