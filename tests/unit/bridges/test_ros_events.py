"""The bus on a topic: what goes out, and words and stops that come in."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from edgevox.agents import ToyWorld
from edgevox.bridges import RosEventBridge
from edgevox.bridges.ros_events import event_json
from edgevox.core.events import AgentEvent, EventBus
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.testing import Conversation, FakeRosNode, ScriptedModel


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Payload:
    name: str
    colour: Colour
    anything: object


@pytest.fixture
def node() -> Iterator[FakeRosNode]:
    made = FakeRosNode()
    yield made
    made.close()
    assert made.faults == []


def wait_until(condition: Callable[[], object], timeout: float = 5.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.002)


def sent(node: FakeRosNode) -> list[dict[str, Any]]:
    return [json.loads(message["data"]) for message in node.on("/edgevox/events")]


def test_every_event_goes_out_as_a_line_of_json_but_the_noise(node: FakeRosNode) -> None:
    bus = EventBus()
    bridge = RosEventBridge(bus, node)
    bus.publish(AgentEvent("tool_call", "casa", {"name": "set_light"}, turn=3))
    bus.publish(AgentEvent("audio_level", "", 0.4))
    bus.publish(AgentEvent("agent_end", "casa"))
    wait_until(lambda: len(sent(node)) == 2)
    first, second = sent(node)
    assert (first["kind"], first["agent"], first["payload"], first["turn"]) == (
        "tool_call", "casa", {"name": "set_light"}, 3,
    )  # fmt: skip
    assert second["kind"] == "agent_end"
    bridge.close()


@pytest.mark.parametrize(
    ("payload", "wanted"),
    [
        (Payload("x", Colour.RED, {1, 2}), {"name": "x", "colour": "red", "anything": [1, 2]}),
        (float("nan"), None),
        ([Colour.RED, None, True], ["red", None, True]),
        ("Küche", "Küche"),
    ],
)
def test_any_payload_has_a_shape_in_json(payload: Any, wanted: Any) -> None:
    assert json.loads(event_json(AgentEvent("mine", "", payload)))["payload"] == wanted


def test_a_payload_that_is_no_data_is_told_in_words() -> None:
    itself: list[Any] = []
    itself.append(itself)
    for payload in (threading.Lock(), Payload("x", Colour.RED, threading.Event()), itself):
        assert json.loads(event_json(AgentEvent("mine", "", payload)))["kind"] == "mine"


def test_words_and_stops_come_in(node: FakeRosNode) -> None:
    said: list[str] = []
    stops: list[str] = []
    bridge = RosEventBridge(EventBus(), node, on_text=said.append, on_stop=stops.append)
    node.receive("/edgevox/say", {"data": " go to the kitchen "})
    node.receive("/edgevox/say", {"data": "  "})
    node.receive("/edgevox/stop", {})
    node.settle()
    assert said == ["go to the kitchen"]
    assert stops == ["ros"]
    bridge.close()
    node.receive("/edgevox/stop", {})
    node.settle()
    assert stops == ["ros"]


def test_a_stop_that_says_false_is_none(node: FakeRosNode) -> None:
    stops: list[str] = []
    bridge = RosEventBridge(EventBus(), node, on_stop=stops.append, stop="/halt", stop_kind="Bool")
    for said in (False, True):
        node.receive("/halt", {"data": said})
    node.settle()
    assert stops == ["ros"]
    bridge.close()


def test_a_bridge_whose_node_is_gone_ends_and_disturbs_nobody(node: FakeRosNode) -> None:
    bus = EventBus()
    bridge = RosEventBridge(bus, node)
    node.close()
    heard: list[str] = []
    bus.subscribe_all(lambda event: heard.append(event.kind))
    for _ in range(3):
        bus.publish(AgentEvent("agent_end"))
    assert heard == ["agent_end"] * 3
    bridge.close()
    bridge.close()
    wait_until(lambda: "ros-events" not in {thread.name for thread in threading.enumerate()})


def test_a_stop_on_the_topic_halts_a_robot_that_drives(node: FakeRosNode) -> None:
    world = ToyWorld(navigate_speed=0.5)
    with Conversation(skills=SCOUT_SKILLS, model=ScriptedModel(otherwise="MODEL"), deps=world) as talk:
        bridge = RosEventBridge(talk.assistant.bus, node, on_text=talk.assistant.submit, on_stop=talk.assistant.stop)
        node.receive("/edgevox/say", {"data": "go to the bedroom"})
        wait_until(world.is_moving)
        node.receive("/edgevox/stop", {})
        wait_until(lambda: not world.is_moving())
        wait_until(lambda: "safety_preempt" in {event["kind"] for event in sent(node)})
        bridge.close()
    assert world.get_world_state()["robot"]["x"] < 3.0
