"""What every voice-activity detector must do."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.core.errors import SpeechError
from edgevox.core.frames import VAD_FRAME
from edgevox.core.ports import VoiceActivityDetector
from edgevox.speech.model_files import named_file, packaged_file
from edgevox.speech.vad import SileroVad
from edgevox.testing.speech import ScriptedVad


def silero_one_state() -> VoiceActivityDetector:
    path = named_file("silero-vad", "silero_vad.onnx") or packaged_file("silero_vad", ["data/silero_vad.onnx"])
    if path is None:
        pytest.skip("the model silero-vad is not on this machine")
    return SileroVad(str(path))


def silero_two_states() -> VoiceActivityDetector:
    path = packaged_file("faster_whisper", ["assets/silero_vad_v6.onnx"])
    if path is None:
        pytest.skip("faster-whisper, which carries this layout of the model, is not installed")
    return SileroVad(str(path))


@pytest.fixture(
    params=[
        ScriptedVad,
        pytest.param(silero_one_state, marks=pytest.mark.models),
        pytest.param(silero_two_states, marks=pytest.mark.models),
    ],
    ids=["scripted", "silero-one-state", "silero-two-states"],
)
def vad(request: pytest.FixtureRequest) -> Iterator[VoiceActivityDetector]:
    make: Callable[[], VoiceActivityDetector] = request.param
    detector = make()
    yield detector
    detector.close()


def frames(count: int, level: float) -> NDArray[np.float32]:
    return np.random.default_rng(3).normal(0, level, (count, VAD_FRAME)).astype(np.float32)


def test_probabilities_lie_between_0_and_1(vad: VoiceActivityDetector) -> None:
    vad.open()
    for frame in np.concatenate((frames(10, 1e-4), frames(10, 0.1), frames(5, 3.0))):
        assert 0.0 <= vad.probability(frame) <= 1.0


def test_silence_is_not_speech_from_the_first_frame_on(vad: VoiceActivityDetector) -> None:
    vad.open()
    silence = np.zeros((10, VAD_FRAME), np.float32)
    assert max(vad.probability(frame) for frame in silence) < 0.3


def test_after_a_reset_the_same_sound_is_judged_the_same(vad: VoiceActivityDetector) -> None:
    vad.open()
    sound = frames(20, 0.05)
    first = [vad.probability(frame) for frame in sound]
    vad.reset()
    assert [vad.probability(frame) for frame in sound] == pytest.approx(first)


def test_a_frame_of_another_length_is_refused(vad: VoiceActivityDetector) -> None:
    vad.open()
    with pytest.raises(SpeechError, match="512"):
        vad.probability(np.zeros(480, np.float32))


def test_a_broken_sample_does_not_spoil_the_frames_after_it(vad: VoiceActivityDetector) -> None:
    vad.open()
    broken = np.zeros(VAD_FRAME, np.float32)
    broken[7] = np.nan
    vad.probability(broken)
    assert 0.0 <= vad.probability(np.zeros(VAD_FRAME, np.float32)) < 0.3


def test_use_before_open_is_an_error_that_says_so(vad: VoiceActivityDetector) -> None:
    with pytest.raises(SpeechError, match="opened"):
        vad.probability(np.zeros(VAD_FRAME, np.float32))


def test_open_and_close_twice_are_fine_and_it_opens_again(vad: VoiceActivityDetector) -> None:
    vad.open()
    vad.open()
    vad.close()
    vad.close()
    vad.open()
    assert vad.probability(np.zeros(VAD_FRAME, np.float32)) < 0.3
