"""Spoken conversations: real pipeline, scripted recogniser, tones for a voice, recordings for a microphone."""

import threading
import time
import wave
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.agents import AgentContext, GoalHandle, ToyWorld, skill
from edgevox.assistant import VoiceParts
from edgevox.audio.files import NullSpeaker
from edgevox.core.errors import DeviceMissing, ModelMissing
from edgevox.testing import Conversation, ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools import tool

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

Start = Callable[..., Conversation]
RATE = 16_000


@tool(phrases=["turn {on} the {room} light[s]"], says="The {room} light is {on}.")
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} light is {'on' if on else 'off'}"


@skill(latency_class="slow", timeout_s=30, phrases=["go to the {room}"])
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive to a room."""
    return ctx.deps.apply_action("navigate_to", room=room)


def silence(seconds: float) -> "Samples":
    return np.zeros(int(RATE * seconds), dtype=np.float32)


def speech(seconds: float = 0.8) -> "Samples":
    return (0.3 * np.sin(np.arange(int(RATE * seconds)) * 0.2)).astype(np.float32)


class LiveMicrophone:
    """A microphone that brings silence in real time, and speech when a test speaks."""

    def __init__(self) -> None:
        self._waiting: list[Samples] = []
        self._lock = threading.Lock()
        self._open = False

    def open(self) -> None:
        self._open = True

    def speak(self, seconds: float = 0.8) -> None:
        sound = np.concatenate([speech(seconds), silence(0.7)])
        with self._lock:
            self._waiting = [sound[start : start + 512] for start in range(0, len(sound), 512)]

    def read(self, timeout: float) -> "Samples | None":
        time.sleep(0.008)
        with self._lock:
            block = self._waiting.pop(0) if self._waiting else silence(0.032)
        return block if self._open else None

    @property
    def ended(self) -> bool:
        return not self._open

    def close(self) -> None:
        self._open = False


def parts(script: Iterable[str], *, microphone: Any = None, partials: Iterable[str] | None = None) -> VoiceParts:
    return VoiceParts(
        microphone=microphone,
        speaker=NullSpeaker(realtime=True),
        stt=ScriptedRecognizer(script, partials=partials),
        tts=ToneTalk(seconds_per_character=0.01),
        vad=ScriptedVad(),
    )


def recording(path: Path, *sounds: "Samples") -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.concatenate(sounds) * 32767).astype("<i2").tobytes())
    return path


def test_a_recorded_command_is_heard_done_and_spoken(start: Start, tmp_path: Path) -> None:
    talk = start(tools=[set_light], model=ScriptedModel(), voice=parts(["turn on the kitchen light"]))
    outcome = talk.assistant.play_recording(recording(tmp_path / "say.wav", silence(0.3), speech()))
    assert outcome.text == "turn on the kitchen light"
    assert outcome.spoken == outcome.reply == "The kitchen light is on."
    assert outcome.model_calls == 0
    times = outcome.times
    assert None not in (times.end_ms, times.stt_ms, times.decide_ms, times.tts_ms)
    assert times.total_ms is not None
    assert 300 < times.total_ms < 1500


def test_a_recording_of_silence_says_that_nothing_was_understood(start: Start, tmp_path: Path) -> None:
    talk = start(tools=[set_light], model=ScriptedModel(), voice=parts([]))
    outcome = talk.assistant.play_recording(recording(tmp_path / "say.wav", silence(0.5)))
    assert outcome.error == "Nothing was understood."


def test_the_states_of_a_spoken_turn(start: Start) -> None:
    microphone = LiveMicrophone()
    talk = start(
        tools=[set_light], model=ScriptedModel(), voice=parts(["turn on the kitchen light"], microphone=microphone)
    )
    assert talk.assistant.state == "listening"
    microphone.speak()
    talk.wait_for("spoken")
    talk.wait_for_state("speaking")
    states = talk.payloads("voice_state")
    order = [states.index(state) for state in ("listening", "hearing", "thinking", "speaking")]
    assert order == sorted(order)


def test_voicebot_stop_word_reaches_no_model(start: Start) -> None:
    microphone, model = LiveMicrophone(), ScriptedModel()
    talk = start(model=model, voice=parts(["Stop."], microphone=microphone))
    microphone.speak(0.3)
    talk.wait_for("safety_preempt")
    assert model.requests == []
    assert talk.payloads("heard") == []


def test_voicebot_stop_while_driving(start: Start) -> None:
    microphone, world = LiveMicrophone(), ToyWorld(navigate_speed=1.0)
    # Other actions of this process may have the ear look at the command early, too; nobody says stop in it.
    looks = ("stop" if world.is_moving() else "" for _ in count())
    voice = parts(["go to the bedroom"], microphone=microphone, partials=looks)
    talk = start(skills=[navigate_to], deps=world, model=ScriptedModel(), voice=voice)
    finished: list[int] = []
    recognizer = voice.stt
    assert isinstance(recognizer, ScriptedRecognizer)
    talk.assistant.bus.subscribe("safety_preempt", lambda _: finished.append(len(recognizer.heard)))
    microphone.speak()
    talk.wait_for("skill_goal")
    time.sleep(0.5)
    assert world.is_moving()
    microphone.speak(1.2)
    talk.wait_for("safety_preempt")
    assert finished[0] == 1, "the stop waited for the end of the sentence"
    deadline = time.monotonic() + 0.5
    while world.is_moving() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert not world.is_moving()
    assert world.get_world_state()["robot"]["x"] < 3.5


def test_a_barge_in_cuts_the_reply_and_the_session_keeps_what_was_heard(start: Start) -> None:
    microphone = LiveMicrophone()
    story = "Once upon a time there was a very small robot that lived in a kitchen. " * 6
    talk = start(
        model=ScriptedModel(story, "Short."),
        voice=parts(["tell me a story", "something shorter please"], microphone=microphone, partials=["something"] * 9),
    )
    microphone.speak()
    talk.wait_for_state("speaking")
    time.sleep(0.5)
    microphone.speak(1.0)
    cut = talk.wait_for("spoken", lambda spoken: spoken.cut).payload
    assert 0 < len(cut.text) < len(story)
    talk.wait_for("agent_message", lambda reply: reply == "Short.")
    told = [message for message in talk.assistant.session.messages if message.kind == "interrupted"]
    assert [message.plain for message in told] == [cut.text]


def test_a_cough_interrupts_nothing(start: Start) -> None:
    microphone = LiveMicrophone()
    talk = start(
        model=ScriptedModel("The kitchen has been cleaned and the robot is back at its dock, all is well."),
        voice=parts(["how is the house", "", "mhm"], microphone=microphone, partials=[""] * 20),
    )
    microphone.speak()
    talk.wait_for_state("speaking")
    microphone.speak(0.4)
    spoken = talk.wait_for("spoken").payload
    assert not spoken.cut
    assert spoken.text.endswith("all is well.")


def test_speech_overlaps_generation(start: Start) -> None:
    reply = "This is the first one. Here comes number two. And then the third. This is the last."
    voice = parts([])
    model = ScriptedModel(reply, token_delay_s=0.04)
    talk = start(model=model, voice=voice)
    handle = talk.assistant.submit("go on")
    talk.wait_for_state("speaking")
    assert model.busy, "speech waited for the whole reply"
    outcome = talk.end_of(handle)
    assert outcome.spoken == reply
    assert outcome.times.tts_ms is not None
    assert outcome.times.tts_ms < 200


class GapMeter(NullSpeaker):
    """A loudspeaker in real time that knows how long it was silent between sounds."""

    def __init__(self) -> None:
        super().__init__(realtime=True)
        self.began = self.ends = 0.0
        self.gaps_s = self.sound_s = 0.0

    def _keep(self, samples: "Samples", rate: int) -> None:
        now, length = time.monotonic(), len(samples) / rate
        self.began = self.began or now
        self.ends = self.ends or now
        self.gaps_s += max(0.0, now - self.ends)
        self.ends = max(now, self.ends) + length
        self.sound_s += length


def test_sentences_follow_each_other_without_a_gap_while_the_model_and_the_voice_still_work(start: Start) -> None:
    reply = "This is the first one. Here comes number two. And then the third. This is the last."
    meter, voice = GapMeter(), ToneTalk(seconds_per_character=0.02, delay_s=0.015)
    talk = start(model=ScriptedModel(reply, token_delay_s=0.02), voice=VoiceParts(speaker=meter, tts=voice))
    began = time.monotonic()
    outcome = talk.end_of(talk.assistant.submit("go on"))
    took = time.monotonic() - began
    assert outcome.spoken == reply
    assert len(voice.said) == 4
    assert meter.gaps_s < 0.12, "one after the other, three syntheses of 0.07 s would be heard as gaps"
    first = meter.began - began
    assert first < 0.4
    assert took < first + meter.sound_s + 0.4


def test_a_missing_part_is_said_once_and_typing_works(start: Start) -> None:
    class NoMicrophone(LiveMicrophone):
        def open(self) -> None:
            raise DeviceMissing("There is no microphone; plug one in.")

    talk = start(tools=[set_light], model=ScriptedModel(), voice=parts([], microphone=NoMicrophone()))
    assert talk.assistant.notices == ["There is no microphone; plug one in."]
    assert talk.assistant.state == "idle"
    assert talk.say("turn on the kitchen light").spoken == "The kitchen light is on."


def test_without_a_voice_replies_are_shown(start: Start) -> None:
    class NoVoice(ToneTalk):
        def open(self) -> None:
            raise ModelMissing("The voice is not here; get it.")

    voice = VoiceParts(speaker=NullSpeaker(), tts=NoVoice())
    talk = start(tools=[set_light], model=ScriptedModel(), voice=voice)
    assert talk.assistant.notices == ["The voice is not here; get it."]
    outcome = talk.say("turn on the kitchen light")
    assert (outcome.reply, outcome.spoken) == ("The kitchen light is on.", "")


def test_a_muted_microphone_hears_nothing_until_it_is_unmuted(start: Start) -> None:
    microphone = LiveMicrophone()
    talk = start(
        tools=[set_light], model=ScriptedModel(), voice=parts(["turn on the kitchen light"], microphone=microphone)
    )
    talk.assistant.set_muted(True)
    assert talk.assistant.state == "muted"
    microphone.speak()
    time.sleep(0.6)
    assert talk.payloads("heard") == []
    talk.assistant.set_muted(False)
    microphone.speak()
    talk.wait_for("heard")


def test_agentapp_greeting_is_spoken(start: Start) -> None:
    voice = parts([])
    talk = start(model=ScriptedModel(), voice=voice, greeting="Hello, I am Casa.")
    talk.wait_for("agent_message", lambda text: text == "Hello, I am Casa.")
    talk.wait_for_state("speaking")


def test_closing_takes_less_than_two_seconds_with_a_hung_voice(start: Start) -> None:
    class Hung(ToneTalk):
        def synthesize(self, text: str, scope: Any = None) -> Any:
            time.sleep(30)
            yield silence(0.1)

    talk = start(model=ScriptedModel("Hello."), voice=VoiceParts(speaker=NullSpeaker(), tts=Hung()))
    talk.assistant.submit("hi")
    talk.wait_for("text_delta")
    started = time.monotonic()
    talk.assistant.close()
    assert time.monotonic() - started < 2.0


def test_what_a_tool_announces_later_is_said(start: Start) -> None:
    @tool(phrases=["ring"])
    def ring(ctx: AgentContext) -> str:
        """Announce something."""
        ctx.emit("announcement", "timer", "The tea is ready.")
        return "ok"

    talk = start(tools=[ring], model=ScriptedModel(), voice=parts([]))
    talk.say("ring")
    talk.wait_for("agent_message", lambda text: text == "The tea is ready.")
