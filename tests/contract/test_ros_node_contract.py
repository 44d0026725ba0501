"""What a bridge may expect of a node of ROS 2: one suite over the fake and, where it is installed, over `rclpy`."""

import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import pytest

from edgevox.bridges.ros_node import ActionEnd, RosMessage, RosNode, RosUnavailable
from edgevox.testing import FakeRosNode

ACTION, ACTION_TYPE = "/count", "example_interfaces/action/Fibonacci"
SERVICE, SERVICE_TYPE = "/add", "example_interfaces/srv/AddTwoInts"
TEXT = "std_msgs/msg/String"


class Watcher:
    """Notes what becomes of a goal, and on which thread it heard of it."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.threads: set[str] = set()
        self._changed = threading.Condition()

    def unavailable(self) -> None:
        self._note("unavailable")

    def answered(self, accepted: bool) -> None:
        self._note("accepted" if accepted else "rejected")

    def fed_back(self, feedback: RosMessage) -> None:
        self._note(("feedback", list(feedback["sequence"])))

    def cancel_answered(self, accepted: bool) -> None:
        self._note("cancelling" if accepted else "not cancelling")

    def ended(self, end: ActionEnd, result: RosMessage) -> None:
        self._note(end)
        self._note(("result", list(result.get("sequence", ()))))

    def wait_for(self, what: Any, timeout: float = 10.0) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: what in self.heard, timeout), f"no {what}, only {self.heard}"

    def _note(self, what: Any) -> None:
        with self._changed:
            self.threads.add(threading.current_thread().name)
            self.heard.append(what)
            self._changed.notify_all()


class Graph(Protocol):
    """A node, and somebody else in the graph who serves."""

    node: RosNode

    def serve(self, order: str) -> None:
        """Serve `ACTION`: `finish` after one report, `wait` for a cancel, `reject`, `abort`."""
        ...

    def serve_sums(self) -> None:
        """Serve `SERVICE`."""
        ...

    def close(self) -> None: ...


class FakeGraph:
    """The fake with servers that play along."""

    def __init__(self) -> None:
        self.node = FakeRosNode()
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def serve(self, order: str) -> None:
        server = self.node.add_server(ACTION, accepts=order != "reject")

        def play() -> None:
            while not server.running:
                if self._over.wait(0.002):
                    return
            goal = server.running[0]
            goal.feed_back(sequence=[0, 1])
            if order == "finish":
                goal.succeed(sequence=[0, 1, 1])
            elif order == "abort":
                goal.abort(sequence=[])

        if order in ("finish", "abort", "wait"):
            self._threads.append(threading.Thread(target=play))
            self._threads[-1].start()

    def serve_sums(self) -> None:
        self.node.add_service(SERVICE, lambda request: {"sum": request["a"] + request["b"]})

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(2.0)


class RclpyGraph:
    """The real node, and a second one in the same process that serves."""

    def __init__(self) -> None:
        from edgevox.bridges.rclpy_node import RclpyNode

        self.node = RclpyNode("edgevox_contract")
        rclpy: Any = import_module("rclpy")
        self._context: Any = import_module("rclpy.context").Context()
        rclpy.init(context=self._context)
        self._other: Any = rclpy.create_node("contract_server", context=self._context)
        self._executor: Any = import_module("rclpy.executors").MultiThreadedExecutor(context=self._context)
        self._executor.add_node(self._other)
        self._spinner = threading.Thread(target=self._executor.spin, daemon=True)
        self._spinner.start()

    def serve(self, order: str) -> None:
        action: Any = import_module("rclpy.action")
        kind: Any = import_module("example_interfaces.action").Fibonacci
        reentrant: Any = import_module("rclpy.callback_groups").ReentrantCallbackGroup()

        def execute(goal: Any) -> Any:
            feedback, result = kind.Feedback(), kind.Result()
            feedback.sequence = [0, 1]
            goal.publish_feedback(feedback)
            while order == "wait" and not goal.is_cancel_requested:
                time.sleep(0.01)
            {"finish": goal.succeed, "abort": goal.abort, "wait": goal.canceled}[order]()
            result.sequence = [0, 1, 1] if order == "finish" else []
            return result

        response = action.GoalResponse.REJECT if order == "reject" else action.GoalResponse.ACCEPT
        self._server = action.ActionServer(
            self._other,
            kind,
            ACTION,
            execute,
            callback_group=reentrant,
            goal_callback=lambda _: response,  # pyright: ignore[reportUnknownLambdaType] the library has no types
            cancel_callback=lambda _: action.CancelResponse.ACCEPT,  # pyright: ignore[reportUnknownLambdaType]
        )

    def serve_sums(self) -> None:
        kind: Any = import_module("example_interfaces.srv").AddTwoInts

        def add(request: Any, response: Any) -> Any:
            response.sum = request.a + request.b
            return response

        self._service = self._other.create_service(kind, SERVICE, add)

    def close(self) -> None:
        self._executor.shutdown(timeout_sec=1.0)
        self._context.try_shutdown()


GRAPHS: list[Any] = [pytest.param(FakeGraph, id="fake")]
if find_spec("rclpy") is not None:
    GRAPHS.append(pytest.param(RclpyGraph, id="rclpy"))


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> Iterator[Graph]:
    made: Graph = request.param()
    made.node.open()
    yield made
    made.node.close()
    made.close()


@pytest.fixture
def node(graph: Graph) -> RosNode:
    return graph.node


def wait_until(condition: Callable[[], bool], timeout: float = 10.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def test_it_is_a_node_and_opening_twice_is_fine(node: RosNode) -> None:
    assert isinstance(node, RosNode)
    node.open()


def test_a_message_comes_out_where_it_is_listened_to_on_the_nodes_own_thread(node: RosNode) -> None:
    heard: list[tuple[str, str]] = []
    node.subscribe("/words", TEXT, lambda message: heard.append((message["data"], threading.current_thread().name)))
    node.advertise("/words", TEXT)

    def came() -> bool:
        node.publish("/words", TEXT, {"data": "hello"})  # discovery may lose the first ones
        return bool(heard)

    wait_until(came)
    assert heard[0][0] == "hello"
    assert heard[0][1] != threading.current_thread().name


def test_fields_that_are_left_out_are_zero_or_left_out(node: RosNode) -> None:
    heard: list[RosMessage] = []
    node.subscribe("/speed", "geometry_msgs/msg/Twist", heard.append, quality="sensor")

    def came() -> bool:
        node.publish("/speed", "geometry_msgs/msg/Twist", {"linear": {"x": 0.5}})
        return bool(heard)

    wait_until(came)
    assert heard[0]["linear"]["x"] == 0.5
    assert heard[0].get("angular", {"z": 0.0})["z"] == 0.0


def test_who_no_longer_listens_hears_nothing(node: RosNode) -> None:
    first: list[RosMessage] = []
    second: list[RosMessage] = []
    forget = node.subscribe("/words", TEXT, first.append)
    node.subscribe("/words", TEXT, second.append)
    forget()

    def came() -> bool:
        node.publish("/words", TEXT, {"data": "hello"})
        return bool(second)

    wait_until(came)
    assert first == []


def test_a_listener_that_raises_stops_nobody(node: RosNode) -> None:
    heard: list[RosMessage] = []

    def raises(message: RosMessage) -> None:
        raise RuntimeError("mine")

    node.subscribe("/words", TEXT, raises)
    node.subscribe("/words", TEXT, heard.append)

    def came() -> bool:
        node.publish("/words", TEXT, {"data": "hello"})
        return len(heard) > 1

    wait_until(came)


def test_a_goal_is_accepted_reports_and_ends_with_its_result(graph: Graph) -> None:
    graph.serve("finish")
    watcher = Watcher()
    graph.node.send_goal(ACTION, ACTION_TYPE, {"order": 3}, watcher)
    watcher.wait_for(("result", [0, 1, 1]))
    kinds = [what for what in watcher.heard if what != ("feedback", [0, 1])]
    assert kinds == ["accepted", ActionEnd.SUCCEEDED, ("result", [0, 1, 1])]
    assert threading.current_thread().name not in watcher.threads


def test_a_goal_can_be_rejected(graph: Graph) -> None:
    graph.serve("reject")
    watcher = Watcher()
    graph.node.send_goal(ACTION, ACTION_TYPE, {"order": 3}, watcher)
    watcher.wait_for("rejected")
    assert watcher.heard == ["rejected"]


def test_a_goal_can_be_aborted(graph: Graph) -> None:
    graph.serve("abort")
    watcher = Watcher()
    graph.node.send_goal(ACTION, ACTION_TYPE, {"order": 3}, watcher)
    watcher.wait_for(ActionEnd.ABORTED)


def test_a_cancel_is_answered_and_then_confirmed(graph: Graph) -> None:
    graph.serve("wait")
    watcher = Watcher()
    goal = graph.node.send_goal(ACTION, ACTION_TYPE, {"order": 3}, watcher)
    watcher.wait_for(("feedback", [0, 1]))
    started = time.monotonic()
    goal.cancel()
    assert time.monotonic() - started < 0.5
    watcher.wait_for(ActionEnd.CANCELLED)
    assert "cancelling" in watcher.heard


def test_every_goal_of_a_server_can_be_cancelled_by_anybody(graph: Graph) -> None:
    graph.serve("wait")
    watcher = Watcher()
    graph.node.send_goal(ACTION, ACTION_TYPE, {"order": 3}, watcher)
    watcher.wait_for(("feedback", [0, 1]))

    def cancelled() -> bool:
        graph.node.cancel_all(ACTION)
        return ActionEnd.CANCELLED in watcher.heard

    wait_until(cancelled)


def test_a_server_that_is_not_there_is_unavailable_after_a_while(node: RosNode) -> None:
    watcher = Watcher()
    started = time.monotonic()
    node.send_goal("/nobody", ACTION_TYPE, {"order": 3}, watcher, server_within_s=0.2)
    assert time.monotonic() - started < 2.0
    watcher.wait_for("unavailable")
    node.cancel_all("/nobody")


def test_a_service_answers(graph: Graph) -> None:
    graph.serve_sums()
    assert graph.node.call(SERVICE, SERVICE_TYPE, {"a": 2, "b": 3}, timeout_s=10.0)["sum"] == 5


def test_a_service_that_is_not_there_is_unavailable(node: RosNode) -> None:
    with pytest.raises(RosUnavailable, match="/nobody"):
        node.call("/nobody", SERVICE_TYPE, {"a": 2, "b": 3}, timeout_s=0.2)


@pytest.mark.parametrize("kind", ["Twist", "geometry_msgs/Twist", "geometry_msgs/msgs/Twist"])
def test_what_is_no_name_of_a_type_is_said_to_be_none(node: RosNode, kind: str) -> None:
    with pytest.raises(RosUnavailable, match="name of a type"):
        node.publish("/speed", kind, {})


def test_a_closed_node_takes_nothing_more_and_leaves_no_thread(graph: Graph) -> None:
    before = {thread for thread in threading.enumerate() if "ros-node" in thread.name}
    assert before
    graph.node.close()
    graph.node.close()
    wait_until(lambda: not any(thread.is_alive() for thread in before))
    with pytest.raises(RosUnavailable, match="closed"):
        graph.node.publish("/words", TEXT, {"data": "hello"})
