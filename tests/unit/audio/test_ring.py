"""The ring between the sound library's thread and ours."""

import threading
import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from edgevox.audio.ring import SampleRing


def block(*values: float) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    return np.array(values, dtype=np.float32).reshape(-1, 1)


def taken(ring: SampleRing) -> list[float]:
    got = ring.get(0)
    return [] if got is None else [float(value) for value in got[:, 0]]


def test_what_was_put_comes_out_in_order() -> None:
    ring = SampleRing(8)
    ring.put(block(1, 2, 3))
    ring.put(block(4))
    assert taken(ring) == [1, 2, 3, 4]
    assert taken(ring) == []


def test_the_block_is_copied_since_the_library_reuses_its_memory() -> None:
    ring = SampleRing(8)
    memory = block(1, 2)
    ring.put(memory)
    memory[:] = 9
    assert taken(ring) == [1, 2]


def test_when_the_reader_is_too_slow_the_oldest_goes_and_is_counted() -> None:
    ring = SampleRing(4)
    for value in range(6):
        ring.put(block(value))
    assert taken(ring) == [2, 3, 4, 5]
    assert ring.dropped == 2
    assert ring.blocks == 6


def test_a_block_longer_than_the_ring_leaves_its_end() -> None:
    ring = SampleRing(3)
    ring.put(block(1, 2, 3, 4, 5))
    assert taken(ring) == [3, 4, 5]
    assert ring.dropped == 2


def test_nothing_in_time_is_none() -> None:
    started = time.monotonic()
    assert SampleRing(4).get(0.02) is None
    assert time.monotonic() - started >= 0.015


def test_a_reader_is_woken_by_a_block() -> None:
    ring = SampleRing(4)
    threading.Timer(0.02, lambda: ring.put(block(7))).start()
    got = ring.get(5)
    assert got is not None
    assert got[0, 0] == 7


def test_closing_wakes_the_reader_and_leaves_what_waits() -> None:
    ring = SampleRing(4)
    ring.put(block(1))
    ring.close()
    ring.close()
    assert taken(ring) == [1]
    assert ring.get(5) is None
    assert ring.closed


def test_channels_stay_together() -> None:
    ring = SampleRing(5, channels=2)
    for start in range(0, 8, 2):
        ring.put(np.array([[start, -start], [start + 1, -start - 1]], dtype=np.float32))
    got = ring.get(0)
    assert got is not None
    assert np.array_equal(got[:, 0], [3, 4, 5, 6, 7])
    assert np.array_equal(got[:, 0], -got[:, 1])


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 12))
def test_every_frame_is_read_once_or_counted_as_dropped(sizes: list[int], capacity: int) -> None:
    ring = SampleRing(capacity)
    put, read = 0, 0
    last = -1.0
    for number, size in enumerate(sizes):
        ring.put(np.arange(put, put + size, dtype=np.float32).reshape(-1, 1))
        put += size
        if number % 3 == 0:
            for value in taken(ring):
                assert value > last
                last = value
                read += 1
    read += len(taken(ring))
    assert read + ring.dropped == put
