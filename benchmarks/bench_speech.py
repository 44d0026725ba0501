"""Real-time factors of recognition and synthesis: seconds of work for a second of sound."""

import wave
from pathlib import Path
from typing import Any

from benchmarks.runner import measured, skipped, timed

RECORDING = Path(__file__).parents[1] / "assets" / "recordings" / "turn_on_kitchen_light.wav"
SENTENCE = "The kitchen light is on, and the thermostat is set to twenty one degrees."
ROUNDS = 5


def run() -> dict[str, Any]:
    """Measure every recogniser and every synthesiser that is on this machine."""
    rows: dict[str, Any] = {}
    for model in ("whisper-tiny.en", "whisper-base"):
        rows[f"{model}, real-time factor of a short command"] = _guarded(lambda model=model: _recognition(model))
    for engine in ("piper", "kokoro", "espeak"):
        rows[f"{engine}, real-time factor of a sentence"] = _guarded(lambda engine=engine: _synthesis(engine))
    return rows


def _guarded(measure: Any) -> dict[str, Any]:
    from edgevox.core.errors import EdgeVoxError

    try:
        return measure()
    except EdgeVoxError as error:
        return skipped(str(error))


def _recognition(model: str) -> dict[str, Any]:
    import numpy as np

    from edgevox.speech.factory import create_stt

    stt = create_stt(model)
    load = timed(stt.open)
    with wave.open(str(RECORDING)) as file:
        seconds = file.getnframes() / file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.float32) / 32768
    stt.transcribe(samples)
    values = [timed(lambda: stt.transcribe(samples)) / seconds for _ in range(ROUNDS)]
    stt.close()
    return measured("s/s", values, load_s=round(load, 2), sound_s=round(seconds, 2))


def _synthesis(engine: str) -> dict[str, Any]:
    from edgevox.speech.factory import create_tts

    tts = create_tts(engine, language="en")
    load = timed(tts.open)
    seconds = sum(len(piece) for piece in tts.synthesize(SENTENCE)) / tts.sample_rate
    values = [timed(lambda: list(tts.synthesize(SENTENCE))) / seconds for _ in range(ROUNDS)]
    tts.close()
    return measured("s/s", values, load_s=round(load, 2), sound_s=round(seconds, 2))
