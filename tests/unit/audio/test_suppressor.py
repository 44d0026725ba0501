"""What the loudspeaker brings is taken out; where it brings nothing, sound passes bit by bit."""

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.audio.bands import FFT, power_spectra
from edgevox.audio.suppressor import BLOCK, EchoSuppressor
from edgevox.core.frames import VAD_FRAME

Samples = NDArray[np.float32]


def noise(count: int, seed: int, level: float = 0.05) -> Samples:
    return (level * np.random.default_rng(seed).normal(size=count)).astype(np.float32)


def expected_of(sound: Samples) -> Samples:
    """The spectrum of each block of a sound that is known."""
    padded = np.concatenate([np.zeros(FFT - BLOCK, dtype=np.float32), sound])
    ends = range(FFT, len(padded) + 1, BLOCK)
    return np.stack([power_spectra(padded[end - FFT : end], 1)[0] for end in ends])


def test_without_an_echo_the_very_frame_comes_back() -> None:
    suppressor, frame = EchoSuppressor(), noise(VAD_FRAME, 1)
    assert suppressor.process(frame, None) is frame


def test_sound_of_an_odd_length_passes_untouched() -> None:
    frame = noise(BLOCK + 1, 2)
    assert EchoSuppressor().process(frame, None) is frame


def test_an_echo_that_is_known_is_taken_out() -> None:
    suppressor, echo = EchoSuppressor(), noise(20 * VAD_FRAME, 3)
    spectra = expected_of(echo)
    out = np.concatenate(
        [suppressor.process(echo[n * VAD_FRAME : (n + 1) * VAD_FRAME], spectra[2 * n : 2 * n + 2]) for n in range(20)]
    )
    assert float((out[VAD_FRAME:] ** 2).mean()) < 0.01 * float((echo[VAD_FRAME:] ** 2).mean())


def test_an_echo_that_is_far_weaker_than_the_voice_changes_little() -> None:
    suppressor, voice = EchoSuppressor(), noise(20 * VAD_FRAME, 4)
    spectra = expected_of(noise(20 * VAD_FRAME, 5, level=0.0005))
    out = np.concatenate(
        [suppressor.process(voice[n * VAD_FRAME : (n + 1) * VAD_FRAME], spectra[2 * n : 2 * n + 2]) for n in range(20)]
    )
    assert float(((out - voice) ** 2).mean()) < 0.05 * float((voice**2).mean())


def test_after_an_echo_sound_passes_bit_by_bit_again() -> None:
    suppressor, echo = EchoSuppressor(), noise(VAD_FRAME, 6)
    suppressor.process(echo, expected_of(echo))
    suppressor.process(noise(VAD_FRAME, 7), None)
    frame = noise(VAD_FRAME, 8)
    assert suppressor.process(frame, None) is frame


@pytest.mark.parametrize("level", [0.0, 1e-30, 1.0])
def test_silence_and_the_loudest_sound_stay_numbers(level: float) -> None:
    suppressor, frame = EchoSuppressor(), np.full(VAD_FRAME, level, dtype=np.float32)
    assert np.isfinite(suppressor.process(frame, np.ones((2, BLOCK + 1), dtype=np.float32))).all()


def test_a_frame_costs_a_small_part_of_its_own_length() -> None:
    suppressor, frame = EchoSuppressor(), noise(VAD_FRAME, 9)
    spectra, costs = expected_of(frame), list[float]()
    for _ in range(50):
        began = time.perf_counter()
        suppressor.process(frame, spectra)
        costs.append(time.perf_counter() - began)
    assert float(np.median(costs)) < 0.004
