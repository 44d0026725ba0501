"""A microphone that is lost while something moves: it is said, the policy decides, and it comes back."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from edgevox.agents import AgentContext, GoalHandle, ToyWorld, skill
from edgevox.assistant import VoiceParts
from edgevox.audio.microphone import Microphone
from edgevox.audio.system import AudioSystem
from edgevox.config.settings import SafetySettings, Settings
from edgevox.core.clock import SYSTEM_CLOCK
from edgevox.testing import Conversation, FakeAudioBackend, FakeDevice, ScriptedModel, ScriptedRecognizer, ScriptedVad

Start = Callable[..., Conversation]


class ShiftedClock:
    """The system's clock, moved on at a test's word."""

    def __init__(self) -> None:
        self.shift = 0.0

    def monotonic(self) -> float:
        return SYSTEM_CLOCK.monotonic() + self.shift

    def now(self) -> Any:
        return SYSTEM_CLOCK.now()


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_microphone_lost_during_a_drive_is_said_and_the_policy_decides(start: Start, policy: Any) -> None:
    @skill(latency_class="slow", timeout_s=30, phrases=["go to the {room}"])
    def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
        """Drive to a room."""
        return ctx.deps.apply_action("navigate_to", room=room)

    backend, clock = FakeAudioBackend([FakeDevice(name="Headset")]), ShiftedClock()
    microphone = Microphone(system=AudioSystem(backend), clock=clock)
    world = ToyWorld(navigate_speed=0.5)
    talk = start(
        skills=[navigate_to], deps=world, model=ScriptedModel(),
        settings=Settings(safety=SafetySettings(on_lost_microphone=policy)),
        voice=VoiceParts(microphone=microphone, stt=ScriptedRecognizer([]), vad=ScriptedVad()),
    )  # fmt: skip
    handle = talk.assistant.submit("go to the bedroom")
    talk.wait_for("skill_goal")
    assert talk.assistant.state != "idle"
    backend.unplug("Headset")
    clock.shift += 2.5
    sentence = talk.wait_for("degraded").payload
    assert "\n" not in sentence
    assert "microphone" in sentence.lower()
    if policy == "stop":
        assert talk.end_of(handle, 2.0).cancelled == "stop"
        time.sleep(0.1)
        assert not world.is_moving()
    else:
        time.sleep(0.1)
        assert world.is_moving()
        talk.assistant.stop("key")
    backend.plug(FakeDevice(name="Headset"))
    clock.shift += 60
    deadline = time.monotonic() + 5
    while len(backend.inputs) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    backend.microphone.hear(np.zeros(4096, dtype=np.float32))
    talk.wait_for("device_changed", lambda text: "back" in text)
    talk.wait_for_state("listening")
