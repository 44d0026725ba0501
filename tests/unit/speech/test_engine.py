from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LanguageUnsupported, ModelMissing, SpeechError
from edgevox.core.ports import Voice
from edgevox.speech.engine import SENTENCE_GAP_S, SpeechEngine
from edgevox.speech.phonemes import split_phonemes
from edgevox.speech.voices import choose_voice

RATE = 16_000


class OneBeepPerPiece(SpeechEngine):
    """Beeps once for each piece it is given, and fails where it is told to."""

    def __init__(self, fail_on: str = "", load_error: Exception | None = None, level: float = 0.5) -> None:
        super().__init__("en")
        self.given: list[str] = []
        self._fail_on = fail_on
        self._load_error = load_error
        self._level = level

    def voices(self) -> Sequence[Voice]:
        return (Voice(name="beep", language="en"),)

    def _load(self) -> None:
        if self._load_error is not None:
            raise self._load_error
        self.sample_rate = RATE

    def _speak(self, text: str, scope: CancelScope | None) -> Iterator[NDArray[np.float32]]:
        self.given.append(text)
        yield np.full(RATE // 10, self._level, np.float32)
        if self._fail_on and self._fail_on in text:
            raise RuntimeError("index 510 is out of bounds\nwith a second line")


def opened(engine: OneBeepPerPiece) -> OneBeepPerPiece:
    engine.open()
    return engine


def test_the_back_end_is_given_normalised_pieces_one_by_one() -> None:
    engine = opened(OneBeepPerPiece())
    list(engine.synthesize("**Dr. Who** has $3.50. It is 21 °C! 😀"))
    assert engine.given == ["Doctor Who has three dollars and fifty cents.", "It is twenty-one degrees Celsius!"]


def test_between_two_sentences_there_is_a_breath_and_none_after_the_last() -> None:
    engine = opened(OneBeepPerPiece())
    sizes = [piece.size for piece in engine.synthesize("One. Two.")]
    assert sizes == [RATE // 10, round(SENTENCE_GAP_S * RATE), RATE // 10]


def test_a_long_first_sentence_begins_to_sound_with_its_first_clause() -> None:
    engine = opened(OneBeepPerPiece())
    stream = engine.synthesize("I have turned on the kitchen light, and the bedroom light is off as well.")
    next(stream)
    assert engine.given == ["I have turned on the kitchen light,"]


def test_an_engine_that_raises_ends_its_sentence_and_speaks_the_next() -> None:
    engine = opened(OneBeepPerPiece(fail_on="bad"))
    stream = engine.synthesize("A bad sentence.")
    next(stream)
    with pytest.raises(SpeechError, match="index 510 is out of bounds") as caught:
        next(stream)
    assert "second line" not in str(caught.value)
    assert list(stream) == []
    assert len(list(engine.synthesize("A good sentence."))) == 1


def test_a_library_that_does_not_load_is_one_sentence() -> None:
    engine = OneBeepPerPiece(load_error=OSError("libfoo.so: cannot open"))
    with pytest.raises(SpeechError, match=r"libfoo\.so.*edgevox doctor"):
        engine.open()


def test_an_error_that_already_says_what_to_do_is_passed_on() -> None:
    with pytest.raises(ModelMissing, match="get it"):
        OneBeepPerPiece(load_error=ModelMissing("get it with edgevox models get x")).open()


def test_a_scope_that_ends_between_pieces_ends_the_stream_before_the_next_one() -> None:
    engine = opened(OneBeepPerPiece())
    scope = CancelScope()
    stream = engine.synthesize("One. Two. Three.", scope)
    next(stream)
    scope.cancel()
    assert list(stream) == []
    assert engine.given == ["One."]


def test_sound_is_bounded_and_finite_whatever_the_model_makes() -> None:
    loud = np.concatenate(list(opened(OneBeepPerPiece(level=7.0)).synthesize("Hello.")))
    broken = np.concatenate(list(opened(OneBeepPerPiece(level=float("nan"))).synthesize("Hello.")))
    assert float(np.max(np.abs(loud))) == 1.0
    assert np.all(broken == 0.0)


# Phonemes


@pytest.mark.parametrize("length", [509, 510, 511, 900])
def test_unbroken_phonemes_are_cut_at_the_limit_and_all_are_kept(length: int) -> None:
    batches = split_phonemes("a" * length, 510)
    assert "".join(batches) == "a" * length
    assert all(len(batch) <= 510 for batch in batches)
    assert len(batches) == (1 if length <= 510 else 2)


@given(st.text(alphabet="abɐˈ ,.;?", max_size=1500), st.integers(10, 510))
def test_no_phoneme_but_space_is_lost(phonemes: str, limit: int) -> None:
    batches = split_phonemes(phonemes, limit)
    assert "".join("".join(batches).split()) == "".join(phonemes.split())
    assert all(0 < len(batch) <= limit for batch in batches)


def test_phonemes_are_cut_after_a_sentence_rather_than_a_clause_rather_than_a_word() -> None:
    words = "ab cd ef, gh ij kl. mn op, qr st uv wx yz"
    assert split_phonemes(words, 24)[0] == "ab cd ef, gh ij kl."
    assert split_phonemes("ab cd ef, gh ij kl mn op", 16)[0] == "ab cd ef,"
    assert split_phonemes("ab cd ef gh ij kl mn op", 16)[0] == "ab cd ef gh ij"


# Voices

VOICES = (
    Voice(name="af_bella", language="en"),
    Voice(name="af_heart", language="en"),
    Voice(name="ef_dora", language="es"),
)


def test_without_a_name_the_usual_voice_of_the_language_speaks() -> None:
    assert choose_voice(VOICES, None, "en", default="af_heart") == (VOICES[1], None)
    assert choose_voice(VOICES, None, "es", default="nobody")[0] == VOICES[2]


@pytest.mark.parametrize("asked", ["af_hart", "AF_HEART", "af_heart2"])
def test_a_misspelt_voice_is_the_nearest_one_with_a_note(asked: str) -> None:
    voice, note = choose_voice(VOICES, asked, "en", default="af_bella")
    assert voice.name == "af_heart"
    assert note == f"There is no voice called {asked}; using af_heart."


def test_an_unknown_voice_is_the_usual_one_with_a_note() -> None:
    voice, note = choose_voice(VOICES, "zzz", "en", default="af_bella")
    assert (voice.name, note) == ("af_bella", "There is no voice called zzz; using af_bella.")


def test_a_voice_of_another_language_does_not_speak_this_one() -> None:
    voice, note = choose_voice(VOICES, "ef_dora", "en", default="af_heart")
    assert voice.language == "en"
    assert note is not None
    assert "ef_dora does not speak 'en'" in note


def test_a_language_without_a_voice_says_what_to_do() -> None:
    with pytest.raises(LanguageUnsupported, match="--tts espeak"):
        choose_voice(VOICES, None, "vi")
