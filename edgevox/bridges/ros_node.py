"""What a bridge asks of ROS 2: goals, topics, services. `rclpy` fills it when it is there, a fake in tests.

Messages are nested dictionaries with the fields of the message type; names of types are written as ROS does, such as
`nav2_msgs/action/NavigateToPose`. Knows no message type and no robot.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from edgevox.core.errors import EdgeVoxError

RosMessage = Mapping[str, Any]
"""A message by the names of its fields."""

Quality = Literal["reliable", "sensor", "latched"]
"""How a topic is subscribed to: every message; what comes, for streams; every message and the last one before."""


class RosUnavailable(EdgeVoxError):
    """A node, a service or an answer of ROS 2 is not there."""

    code = "ros_unavailable"


class ActionEnd(StrEnum):
    """How a goal ended, as its server says."""

    SUCCEEDED = "succeeded"
    CANCELLED = "cancelled"
    ABORTED = "aborted"


class GoalWatcher(Protocol):
    """Who hears what becomes of a goal, on the node's thread; a method notes it and leaves.

    Of `unavailable` and `answered`, one comes, once. After `answered(accepted=True)` come feedback and answers to
    cancels, and at last `ended`, once.
    """

    def unavailable(self) -> None:
        """There is no such action server."""
        ...

    def answered(self, accepted: bool) -> None:
        """The server took the goal, or refused it."""
        ...

    def fed_back(self, feedback: RosMessage) -> None:
        """The server reported progress."""
        ...

    def cancel_answered(self, accepted: bool) -> None:
        """The server will end the goal, or refused to. It has not ended yet."""
        ...

    def ended(self, end: ActionEnd, result: RosMessage) -> None:
        """The goal is over."""
        ...


class RosGoal(Protocol):
    """A goal that was sent."""

    def cancel(self) -> None:
        """Ask its server to end it. Never waits; a goal that is not accepted yet is cancelled when it is."""
        ...


@runtime_checkable
class RosNode(Protocol):
    """A node. Every method may be called from any thread; only `call` and `close` wait."""

    def open(self) -> None:
        """Join the graph and start the node's thread. Twice is fine.

        Raises:
            LibraryMissing: there is no ROS 2 here.
            RosUnavailable: it cannot be joined.
        """
        ...

    def send_goal(
        self, action: str, kind: str, goal: RosMessage, watcher: GoalWatcher, *, server_within_s: float = 2.0
    ) -> RosGoal:
        """Send a goal to an action server and return at once.

        Args:
            action: name of the action.
            kind: its type.
            goal: fields of its goal.
            watcher: hears what becomes of it.
            server_within_s: how long to look for the server before it counts as unavailable, seconds.

        Raises:
            RosUnavailable: the type is not installed, the goal has other fields, or the node is closed.
        """
        ...

    def cancel_all(self, action: str) -> None:
        """Ask an action server to end every goal, whoever sent it. Never waits."""
        ...

    def advertise(self, topic: str, kind: str) -> None:
        """Make ready to publish on a topic, so that the first message goes out as fast as the others.

        Raises:
            RosUnavailable: the type is not installed, or the node is closed.
        """
        ...

    def publish(self, topic: str, kind: str, message: RosMessage) -> None:
        """Publish a message. Never waits.

        Raises:
            RosUnavailable: the type is not installed, the message has other fields, or the node is closed.
        """
        ...

    def subscribe(
        self, topic: str, kind: str, callback: Callable[[RosMessage], object], *, quality: Quality = "reliable"
    ) -> Callable[[], None]:
        """Have `callback(message)` called on the node's thread for every message. Returns a function that ends it.

        A callback that raises is logged and changes nothing else.

        Raises:
            RosUnavailable: the type is not installed, or the node is closed.
        """
        ...

    def call(self, service: str, kind: str, request: RosMessage, timeout_s: float = 2.0) -> RosMessage:
        """Call a service and wait for its answer.

        Raises:
            RosUnavailable: there is no such service, or no answer within `timeout_s`.
        """
        ...

    def close(self) -> None:
        """Leave the graph and end the node's thread. Twice is fine."""
        ...
