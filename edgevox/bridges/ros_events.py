"""The bus on ROS 2: what happens goes out as JSON, words and stops come in.

A stop that comes in is handed on at once, on the node's thread. Knows neither agents nor what a stop does.
"""

import logging
import threading
from collections.abc import Callable, Collection
from typing import Literal

from pydantic_core import to_json

from edgevox.bridges.ros_node import RosMessage, RosNode, RosUnavailable
from edgevox.core.events import AgentEvent, EventBus

log = logging.getLogger(__name__)

TEXT = "std_msgs/msg/String"

LEFT_OUT = frozenset({"audio_level", "text_delta"})
"""Kinds that come many times a second and say little to other programs."""


class RosEventBridge:
    """Publishes the events of a bus on a topic, and takes words and stops from two others.

    Args:
        bus: whose events go out.
        node: of ROS 2; opened here, closed by whoever made it.
        topic: of the events, std_msgs/msg/String with one JSON object each.
        on_text: called with what comes on `say`, as if it had been typed: `assistant.submit`. It must not wait.
        on_stop: called for what comes on `stop`: `assistant.stop`. It is given the reason.
        say: topic of words, std_msgs/msg/String.
        stop: topic of stops.
        stop_kind: `Empty`: every message stops; `Bool`: one that says true.
        leave_out: kinds of events that do not go out.
    """

    def __init__(
        self,
        bus: EventBus,
        node: RosNode,
        topic: str = "/edgevox/events",
        *,
        on_text: Callable[[str], object] | None = None,
        on_stop: Callable[[str], object] | None = None,
        say: str = "/edgevox/say",
        stop: str = "/edgevox/stop",
        stop_kind: Literal["Empty", "Bool"] = "Empty",
        leave_out: Collection[str] = LEFT_OUT,
    ) -> None:
        node.open()
        self._bus = bus
        self._node = node
        self._topic = topic
        self._leave_out = frozenset(leave_out)
        self._forget: list[Callable[[], None]] = []
        if on_stop is not None:
            self._forget.append(node.subscribe(stop, f"std_msgs/msg/{stop_kind}", _stopper(on_stop, stop_kind)))
        if on_text is not None:
            self._forget.append(node.subscribe(say, TEXT, _teller(on_text)))
        self._queue = bus.subscribe_queue()
        self._sender = threading.Thread(target=self._send, name="ros-events", daemon=True)
        self._sender.start()

    def close(self) -> None:
        """End both directions. Twice is fine; the node stays open."""
        for forget in self._forget:
            forget()
        self._forget = []
        self._bus.unsubscribe(self._queue)
        if self._sender is not threading.current_thread():
            self._sender.join(timeout=2.0)

    def _send(self) -> None:
        for event in self._queue:
            if event.kind in self._leave_out:
                continue
            try:
                self._node.publish(self._topic, TEXT, {"data": event_json(event)})
            except RosUnavailable as error:
                log.warning("the events no longer go out: %s", error)
                return


def event_json(event: AgentEvent) -> str:
    """Return an event as one line of JSON: kind, agent, payload, ts, thread, turn."""
    said = {"kind": event.kind, "agent": event.agent_name, "payload": event.payload, "ts": event.ts}
    placed = said | {"thread": event.thread_id, "turn": event.turn}
    try:
        return to_json(placed, serialize_unknown=True, inf_nan_mode="null").decode()
    except ValueError:  # a payload that holds itself, or is no text
        return to_json(placed | {"payload": repr(event.payload)}).decode()


def _stopper(on_stop: Callable[[str], object], kind: str) -> Callable[[RosMessage], object]:
    def stop(message: RosMessage) -> None:
        if kind == "Empty" or message.get("data"):
            on_stop("ros")

    return stop


def _teller(on_text: Callable[[str], object]) -> Callable[[RosMessage], object]:
    def tell(message: RosMessage) -> None:
        text = str(message.get("data", "")).strip()
        if text:
            on_text(text)

    return tell
