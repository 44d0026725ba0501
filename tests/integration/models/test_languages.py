"""`--language` switches hearing, voice, phrases and prompt; what is missing is one sentence."""

import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soxr

from edgevox.assistant import build_assistant
from edgevox.assistant.options import Options
from edgevox.config.models import find
from edgevox.config.settings import Settings, TtsSettings
from edgevox.examples.agents.home_assistant import APP, HOUSE
from edgevox.speech.factory import create_tts
from edgevox.testing import ScriptedModel

pytestmark = [pytest.mark.models, pytest.mark.timeout(180)]

COMMANDS = {
    "de": ("espeak", "Mach das Licht in der Küche an.", "Das Licht in der Küche ist an."),
    "fr": ("kokoro", "Allume la lumière de la cuisine.", "La lumière de la cuisine est allumée."),
    "es": ("kokoro", "Enciende la luz de la cocina.", "La luz de la cocina está encendida."),
}
"""Voice that speaks into the microphone, what it says, and the reply."""


def needs(*models: str) -> None:
    if lacking := [name for name in models if find(name) is None]:
        pytest.skip(f"models are missing: {', '.join(lacking)}")


def spoken(path: Path, engine: Any, language: str, words: str) -> Path:
    voice = create_tts(engine, None, language)
    voice.open()
    sound = soxr.resample(np.concatenate(list(voice.synthesize(words))), voice.sample_rate, 16_000)
    voice.close()
    quiet = np.zeros(8_000, dtype=np.float32)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((np.concatenate([quiet, sound, quiet]) * 32_767).astype("<i2").tobytes())
    return path


@pytest.mark.parametrize("language", COMMANDS)
def test_a_command_is_heard_done_and_answered_in_the_language(language: str, tmp_path: Path) -> None:
    needs("whisper-base", "kokoro-82m-int8", "kokoro-voices")
    engine, words, reply = COMMANDS[language]
    recording = spoken(tmp_path / "say.wav", engine, language, words)
    HOUSE.reset()
    options = Options(say=recording, answer_to=tmp_path / "out.wav", language=language)
    settings = Settings(language=language, tts=TtsSettings(engine="espeak"))
    assistant = build_assistant(APP.definition(), options, settings, model=ScriptedModel())
    assistant.start()
    try:
        outcome = assistant.play_recording(recording, timeout=90)
    finally:
        assistant.close()
    assert outcome.reply == reply, outcome
    assert outcome.spoken == reply
    assert outcome.model_calls == 0
    assert HOUSE.lights["kitchen"]


@pytest.mark.parametrize("language", ["de", "fr", "es", "vi"])
def test_the_language_reaches_ears_voice_and_prompt(language: str) -> None:
    needs("whisper-base")
    settings = Settings(language=language)
    model = ScriptedModel("Xin chào.")
    assistant = build_assistant(APP.definition(), Options(say=Path("none"), language=language), settings, model=model)
    parts = assistant.voice_parts
    assert parts.stt is not None
    assert parts.stt.language == language
    assert parts.tts is not None
    assert getattr(parts.tts, "engine").language == language  # noqa: B009 - the port does not promise it
    assistant.start()
    try:
        outcome = assistant.submit("?!").wait(60)
    finally:
        assistant.close()
    assert outcome is not None
    system = model.requests[0].messages[0]["content"]
    names = {"de": "German", "fr": "French", "es": "Spanish", "vi": "Vietnamese"}
    assert f"Answer in {names[language]}." in system


def test_what_a_language_lacks_is_one_sentence_with_the_command(tmp_path: Path) -> None:
    recording = spoken(tmp_path / "say.wav", "espeak", "de", "Hallo.")
    environment = {"EDGEVOX_HOME": str(tmp_path), "EDGEVOX_MODELS": str(tmp_path), "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "edgevox.cli.agent", "home", "--language", "de", "--say", str(recording)],
        capture_output=True, text=True, timeout=120, check=False, env=environment, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 1
    assert "edgevox models get" in done.stderr
    assert "whisper-base" in done.stderr
    assert "Traceback" not in done.stderr
