"""Recordings for the benchmark of stopping, made on this machine when they are needed: stops, and other speech."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.room import SPEECH_RMS
from edgevox.audio.resample import resample
from edgevox.core.frames import SAMPLE_RATE

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

SPEEDS = (0.85, 1.0, 1.15, 1.3)
KOKORO_VOICES = (
    "af_heart", "am_adam", "bf_emma", "bm_george", "af_sarah", "am_michael", "bf_lily", "bm_lewis", "af_nova",
    "am_puck", "af_bella", "am_eric",
)  # fmt: skip
STOPS = ("Stop!", "Stop.", "Stop the robot.", "Please stop.", "Stop now!", "Halt!", "Freeze!")
"""The plain word most of all: it is what people shout."""
GERMAN_STOPS = ("Stopp!", "Halt an!", "Anhalten!", "Stopp, bitte.")
OTHER_SPEECH = (
    "Turn on the kitchen light.", "What time is it?", "Set a timer for five minutes.", "Start the music, please.",
    "Put it on the top shelf.", "Hold on to that box for me.", "The shop around the corner is open.", "Good job!",
    "Step a little to the left.", "Steady now.", "It is hot up there.", "Tell me a story about a dog and a star.",
    "I took the morning train to work today.", "He stepped outside and looked up at the sky.", "Pop the top off.",
    "Start over from the beginning.", "The stocks are up again.", "Please call my mother.", "Yes.", "No.", "Okay.",
    "How is the weather in Paris?", "Salt and pepper are on the table.",
    "She bought apples, pears and a loaf of bread.",
    "Could you drive to the office and come back?", "We hope to see you there at three.", "Stand by the door.",
    "Is anybody at home?", "Three plus four is seven.", "The hall is at the end of the corridor.", "Stuff happens.",
    "Breathe in and out slowly.", "The cat sat on the mat all day long.", "Drop the box here.",
    "That is a false alarm.",
    "Turn left at the next corner.", "I would like a cup of coffee.", "The freezer is full of peas.", "Never mind.",
)  # fmt: skip
REPLIES = (
    "I am on my way to the bedroom, and I will tell you when I have arrived.",
    "Say stop whenever you want me to stop, and I will stop at once.",
    "The next stop of the bus is at the town hall, and the last stop is the harbour.",
    "The kitchen light is on, the thermostat is set to twenty one degrees, and two timers are running.",
    "Halt and freeze are words that I understand as well. If you say freeze, I freeze.",
    "Here is the news of the day: it will stop raining at noon, and the evening will be dry and warm.",
)
"""What the assistant says in the test of its own echo: stop words among them."""
HUMAN = Path(__file__).parents[1] / "tests" / "data"
QUIET_DB = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """One thing said by one voice."""

    text: str
    voice: str
    speed: float
    sound: "Samples"
    """16 kHz, from the first to the last audible sample, shape (n,)."""


def stop_clips(voices: int = len(KOKORO_VOICES)) -> Iterator[Clip]:
    """Make stops: every Kokoro voice at changing speeds, Piper and espeak-ng at every speed."""
    speeds = cycle(SPEEDS)
    for number, voice in enumerate(KOKORO_VOICES[:voices]):
        # Every voice says the bare word and two of the others.
        texts = ("Stop!", "Stop.", STOPS[2 + number % 3], STOPS[5 + number % 2])
        yield from _spoken("kokoro", voice, [(text, next(speeds)) for text in texts])
        next(speeds)
    for engine in ("piper", "espeak"):
        yield from _spoken(engine, None, [(text, speed) for speed in SPEEDS for text in (STOPS[0], STOPS[2], STOPS[3])])


def german_clips() -> Iterator[Clip]:
    """Make German stops with the one German voice there is."""
    yield from _spoken("espeak", None, [(text, speed) for speed in SPEEDS[:3] for text in GERMAN_STOPS], "de")


def other_clips() -> Iterator[Clip]:
    """Make speech that stops nothing, and add recordings of people."""
    for voice in KOKORO_VOICES[:3]:
        yield from _spoken("kokoro", voice, [(text, 1.0) for text in OTHER_SPEECH[::3]])
    yield from _spoken("piper", None, [(text, speed) for speed in SPEEDS[:3] for text in OTHER_SPEECH])
    yield from _spoken("espeak", None, [(text, 1.0) for text in OTHER_SPEECH])
    yield from human_clips()


def human_clips() -> Iterator[Clip]:
    """Read the recordings of people that the tests use."""
    from edgevox.audio.resample import to_mono
    from edgevox.audio.wav import read_wav

    for path in sorted(HUMAN.glob("speech_human_*.wav")):
        sound = read_wav(path)
        samples = resample(to_mono(sound.block), sound.rate, SAMPLE_RATE)
        yield Clip(text=path.stem, voice="human", speed=1.0, sound=_level(samples))


def reply_clips(engine: str = "piper") -> Iterator[Clip]:
    """Make what the assistant says."""
    yield from _spoken(engine, None, [(text, 1.0) for text in REPLIES])


def shuffled(clips: list[Clip], seed: int = 5) -> list[Clip]:
    """Return them in an order that no voice or speed decides."""
    mixed = list(clips)
    random.Random(seed).shuffle(mixed)
    return mixed


def _spoken(engine: str, voice: str | None, lines: list[tuple[str, float]], language: str = "en") -> Iterator[Clip]:
    from edgevox.speech.factory import create_tts

    for speed in sorted({speed for _, speed in lines}):
        tts = create_tts(engine, voice, language, speed=speed)  # type: ignore[arg-type]
        tts.open()
        try:
            for text in (text for text, each in lines if each == speed):
                sound = resample(np.concatenate(list(tts.synthesize(text))), tts.sample_rate, SAMPLE_RATE)
                yield Clip(text=text, voice=voice or engine, speed=speed, sound=_level(_audible(sound)))
        finally:
            tts.close()


def _audible(sound: "Samples") -> "Samples":
    """Cut away what is so much quieter than the loudest 10 ms that nobody hears it, at both ends."""
    block = SAMPLE_RATE // 100
    blocks = sound[: len(sound) // block * block].reshape(-1, block)
    power = np.sqrt((blocks**2).mean(axis=1))
    loud = np.flatnonzero(power > power.max() * 10 ** (-QUIET_DB / 20))
    return sound[loud[0] * block : (loud[-1] + 1) * block]


def _level(sound: "Samples") -> "Samples":
    return (sound * (SPEECH_RMS / np.sqrt(np.mean(sound**2)))).astype(np.float32)
