"""What every `MicrophoneSource` promises, over the device, the recording and the fake."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from edgevox.audio.files import FileMicrophone
from edgevox.audio.microphone import Microphone
from edgevox.audio.system import AudioSystem
from edgevox.audio.wav import WavWriter
from edgevox.core.ports import MicrophoneSource
from edgevox.testing import FakeAudioBackend, FakeDevice, MicFake

SOUND = (0.4 * np.sin(2 * np.pi * 300 * np.arange(8_000) / 16_000)).astype(np.float32)


@dataclass
class Case:
    """One implementation and how sound gets into it."""

    microphone: MicrophoneSource
    hear: Callable[[], object]


def _device(_: Path) -> Case:
    backend = FakeAudioBackend([FakeDevice(rates=frozenset({48_000}), min_in=2, max_in=2)])
    microphone = Microphone(system=AudioSystem(backend), watch=False)
    return Case(microphone, lambda: backend.microphone.hear(np.concatenate([SOUND, np.zeros(1_600, np.float32)])))


def _recording(folder: Path) -> Case:
    path = folder / "sound.wav"
    with path.open("wb") as file:
        WavWriter(file, 16_000).write(SOUND)
    return Case(FileMicrophone(path, tail_s=0.1), lambda: None)


def _fake(_: Path) -> Case:
    fake = MicFake(ends=False)
    return Case(fake, lambda: fake.say(SOUND))


@pytest.fixture(params=[_device, _recording, _fake], ids=["device", "recording", "fake"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    made = request.param(tmp_path)
    yield made
    made.microphone.close()


def test_opening_twice_is_fine(case: Case) -> None:
    case.microphone.open()
    case.microphone.open()
    assert case.microphone.ended is False


def test_what_is_read_is_mono_float32_at_16_khz_and_never_empty(case: Case) -> None:
    case.microphone.open()
    case.hear()
    parts: list[np.ndarray[tuple[int], np.dtype[np.float32]]] = []
    while sum(len(part) for part in parts) < len(SOUND) and (part := case.microphone.read(0.2)) is not None:
        assert part.dtype == np.float32
        assert part.ndim == 1
        assert len(part) > 0
        parts.append(part)
    heard = np.concatenate(parts)[: len(SOUND)]
    assert np.abs(heard - SOUND)[100:-100].max() < 0.02


def test_reading_waits_no_longer_than_it_may(case: Case) -> None:
    case.microphone.open()
    case.hear()
    began = time.monotonic()
    while case.microphone.read(0.02) is not None:
        pass
    assert time.monotonic() - began < 1


def test_closing_twice_is_fine_and_ends_it(case: Case) -> None:
    case.microphone.open()
    case.microphone.close()
    case.microphone.close()
    assert case.microphone.ended
    assert case.microphone.read(0.01) is None
