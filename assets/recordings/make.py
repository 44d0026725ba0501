"""Make the spoken commands in this folder: `python assets/recordings/make.py [FOLDER]`.

Needs the extras voice and kokoro, and the models kokoro-82m-int8 and kokoro-voices (`edgevox models get`). The sound is
16 kHz, mono, 16 bit, with a quiet room before and after the words.
"""

import sys
import wave
from pathlib import Path

import numpy as np
import soxr

from edgevox.core.frames import SAMPLE_RATE
from edgevox.speech.kokoro import KokoroSpeech

COMMANDS: dict[str, tuple[str, str]] = {
    "turn_on_kitchen_light": ("af_heart", "Turn on the kitchen light."),
    "turn_off_bedroom_light": ("am_michael", "Turn off the bedroom light."),
    "set_thermostat_21": ("bf_emma", "Set the thermostat to twenty-one degrees."),
    "start_timer": ("am_michael", "Start a timer for five minutes."),
    "whats_the_weather": ("af_heart", "What is the weather in London?"),
    "tell_me_a_joke": ("bf_emma", "Tell me a joke."),
    "stop": ("am_michael", "Stop!"),
    "go_to_the_bedroom": ("af_heart", "Go to the bedroom."),
    "turn_it_off_again": ("af_heart", "Turn it off again."),
}
"""Voice and words by the name of the file."""

ROOM_S = 0.5
"""Seconds of quiet room before and after the words."""

ROOM_LEVEL = 10 ** (-65 / 20)
"""Root mean square of the room: -65 dB below full scale."""


def main(folder: Path) -> None:
    """Write every command as a wav file into `folder`."""
    for name, (voice, words) in COMMANDS.items():
        engine = KokoroSpeech(voice, language="en")
        engine.open()
        spoken = soxr.resample(np.concatenate(list(engine.synthesize(words))), engine.sample_rate, SAMPLE_RATE)
        engine.close()
        write(folder / f"{name}.wav", in_a_room(spoken))


def in_a_room(spoken: np.ndarray) -> np.ndarray:
    """Return the words with faint noise under, before and after them."""
    quiet = np.zeros(round(ROOM_S * SAMPLE_RATE), np.float32)
    sound = np.concatenate((quiet, 0.7 * spoken / np.max(np.abs(spoken)), quiet))
    return sound + np.random.default_rng(1).normal(0, ROOM_LEVEL, sound.size)


def write(path: Path, sound: np.ndarray) -> None:
    """Write mono sound at 16 kHz as 16-bit samples."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(np.round(np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
