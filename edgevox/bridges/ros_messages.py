"""The few ROS 2 messages that a mobile robot speaks, to and from what edgevox knows: poses, speeds, charge, scans."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edgevox.bridges.ros_node import RosMessage
from edgevox.sims.scene import LidarScan, Pose

VelocityKind = Literal["Twist", "TwistStamped"]
"""How a base takes its speed; newer robots want the stamped one."""

BEAMS = 72
"""Of a scan that is drawn, spread evenly over a full turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """What odometry says."""

    pose: Pose
    speed: float
    """Metres per second along the ground."""
    turning: float
    """Radians per second about the vertical."""


def zero_velocity(kind: VelocityKind) -> tuple[str, dict[str, Any]]:
    """Return the type and the fields of the message that commands a base to stand."""
    still = dict.fromkeys(("x", "y", "z"), 0.0)
    twist = {"linear": still, "angular": dict(still)}
    fields = twist if kind == "Twist" else {"header": {"frame_id": "base_link"}, "twist": twist}
    return f"geometry_msgs/msg/{kind}", fields


def navigate_goal(x: float, y: float, heading_deg: float | None, frame: str) -> dict[str, Any]:
    """Return the goal of Nav2's NavigateToPose.

    Args:
        x: metres.
        y: metres.
        heading_deg: degrees from the x axis; `None` leaves it at 0.
        frame: in which the pose is meant.
    """
    half = math.radians(heading_deg or 0.0) / 2
    pose = {
        "position": {"x": x, "y": y, "z": 0.0},
        "orientation": {"x": 0.0, "y": 0.0, "z": math.sin(half), "w": math.cos(half)},
    }
    return {"pose": {"header": {"frame_id": frame}, "pose": pose}}


def pose_of(message: RosMessage) -> Pose:
    """Read a pose with covariance, as odometry and localisation send it.

    Raises:
        KeyError, TypeError, ValueError: it is no such message.
    """
    pose: Mapping[str, Any] = message["pose"]["pose"]
    position, turn = pose["position"], pose["orientation"]
    yaw = math.atan2(
        2 * (float(turn["w"]) * float(turn["z"]) + float(turn["x"]) * float(turn["y"])),
        1 - 2 * (float(turn["y"]) ** 2 + float(turn["z"]) ** 2),
    )
    return Pose(x=_number(position["x"]), y=_number(position["y"]), heading_deg=math.degrees(yaw) % 360)


def motion_of(message: RosMessage) -> Motion:
    """Read nav_msgs/msg/Odometry. Raises as `pose_of` does."""
    twist: Mapping[str, Any] = message["twist"]["twist"]
    speed = math.hypot(_number(twist["linear"]["x"]), _number(twist["linear"]["y"]))
    return Motion(pose=pose_of(message), speed=speed, turning=_number(twist["angular"]["z"]))


def charge_of(message: RosMessage) -> float | None:
    """Read sensor_msgs/msg/BatteryState: percent, or `None` where the battery does not know."""
    share = float(message["percentage"])
    if not math.isfinite(share) or share < 0:
        return None
    return round(share * 100 if share <= 1 else min(share, 100.0), 1)  # the type says 0 to 1; some send percent


def lidar_of(message: RosMessage) -> LidarScan:
    """Read sensor_msgs/msg/LaserScan into beams all around, the first straight ahead. Raises as `pose_of` does."""
    start, step = float(message["angle_min"]), float(message["angle_increment"])
    farthest = float(message["range_max"])
    ranges: Sequence[Any] = message["ranges"]
    found: list[float] = []
    for beam in range(BEAMS):
        angle = math.remainder(2 * math.pi * beam / BEAMS - start, 2 * math.pi) % (2 * math.pi)
        index = round(angle / step) if step > 0 else len(ranges)
        distance = float(ranges[index]) if index < len(ranges) else math.inf
        found.append(distance if math.isfinite(distance) and 0 < distance < farthest else farthest)
    return LidarScan(ranges=tuple(found), max_range_m=farthest)


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is no finite number")
    return number
