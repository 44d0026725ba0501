"""What every recogniser must do."""

import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.config import models
from edgevox.core.errors import SpeechError
from edgevox.core.ports import SpeechToText, WordScorer
from edgevox.endpoints import MockTranscriptionEndpoint
from edgevox.endpoints.recognizer import ScoringEndpointRecognizer
from edgevox.speech.factory import create_stt
from edgevox.testing.speech import ScriptedRecognizer

RECORDING = Path(__file__).parents[2] / "assets" / "recordings" / "turn_on_kitchen_light.wav"
WORDS = "turn on the kitchen light"


def whisper(name: str) -> Callable[[], SpeechToText]:
    def make() -> SpeechToText:
        if models.find(name) is None:
            pytest.skip(f"the model {name} is not on this machine")
        return create_stt(name, "en")

    return make


@pytest.fixture(
    params=[
        lambda: ScriptedRecognizer(lambda _samples: WORDS, scores={"turn": -0.5, "stop": -12.0}),
        lambda: ScoringEndpointRecognizer(
            MockTranscriptionEndpoint([WORDS] * 9),
            ScriptedRecognizer(lambda _samples: WORDS, scores={"turn": -0.5, "stop": -12.0}),
        ),
        pytest.param(whisper("whisper-tiny.en"), marks=pytest.mark.models),
        pytest.param(whisper("whisper-base"), marks=pytest.mark.models),
    ],
    ids=["scripted", "endpoint", "whisper-tiny.en", "whisper-base"],
)
def recognizer(request: pytest.FixtureRequest) -> Iterator[SpeechToText]:
    make: Callable[[], SpeechToText] = request.param
    each = make()
    yield each
    each.close()


@pytest.fixture
def command() -> NDArray[np.float32]:
    with wave.open(str(RECORDING)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / np.float32(32768)


def plain(text: str) -> str:
    return "".join(each for each in text.lower() if each.isalnum() or each == " ").strip()


def test_a_command_becomes_its_words(recognizer: SpeechToText, command: NDArray[np.float32]) -> None:
    recognizer.open()
    transcript = recognizer.transcribe(command)
    assert plain(transcript.text) == WORDS
    assert transcript.rejected is None
    assert transcript.language == "en"
    assert transcript.confidence is None or 0.0 <= transcript.confidence <= 1.0
    assert transcript.took_ms >= 0.0


def test_a_partial_transcription_gives_words_and_leaves_the_next_one_alone(
    recognizer: SpeechToText, command: NDArray[np.float32]
) -> None:
    recognizer.open()
    assert plain(recognizer.transcribe(command[: command.size * 3 // 4], partial=True).text).startswith("turn on the")
    assert plain(recognizer.transcribe(command).text) == WORDS


def test_silence_is_no_words_and_says_why(recognizer: SpeechToText) -> None:
    recognizer.open()
    transcript = recognizer.transcribe(np.zeros(48_000, np.float32))
    assert (transcript.text, transcript.rejected) == ("", "no_speech")


def test_no_sound_at_all_is_no_words(recognizer: SpeechToText) -> None:
    recognizer.open()
    assert recognizer.transcribe(np.zeros(0, np.float32)).text == ""


def test_the_samples_are_not_changed(recognizer: SpeechToText, command: NDArray[np.float32]) -> None:
    recognizer.open()
    before = command.copy()
    recognizer.transcribe(command)
    assert np.array_equal(command, before)


def test_use_before_open_and_after_close_is_an_error_that_says_so(recognizer: SpeechToText) -> None:
    with pytest.raises(SpeechError, match="opened"):
        recognizer.transcribe(np.ones(16_000, np.float32))
    recognizer.open()
    recognizer.close()
    with pytest.raises(SpeechError, match="opened"):
        recognizer.transcribe(np.ones(16_000, np.float32))


def test_open_and_close_twice_are_fine(recognizer: SpeechToText) -> None:
    recognizer.open()
    recognizer.open()
    recognizer.close()
    recognizer.close()


def test_the_word_that_a_command_begins_with_fits_it_and_a_stop_does_not(
    recognizer: SpeechToText, command: NDArray[np.float32]
) -> None:
    recognizer.open()
    assert isinstance(recognizer, WordScorer)
    turn, stop = recognizer.score(command[:24_000], ("turn", "stop"))
    assert turn > -3.0
    assert stop < -6.0


def test_no_word_fits_silence(recognizer: SpeechToText) -> None:
    recognizer.open()
    assert isinstance(recognizer, WordScorer)
    assert list(recognizer.score(np.zeros(16_000, np.float32), ("turn", "stop"))) == [float("-inf")] * 2
