"""What a machine without something, and tools that misbehave, cost: one clear sentence each, and the rest works."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.assistant import VoiceParts
from edgevox.audio.files import NullSpeaker
from edgevox.audio.microphone import Microphone
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem
from edgevox.core.ports import Transcript
from edgevox.testing import (
    Conversation,
    FakeAudioBackend,
    FakeDevice,
    MicFake,
    ScriptedModel,
    ScriptedRecognizer,
    ScriptedVad,
    ToneTalk,
    call,
    calls,
    gguf_file,
)
from edgevox.tools import build_tool, tool

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

Start = Callable[..., Conversation]
RATE = 16_000
ANSWER = "The kitchen light is on."


@tool(phrases=["turn {on} the {room} light[s]"], says="The {room} light is {on}.")
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} light is {'on' if on else 'off'}"


def one_sentence(text: str) -> bool:
    return "\n" not in text and "Traceback" not in text and text.endswith(".") and len(text) < 250


def works(talk: Conversation) -> bool:
    return talk.say("turn on the kitchen light").reply == ANSWER


def speech(seconds: float) -> "Samples":
    return (0.3 * np.sin(np.arange(int(RATE * seconds)) * 0.2)).astype(np.float32)


def silence(seconds: float) -> "Samples":
    return np.zeros(int(RATE * seconds), dtype=np.float32)


# Devices


DEVICES: dict[str, tuple[list[FakeDevice], str | None, str]] = {
    "no device": ([], None, "There is no microphone"),
    "only a loudspeaker": ([FakeDevice(max_in=0)], None, "There is no microphone"),
    "an unknown device": ([FakeDevice(name="Headset")], "Hedset", "Headset"),
    "no permission": ([FakeDevice(error=-9999)], None, "refuses the microphone"),
    "another app has it": ([FakeDevice(error=-9985)], None, "in use"),
    "no usable rate": ([FakeDevice(error=-9997)], None, "accepts none of the usual rates"),
}


@pytest.mark.parametrize("case", DEVICES)
def test_without_a_usable_microphone_one_sentence_says_why_and_typing_works(start: Start, case: str) -> None:
    devices, wanted, words = DEVICES[case]
    system = AudioSystem(FakeAudioBackend(devices))
    voice = VoiceParts(
        microphone=Microphone(wanted, system=system), stt=ScriptedRecognizer([]), vad=ScriptedVad(),
        speaker=NullSpeaker(), tts=ToneTalk(),
    )  # fmt: skip
    talk = start(tools=[set_light], model=ScriptedModel(), voice=voice)
    (notice,) = talk.assistant.notices
    assert words in notice
    assert one_sentence(notice)
    assert talk.payloads("degraded") == [notice]
    assert talk.assistant.state == "idle"
    assert talk.say("turn on the kitchen light").spoken == ANSWER


@pytest.mark.parametrize(
    ("devices", "wanted", "words"),
    [
        ([FakeDevice(max_out=0)], None, "There is no loudspeaker"),
        ([FakeDevice(name="Headset")], "Speakers", "no loudspeaker"),
        ([FakeDevice(error=-9999)], None, "refuses the loudspeaker"),
    ],
)
def test_without_a_usable_loudspeaker_replies_are_shown(
    start: Start, devices: list[FakeDevice], wanted: str | None, words: str
) -> None:
    speaker = Speaker(wanted, system=AudioSystem(FakeAudioBackend(devices)))
    talk = start(tools=[set_light], model=ScriptedModel(), voice=VoiceParts(speaker=speaker, tts=ToneTalk()))
    (notice,) = talk.assistant.notices
    assert words in notice
    assert one_sentence(notice)
    outcome = talk.say("turn on the kitchen light")
    assert (outcome.reply, outcome.spoken) == (ANSWER, "")


def test_a_microphone_at_its_own_rate_and_channels_is_understood(start: Start) -> None:
    backend = FakeAudioBackend([FakeDevice(rates=frozenset({44_100}), min_in=2, max_in=2)])
    voice = VoiceParts(
        microphone=Microphone(system=AudioSystem(backend)), stt=ScriptedRecognizer(["turn on the kitchen light"]),
        vad=ScriptedVad(), speaker=NullSpeaker(), tts=ToneTalk(),
    )  # fmt: skip
    talk = start(tools=[set_light], model=ScriptedModel(), voice=voice)
    backend.microphone.hear(np.concatenate([silence(0.5), speech(0.8), silence(1.2)]))
    talk.wait_for("agent_message", lambda reply: reply == ANSWER)


WITHOUT_PORTAUDIO = """
import sys
from edgevox.agents import LLMAgent
from edgevox.assistant import Assistant, VoiceParts
from edgevox.audio.microphone import Microphone
from edgevox.audio.speaker import Speaker
from edgevox.testing import ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools import tool

@tool(phrases=["ring"], says="Ding.")
def ring() -> None:
    "Ring."

voice = VoiceParts(microphone=Microphone(), speaker=Speaker(), stt=ScriptedRecognizer([]), vad=ScriptedVad(),
    tts=ToneTalk())
assistant = Assistant(LLMAgent("bell", tools=[ring], llm=ScriptedModel()), voice=voice)
assistant.start()
assistant.wait_ready(20)
print(*assistant.notices, sep="\\n")
print(assistant.submit("ring").wait(10).reply)
assistant.close()
"""


@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("raise OSError('PortAudio library not found')", "PortAudio is missing"),
        ("raise ImportError(\"No module named 'sounddevice'\")", "pip install 'edgevox[voice]'"),
    ],
)
def test_without_the_sound_library_one_sentence_names_it_and_typing_works(
    tmp_path: Path, library: str, words: str
) -> None:
    (tmp_path / "sounddevice.py").write_text(library)
    done = run_python(tmp_path, "-c", WITHOUT_PORTAUDIO)
    *notices, reply = done.stdout.splitlines()
    assert reply == "Ding."
    assert notices
    assert all(words in notice and one_sentence(notice) for notice in notices)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "arguments", ["edgevox.cli.main --help", "edgevox.cli.agent list", "edgevox.cli.agent home --help"]
)
def test_help_and_lists_need_no_library_at_all(tmp_path: Path, arguments: str) -> None:
    for name in ("sounddevice", "llama_cpp", "faster_whisper", "ctranslate2", "onnxruntime", "soxr", "piper"):
        (tmp_path / f"{name}.py").write_text("raise OSError('does not load')")
    done = run_python(tmp_path, "-m", *arguments.split())
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr == ""


def run_python(libraries: Path, *arguments: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a program on a machine whose libraries of these names are those of a folder."""
    code = [sys.executable, *arguments]
    env = {"PYTHONPATH": str(libraries), "EDGEVOX_HOME": str(libraries / "home"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(code, input=lines, capture_output=True, text=True, timeout=60, check=False, env=env)


# Models


def test_a_library_of_models_that_does_not_load_costs_the_model_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "llama_cpp.py").write_text("raise OSError('libllama.so: cannot open shared object file')")
    (tmp_path / "model.gguf").write_bytes(gguf_file(50_000))
    arguments = ("-m", "edgevox.cli.agent", "home", "--text-mode", "--model", str(tmp_path / "model.gguf"))
    done = run_python(tmp_path, *arguments, lines="turn on the kitchen light\nwhy is the sky blue\n")
    assert ANSWER in done.stdout
    assert "llama-cpp-python" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"<!DOCTYPE html><title>Log in</title>", "web page"), (b"GGUF", "truncated"), (b"", "empty")],
)
def test_a_model_that_is_no_model_is_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "model.gguf").write_bytes(content)
    arguments = ("-m", "edgevox.cli.agent", "home", "--text-mode", "--model", str(tmp_path / "model.gguf"))
    done = run_python(tmp_path, *arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert one_sentence(done.stderr.strip())


@pytest.mark.parametrize("agent", ["home", "dev"])
def test_from_nothing_a_built_in_agent_answers_its_commands_and_says_what_the_rest_needs(
    tmp_path: Path, agent: str
) -> None:
    command, answer = {"home": ("turn on the kitchen light", ANSWER), "dev": ("calculate 6 times 7", "42")}[agent]
    arguments = ("-m", "edgevox.cli.agent", agent, "--text-mode")
    done = run_python(tmp_path, *arguments, lines=f"{command}\nwhy is the sky blue\n")
    assert done.returncode == 1
    assert answer in done.stdout
    assert "edgevox setup" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


# Tools


def fail() -> str:
    """Fail."""
    raise RuntimeError("the lamp is broken")


def hang() -> str:
    """Hang."""
    time.sleep(1.5)
    return "late"


def flood() -> str:
    """Return too much."""
    return "x" * 5_000_000


def leave() -> str:
    """End the program."""
    sys.exit(3)


TOOLS = {fail: "the lamp is broken", hang: "0.2 seconds", flood: "x", leave: "tried to end the program"}


@pytest.mark.parametrize("body", TOOLS)
def test_a_tool_that_misbehaves_is_a_sentence_and_the_next_command_works(start: Start, body: Callable[[], str]) -> None:
    bad = build_tool(body, name="act", phrases=["do it"], timeout_s=0.2)
    voice = VoiceParts(speaker=NullSpeaker(), tts=ToneTalk(seconds_per_character=0.0001))
    talk = start(tools=[bad, set_light], model=ScriptedModel(), voice=voice)
    outcome = talk.say("do it")
    assert TOOLS[body] in outcome.reply
    assert len(outcome.reply) <= 4000
    assert outcome.spoken
    assert "Traceback" not in outcome.reply
    assert works(talk)


def test_what_a_misbehaving_tool_did_reaches_the_model_in_bounded_words(start: Start) -> None:
    model = ScriptedModel(calls(*(call(body.__name__) for body in TOOLS)), "I could not do all of that.")
    talk = start(tools=[build_tool(body, timeout_s=0.2) for body in TOOLS], model=model)
    assert talk.say("do everything").reply == "I could not do all of that."
    results = model.requests[-1].tool_results
    assert len(results) == len(TOOLS)
    assert all(words in result and len(result) <= 4000 for words, result in zip(TOOLS.values(), results, strict=True))


# Sound


def test_noise_is_no_turn_and_the_command_after_it_is_one(start: Start) -> None:
    backend = FakeAudioBackend([FakeDevice(rates=frozenset({RATE}))])
    voice = VoiceParts(
        microphone=Microphone(system=AudioSystem(backend)), vad=ScriptedVad(),
        stt=ScriptedRecognizer([Transcript(text="Thank you.", rejected="filler"), "turn on the kitchen light"]),
    )  # fmt: skip
    model = ScriptedModel()
    talk = start(tools=[set_light], model=model, voice=voice)
    noise = np.random.default_rng(1).normal(0, 0.2, 2 * RATE).astype(np.float32)
    backend.microphone.hear(np.concatenate([silence(0.5), noise, silence(1.5)]))
    backend.microphone.hear(np.concatenate([speech(0.8), silence(1.5)]))
    talk.wait_for("agent_message", lambda reply: reply == ANSWER)
    assert [heard.text for heard in talk.payloads("heard")] == ["turn on the kitchen light"]
    assert model.requests == []


def test_a_five_minute_monologue_is_heard_to_its_end_and_the_command_after_it_works(start: Start) -> None:
    heard_s: list[float] = []

    def recognise(samples: "Samples") -> str:
        heard_s.append(len(samples) / RATE)
        return "turn on the kitchen light" if len(samples) < 3 * RATE else f"part {len(heard_s)}"

    microphone = MicFake(np.concatenate([speech(300), silence(2), speech(0.8), silence(2)]))
    voice = VoiceParts(microphone=microphone, vad=ScriptedVad(), stt=ScriptedRecognizer(recognise, partials=()))
    talk = start(tools=[set_light], model=ScriptedModel(otherwise="I see."), voice=voice)
    talk.wait_for("agent_message", lambda reply: reply == ANSWER, timeout=30)
    told = [heard.text for heard in talk.payloads("heard")]
    assert told[-1] == "turn on the kitchen light"
    assert told == [f"part {number}" for number in range(1, len(told))] + ["turn on the kitchen light"]
    assert max(heard_s) <= 20
    assert sum(heard_s) > 300
    assert talk.assistant.notices == []
    assert talk.payloads("error") == []
