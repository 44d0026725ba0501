import time
from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.core.frames import EndFrame, Frame, SoftEndFrame, SpeechStartedFrame, UtteranceFrame
from edgevox.pipeline.listen import Listener
from edgevox.pipeline.queues import FrameQueue
from edgevox.safety import SafetyMonitor
from edgevox.speech.segmenter import Segmenter, SegmenterOptions
from edgevox.testing import FakeClock, ScriptedVad

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

RATE = 16_000


def silence(seconds: float) -> "Samples":
    return np.zeros(int(RATE * seconds), dtype=np.float32)


def speech(seconds: float) -> "Samples":
    return (0.3 * np.sin(np.arange(int(RATE * seconds)) * 0.2)).astype(np.float32)


class Recording:
    """A microphone that brings what it was given, in blocks of any sizes, and then ends.

    A clock that it is given moves as sound comes.
    """

    def __init__(
        self,
        sound: "Samples",
        sizes: Sequence[int] = (700,),
        *,
        fails: Exception | None = None,
        clock: FakeClock | None = None,
    ) -> None:
        self._blocks: list[Samples] = []
        for size in cycle(sizes):
            if not len(sound):
                break
            self._blocks.append(sound[:size])
            sound = sound[size:]
        self._fails = fails
        self._clock = clock
        self.closed = False

    def open(self) -> None:
        self.closed = False

    def read(self, timeout: float) -> "Samples | None":
        if self._blocks:
            block = self._blocks.pop(0)
            if self._clock is not None:
                self._clock.advance(len(block) / RATE)
            return block
        if self._fails is not None:
            raise self._fails
        return None

    @property
    def ended(self) -> bool:
        return not self._blocks

    def close(self) -> None:
        self.closed = True


class SpotsLoudness:
    """A spotter that takes the first loud frame for a stop."""

    def feed(self, samples: "Samples") -> str | None:
        return "stop" if float(np.abs(samples).max()) > 0.2 else None

    def reset(self) -> None:
        """Nothing is kept."""


class EchoUntilTold:
    """Takes everything for echo until `own` is False."""

    def __init__(self) -> None:
        self.own = True

    def process(self, frame: "Samples", at: float) -> "tuple[Samples, bool]":
        return frame, self.own


class Ears:
    def __init__(self, sound: "Samples", sizes: Sequence[int] = (700,), **options: object) -> None:
        self.outbox: FrameQueue[Frame] = FrameQueue(256)
        self.stops: list[str] = []
        self.lost: list[str | None] = []
        self.hearing: list[bool] = []
        self.levels: list[float] = []
        fails = options.pop("fails", None)
        assert fails is None or isinstance(fails, Exception)
        clock = FakeClock()
        self.microphone = Recording(sound, sizes, fails=fails, clock=clock)
        vad = ScriptedVad()
        vad.open()
        spotter = SpotsLoudness() if options.pop("spots", False) else None
        echo = options.pop("echo", None)
        assert echo is None or isinstance(echo, EchoUntilTold)
        self.listener = Listener(
            self.microphone,
            vad,
            Segmenter(SegmenterOptions()),
            SafetyMonitor(on_stop=self.stops.append, spotter=spotter),
            self.outbox,
            echo=echo,
            on_level=self.levels.append,
            on_hearing=self.hearing.append,
            on_lost=self.lost.append,
            clock=clock,
        )

    def run(self) -> list[Frame]:
        self.listener.start()
        self.listener.join(5.0)
        return self.outbox.clear()


def of(kind: type[Frame], frames: list[Frame]) -> list[Frame]:
    return [frame for frame in frames if isinstance(frame, kind)]


def test_speech_becomes_one_utterance_and_the_recording_ends() -> None:
    ears = Ears(np.concatenate([silence(0.6), speech(1.0), silence(1.0)]))
    frames = ears.run()
    assert len(of(SpeechStartedFrame, frames)) == 1
    utterances = of(UtteranceFrame, frames)
    assert len(utterances) == 1
    assert isinstance(utterances[0], UtteranceFrame)
    assert len(utterances[0].samples) >= RATE
    assert isinstance(frames[-1], EndFrame)
    assert ears.hearing == [True, False]
    assert ears.microphone.closed


def test_speech_at_the_very_end_of_a_recording_is_not_lost() -> None:
    frames = Ears(np.concatenate([silence(0.3), speech(0.8)])).run()
    assert len(of(UtteranceFrame, frames)) == 1


def test_the_safety_monitor_hears_the_sound_first() -> None:
    ears = Ears(np.concatenate([silence(0.3), speech(0.8), silence(1.0)]), spots=True)
    frames = ears.run()
    assert ears.stops
    assert of(UtteranceFrame, frames) == []


def test_the_assistants_own_voice_is_no_speech_and_no_stop() -> None:
    ears = Ears(np.concatenate([silence(0.3), speech(0.8), silence(1.0)]), spots=True, echo=EchoUntilTold())
    assert of(UtteranceFrame, ears.run()) == []
    assert ears.stops == []


def test_a_muted_microphone_is_not_listened_to() -> None:
    ears = Ears(np.concatenate([silence(0.3), speech(0.8), silence(1.0)]), spots=True)
    ears.listener.muted = True
    assert of(UtteranceFrame, ears.run()) == []
    assert ears.stops == []
    assert max(ears.levels) > 0.3


@pytest.mark.parametrize("fails", [OSError("unplugged")])
def test_a_failing_microphone_says_so_and_is_closed(fails: Exception) -> None:
    ears = Ears(silence(0.1), fails=fails)
    ears.run()
    assert ears.lost
    assert ears.lost[0] is not None
    assert ears.microphone.closed


class Endless(Recording):
    """A microphone in a silent room."""

    @property
    def ended(self) -> bool:
        return False

    def read(self, timeout: float) -> "Samples | None":
        time.sleep(0.01)
        return None


def test_closing_ends_the_thread_within_its_read_timeout() -> None:
    microphone = Endless(silence(0.0))
    listener = Listener(microphone, ScriptedVad(), Segmenter(SegmenterOptions()), SafetyMonitor(), FrameQueue[Frame](4))
    listener.start()
    started = time.monotonic()
    listener.close()
    listener.join(2.0)
    assert time.monotonic() - started < 0.5
    assert microphone.closed


def ends(sound: "Samples", sizes: Sequence[int]) -> list[tuple[str, float, float]]:
    return [
        (type(frame).__name__, round(frame.ended, 6), float(np.sum(frame.samples)))
        for frame in Ears(sound, sizes).run()
        if isinstance(frame, SoftEndFrame | UtteranceFrame)
    ]


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.05]), st.integers(1, 300)), min_size=1, max_size=8),
    st.lists(st.integers(40, 4000), min_size=1, max_size=5),
)
@settings(max_examples=60, deadline=None)
def test_the_same_sound_gives_the_same_utterances_in_any_blocks(
    stretches: list[tuple[float, int]], sizes: list[int]
) -> None:
    noise = np.random.default_rng(7)
    sound = np.concatenate([noise.normal(0, level, count * 100).astype(np.float32) for level, count in stretches])
    assert ends(sound, sizes) == ends(sound, [sound.size])
