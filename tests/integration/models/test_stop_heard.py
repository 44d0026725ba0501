"""Stops through the real ear: detector, segmenter and recogniser, sample by sample, without waiting for a clock."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.audio.echo import EchoGuard
from edgevox.audio.resample import resample, to_mono
from edgevox.audio.wav import read_wav
from edgevox.config import models
from edgevox.config.settings import VadSettings
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME, Frame, TranscriptionFrame
from edgevox.core.ports import SpeechToText
from edgevox.pipeline.glance import Glance
from edgevox.pipeline.hear import Hearer
from edgevox.pipeline.listen import Listener
from edgevox.pipeline.queues import FrameQueue
from edgevox.safety import SafetyMonitor
from edgevox.speech.factory import create_stt, create_tts, create_vad, segmenter_options
from edgevox.speech.segmenter import Segmenter
from edgevox.testing import MicFake

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

RECORDINGS = Path(__file__).parents[3] / "assets" / "recordings"
OWN = ("go_to_the_bedroom", "stop", "turn_on_kitchen_light", "stop", "tell_me_a_joke")
"""What the assistant says in a test: stop words among it."""

Say = Callable[..., "Samples"]


class Ear:
    """Everything between microphone and monitor, on one thread; its clock counts samples. Something always moves."""

    def __init__(self, stt: SpeechToText, guard: EchoGuard | None = None) -> None:
        self.stops: list[float] = []
        """When something was stopped, seconds of sound."""
        self.heard: list[str] = []
        vad, self._queue = create_vad(), FrameQueue[Frame](64)
        vad.open()
        monitor = SafetyMonitor(on_stop=self._stop, is_active=lambda: True)
        self._hearer = Hearer(
            stt, monitor, self._queue, answers=lambda _: False, on_heard=self._note,
            glance=Glance(lambda: monitor.key_words, lambda: True),
        )  # fmt: skip
        self._listener = Listener(
            MicFake(), vad, Segmenter(segmenter_options(VadSettings())), monitor, self._queue, echo=guard,
            wants_partials=lambda: True,
        )  # fmt: skip
        self.seconds = 0.0

    def hear(self, *sounds: "Samples") -> None:
        sound = np.concatenate(sounds)
        for start in range(0, len(sound) - VAD_FRAME + 1, VAD_FRAME):
            self._listener.hear_frame(sound[start : start + VAD_FRAME], self.seconds)
            self.seconds += VAD_FRAME / SAMPLE_RATE
            while (frame := self._queue.get(0.0)) is not None:
                self._hearer.take(frame)

    def _stop(self, _: str) -> None:
        self.stops.append(self.seconds)

    def _note(self, heard: TranscriptionFrame) -> None:
        self.heard.append(heard.text)


def recording(name: str) -> "Samples":
    """Read a recording, from the first audible sample to the last."""
    sound = read_wav(RECORDINGS / f"{name}.wav")
    return audible(resample(to_mono(sound.block), sound.rate, SAMPLE_RATE))


def audible(sound: "Samples") -> "Samples":
    loud = np.flatnonzero(np.abs(sound) > 0.03 * np.abs(sound).max())
    return (0.4 * sound / np.abs(sound).max())[loud[0] : loud[-1] + 1].astype(np.float32)


def silence(seconds: float) -> "Samples":
    return np.zeros(round(seconds * SAMPLE_RATE), np.float32)


@pytest.fixture(scope="module")
def stt() -> Iterator[SpeechToText]:
    if lacking := models.missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")
    made = create_stt("whisper-tiny.en")
    made.open()
    yield made
    made.close()


@pytest.fixture(scope="module")
def say() -> Iterator[Say]:
    """Say words with the voice of the small set; audible from the first sample to the last."""
    if lacking := models.missing("tiny"):
        pytest.skip(f"models are missing: {', '.join(entry.name for entry in lacking)}")
    tts = create_tts("piper")
    tts.open()

    def speak(text: str) -> "Samples":
        return audible(resample(np.concatenate(list(tts.synthesize(text))), tts.sample_rate, SAMPLE_RATE))

    yield speak
    tts.close()


def whispered(sound: "Samples") -> "Samples":
    """Take the voice out of a sound and leave its breath: the same spectrum, excited by noise, and much quieter."""
    size, hop = 400, 100
    window, random = np.hanning(size), np.random.default_rng(4)
    out = np.zeros(len(sound) + size, np.float64)
    for start in range(0, len(sound) - size, hop):
        spectrum = np.abs(np.fft.rfft(sound[start : start + size] * window))
        envelope = np.convolve(np.pad(spectrum, 6, mode="edge"), np.hanning(15)[1:-1] / np.hanning(15).sum(), "valid")
        phases = np.exp(2j * np.pi * random.random(len(envelope)))
        out[start : start + size] += np.fft.irfft(envelope * phases) * window
    return (0.08 * out / np.abs(out).max()).astype(np.float32)


@pytest.mark.parametrize("arming_ms", range(0, 950, 50))
def test_a_stop_is_heard_from_the_first_moment_on(stt: SpeechToText, arming_ms: int) -> None:
    ear, word = Ear(stt), recording("stop")
    ear.hear(silence(arming_ms / 1000), word, silence(0.3))
    assert ear.stops, f"nothing stopped {arming_ms} ms after arming"
    after = ear.stops[0] - arming_ms / 1000 - len(word) / SAMPLE_RATE
    assert after < 0.2, "it must not depend on when it is said"


def test_a_whispered_stop_is_heard(stt: SpeechToText) -> None:
    ear = Ear(stt)
    ear.hear(silence(0.5), whispered(recording("stop")), silence(0.8))
    assert len(ear.stops) == 1


@pytest.mark.parametrize("text", ["Stop the robot.", "Please stop.", "Stop now!"])
def test_a_stop_in_a_phrase_is_heard_once_and_before_the_pause_is_over(stt: SpeechToText, say: Say, text: str) -> None:
    ear, words = Ear(stt), say(text)
    ear.hear(silence(0.4), words, silence(1.2))
    assert len(ear.stops) == 1
    assert ear.stops[0] < 0.4 + len(words) / SAMPLE_RATE + 0.35
    assert ear.heard == []


@pytest.mark.parametrize(
    "text", ["What time is it?", "Please turn on the kitchen light.", "Good job!", "Where is the bus stop?", "Okay."]
)
def test_other_words_stop_nothing_even_while_something_moves(stt: SpeechToText, say: Say, text: str) -> None:
    ear = Ear(stt)
    ear.hear(silence(0.4), say(text), silence(1.2))
    assert ear.stops == []


def test_a_stop_in_the_middle_of_the_assistants_own_sentence_is_heard_and_its_own_words_are_not(
    stt: SpeechToText,
) -> None:
    guard = EchoGuard()
    ear = Ear(stt, guard)
    own = np.concatenate([part for name in OWN for part in (recording(name), silence(0.2))])
    for _ in range(2):
        guard.reference(own, ear.seconds)
        ear.hear(silence(0.1), 0.1 * own, silence(0.9))
    assert ear.stops == []
    guard.reference(own, ear.seconds)
    mixed = np.concatenate([silence(0.1), 0.1 * own, silence(0.9)])
    word, at = recording("stop"), round(2.0 * SAMPLE_RATE)
    mixed[at : at + len(word)] += word
    began = ear.seconds
    ear.hear(mixed.astype(np.float32))
    assert ear.stops
    assert ear.stops[0] < began + 2.0 + len(word) / SAMPLE_RATE + 0.5
