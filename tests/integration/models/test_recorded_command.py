"""A command from a recording, through the program a person runs: the light is on, and a voice says so."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soxr

from edgevox.audio.wav import read_wav
from edgevox.config.models import missing
from edgevox.speech.factory import create_stt

pytestmark = [pytest.mark.models, pytest.mark.timeout(180)]

RECORDINGS = Path(__file__).parents[3] / "assets" / "recordings"
STAGES = ("end of speech", "speech to text", "deciding", "first sound", "heard to answer")


@pytest.fixture(autouse=True)
def _tiny_is_here() -> None:
    if lacking := missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")


def agent(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "edgevox.cli.agent", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)


def words_in(path: Path) -> str:
    sound = read_wav(path)
    stt = create_stt("whisper-tiny.en")
    stt.open()
    try:
        return stt.transcribe(soxr.resample(sound.block[:, 0], sound.rate, 16_000).astype(np.float32)).text
    finally:
        stt.close()


def test_a_recorded_command_turns_the_light_on_and_the_answer_says_so(tmp_path: Path) -> None:
    reply = tmp_path / "out.wav"
    done = agent("home", "--say", str(RECORDINGS / "turn_on_kitchen_light.wav"), "--answer-to", str(reply))
    assert done.returncode == 0, done.stderr
    assert 'set_light(room="kitchen", on=true)' in done.stdout
    assert "no model call" in done.stdout
    for stage in STAGES:
        assert stage in done.stdout
    said = words_in(reply).lower()
    assert "kitchen" in said
    assert " on" in said


NO_NETWORK = """
import socket, sys

def refuse(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6):
        print("CONNECTS TO", address, file=sys.stderr)
        raise OSError("there is no network")
    return connect(self, address)

connect, socket.socket.connect, socket.socket.connect_ex = socket.socket.connect, refuse, refuse
socket.getaddrinfo = lambda *a, **k: refuse(socket.socket(), a)
"""


def test_with_its_models_here_nothing_connects_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_NETWORK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    proof = subprocess.run([sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))"],
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert "CONNECTS TO" in proof.stderr
    recording, reply = RECORDINGS / "turn_on_kitchen_light.wav", tmp_path / "out.wav"
    done = agent("home", "--say", str(recording), "--answer-to", str(reply))
    assert done.returncode == 0, done.stderr
    assert "CONNECTS TO" not in done.stderr
    assert reply.stat().st_size > 10_000


def test_a_recording_in_which_nobody_speaks_is_one_sentence(tmp_path: Path) -> None:
    import wave

    quiet = tmp_path / "quiet.wav"
    with wave.open(str(quiet), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(32_000))
    done = agent("home", "--say", str(quiet))
    assert done.returncode == 1
    assert "Nothing was understood" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--say", "nowhere.wav"], "nowhere.wav"),
        (["--language", "xx", "--text-mode"], "xx"),
        (["--model", "hf:a/b", "--text-mode"], "file"),
        (["--say", str(RECORDINGS / "stop.wav"), "--voice", "nobody-at-all"], "nobody-at-all"),
        (["--say", str(RECORDINGS / "make.py")], "WAV"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence(arguments: list[str], words: str) -> None:
    done = agent("home", *arguments)
    said = done.stdout + done.stderr
    assert done.returncode in (1, 2)
    assert words in said
    assert "Traceback" not in said
    assert len([line for line in said.splitlines() if line.strip()]) <= 3
