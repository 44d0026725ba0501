"""The whole product on a virtual sound card: recordings into the microphone, the reply out of the loudspeaker.

Real devices through PortAudio, real Whisper, real voice; the language model only where a test says so.
"""

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soxr

from edgevox.assistant import build_assistant
from edgevox.assistant.options import Options
from edgevox.assistant.parts import PartsFactory
from edgevox.config.models import find, missing
from edgevox.config.settings import Settings, TtsSettings
from edgevox.examples.agents import home_assistant, robot_commander, robot_scout
from edgevox.pipeline.outcome import TurnOutcome
from edgevox.speech.factory import create_stt
from edgevox.testing import Conversation, ScriptedModel

if TYPE_CHECKING:
    from virtual_sound_card import Recording, VirtualSoundCard

pytestmark = [pytest.mark.sound, pytest.mark.models, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
RECORDINGS = ROOT / "assets" / "recordings"
HUMAN = ROOT / "tests" / "data"


@pytest.fixture
def talk(virtual_card: "VirtualSoundCard") -> Generator[Callable[..., Conversation]]:
    """Start an assistant for an example agent on the virtual card."""
    if lacking := missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")
    settings = Settings(tts=TtsSettings(engine="piper"))
    with ExitStack() as stack:

        def begin(app: Any, model: Any = None) -> Conversation:
            definition = app.definition()
            built = build_assistant(definition, Options(), settings, voice=None, model=model or ScriptedModel())
            voice = PartsFactory(settings).voice_parts()
            conversation = Conversation(
                built.agent, voice=voice, deps=definition.deps, settings=settings, model=None, ready_within_s=60.0
            )
            return stack.enter_context(conversation)

        yield begin


def hear(recording: "Recording") -> str:
    """Write down what the loudspeaker said."""
    stt = create_stt("whisper-tiny.en")
    stt.open()
    try:
        return stt.transcribe(soxr.resample(recording.samples, recording.rate, 16_000).astype(np.float32)).text
    finally:
        stt.close()


def speak(card: "VirtualSoundCard", talk: Conversation, sound: Path) -> TurnOutcome:
    """Play a recording into the microphone and return the outcome of the turn it makes."""
    before = len(talk.payloads("stage_timing"))
    card.play_into_microphone(sound)
    deadline = time.monotonic() + 60
    while len(talk.payloads("stage_timing")) == before:
        assert time.monotonic() < deadline, f"{sound.name} made no turn; there was {talk.kinds()[-20:]}"
        time.sleep(0.02)
    outcome = talk.assistant.last
    assert outcome is not None
    return outcome


COMMANDS = {
    "turn_on_kitchen_light": ("set_light", ("kitchen light", "kitchen")),
    "turn_off_bedroom_light": ("set_light", ("bedroom light", "bedroom")),
    "set_thermostat_21": ("set_thermostat", ("21", "twenty")),
    "start_timer": ("start_timer", ("five minutes", "minutes")),
    "whats_the_weather": ("get_weather", ("degrees", "london")),
}
"""The tool that each command runs, and words of the reply, any of which must be heard: no two replies sound alike."""


def test_five_commands_are_heard_done_and_answered(
    talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard"
) -> None:
    house = talk(home_assistant.APP)
    for name, (tool_name, words) in COMMANDS.items():
        with virtual_card.recorder() as recording:
            outcome = speak(virtual_card, house, RECORDINGS / f"{name}.wav")
            time.sleep(0.3)
        assert [call.name for call in outcome.tool_calls] == [tool_name], outcome
        assert outcome.model_calls == 0
        said = hear(recording).lower().replace("5", "five")
        assert any(word in said for word in words), said
    assert home_assistant.HOUSE.lights["kitchen"]


def test_two_turns_depend_on_each_other(talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard") -> None:
    house = talk(home_assistant.APP)
    speak(virtual_card, house, RECORDINGS / "turn_on_kitchen_light.wav")
    assert home_assistant.HOUSE.lights["kitchen"]
    outcome = speak(virtual_card, house, RECORDINGS / "turn_it_off_again.wav")
    assert outcome.model_calls == 0
    assert not home_assistant.HOUSE.lights["kitchen"]


def test_a_human_voice_drives_the_robot(talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard") -> None:
    robot = talk(robot_commander.APP)
    before = robot_commander.ROBOT.x
    outcome = speak(virtual_card, robot, HUMAN / "speech_human_go_forward_ten_meters.wav")
    assert [call.name for call in outcome.tool_calls] == ["move_forward"]
    assert robot_commander.ROBOT.x == pytest.approx(before + 10.0)


def test_a_stop_during_a_drive_halts_the_robot(
    talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard"
) -> None:
    scout = talk(robot_scout.APP)
    world = scout.assistant.deps
    virtual_card.play_into_microphone(RECORDINGS / "go_to_the_bedroom.wav")
    scout.wait_for("skill_goal", timeout=10)
    assert world.is_moving()
    virtual_card.play_into_microphone(RECORDINGS / "stop.wav")
    scout.wait_for("safety_preempt", timeout=3)
    time.sleep(0.1)
    assert not world.is_moving()
    assert world.get_world_state()["robot"]["velocity"] == 0.0


def test_a_barge_in_cuts_the_reply(talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard") -> None:
    story = "There was once a small robot, and it lived in a quiet kitchen between the stove and the wall. " * 6
    house = talk(home_assistant.APP, ScriptedModel(story))
    virtual_card.play_into_microphone(RECORDINGS / "tell_me_a_joke.wav")
    house.wait_for_state("speaking", timeout=15)
    time.sleep(2.5)
    virtual_card.play_into_microphone(RECORDINGS / "turn_on_kitchen_light.wav")
    cut = house.wait_for("spoken", lambda spoken: spoken.cut, timeout=15).payload
    assert 0 < len(cut.text) < len(story)
    house.wait_for("agent_message", lambda reply: "kitchen light is on" in reply, timeout=15)


def test_it_does_not_hear_itself_and_still_hears_a_stop(
    talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard"
) -> None:
    story = "There was once a small robot, and it lived in a quiet kitchen between the stove and the wall. " * 5
    house = talk(home_assistant.APP, ScriptedModel(story, story))
    with virtual_card.loopback(latency_ms=100, gain_db=-20.0):
        house.assistant.submit("tell me a story")
        house.wait_for_state("speaking", timeout=15)
        time.sleep(9.0)
        assert house.payloads("heard")[1:] == []
        assert house.payloads("safety_preempt") == []
        assert house.assistant.state == "speaking"
        said = said_until_stopped(house, virtual_card)
        time.sleep(3.0)
    assert len(house.payloads("heard")) <= said, house.payloads("heard")
    assert house.assistant.state == "listening"


def said_until_stopped(house: Conversation, virtual_card: "VirtualSoundCard") -> int:
    """Say stop over the assistant's own voice, and once more if it was misheard; returns how often."""
    for said in (1, 2):
        virtual_card.play_into_microphone(RECORDINGS / "stop.wav")
        until = time.monotonic() + 4
        while time.monotonic() < until:
            if house.payloads("safety_preempt"):
                return said
            time.sleep(0.02)
    raise AssertionError(f"no stop: {house.payloads('heard')}")


def test_small_talk_goes_through_the_real_model(
    talk: Callable[..., Conversation], virtual_card: "VirtualSoundCard"
) -> None:
    if find("qwen2.5-coder-1.5b-instruct") is None:
        pytest.skip("qwen2.5-coder-1.5b-instruct is not on this machine")
    from edgevox.llm import LLM

    model = LLM("qwen2.5-coder-1.5b-instruct", max_tokens=60)
    try:
        house = talk(home_assistant.APP, model)
        with virtual_card.recorder() as recording:
            outcome = speak(virtual_card, house, RECORDINGS / "tell_me_a_joke.wav")
            time.sleep(0.3)
        assert outcome.model_calls >= 1
        assert outcome.tool_calls == ()
        assert len(outcome.reply.split()) >= 4
        assert len(hear(recording).split()) >= 3
    finally:
        model.close()
