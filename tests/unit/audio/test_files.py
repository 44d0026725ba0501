"""Recordings in place of devices."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from edgevox.audio.files import FileMicrophone, FileSpeaker, NullSpeaker
from edgevox.audio.wav import WavWriter, read_wav
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import DeviceError, UsageError

TONE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(24_000) / 48_000)).astype(np.float32)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "half a second.wav"
    with path.open("wb") as file:
        WavWriter(file, 48_000).write(TONE)
    return path


def hear(microphone: FileMicrophone) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    parts = [np.zeros(0, dtype=np.float32)]
    while not microphone.ended:
        part = microphone.read(0.1)
        if part is not None:
            parts.append(part)
    return np.concatenate(parts)


def test_a_recording_is_brought_at_16_khz_with_silence_after_it(recording: Path) -> None:
    microphone = FileMicrophone(recording, tail_s=0.25)
    microphone.open()
    assert microphone.duration_s == pytest.approx(0.75)
    sound = hear(microphone)
    assert len(sound) == 12_000
    assert np.abs(sound[:8_000]).max() > 0.4
    assert np.abs(sound[8_000:]).max() == 0
    assert microphone.read(0.1) is None


def test_in_real_time_a_recording_takes_as_long_as_it_is(recording: Path) -> None:
    microphone = FileMicrophone(recording, realtime=True, tail_s=0.0)
    microphone.open()
    started = time.monotonic()
    assert len(hear(microphone)) == 8_000
    assert 0.45 < time.monotonic() - started < 0.9


def test_in_real_time_nothing_comes_before_it_is_due(recording: Path) -> None:
    microphone = FileMicrophone(recording, realtime=True)
    microphone.open()
    assert microphone.read(0.005) is None
    assert microphone.read(0.2) is not None


def test_closing_ends_a_recording(recording: Path) -> None:
    microphone = FileMicrophone(recording, realtime=True)
    microphone.open()
    microphone.open()
    threading.Timer(0.01, microphone.close).start()
    assert microphone.read(0.02) is None or microphone.read(1) is None
    assert microphone.ended
    microphone.close()


def test_a_recording_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        FileMicrophone(tmp_path / "none.wav").open()
    with pytest.raises(DeviceError, match="not open"):
        FileMicrophone(tmp_path / "none.wav").read(0.1)


def test_a_reply_is_written_at_the_rate_of_its_first_sound(tmp_path: Path) -> None:
    path = tmp_path / "reply.wav"
    speaker, scope = FileSpeaker(path), CancelScope()
    speaker.open()
    assert speaker.write(TONE[:2_400], 24_000, scope=scope)
    assert speaker.write(TONE[:4_800], 48_000, scope=scope)
    assert speaker.write(TONE[:2_400], 24_000, scope=scope)
    assert speaker.written_s == speaker.heard_s == pytest.approx(0.3)
    assert speaker.drain(scope)
    speaker.close()
    speaker.close()
    sound = read_wav(path)
    assert sound.rate == 24_000
    assert abs(len(sound.block) - 7_200) <= 1


def test_a_reply_without_sound_is_a_valid_file(tmp_path: Path) -> None:
    path = tmp_path / "nothing.wav"
    speaker = FileSpeaker(path)
    speaker.open()
    speaker.close()
    assert len(read_wav(path).block) == 0


def test_a_reply_is_readable_although_nobody_closed_the_file(tmp_path: Path) -> None:
    path = tmp_path / "killed.wav"
    speaker = FileSpeaker(path)
    speaker.open()
    speaker.write(TONE, 48_000, scope=CancelScope())
    assert len(read_wav(path).block) == len(TONE)
    speaker.close()


def test_a_place_that_cannot_be_written_to_is_known_before_anything_is_spoken(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        FileSpeaker(tmp_path / "no folder" / "reply.wav").open()


def test_a_cancelled_turn_writes_nothing_more(tmp_path: Path) -> None:
    speaker, scope = FileSpeaker(tmp_path / "reply.wav"), CancelScope()
    speaker.open()
    scope.cancel()
    assert speaker.write(TONE, 48_000, scope=scope) is False
    assert speaker.written_s == 0
    assert speaker.drain(scope) is False
    speaker.close()


def test_a_silent_loudspeaker_in_real_time_can_be_interrupted() -> None:
    speaker, scope = NullSpeaker(realtime=True), CancelScope()
    speaker.open()
    speaker.write(TONE, 48_000, scope=scope)
    time.sleep(0.05)
    speaker.flush()
    heard = speaker.heard_s
    assert 0.04 < heard == speaker.written_s < 0.3
    time.sleep(0.03)
    assert speaker.heard_s == heard


def test_a_flush_ends_a_write_in_real_time() -> None:
    speaker, scope = NullSpeaker(realtime=True), CancelScope()
    speaker.open()
    threading.Timer(0.03, speaker.flush).start()
    started = time.monotonic()
    assert speaker.write(np.tile(TONE, 10), 48_000, scope=scope) is False
    assert time.monotonic() - started < 1
