"""A loudspeaker that plays everything, falls silent at once, and says when it is lost."""

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.audio.recovery import DeviceState
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import DeviceError
from edgevox.testing import FakeAudioBackend, FakeClock, FakeDevice

Sound = NDArray[np.float32]


def tone(seconds: float, rate: int = 16_000) -> Sound:
    return np.full(int(seconds * rate), 0.5, dtype=np.float32)


def eventually(condition: Callable[[], bool], timeout: float = 2.0) -> bool:
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


class Room:
    """A loudspeaker on a fake device."""

    def __init__(self, *devices: FakeDevice, **options: object) -> None:
        self.backend = FakeAudioBackend(devices or [FakeDevice(name="Box", rates=frozenset({48_000}))])
        self.changes: list[tuple[DeviceState, str]] = []
        self.speaker = Speaker(
            system=AudioSystem(self.backend, let_go_s=0.05),
            on_change=lambda state, sentence: self.changes.append((state, sentence)),
            **options,  # pyright: ignore[reportArgumentType]
        )
        self.scope = CancelScope()
        self.speaker.open()

    def told(self, *states: DeviceState) -> bool:
        """Whether just these changes are told, in this order."""
        return eventually(lambda: [state for state, _ in self.changes] == list(states))

    def loud_s(self) -> float:
        """Seconds of sound that the device played, silence left out."""
        output = self.backend.loudspeaker
        return float(np.count_nonzero(np.abs(output.played) > 0.3)) / output.request.rate


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    yield made
    made.speaker.close()


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000, 48_000])
def test_all_of_a_sentence_is_played_at_the_rate_of_the_device(room: Room, rate: int) -> None:
    assert room.speaker.write(tone(0.15, rate), rate, scope=room.scope)
    assert room.speaker.written_s == pytest.approx(0.15, abs=0.0001)
    assert room.speaker.drain(room.scope)
    assert room.loud_s() == pytest.approx(0.15, abs=0.01)
    assert room.speaker.heard_s == room.speaker.written_s


def test_what_was_heard_grows_with_time_and_many_sentences_add_up_exactly(room: Room) -> None:
    for _ in range(4):
        room.speaker.write(tone(0.0437, 22_050), 22_050, scope=room.scope)
        before = room.speaker.heard_s
        assert before < room.speaker.written_s
        assert room.speaker.drain(room.scope)
        assert room.speaker.heard_s == room.speaker.written_s


def test_writing_blocks_while_the_buffer_is_full_and_goes_on_when_there_is_room() -> None:
    room = Room(buffer_s=0.1)
    started = time.monotonic()
    assert room.speaker.write(tone(0.4), 16_000, scope=room.scope)
    assert 0.05 < time.monotonic() - started < 0.4
    assert room.speaker.drain(room.scope)
    assert room.loud_s() == pytest.approx(0.4, abs=0.01)
    room.speaker.close()


def test_a_flush_silences_the_device_within_30_ms_and_takes_back_what_was_not_heard(room: Room) -> None:
    room.speaker.write(tone(0.8), 16_000, scope=room.scope)
    assert eventually(lambda: room.speaker.heard_s > 0.1)
    started = time.monotonic()
    room.speaker.flush()
    assert time.monotonic() - started < 0.03
    heard = room.speaker.heard_s
    assert room.speaker.written_s == heard
    assert heard == pytest.approx(room.loud_s(), abs=0.03)
    time.sleep(0.05)
    assert room.speaker.heard_s == heard
    assert room.speaker.drain(room.scope)


def test_a_flush_ends_a_write_that_waits(room: Room) -> None:
    results: list[bool] = []
    writer = threading.Thread(target=lambda: results.append(room.speaker.write(tone(3), 16_000, scope=room.scope)))
    writer.start()
    assert eventually(lambda: room.speaker.written_s >= 1.0)
    room.speaker.flush()
    writer.join(1)
    assert results == [False]
    time.sleep(0.05)
    assert room.speaker.written_s == room.speaker.heard_s < 0.3


def test_a_write_ends_with_its_scope(room: Room) -> None:
    threading.Timer(0.03, room.scope.cancel).start()
    started = time.monotonic()
    assert room.speaker.write(tone(5), 16_000, scope=room.scope) is False
    assert time.monotonic() - started < 0.3
    assert room.speaker.drain(room.scope) is False


def test_after_a_flush_the_next_sentence_is_played(room: Room) -> None:
    for _ in range(5):
        room.speaker.write(tone(0.3), 16_000, scope=room.scope)
        time.sleep(0.01)
        room.speaker.flush()
    before = room.loud_s()
    room.speaker.write(tone(0.1), 16_000, scope=room.scope)
    assert room.speaker.drain(room.scope)
    assert room.loud_s() - before == pytest.approx(0.1, abs=0.01)
    assert room.speaker.state is DeviceState.OPEN


def test_flushes_from_many_threads_never_break_the_device(room: Room) -> None:
    stop = threading.Event()

    def flush_often() -> None:
        while not stop.wait(0.003):
            room.speaker.flush()

    threads = [threading.Thread(target=flush_often) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(12):
        room.speaker.write(tone(0.2), 16_000, scope=room.scope)
    stop.set()
    for thread in threads:
        thread.join()
    assert room.speaker.state is DeviceState.OPEN
    room.speaker.flush()
    before = room.loud_s()
    room.speaker.write(tone(0.1), 16_000, scope=room.scope)
    assert room.speaker.drain(room.scope)
    assert room.loud_s() - before == pytest.approx(0.1, abs=0.01)


def test_a_device_that_ran_dry_in_the_middle_of_sound_is_counted() -> None:
    room = Room()
    room.backend.loudspeaker.underflows.extend([True, False, True])
    room.speaker.write(tone(0.2), 16_000, scope=room.scope)
    room.speaker.drain(room.scope)
    assert room.speaker.underflows == 1, "the first block follows silence: that is no fault"
    room.speaker.close()
    assert room.speaker.underflows == 1


def test_a_stereo_only_device_gets_the_sound_on_both_channels() -> None:
    room = Room(FakeDevice(min_out=2, max_out=2))
    room.speaker.write(tone(0.05), 16_000, scope=room.scope)
    room.speaker.drain(room.scope)
    assert room.backend.loudspeaker.channels_written == {2}
    room.speaker.close()


def test_the_echo_guard_hears_what_is_played_and_when() -> None:
    pieces: list[tuple[int, float]] = []
    cuts: list[float] = []

    def hear(samples: Sound, at: float) -> None:
        pieces.append((len(samples), at))

    room = Room(reference=hear, reference_cut=cuts.append)
    began = time.monotonic()
    room.speaker.write(tone(0.2, 24_000), 24_000, scope=room.scope)
    room.speaker.drain(room.scope)
    assert eventually(lambda: sum(count for count, _ in pieces) >= 3_199)
    assert sum(count for count, _ in pieces) == pytest.approx(3_200, abs=2)
    assert pieces[0][1] == pytest.approx(began, abs=0.1)
    last, at = pieces[-1]
    assert at + last / 16_000 == pytest.approx(pieces[0][1] + 0.2, abs=0.02)
    room.speaker.flush()
    assert len(cuts) == 1
    room.speaker.close()


def test_the_device_rests_when_nothing_is_said_and_starts_again(room: Room) -> None:
    room.speaker.write(tone(0.05), 16_000, scope=room.scope)
    room.speaker.drain(room.scope)
    output = room.backend.loudspeaker
    assert eventually(lambda: output.aborts == 1)
    assert room.loud_s() == pytest.approx(0.05, abs=0.005)
    room.speaker.write(tone(0.05), 16_000, scope=room.scope)
    room.speaker.drain(room.scope)
    assert output.starts == 2


def test_an_unplugged_loudspeaker_is_said_once_and_nothing_waits_for_it(room: Room) -> None:
    room.speaker.write(tone(0.3), 16_000, scope=room.scope)
    room.backend.unplug("Box")
    assert eventually(lambda: room.speaker.state is DeviceState.LOST)
    with pytest.raises(DeviceError, match="loudspeaker “Box”"):
        room.speaker.write(tone(0.1), 16_000, scope=room.scope)
    assert room.speaker.write(tone(0.1), 16_000, scope=room.scope) is False
    assert room.speaker.drain(room.scope)
    assert room.speaker.heard_s == room.speaker.written_s
    room.speaker.flush()
    assert room.told(DeviceState.LOST)


def test_a_loudspeaker_that_is_plugged_in_again_speaks_again(room: Room) -> None:
    room.speaker.write(tone(0.1), 16_000, scope=room.scope)
    box = room.backend.plugged[0]
    room.backend.unplug("Box")
    assert eventually(lambda: room.speaker.state is DeviceState.LOST)
    room.backend.plug(box)
    assert room.told(DeviceState.LOST, DeviceState.OPEN)
    assert room.changes[-1] == (DeviceState.OPEN, "The loudspeaker “Box” is back.")
    assert room.speaker.write(tone(0.1), 16_000, scope=room.scope)
    assert room.speaker.drain(room.scope)
    assert room.loud_s() == pytest.approx(0.1, abs=0.01)


def test_a_device_that_takes_nothing_any_more_counts_as_lost() -> None:
    clock = FakeClock()
    room = Room(clock=clock)
    room.backend.loudspeaker.stuck = True
    done: list[bool] = []
    writer = threading.Thread(target=lambda: done.append(room.speaker.write(tone(3), 16_000, scope=room.scope)))
    writer.start()
    time.sleep(0.05)
    clock.advance(2.5)
    writer.join(2)
    assert done == [False]
    assert room.told(DeviceState.LOST)
    room.speaker.close()


def test_closing_is_quick_although_the_device_hangs_and_twice_is_fine(room: Room) -> None:
    room.backend.loudspeaker.hangs.set()
    started = time.monotonic()
    room.speaker.close()
    room.speaker.close()
    assert time.monotonic() - started < 0.3
    room.backend.loudspeaker.hangs.clear()
    with pytest.raises(DeviceError, match="not open"):
        room.speaker.write(tone(0.1), 16_000, scope=room.scope)


def test_nothing_is_taken_before_it_is_open() -> None:
    with pytest.raises(DeviceError, match="not open"):
        Speaker(system=AudioSystem(FakeAudioBackend())).write(tone(0.1), 16_000, scope=CancelScope())
