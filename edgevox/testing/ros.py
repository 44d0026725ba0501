"""A ROS 2 node without ROS 2: topics, services and action servers that a test scripts. It passes the port's contract.

Callbacks come on a thread of the node's own, one after the other, as they do from the real one.
"""

import itertools
import queue
import threading
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal

from edgevox.bridges.ros_node import ActionEnd, GoalWatcher, Quality, RosMessage, RosUnavailable

CancelPolicy = Literal["confirm", "accept", "refuse", "ignore"]
"""What a server does with a cancel: ends the goal at once; promises to, and the test ends it; refuses; does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A message that went out."""

    topic: str
    kind: str
    message: RosMessage
    at: float
    """On the monotonic clock."""


@dataclass(slots=True, eq=False)
class FakeActionServer:
    """An action server with a script.

    Args:
        accepts: whether it takes goals.
        answers: whether it says so; False for a server that hangs.
        on_cancel: what it does with a cancel.
        seconds: how long a goal takes before it succeeds by itself; `None` leaves its end to the test.
    """

    name: str
    node: "FakeRosNode"
    accepts: bool = True
    answers: bool = True
    on_cancel: CancelPolicy = "confirm"
    seconds: float | None = None
    result: RosMessage = field(default_factory=dict[str, Any])
    goals: list["FakeGoal"] = field(default_factory=list["FakeGoal"])
    """Every goal that reached it, in order."""

    @property
    def running(self) -> list["FakeGoal"]:
        """The goals that are accepted and not over."""
        return [goal for goal in self.goals if goal.accepted and not goal.over]


class FakeGoal:
    """A goal at a fake server; the test says how it goes on."""

    def __init__(self, server: FakeActionServer, fields: RosMessage, watcher: GoalWatcher) -> None:
        self.server = server
        self.fields: RosMessage = deepcopy(dict(fields))
        self.accepted = False
        self.over = False
        self.cancels = 0
        """How many times it was asked to end."""
        self._watcher = watcher

    def cancel(self) -> None:
        """Be asked to end."""
        self.server.node.later(self._asked_to_cancel)

    def feed_back(self, **fields: Any) -> None:
        """Report progress."""
        self.server.node.later(lambda: self._watcher.fed_back(fields))

    def succeed(self, **result: Any) -> None:
        """End well."""
        self.end(ActionEnd.SUCCEEDED, result or self.server.result)

    def abort(self, **result: Any) -> None:
        """End badly."""
        self.end(ActionEnd.ABORTED, result)

    def confirm_cancel(self) -> None:
        """End because it was asked to."""
        self.end(ActionEnd.CANCELLED, {})

    def end(self, how: ActionEnd, result: RosMessage) -> None:
        """End in one of the three ways; the second end of a goal does nothing."""
        self.server.node.later(lambda: self._end(how, result))

    def begin(self) -> None:
        """Reach the server; on the node's thread."""
        self.server.goals.append(self)
        if not self.server.answers:
            return
        self.accepted = self.server.accepts
        self.over = not self.accepted
        self._watcher.answered(self.accepted)
        if self.accepted and self.server.seconds is not None:
            self.server.node.later(self.succeed, after_s=self.server.seconds)

    def _asked_to_cancel(self) -> None:
        self.cancels += 1
        if not self.accepted or self.over or self.server.on_cancel == "ignore":
            return
        refused = self.server.on_cancel == "refuse"
        self._watcher.cancel_answered(not refused)
        if self.server.on_cancel == "confirm":
            self._end(ActionEnd.CANCELLED, {})

    def _end(self, how: ActionEnd, result: RosMessage) -> None:
        if self.accepted and not self.over:
            self.over = True
            self._watcher.ended(how, dict(result))


class FakeRosNode:
    """A node of the port `RosNode` whose graph is in this object."""

    def __init__(self) -> None:
        self.published: list[Published] = []
        """Everything that went out, in order."""
        self.servers: dict[str, FakeActionServer] = {}
        self.faults: list[Exception] = []
        """What callbacks raised."""
        self.is_open = False
        self.closed = False
        self._services: dict[str, Callable[[RosMessage], RosMessage]] = {}
        self._subscribers: dict[str, list[Callable[[RosMessage], object]]] = {}
        self._work: queue.PriorityQueue[tuple[float, int, Callable[[], object] | None]] = queue.PriorityQueue()
        self._count = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    # What a test scripts

    def add_server(self, action: str, **script: Any) -> FakeActionServer:
        """Start an action server; `script` as `FakeActionServer` takes it."""
        server = FakeActionServer(action, self, **script)
        self.servers[action] = server
        return server

    def add_service(self, service: str, answer: Callable[[RosMessage], RosMessage]) -> None:
        """Start a service."""
        self._services[service] = answer

    def receive(self, topic: str, message: Mapping[str, Any]) -> None:
        """Have a message of somebody else's come in."""
        self.later(lambda: self._deliver(topic, deepcopy(dict(message))))

    def on(self, topic: str) -> list[RosMessage]:
        """The messages that went out on a topic, in order."""
        return [sent.message for sent in list(self.published) if sent.topic == topic]

    def settle(self, timeout: float = 5.0) -> None:
        """Wait until everything that has come in by now has been passed on."""
        reached = threading.Event()
        self.later(reached.set)
        if not reached.wait(timeout):
            raise AssertionError("the node's thread hangs")

    def later(self, work: Callable[[], object], *, after_s: float = 0.0) -> None:
        """Have something done on the node's thread."""
        if not self.closed:
            self._work.put((time.monotonic() + after_s, next(self._count), work))

    # The port

    def open(self) -> None:
        """Start the node's thread. Twice is fine."""
        with self._lock:
            if self.closed:
                raise RosUnavailable("This ROS 2 node is closed; make another.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._spin, name="fake-ros-node", daemon=True)
                self._thread.start()
            self.is_open = True

    def send_goal(
        self, action: str, kind: str, goal: RosMessage, watcher: GoalWatcher, *, server_within_s: float = 2.0
    ) -> FakeGoal:
        """Send a goal; an action without a server is unavailable after `server_within_s`."""
        self._opened(kind)
        server = self.servers.get(action)
        if server is None:
            nobody = FakeGoal(FakeActionServer(action, self), goal, watcher)
            self.later(watcher.unavailable, after_s=server_within_s)
            return nobody
        sent = FakeGoal(server, goal, watcher)
        self.later(sent.begin)
        return sent

    def cancel_all(self, action: str) -> None:
        """Ask a server to end every goal."""
        server = self.servers.get(action)
        if server is not None and not self.closed:
            self.later(lambda: [goal.cancel() for goal in server.running])

    def advertise(self, topic: str, kind: str) -> None:
        """Check the type; there is nothing to make ready."""
        assert topic.startswith("/")
        self._opened(kind)

    def publish(self, topic: str, kind: str, message: RosMessage) -> None:
        """Note the message, and pass it on to subscribers."""
        self._opened(kind)
        kept = deepcopy(dict(message))
        self.published.append(Published(topic=topic, kind=kind, message=kept, at=time.monotonic()))
        self.later(lambda: self._deliver(topic, kept))

    def subscribe(
        self, topic: str, kind: str, callback: Callable[[RosMessage], object], *, quality: Quality = "reliable"
    ) -> Callable[[], None]:
        """Have `callback(message)` called for every message of a topic."""
        self._opened(kind)
        assert quality in ("reliable", "sensor", "latched")
        with self._lock:
            self._subscribers.setdefault(topic, []).append(callback)
        return lambda: self._forget(topic, callback)

    def call(self, service: str, kind: str, request: RosMessage, timeout_s: float = 2.0) -> RosMessage:
        """Call a service and wait for its answer."""
        self._opened(kind)
        answer = self._services.get(service)
        if answer is None:
            raise RosUnavailable(f"There is no service {service}; start it, or check its name.")
        answers: queue.Queue[RosMessage] = queue.Queue()
        self.later(lambda: answers.put(answer(request)))
        try:
            return answers.get(timeout=timeout_s)
        except queue.Empty:
            raise RosUnavailable(f"The service {service} did not answer within {timeout_s:g} s.") from None

    def close(self) -> None:
        """End the node's thread. Twice is fine."""
        with self._lock:
            if self.closed:
                return
            self.closed = True
            thread = self._thread
        self._work.put((0.0, next(self._count), None))
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=2.0)

    def _opened(self, kind: str) -> None:
        parts = kind.split("/")
        if len(parts) != 3 or parts[1] not in ("msg", "srv", "action"):
            raise RosUnavailable(f"{kind!r} is not the name of a type; write it like geometry_msgs/msg/Twist.")
        if self.closed:
            raise RosUnavailable("This ROS 2 node is closed.")
        self.open()

    def _forget(self, topic: str, callback: Callable[[RosMessage], object]) -> None:
        with self._lock:
            known = self._subscribers.get(topic, [])
            if callback in known:
                known.remove(callback)

    def _deliver(self, topic: str, message: RosMessage) -> None:
        with self._lock:
            callbacks = list(self._subscribers.get(topic, ()))
        for callback in callbacks:
            try:
                callback(message)
            except Exception as error:  # one subscriber's fault keeps no other from hearing it; a test can look
                self.faults.append(error)

    def _spin(self) -> None:
        while True:
            due, number, work = self._work.get()
            if work is None:
                return
            wait = due - time.monotonic()
            if wait > 0:
                self._work.put((due, number, work))
                time.sleep(min(wait, 0.002))
                continue
            try:
                work()
            except Exception as error:  # as the real node: a callback's fault ends nothing, and the test can look
                self.faults.append(error)
