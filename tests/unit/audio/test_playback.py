"""The account of what was heard, the buffer before the device, and the reference of the echo guard."""

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgevox.audio.playback import PlaybackBuffer, PlayClock, ReferenceTap

if TYPE_CHECKING:
    from edgevox.core.frames import Samples


def test_a_block_is_heard_as_time_passes() -> None:
    clock = PlayClock()
    clock.handed(1.0, now=10.0)
    assert clock.heard_s(10.0) == 0
    assert clock.heard_s(10.4) == pytest.approx(0.4)
    assert not clock.finished(10.9)
    assert clock.finished(11.0)
    assert clock.heard_s(99.0) == 1.0


def test_blocks_follow_each_other_without_a_gap() -> None:
    clock = PlayClock()
    clock.handed(1.0, now=0.0)
    clock.handed(1.0, now=0.1)
    assert clock.starts_at(0.2) == 2.0
    assert clock.heard_s(1.5) == pytest.approx(1.5)


def test_a_pause_is_not_heard_as_sound() -> None:
    clock = PlayClock()
    clock.handed(1.0, now=0.0)
    clock.handed(0.5, now=0.9, silence=True)
    clock.handed(1.0, now=1.0)
    assert clock.heard_s(1.4) == pytest.approx(1.0)
    assert clock.heard_s(2.0) == pytest.approx(1.5)
    assert clock.handed_s == 2.0


def test_a_cut_takes_back_what_was_not_heard() -> None:
    clock = PlayClock()
    clock.handed(1.0, now=0.0)
    assert clock.cut(0.3) == pytest.approx(0.3)
    assert clock.handed_s == pytest.approx(0.3)
    assert clock.heard_s(5.0) == pytest.approx(0.3)
    clock.handed(1.0, now=6.0)
    assert clock.heard_s(6.5) == pytest.approx(0.8)


def test_a_full_device_corrects_an_estimate_that_ran_ahead_and_nothing_is_unheard() -> None:
    clock = PlayClock()
    clock.handed(0.2, now=0.0)
    heard = clock.heard_s(0.15)
    clock.holds(least=0.1, most=0.2, now=0.15)
    assert clock.ends_at == pytest.approx(0.25)
    assert clock.heard_s(0.15) == heard
    assert clock.heard_s(0.25) == pytest.approx(0.2)
    clock.handed(1.0, now=0.25)
    clock.holds(least=0.0, most=0.3, now=0.25)
    assert clock.ends_at == pytest.approx(0.55)


@given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0, 1), st.booleans()), max_size=30))
def test_what_was_heard_only_grows_and_never_exceeds_what_was_handed_over(
    steps: list[tuple[float, float, bool]],
) -> None:
    clock, now, before = PlayClock(), 0.0, 0.0
    for length, pause, silence in steps:
        clock.handed(length, now, silence=silence)
        now += pause
        clock.holds(0.0, 0.5, now)
        heard = clock.heard_s(now)
        assert before <= heard <= clock.handed_s + 1e-9
        before = heard


def ramp(count: int) -> "Samples":
    return np.linspace(0, 0.5, count, dtype=np.float32)


def test_sound_leaves_the_buffer_in_order_and_in_the_pieces_asked_for() -> None:
    buffer = PlaybackBuffer(16_000, 1.0)
    buffer.put(ramp(100), 16_000)
    buffer.put(ramp(50), 16_000)
    assert len(buffer.take(30)) == 30
    assert buffer.frames == 120
    rest = np.concatenate([buffer.take(100), buffer.take(100)])
    assert np.allclose(rest, np.concatenate([ramp(100)[30:], ramp(50)]))
    assert len(buffer.take(10)) == 0


def test_a_sentence_in_slices_is_as_long_as_at_once_whatever_the_rates() -> None:
    buffer = PlaybackBuffer(44_100, 5.0)
    for start in range(0, 24_000, 2_400):
        buffer.put(ramp(24_000)[start : start + 2_400], 24_000)
    assert not buffer.empty
    assert buffer.finish()
    assert abs(buffer.frames - 44_100) <= 1
    assert not buffer.finish()


def test_another_rate_first_brings_out_what_the_last_one_left() -> None:
    buffer = PlaybackBuffer(48_000, 5.0)
    buffer.put(ramp(24_000), 24_000)
    buffer.put(ramp(22_050), 22_050)
    buffer.finish()
    assert abs(buffer.frames - 96_000) <= 2


def test_a_full_buffer_says_so_and_a_cleared_one_is_empty() -> None:
    buffer = PlaybackBuffer(16_000, 0.01)
    buffer.put(ramp(160), 16_000)
    assert buffer.full
    buffer.clear()
    assert not buffer.full
    assert buffer.empty


def test_the_reference_is_as_long_as_what_was_played_and_knows_when_it_sounds() -> None:
    tap = ReferenceTap(48_000, 16_000)
    pieces: list[tuple[Samples, float]] = []
    for number in range(100):
        pieces += tap.feed(np.full(480, 0.5, dtype=np.float32), 5.0 + number * 0.01)
    pieces += tap.finish()
    assert sum(len(samples) for samples, _ in pieces) == 16_000
    expected = 5.0
    for samples, at in pieces:
        assert at == pytest.approx(expected, abs=1e-6)
        expected += len(samples) / 16_000


def test_a_pause_in_what_is_played_is_a_pause_in_the_reference() -> None:
    tap = ReferenceTap(48_000, 16_000)
    pieces = tap.feed(np.full(4_800, 0.5, dtype=np.float32), 1.0)
    pieces += tap.feed(np.full(4_800, 0.5, dtype=np.float32), 3.0)
    pieces += tap.finish()
    ends = [at + len(samples) / 16_000 for samples, at in pieces]
    assert any(end == pytest.approx(1.1, abs=1e-4) for end in ends)
    assert ends[-1] == pytest.approx(3.1, abs=1e-4)
