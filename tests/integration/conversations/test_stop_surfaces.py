"""One monitor behind every surface: own stop words, languages, and what shares a word with a stop."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.agents import AgentContext, GoalHandle, ToyWorld, skill
from edgevox.assistant import VoiceParts, build_assistant
from edgevox.assistant.options import Options
from edgevox.audio.files import NullSpeaker
from edgevox.audio.wav import WavWriter
from edgevox.config.settings import Settings
from edgevox.core.cancel import CancelReason
from edgevox.examples.agents.framework import AgentApp
from edgevox.testing import Conversation, ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools import tool

if TYPE_CHECKING:
    from edgevox.assistant import Assistant

Start = Callable[..., Conversation]
RATE = 16_000


@pytest.fixture
def spoken(tmp_path: Path) -> Path:
    """A recording of somebody who says something; the scripted recogniser knows what."""
    path = tmp_path / "spoken.wav"
    voice = (0.3 * np.sin(np.arange(RATE // 2) * 0.2)).astype(np.float32)
    with path.open("wb") as file:
        WavWriter(file, RATE).write(np.concatenate([np.zeros(RATE // 4, np.float32), voice]))
    return path


def heard_by(app: AgentApp, words: str) -> "Assistant":
    """Build the application's assistant for a voice mode, with ears that hear these words."""
    voice = VoiceParts(speaker=NullSpeaker(), stt=ScriptedRecognizer([words]), vad=ScriptedVad(), tts=ToneTalk())
    model = ScriptedModel(otherwise="A model has heard it.")
    return build_assistant(app.definition(), Options(), Settings(), voice=voice, model=model)


@pytest.mark.parametrize(
    ("own", "words", "stops"),
    [(("cease",), "Cease!", True), (("cease",), "Stop!", False), (None, "Stop!", True), ((), "Stop!", False),
     (("do not move",), "Do not move!", True), (None, "Where is the bus stop?", False)],
)  # fmt: skip
def test_appagent_stop_words_used_in_voice_modes(
    spoken: Path, own: tuple[str, ...] | None, words: str, stops: bool
) -> None:
    assistant = heard_by(AgentApp("casa", stop_words=own), words)
    assistant.start()
    try:
        outcome = assistant.play_recording(spoken)
    finally:
        assistant.close()
    assert (outcome.cancelled == CancelReason.STOP) is stops
    assert (outcome.reply == "A model has heard it.") is not stops


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "fr", "es", "vi"])
def test_each_language_stops_by_its_own_word_and_by_the_english_one(spoken: Path, language: str) -> None:
    own = {"de": "Stopp!", "fr": "Arrête !", "es": "¡Para!", "vi": "Dừng lại!"}[language]
    for words in (own, "Stop!"):
        app = AgentApp("casa", language=language)
        voice = VoiceParts(speaker=NullSpeaker(), stt=ScriptedRecognizer([words]), vad=ScriptedVad(), tts=ToneTalk())
        settings = Settings(language=language)
        assistant = build_assistant(app.definition(), Options(), settings, voice=voice, model=ScriptedModel())
        assistant.start()
        try:
            assert assistant.play_recording(spoken).cancelled == CancelReason.STOP, words
        finally:
            assistant.close()


@skill(latency_class="slow", timeout_s=30, phrases=["go to the bedroom"])
def drive(ctx: AgentContext) -> GoalHandle:
    """Drive to the bedroom."""
    return ctx.deps.apply_action("navigate_to", room="bedroom")


@tool(phrases=["stop the timer"], says="The timer is off.")
def cancel_timer(ctx: AgentContext) -> str:
    """Switch the timer off."""
    ctx.session.state["timer"] = "off"
    return "off"


def test_stop_the_timer_at_rest_is_the_tools_and_stops_nothing(start: Start) -> None:
    talk = start(tools=[cancel_timer], skills=[drive], deps=ToyWorld(), model=ScriptedModel())
    assert talk.say("stop the timer").reply == "The timer is off."
    assert "safety_preempt" not in talk.kinds()


def test_stop_the_timer_while_something_moves_stops_that_and_the_timer(start: Start) -> None:
    world = ToyWorld(navigate_speed=0.3)
    talk = start(tools=[cancel_timer], skills=[drive], deps=world, model=ScriptedModel())
    talk.assistant.submit("go to the bedroom")
    deadline = time.monotonic() + 5
    while not world.is_moving() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert world.is_moving()
    outcome = talk.say("stop the timer")
    assert not world.is_moving()
    assert talk.kinds().count("safety_preempt") == 1
    assert outcome.reply == "The timer is off."
    assert talk.assistant.session.state["timer"] == "off"
