"""A spoken stop through real devices: it acts before the sentence is over, whatever the assistant is doing.

Real microphone and loudspeaker on the virtual card, real recogniser, real voice; the model is scripted, so that it is
slow in the way a test needs.
"""

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from edgevox.agents import AgentContext, GoalHandle, LLMAgent, ToyWorld, skill
from edgevox.assistant.parts import PartsFactory
from edgevox.audio.resample import resample
from edgevox.config.models import missing
from edgevox.config.settings import Settings, TtsSettings
from edgevox.core.ports import Approval
from edgevox.safety import StopReport
from edgevox.speech.factory import create_tts
from edgevox.testing import Conversation, ScriptedModel
from edgevox.tools import tool

if TYPE_CHECKING:
    from virtual_sound_card import VirtualSoundCard

    from edgevox.core.frames import Samples

pytestmark = [pytest.mark.sound, pytest.mark.models, pytest.mark.timeout(300)]

STOP = Path(__file__).parents[3] / "assets" / "recordings" / "stop.wav"
STORY = "There was once a small robot, and it lived in a quiet kitchen between the stove and the wall. " * 5
HEARD_S = 5.0
"""How long a busy machine may take to hear a word that is over."""

Begin = Callable[..., Conversation]


@skill(latency_class="slow", timeout_s=60, phrases=["go to the bedroom"])
def drive(ctx: AgentContext) -> GoalHandle:
    """Drive to the bedroom."""
    return ctx.deps.apply_action("navigate_to", room="bedroom")


@tool(phrases=["open the door"], confirm=True, says="The door is open.")
def open_door(ctx: AgentContext) -> str:
    """Open the door."""
    ctx.session.state["opened"] = True
    return "open"


@pytest.fixture
def begin(virtual_card: "VirtualSoundCard") -> Generator[Begin]:
    """Start an assistant with a robot and a door on the virtual card."""
    if lacking := missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")
    settings = Settings(tts=TtsSettings(engine="piper"))
    with ExitStack() as stack:

        def start(model: ScriptedModel | None = None) -> Conversation:
            world = ToyWorld(rooms=[("here", 0, 0), ("bedroom", 60, 0)], navigate_speed=0.5)
            agent = LLMAgent("scout", tools=[open_door], skills=[drive], llm=model or ScriptedModel())
            voice = PartsFactory(settings).voice_parts()
            talk = Conversation(agent, deps=world, voice=voice, settings=settings, ready_within_s=60.0)
            return stack.enter_context(talk)

        yield start


@pytest.fixture(scope="module")
def spoken() -> Generator[Callable[[str], "Samples"]]:
    """Say words with a voice of this machine, at 16 kHz."""
    if lacking := missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")
    tts = create_tts("piper")
    tts.open()
    yield lambda text: resample(np.concatenate(list(tts.synthesize(text))), tts.sample_rate, 16_000)
    tts.close()


def stop_report(talk: Conversation, card: "VirtualSoundCard") -> tuple[StopReport, float]:
    """Say stop, and once more if it was misheard; return the report and how long after the word it came, seconds."""
    card.play_into_microphone(STOP)
    ended = time.monotonic()
    try:
        event = talk.wait_for("safety_preempt", timeout=HEARD_S)
    except AssertionError:
        card.play_into_microphone(STOP)
        ended = time.monotonic()
        event = talk.wait_for("safety_preempt", timeout=HEARD_S)
    return event.payload, time.monotonic() - ended


def test_a_stop_halts_a_robot_that_drives_while_the_assistant_speaks_and_hears_itself(
    begin: Begin, virtual_card: "VirtualSoundCard", record_property: Callable[[str, object], None]
) -> None:
    talk = begin()
    world = talk.assistant.deps
    with virtual_card.loopback(latency_ms=100, gain_db=-20.0):
        talk.assistant.submit("go to the bedroom")
        talk.wait_for("skill_goal")
        talk.assistant.say(STORY)
        talk.wait_for_state("speaking", timeout=15)
        time.sleep(4.0)
        assert world.is_moving()
        assert talk.payloads("safety_preempt") == []
        report, after_s = stop_report(talk, virtual_card)
        record_property("after_ms", round(1000 * after_s))
        assert not world.is_moving()
        assert report.confirmed
        time.sleep(2.5)
    assert len(talk.payloads("safety_preempt")) == 1, "it stopped itself with its own words"
    assert not world.is_moving()
    assert talk.assistant.state == "listening"


def test_a_stop_is_heard_while_a_long_cold_prompt_is_read(begin: Begin, virtual_card: "VirtualSoundCard") -> None:
    model = ScriptedModel(otherwise="Too late.", prompt_delay_s=60.0)
    talk = begin(model)
    handle = talk.assistant.submit("tell me about the robots of the future")
    deadline = time.monotonic() + 5
    while not model.busy and time.monotonic() < deadline:
        time.sleep(0.01)
    stop_report(talk, virtual_card)
    assert talk.end_of(handle, 2.0).cancelled == "stop"
    assert model.cancelled == 1
    assert "Too late." not in talk.payloads("agent_message")


def test_a_stop_is_heard_while_the_model_writes(begin: Begin, virtual_card: "VirtualSoundCard") -> None:
    model = ScriptedModel(otherwise=STORY.replace(".", ",") * 4, token_delay_s=0.05)
    talk = begin(model)
    handle = talk.assistant.submit("tell me a story")
    talk.wait_for("text_delta", timeout=10)
    stop_report(talk, virtual_card)
    assert talk.end_of(handle, 2.0).cancelled == "stop"
    assert not model.busy


def test_a_stop_at_an_open_question_is_no_and_stops(begin: Begin, virtual_card: "VirtualSoundCard") -> None:
    talk = begin()
    handle = talk.assistant.submit("open the door")
    wait_until_asked(talk)
    stop_report(talk, virtual_card)
    assert talk.end_of(handle, 2.0).cancelled == "stop"
    assert "opened" not in talk.assistant.session.state


@pytest.mark.parametrize(("said", "opens"), [("Yes, please.", True), ("Yes.", True), ("No.", False)])
def test_a_spoken_answer_answers_an_open_question(
    begin: Begin, virtual_card: "VirtualSoundCard", spoken: Callable[[str], "Samples"], said: str, opens: bool
) -> None:
    talk = begin()
    handle = talk.assistant.submit("open the door")
    wait_until_asked(talk)
    virtual_card.play_into_microphone(spoken(said), 16_000)
    _, approval = talk.wait_for("approval_decided", timeout=HEARD_S).payload
    assert isinstance(approval, Approval)
    assert (approval.approved, approval.by) == (opens, "voice")
    outcome = talk.end_of(handle, 10.0)
    assert talk.assistant.session.state.get("opened", False) is opens
    assert ("The door is open." in outcome.reply) is opens
    assert talk.payloads("safety_preempt") == []


def test_silence_at_an_open_question_is_no(begin: Begin, virtual_card: "VirtualSoundCard") -> None:
    talk = begin()
    handle = talk.assistant.submit("open the door")
    request = wait_until_asked(talk)
    _, approval = talk.wait_for("approval_decided", timeout=request.timeout_s + 5).payload
    assert (approval.approved, approval.by) == (False, "timeout")
    talk.end_of(handle, 10.0)
    assert "opened" not in talk.assistant.session.state


def wait_until_asked(talk: Conversation) -> Any:
    """Wait until the question was spoken to its end, and return it."""
    request = talk.wait_for("approval_requested", timeout=10).payload
    talk.wait_for_state("asking")
    mouth_began = time.monotonic()
    speaker = talk.assistant.voice_parts.speaker
    assert speaker is not None
    while time.monotonic() - mouth_began < 15:
        if speaker.written_s > 0 and speaker.heard_s >= speaker.written_s - 0.01:
            break
        time.sleep(0.05)
    time.sleep(0.6)
    return request
