"""False stops per hour: other people's speech, and the assistant's own voice out of its loudspeaker.

Runs as fast as the machine can: every frame is heard in its turn, with a clock that counts samples, so that no look is
left out because the machine is busy. Something always moves, so that a doubtful case counts.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.room import ECHO_GAIN, ECHO_S, SPEECH_RMS, TAPS, pink_noise
from benchmarks.stop_clips import Clip, other_clips, shuffled
from edgevox.audio.echo import EchoGuard
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME, Frame
from edgevox.pipeline.glance import Glance
from edgevox.pipeline.hear import Hearer
from edgevox.pipeline.listen import Listener
from edgevox.pipeline.queues import FrameQueue
from edgevox.safety import SafetyMonitor
from edgevox.speech.factory import create_stt, create_vad, segmenter_options
from edgevox.speech.segmenter import Segmenter

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

PAUSE_S = 1.2
OWN_VOICE_RMS = 0.15
"""Level of the assistant's voice as it leaves for the loudspeaker."""


class Ear:
    """The product's ear and hearing on one thread, frame after frame."""

    def __init__(self, guard: EchoGuard | None = None) -> None:
        from edgevox.config.settings import VadSettings
        from edgevox.testing import MicFake

        self.stops: list[str] = []
        stt, vad, queue = create_stt("auto", "en"), create_vad(), FrameQueue[Frame](64)
        stt.open()
        vad.open()
        monitor = SafetyMonitor(on_stop=self.stops.append, is_active=lambda: True)
        self._queue = queue
        self._hearer = Hearer(
            stt, monitor, queue, answers=lambda _: False, on_heard=lambda _: None,
            glance=Glance(lambda: monitor.key_words, lambda: True),
        )  # fmt: skip
        self._listener = Listener(
            MicFake(), vad, Segmenter(segmenter_options(VadSettings())), monitor, queue, echo=guard,
            wants_partials=lambda: True,
        )  # fmt: skip
        self._frames = 0

    @property
    def seconds(self) -> float:
        """How much was heard."""
        return self._frames * VAD_FRAME / SAMPLE_RATE

    def hear(self, sound: "Samples") -> None:
        """Hear a sound to its end."""
        for start in range(0, len(sound) - VAD_FRAME + 1, VAD_FRAME):
            self._listener.hear_frame(sound[start : start + VAD_FRAME], self.seconds)
            self._frames += 1
            while (frame := self._queue.get(0.0)) is not None:
                self._hearer.take(frame)


def false_stops(minutes: float, replies: list[Clip]) -> dict[str, Any]:
    """Measure both for so many minutes each."""
    return {
        "false stops per hour of other speech": _of_other_speech(minutes),
        "false stops per hour of the assistant's own echo": _of_own_echo(minutes, replies),
    }


def _of_other_speech(minutes: float) -> dict[str, Any]:
    ear = Ear()
    taken: list[str] = []
    for number, clip in enumerate(_over_and_over(shuffled(list(other_clips())))):
        if ear.seconds > 60 * minutes:
            break
        before = len(ear.stops)
        noise = pink_noise(len(clip.sound) / SAMPLE_RATE + PAUSE_S, SPEECH_RMS / 10 ** (number % 3), seed=number)
        noise[: len(clip.sound)] += clip.sound
        ear.hear(noise)
        if len(ear.stops) > before:
            taken.append(f"{clip.voice}: {clip.text}")
    return _rate(ear, taken)


def _of_own_echo(minutes: float, replies: list[Clip]) -> dict[str, Any]:
    guard = EchoGuard()
    ear = Ear(guard)
    taken: list[str] = []
    for clip in _over_and_over(replies):
        if ear.seconds > 60 * minutes:
            break
        before = len(ear.stops)
        spoken = clip.sound * (OWN_VOICE_RMS / SPEECH_RMS)
        guard.reference(spoken, ear.seconds)
        ear.hear(_echo_of(spoken))
        if len(ear.stops) > before:
            taken.append(clip.text)
    return _rate(ear, taken)


def _echo_of(spoken: "Samples") -> "Samples":
    out = np.zeros(len(spoken) + round(PAUSE_S * SAMPLE_RATE), dtype=np.float32)
    for delay, gain in TAPS:
        start = round((ECHO_S + delay) * SAMPLE_RATE)
        out[start : start + len(spoken)] += ECHO_GAIN * gain * spoken
    return out + pink_noise(len(out) / SAMPLE_RATE, 0.0005)[: len(out)]


def _over_and_over(clips: list[Clip]) -> Iterator[Clip]:
    while True:
        yield from clips


def _rate(ear: Ear, taken: list[str]) -> dict[str, Any]:
    hours = ear.seconds / 3600
    return {"value": len(ear.stops) / hours, "unit": "per hour", "minutes": round(60 * hours, 1), "taken": taken}
