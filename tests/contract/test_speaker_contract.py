"""What every `SpeakerSink` promises, over the device, the file, the silent one and the fake."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from edgevox.audio.files import FileSpeaker, NullSpeaker
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import DeviceError
from edgevox.core.ports import SpeakerSink
from edgevox.testing import FakeAudioBackend, FakeSpeaker

TONE = np.full(2_400, 0.5, dtype=np.float32)
"""A tenth of a second at 24 kHz."""


def _device(_: Path) -> SpeakerSink:
    return Speaker(system=AudioSystem(FakeAudioBackend()))


def _file(folder: Path) -> SpeakerSink:
    return FileSpeaker(folder / "reply.wav")


def _slow_file(folder: Path) -> SpeakerSink:
    return FileSpeaker(folder / "reply.wav", realtime=True)


def _nothing(_: Path) -> SpeakerSink:
    return NullSpeaker()


def _fake(_: Path) -> SpeakerSink:
    return FakeSpeaker(realtime=True)


MAKERS = {"device": _device, "file": _file, "slow file": _slow_file, "nothing": _nothing, "fake": _fake}
REALTIME = ("device", "slow file", "fake")


@pytest.fixture(params=MAKERS)
def speaker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SpeakerSink]:
    made = MAKERS[request.param](tmp_path)
    yield made
    made.close()


@pytest.fixture(params=REALTIME)
def slow_speaker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SpeakerSink]:
    made = MAKERS[request.param](tmp_path)
    made.open()
    yield made
    made.close()


def test_opening_and_closing_twice_is_fine(speaker: SpeakerSink) -> None:
    speaker.open()
    speaker.open()
    assert speaker.written_s == speaker.heard_s == 0
    speaker.close()
    speaker.close()


def test_a_closed_loudspeaker_refuses(speaker: SpeakerSink) -> None:
    with pytest.raises(DeviceError):
        speaker.write(TONE, 24_000, scope=CancelScope())


def test_everything_that_was_handed_over_is_heard_in_the_end(speaker: SpeakerSink) -> None:
    speaker.open()
    scope = CancelScope()
    for rate in (24_000, 22_050, 24_000):
        assert speaker.write(TONE[: rate // 20], rate, scope=scope)
    assert speaker.written_s == pytest.approx(0.15, abs=0.001)
    assert speaker.drain(scope)
    assert speaker.heard_s >= speaker.written_s - 0.001


def test_no_sound_is_no_fault(speaker: SpeakerSink) -> None:
    speaker.open()
    scope = CancelScope()
    assert speaker.write(TONE[:0], 24_000, scope=scope)
    assert speaker.drain(scope)
    speaker.flush()
    assert speaker.written_s == 0


def test_a_scope_that_has_ended_hands_nothing_over(speaker: SpeakerSink) -> None:
    speaker.open()
    scope = CancelScope()
    scope.cancel()
    assert speaker.write(TONE, 24_000, scope=scope) is False
    assert speaker.written_s == 0
    assert speaker.drain(scope) is False


def test_a_flush_takes_back_what_was_not_heard(slow_speaker: SpeakerSink) -> None:
    scope = CancelScope()
    slow_speaker.write(np.tile(TONE, 5), 24_000, scope=scope)
    time.sleep(0.05)
    began = time.monotonic()
    slow_speaker.flush()
    assert time.monotonic() - began < 0.03
    assert slow_speaker.written_s == slow_speaker.heard_s < 0.3
    assert slow_speaker.drain(scope)


def test_a_cancelled_turn_ends_a_write_that_waits_for_room(slow_speaker: SpeakerSink) -> None:
    scope = CancelScope()
    threading.Timer(0.05, scope.cancel).start()
    began = time.monotonic()
    assert slow_speaker.write(np.tile(TONE, 40), 24_000, scope=scope) is False
    assert time.monotonic() - began < 0.5
    assert slow_speaker.drain(scope) is False


def test_after_a_flush_it_speaks_again(slow_speaker: SpeakerSink) -> None:
    scope = CancelScope()
    slow_speaker.write(np.tile(TONE, 5), 24_000, scope=scope)
    slow_speaker.flush()
    before = slow_speaker.written_s
    assert slow_speaker.write(TONE, 24_000, scope=scope)
    assert slow_speaker.drain(scope)
    assert slow_speaker.heard_s - before == pytest.approx(0.1, abs=0.002)
