"""Other systems: events and devices beyond this process.

The facade is lazy: importing it loads no library of another system.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.bridges.external_robot import ExternalRobotEnvironment, RobotTopics
    from edgevox.bridges.rclpy_node import RclpyNode
    from edgevox.bridges.ros_action import RosActionSkill
    from edgevox.bridges.ros_events import RosEventBridge
    from edgevox.bridges.ros_node import RosNode, RosUnavailable

_HOMES = {
    "ExternalRobotEnvironment": "edgevox.bridges.external_robot",
    "RclpyNode": "edgevox.bridges.rclpy_node",
    "RobotTopics": "edgevox.bridges.external_robot",
    "RosActionSkill": "edgevox.bridges.ros_action",
    "RosEventBridge": "edgevox.bridges.ros_events",
    "RosNode": "edgevox.bridges.ros_node",
    "RosUnavailable": "edgevox.bridges.ros_node",
}

__all__ = [
    "ExternalRobotEnvironment",
    "RclpyNode",
    "RobotTopics",
    "RosActionSkill",
    "RosEventBridge",
    "RosNode",
    "RosUnavailable",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
