"""Changing rates as sound streams, and bringing channels to one."""

from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.audio.resample import Resampler, resample, to_mono

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

RATES = (8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000)


def tone(hz: float, rate: int, seconds: float = 1.0) -> "Samples":
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(int(rate * seconds)) / rate)).astype(np.float32)


def stream(samples: "Samples", rate_in: int, rate_out: int, block: int) -> "Samples":
    resampler = Resampler(rate_in, rate_out)
    parts = [resampler.process(samples[start : start + block]) for start in range(0, len(samples), block)]
    return np.concatenate([*parts, resampler.flush()])


@pytest.mark.parametrize("rate", RATES)
def test_no_sample_is_lost_or_doubled_whatever_the_rate(rate: int) -> None:
    out = stream(tone(440, rate, 2.0), rate, 16_000, 1024)
    assert abs(len(out) - 32_000) <= 1
    expected = tone(440, 16_000, 2.0)[: len(out)]
    assert np.abs(out - expected)[800:-800].max() < 0.01


@pytest.mark.parametrize("block", [1, 7, 160, 1024, 100_000])
def test_the_length_of_the_blocks_does_not_change_the_sound(block: int) -> None:
    sound = tone(300, 44_100, 0.2)
    whole = stream(sound, 44_100, 16_000, len(sound))
    assert np.allclose(stream(sound, 44_100, 16_000, block), whole, atol=1e-5)


def test_what_is_too_high_for_the_new_rate_is_removed_and_not_folded_down() -> None:
    out = stream(tone(11_000, 48_000), 48_000, 16_000, 1024)
    assert np.abs(out[400:-400]).max() < 0.001


def test_the_same_rate_passes_samples_untouched() -> None:
    sound = tone(440, 16_000, 0.1)
    resampler = Resampler(16_000, 16_000)
    assert resampler.process(sound) is sound
    assert len(resampler.flush()) == 0


def test_after_a_flush_it_begins_anew() -> None:
    resampler = Resampler(48_000, 16_000)
    sound = tone(440, 48_000, 0.1)
    first = np.concatenate([resampler.process(sound), resampler.flush()])
    second = np.concatenate([resampler.process(sound), resampler.flush()])
    assert np.array_equal(first, second)


def test_a_reset_forgets_what_is_inside() -> None:
    resampler = Resampler(48_000, 16_000)
    resampler.process(tone(440, 48_000, 0.1))
    resampler.reset()
    assert np.abs(np.concatenate([resampler.process(np.zeros(4800, np.float32)), resampler.flush()])).max() == 0


def test_a_whole_recording_is_resampled_at_once() -> None:
    assert len(resample(tone(440, 22_050), 22_050, 16_000)) == 16_000
    assert len(resample(np.zeros(0, np.float32), 22_050, 16_000)) == 0


def test_one_channel_stays_and_two_are_mixed() -> None:
    left, right = tone(100, 16_000, 0.01), tone(900, 16_000, 0.01)
    both = np.stack([left, right], axis=1)
    assert np.array_equal(to_mono(left[:, None]), left)
    assert np.allclose(to_mono(both), (left + right) / 2)


def test_a_channel_can_be_picked_and_the_last_one_stands_for_those_that_are_not_there() -> None:
    block = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert np.array_equal(to_mono(block, 1), block[:, 1])
    assert np.array_equal(to_mono(block, 7), block[:, 2])


def test_an_array_of_microphones_gives_its_first_channel() -> None:
    block = np.arange(24, dtype=np.float32).reshape(4, 6)
    assert np.array_equal(to_mono(block), block[:, 0])
