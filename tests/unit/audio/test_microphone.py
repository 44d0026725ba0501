"""A microphone that reads, counts, is lost and comes back."""

import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.audio.microphone import Microphone
from edgevox.audio.recovery import DeviceState
from edgevox.audio.system import AudioSystem
from edgevox.testing import FakeAudioBackend, FakeClock, FakeDevice

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

BLOCK = np.zeros(1024, dtype=np.float32)


class Desk:
    """A microphone on a fake device, with a clock that a test turns."""

    def __init__(self, *devices: FakeDevice, device: str | None = None, channel: int | None = None) -> None:
        self.clock = FakeClock()
        self.backend = FakeAudioBackend(devices or None)
        self.system = AudioSystem(self.backend, let_go_s=0.05)
        self.changes: list[tuple[DeviceState, str]] = []
        self.microphone = Microphone(
            device, channel=channel, system=self.system, clock=self.clock,
            on_change=lambda state, sentence: self.changes.append((state, sentence)), watch=False,
        )  # fmt: skip
        self.microphone.open()

    def read_all(self) -> "Samples":
        parts: list[Samples] = []
        while (part := self.microphone.read(0)) is not None:
            parts.append(part)
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)

    def pass_time(self, seconds: float) -> None:
        """Let the watch look ten times a second."""
        for _ in range(round(seconds * 10)):
            self.clock.advance(0.1)
            self.microphone.check()


def speech(seconds: float, rate: int) -> "Samples":
    """Three bursts of tone with pauses."""
    t = np.arange(int(seconds * rate)) / rate
    loud = (t % 0.5 > 0.15) & (t % 0.5 < 0.4)
    return (0.5 * np.sin(2 * np.pi * 300 * t) * loud).astype(np.float32)


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_the_same_sound_is_cut_at_the_same_places_whatever_the_rate(rate: int) -> None:
    desk = Desk(FakeDevice(rates=frozenset({rate})))
    desk.backend.microphone.deliver(speech(1.5, rate)[:, None])
    heard = desk.read_all()
    frames = heard[: len(heard) // 512 * 512].reshape(-1, 512)
    voiced = np.abs(frames).max(axis=1) > 0.05
    ideal_sound = speech(1.5, 16_000)[: len(frames) * 512].reshape(-1, 512)
    ideal = np.abs(ideal_sound).max(axis=1) > 0.05
    edges, ideal_edges = (np.flatnonzero(np.diff(v.astype(int))) for v in (voiced, ideal))
    assert len(edges) == len(ideal_edges) >= 5
    assert np.abs(edges - ideal_edges).max() <= 1


def test_nothing_of_what_was_captured_is_lost() -> None:
    desk = Desk(FakeDevice(rates=frozenset({48_000})))
    desk.backend.microphone.deliver(speech(2.0, 48_000)[:, None])
    heard = desk.read_all()
    # The filter keeps the last milliseconds until more comes.
    assert 2.0 - len(heard) / 16_000 < 0.1
    assert np.allclose(heard[:16_000], speech(2.0, 16_000)[:16_000], atol=0.05)


def test_without_sound_reading_returns_none_after_the_timeout() -> None:
    desk = Desk()
    started = time.monotonic()
    assert desk.microphone.read(0.03) is None
    assert time.monotonic() - started < 0.2


def test_the_channel_that_was_picked_is_heard() -> None:
    desk = Desk(FakeDevice(min_in=2, max_in=2, rates=frozenset({16_000})), channel=1)
    desk.backend.microphone.deliver(np.stack([np.ones(512), np.full(512, 0.25)], axis=1).astype(np.float32))
    assert np.allclose(desk.read_all(), 0.25)


def test_blocks_that_the_device_lost_are_counted() -> None:
    desk = Desk()
    desk.backend.microphone.deliver(np.zeros((100 * 1024, 1), dtype=np.float32), overflows=(3, 50, 99))
    assert desk.microphone.counts.overflow == 3


def test_a_reader_that_is_too_slow_loses_the_oldest_sound_and_it_is_counted() -> None:
    desk = Desk()
    for _ in range(12):
        desk.backend.microphone.deliver(np.zeros((48_000, 1), dtype=np.float32))
    assert desk.microphone.counts.dropped == 2 * 48_000
    assert len(desk.read_all()) / 16_000 == pytest.approx(10, abs=0.1)


def test_a_microphone_that_brings_sound_is_left_alone() -> None:
    desk = Desk()
    for _ in range(50):
        desk.backend.microphone.deliver(BLOCK[:, None])
        desk.pass_time(0.1)
    assert desk.microphone.state is DeviceState.OPEN
    assert desk.changes == []
    assert len(desk.backend.inputs) == 1


def test_two_seconds_without_a_block_mean_that_it_is_lost() -> None:
    desk = Desk(FakeDevice(name="USB mic"))
    desk.backend.unplug("USB mic")
    desk.pass_time(1.8)
    assert desk.microphone.state is DeviceState.OPEN
    desk.pass_time(0.4)
    assert desk.microphone.state is DeviceState.LOST
    assert [state for state, _ in desk.changes] == [DeviceState.LOST]
    assert "“USB mic” brings no sound any more" in desk.microphone.problem
    assert desk.backend.inputs[0].closed


def test_a_lost_microphone_is_tried_less_and_less_often() -> None:
    desk = Desk(FakeDevice(name="USB mic"), FakeDevice(name="Other", default=False))
    desk.backend.unplug("USB mic")
    desk.pass_time(2.1)
    attempts = len(desk.backend.requests)
    desk.pass_time(30)
    assert 5 <= len(desk.backend.requests) - attempts <= 9
    assert all(request.device.name == "USB mic" for request in desk.backend.requests)


def test_it_comes_back_under_another_number_and_hearing_goes_on() -> None:
    usb = FakeDevice(name="USB mic")
    desk = Desk(FakeDevice(name="Other", default=False), usb, device="USB mic")
    desk.backend.unplug("USB mic")
    desk.pass_time(3)
    assert desk.microphone.state is DeviceState.LOST
    desk.backend.rescan()
    desk.backend.plugged.insert(0, usb)
    desk.pass_time(6)
    assert desk.backend.rescans == 2
    assert desk.microphone.state is DeviceState.LOST, "an open device that brings nothing is not back"
    desk.backend.microphone.hear(speech(0.5, 16_000))
    desk.pass_time(0.1)
    assert desk.microphone.state is DeviceState.OPEN
    assert desk.changes[-1] == (DeviceState.OPEN, "The microphone “USB mic” is back.")
    assert desk.microphone.counts.recovered == 1
    assert desk.backend.microphone.request.device.index == 0
    assert np.abs(desk.read_all()).max() > 0.3


def test_a_device_that_opens_and_stays_silent_is_tried_again() -> None:
    desk = Desk(FakeDevice(name="USB mic"))
    desk.backend.microphone.gone = True
    desk.pass_time(8)
    assert len(desk.backend.inputs) >= 3
    assert [state for state, _ in desk.changes] == [DeviceState.LOST]


def test_what_the_old_stream_still_held_is_read_before_the_new_one() -> None:
    desk = Desk(FakeDevice(name="USB mic", rates=frozenset({48_000})))
    desk.backend.microphone.hear(np.full(1600, 0.25, dtype=np.float32))
    first = desk.microphone.read(0)
    desk.backend.microphone.hear(np.full(1600, 0.25, dtype=np.float32))
    desk.system.rescan()
    desk.backend.microphone.hear(np.full(3200, 0.5, dtype=np.float32))
    assert first is not None
    heard = np.concatenate([first, desk.read_all()])
    assert abs(np.count_nonzero(np.abs(heard - 0.25) < 0.1) - 3200) < 60
    assert np.all(np.diff(np.flatnonzero(np.abs(heard - 0.5) < 0.1)) == 1)


def test_counts_survive_a_loss() -> None:
    desk = Desk(FakeDevice(name="USB mic"))
    desk.backend.microphone.deliver(BLOCK[:, None], overflows=(0,))
    desk.backend.unplug("USB mic")
    desk.pass_time(3)
    assert desk.microphone.counts.overflow == 1


def test_closing_twice_is_fine_and_ends_reading() -> None:
    desk = Desk()
    assert not desk.microphone.ended
    desk.microphone.close()
    desk.microphone.close()
    assert desk.microphone.ended
    assert desk.microphone.read(1.0) is None
    assert desk.backend.inputs[0].closed


def test_it_can_be_opened_again_after_closing() -> None:
    desk = Desk()
    desk.microphone.close()
    desk.microphone.open()
    desk.microphone.open()
    assert len(desk.backend.inputs) == 2
    assert not desk.microphone.ended
    desk.microphone.close()


def test_closing_leaves_a_device_that_hangs_behind() -> None:
    desk = Desk()
    desk.backend.microphone.hangs.set()
    started = time.monotonic()
    desk.microphone.close()
    assert time.monotonic() - started < 0.3
    assert desk.backend.abandoned
    assert desk.system.hanging == 1
    assert desk.system.rescan() is False, "looking again would hang as well"
    desk.backend.microphone.hangs.clear()


def test_a_reader_that_waits_is_woken_by_closing() -> None:
    desk = Desk()
    threading.Timer(0.02, desk.microphone.close).start()
    started = time.monotonic()
    assert desk.microphone.read(5) is None
    assert time.monotonic() - started < 1


def test_the_watch_runs_by_itself() -> None:
    clock = FakeClock()
    backend = FakeAudioBackend()
    lost = threading.Event()
    microphone = Microphone(system=AudioSystem(backend), clock=clock, on_change=lambda _s, _t: lost.set())
    microphone.open()
    clock.advance(2.5)
    assert lost.wait(2)
    microphone.close()
