"""What every synthesiser must do."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.config import models
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import SpeechError
from edgevox.core.ports import TextToSpeech
from edgevox.speech.cache import CachedSpeech
from edgevox.speech.espeak import EspeakSpeech
from edgevox.speech.espeak_files import find_espeak
from edgevox.speech.kokoro import MODEL, VOICES, KokoroSpeech
from edgevox.speech.piper import USUAL, PiperSpeech
from edgevox.testing.speech import ToneTalk

LONG = "I have turned on the kitchen light, and the bedroom light is off as well. It is warm. Sleep well."


def piper() -> TextToSpeech:
    if models.find(USUAL) is None:
        pytest.skip(f"the model {USUAL} is not on this machine")
    return PiperSpeech()


def kokoro() -> TextToSpeech:
    if models.find(MODEL) is None or models.find(VOICES) is None:
        pytest.skip("the models of Kokoro are not on this machine")
    return KokoroSpeech()


def espeak() -> TextToSpeech:
    if find_espeak() is None:
        pytest.skip("espeak-ng is not on this machine")
    return EspeakSpeech()


@pytest.fixture(
    params=[
        ToneTalk,
        lambda: CachedSpeech(ToneTalk()),
        pytest.param(espeak, marks=pytest.mark.models),
        pytest.param(piper, marks=pytest.mark.models),
        pytest.param(kokoro, marks=pytest.mark.models),
    ],
    ids=["tones", "cached", "espeak", "piper", "kokoro"],
)
def voice(request: pytest.FixtureRequest) -> Iterator[TextToSpeech]:
    make: Callable[[], TextToSpeech] = request.param
    each = make()
    yield each
    each.close()


def sound(voice: TextToSpeech, text: str) -> NDArray[np.float32]:
    return np.concatenate([np.zeros(0, np.float32), *voice.synthesize(text)])


def test_a_sentence_is_sound_of_a_plausible_length(voice: TextToSpeech) -> None:
    voice.open()
    samples = sound(voice, "The kitchen light is on.")
    assert 0.3 < samples.size / voice.sample_rate < 4.0
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert 0.01 < float(np.max(np.abs(samples))) <= 1.0
    assert np.all(np.isfinite(samples))


def test_a_longer_text_sounds_longer(voice: TextToSpeech) -> None:
    voice.open()
    assert sound(voice, LONG).size > 2 * sound(voice, "It is warm.").size


def test_a_long_text_comes_in_pieces(voice: TextToSpeech) -> None:
    voice.open()
    assert len(list(voice.synthesize(LONG))) >= 2


@pytest.mark.parametrize("text", ["", " ", "…", "!", "***", "😀😀"])
def test_text_without_a_word_is_no_sound(voice: TextToSpeech, text: str) -> None:
    voice.open()
    assert list(voice.synthesize(text)) == []


def test_a_cancelled_scope_gives_no_sound(voice: TextToSpeech) -> None:
    voice.open()
    scope = CancelScope()
    scope.cancel()
    assert list(voice.synthesize(LONG, scope)) == []


def test_a_scope_that_ends_in_the_middle_ends_the_stream(voice: TextToSpeech) -> None:
    voice.open()
    scope = CancelScope()
    stream = voice.synthesize(LONG, scope)
    next(stream)
    scope.cancel()
    assert list(stream) == []


def test_after_a_stream_that_nobody_finished_the_next_one_is_whole(voice: TextToSpeech) -> None:
    voice.open()
    next(voice.synthesize(LONG))
    assert sound(voice, "The kitchen light is on.").size > 0.3 * voice.sample_rate


def test_there_is_at_least_one_voice_and_each_has_a_language(voice: TextToSpeech) -> None:
    voice.open()
    voices = voice.voices()
    assert voices
    assert all(len(each.language) >= 2 and each.name for each in voices)
    assert len({each.name for each in voices}) == len(voices)


def test_use_before_open_is_an_error_that_says_so(voice: TextToSpeech) -> None:
    with pytest.raises(SpeechError, match="opened"):
        list(voice.synthesize("Hello."))


def test_open_and_close_twice_are_fine_and_it_opens_again(voice: TextToSpeech) -> None:
    voice.open()
    voice.open()
    voice.close()
    voice.close()
    voice.open()
    assert sound(voice, "Hello there.").size > 0
