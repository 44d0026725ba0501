"""The node that `rclpy` gives: the only module that knows that library. Imported by name when it is chosen.

Callbacks run on one thread of its own; publishing, sending and cancelling are done on the caller's. It has a context of
its own, so that signals stay with the program.
"""

# rclpy and its messages come without types.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

import logging
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from edgevox.bridges.ros_node import ActionEnd, GoalWatcher, Quality, RosMessage, RosUnavailable
from edgevox.core.errors import LibraryMissing

log = logging.getLogger(__name__)

QUEUE = 10
"""Messages that a topic keeps for a slow reader."""

LOOK_S = 0.05
"""Between two looks whether an action server is there."""

ENDS = {4: ActionEnd.SUCCEEDED, 5: ActionEnd.CANCELLED, 6: ActionEnd.ABORTED}
"""Of action_msgs/msg/GoalStatus."""


def load(module: str) -> Any:
    """Import a library of ROS 2.

    Raises:
        LibraryMissing: it is not there.
    """
    try:
        return import_module(module)
    except (ImportError, OSError) as error:
        raise LibraryMissing(
            f"{module.partition('.')[0]} is not here: source a ROS 2 installation in this terminal first, for example "
            f"with `source /opt/ros/jazzy/setup.bash`, and run edgevox with the Python of that installation ({error})."
        ) from error


class RclpyNode:
    """A node of the port `RosNode`.

    Args:
        name: of the node.
        namespace: of the node.
        domain_id: of the graph; `None` takes the one of the environment.
    """

    def __init__(self, name: str = "edgevox", namespace: str = "", *, domain_id: int | None = None) -> None:
        self._name = name
        self._namespace = namespace
        self._domain_id = domain_id
        self._lock = threading.RLock()
        self._node: Any = None
        self._publishers: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._clients: dict[tuple[str, str], Any] = {}
        self._closed = threading.Event()

    def open(self) -> None:
        """Join the graph and spin on a thread of its own. Twice is fine."""
        with self._lock:
            if self._node is not None:
                return
            if self._closed.is_set():
                raise RosUnavailable("This ROS 2 node is closed; make another.")
            rclpy = load("rclpy")
            self._context = load("rclpy.context").Context()
            try:
                rclpy.init(context=self._context, domain_id=self._domain_id)
                self._node = rclpy.create_node(self._name, namespace=self._namespace, context=self._context)
            except Exception as error:  # the library raises its own kinds, which cannot be named without it
                raise RosUnavailable(f"The ROS 2 graph cannot be joined: {error}.") from error
            self._executor = load("rclpy.executors").SingleThreadedExecutor(context=self._context)
            self._executor.add_node(self._node)
            self._spinner = threading.Thread(target=self._spin, name="ros-node", daemon=True)
            self._spinner.start()

    def send_goal(
        self, action: str, kind: str, goal: RosMessage, watcher: GoalWatcher, *, server_within_s: float = 2.0
    ) -> "RclpyGoal":
        """Send a goal to an action server and return at once."""
        client = self._action_client(action, kind)
        message = self._filled(self._type(kind).Goal(), goal)
        sent = RclpyGoal(client, message, watcher)
        if client.server_is_ready():
            sent.send()
            return sent

        def look() -> None:
            until = time.monotonic() + server_within_s
            while not client.server_is_ready():
                if time.monotonic() >= until or self._closed.wait(LOOK_S):
                    watcher.unavailable()
                    return
            sent.send()

        threading.Thread(target=look, name="ros-server", daemon=True).start()
        return sent

    def cancel_all(self, action: str) -> None:
        """Ask an action server to end every goal: a cancel with no goal's number and no time means all of them."""
        kind = load("action_msgs.srv").CancelGoal
        client = self._cached(
            ("cancel", action), lambda node: node.create_client(kind, f"{action}/_action/cancel_goal")
        )
        if client.service_is_ready():
            client.call_async(kind.Request())

    def advertise(self, topic: str, kind: str) -> None:
        """Make ready to publish on a topic."""
        message_type = self._type(kind)
        with self._lock:
            if (topic, kind) not in self._publishers:
                publisher = self._opened().create_publisher(message_type, topic, QUEUE)
                self._publishers[topic, kind] = (publisher, message_type)

    def publish(self, topic: str, kind: str, message: RosMessage) -> None:
        """Publish a message; takes no lock when the topic was published on before."""
        if self._closed.is_set():
            raise RosUnavailable("This ROS 2 node is closed.")
        if (topic, kind) not in self._publishers:
            self.advertise(topic, kind)
        publisher, message_type = self._publishers[topic, kind]
        publisher.publish(self._filled(message_type(), message))

    def subscribe(
        self, topic: str, kind: str, callback: Callable[[RosMessage], object], *, quality: Quality = "reliable"
    ) -> Callable[[], None]:
        """Have `callback(message)` called on the node's thread for every message."""
        convert = load("rosidl_runtime_py.convert").message_to_ordereddict

        def received(message: Any) -> None:
            try:
                callback(convert(message))
            except Exception:  # a callback's fault must not end the node's thread
                log.exception("a subscriber of %s failed", topic)

        node = self._opened()
        subscription = node.create_subscription(self._type(kind), topic, received, self._profile(quality))
        return lambda: self._forget(subscription)

    def call(self, service: str, kind: str, request: RosMessage, timeout_s: float = 2.0) -> RosMessage:
        """Call a service and wait for its answer."""
        service_type = self._type(kind)
        client = self._cached((service, kind), lambda node: node.create_client(service_type, service))
        started = time.monotonic()
        if not client.wait_for_service(timeout_sec=timeout_s):
            raise RosUnavailable(f"There is no service {service}; start it, or check its name.")
        answered = threading.Event()
        future = client.call_async(self._filled(service_type.Request(), request))
        future.add_done_callback(lambda _: answered.set())
        if not answered.wait(max(0.0, timeout_s - (time.monotonic() - started))):
            future.cancel()
            raise RosUnavailable(f"The service {service} did not answer within {timeout_s:g} s.")
        return load("rosidl_runtime_py.convert").message_to_ordereddict(future.result())

    def close(self) -> None:
        """Leave the graph and end the node's thread. Twice is fine."""
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
            if self._node is None:
                return
        self._executor.shutdown(timeout_sec=1.0)
        if self._spinner is not threading.current_thread():
            self._spinner.join(timeout=2.0)
        self._node.destroy_node()
        self._context.try_shutdown()

    def _spin(self) -> None:
        try:
            self._executor.spin()
        except Exception:  # the library raises when its context goes while it waits
            if not self._closed.is_set():
                log.exception("the ROS 2 node has ended")

    def _opened(self) -> Any:
        if self._closed.is_set():
            raise RosUnavailable("This ROS 2 node is closed.")
        self.open()
        return self._node

    def _cached(self, key: tuple[str, str], make: Callable[[Any], Any]) -> Any:
        with self._lock:
            if key not in self._clients:
                self._clients[key] = make(self._opened())
            return self._clients[key]

    def _action_client(self, action: str, kind: str) -> Any:
        action_type = self._type(kind)
        client_type = load("rclpy.action").ActionClient
        return self._cached((action, kind), lambda node: client_type(node, action_type, action))

    def _type(self, kind: str) -> Any:
        """The class of a message, service or action type by its name."""
        utilities = load("rosidl_runtime_py.utilities")
        getters = {"msg": utilities.get_message, "srv": utilities.get_service, "action": utilities.get_action}
        parts = kind.split("/")
        if len(parts) != 3 or parts[1] not in getters:
            raise RosUnavailable(f"{kind!r} is not the name of a type; write it like geometry_msgs/msg/Twist.")
        try:
            return getters[parts[1]](kind)
        except (ImportError, AttributeError, ValueError) as error:
            raise RosUnavailable(f"The type {kind} is not installed; install the package {parts[0]}.") from error

    def _filled(self, message: Any, fields: RosMessage) -> Any:
        try:
            load("rosidl_runtime_py.set_message").set_message_fields(message, dict(fields))
        except (AttributeError, TypeError, ValueError, AssertionError) as error:
            raise RosUnavailable(
                f"{type(message).__name__} cannot be filled with {dict(fields)!r}: {error}."
            ) from error
        return message

    def _profile(self, quality: Quality) -> Any:
        qos = load("rclpy.qos")
        match quality:
            case "sensor":
                return qos.qos_profile_sensor_data
            case "latched":
                return qos.QoSProfile(depth=1, durability=qos.DurabilityPolicy.TRANSIENT_LOCAL)
            case "reliable":
                return QUEUE

    def _forget(self, subscription: Any) -> None:
        with self._lock:
            if not self._closed.is_set():
                self._node.destroy_subscription(subscription)


class RclpyGoal:
    """A goal that was sent, or is to be sent when its server is there.

    Args:
        client: of the action.
        message: the goal.
        watcher: hears what becomes of it.
    """

    def __init__(self, client: Any, message: Any, watcher: GoalWatcher) -> None:
        self._client = client
        self._message = message
        self._watcher = watcher
        self._convert: Any = load("rosidl_runtime_py.convert").message_to_ordereddict
        self._lock = threading.Lock()
        self._accepted: Any = None
        self._cancelling = False

    def send(self) -> None:
        """Send it, unless it was cancelled in the meantime."""
        if self._cancelling:
            self._watcher.answered(accepted=False)
            return
        sent = self._client.send_goal_async(
            self._message, feedback_callback=lambda message: self._watcher.fed_back(self._convert(message.feedback))
        )
        sent.add_done_callback(self._answered)

    def cancel(self) -> None:
        """Ask its server to end it."""
        with self._lock:
            self._cancelling = True
            accepted = self._accepted
        if accepted is not None:
            self._ask_to_cancel(accepted)

    def _answered(self, future: Any) -> None:
        accepted = future.result()
        if accepted is None or not accepted.accepted:
            self._watcher.answered(accepted=False)
            return
        self._watcher.answered(accepted=True)
        with self._lock:
            self._accepted = accepted
            cancelling = self._cancelling
        accepted.get_result_async().add_done_callback(self._ended)
        if cancelling:
            self._ask_to_cancel(accepted)

    def _ask_to_cancel(self, accepted: Any) -> None:
        asked = accepted.cancel_goal_async()
        asked.add_done_callback(lambda future: self._watcher.cancel_answered(bool(future.result().goals_canceling)))

    def _ended(self, future: Any) -> None:
        answer = future.result()
        self._watcher.ended(ENDS.get(answer.status, ActionEnd.ABORTED), self._convert(answer.result))
