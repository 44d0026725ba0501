import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from edgevox.core.errors import LanguageUnsupported, SpeechError
from edgevox.core.frames import SAMPLE_RATE
from edgevox.speech.whisper import SCORE_CONTEXT, WhisperRecognizer, windows
from edgevox.speech.whisper_model import (
    FULL_CONTEXT,
    SHORT_CONTEXT,
    Attempt,
    context_frames,
    load_with_fallback,
    usable_compute_type,
)


@dataclass
class ScriptedDecoder:
    """Decodes what its script says, and keeps every call."""

    script: list[Attempt] = field(default_factory=list[Attempt])
    multilingual: bool = True
    language: str = "de"
    encoded: list[int] = field(default_factory=list[int])
    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    windows: list[int] = field(default_factory=list[int])

    def features(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        self.windows.append(samples.size)
        return np.zeros((80, samples.size // 160), np.float32)

    def encode(self, features: NDArray[np.float32], frames: int) -> int:
        self.encoded.append(frames)
        return frames

    def decode(self, encoded: int, language: str, **options: Any) -> Attempt:
        self.calls.append({"frames": encoded, "language": language, **options})
        return self.script.pop(0) if self.script else good("more words")

    def detect_language(self, encoded: int) -> str:
        return self.language

    def score(self, encoded: int, language: str, texts: Sequence[str]) -> list[float]:
        self.calls.append({"frames": encoded, "language": language, "texts": tuple(texts)})
        return [-1.0 if text == " Stop" else -9.0 for text in texts]


def good(text: str) -> Attempt:
    return Attempt(text=text, avg_logprob=-0.2, no_speech_prob=0.02)


def loop(logprob: float = -0.1) -> Attempt:
    return Attempt(text="go on " * 30, avg_logprob=logprob, no_speech_prob=0.02, cut=True)


def noise(seconds: float) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(0, 0.1, round(seconds * SAMPLE_RATE)).astype(np.float32)


def opened(decoder: ScriptedDecoder, language: str | None = "en", beam_size: int = 1) -> WhisperRecognizer:
    recognizer = WhisperRecognizer(lambda: decoder, language=language, beam_size=beam_size)
    recognizer.open()
    return recognizer


def test_a_short_command_is_one_decoding_of_the_short_context() -> None:
    decoder = ScriptedDecoder([good("Stop.")])
    transcript = opened(decoder).transcribe(noise(2))
    assert (transcript.text, transcript.rejected, transcript.language) == ("Stop.", None, "en")
    assert decoder.encoded == [SHORT_CONTEXT]
    assert len(decoder.calls) == 1
    assert decoder.calls[0]["temperature"] == 0.0


def test_a_loop_is_tried_again_with_the_full_context() -> None:
    decoder = ScriptedDecoder([loop(), good("10 of clubs")])
    assert opened(decoder).transcribe(noise(1)).text == "10 of clubs"
    assert [each["frames"] for each in decoder.calls] == [SHORT_CONTEXT, FULL_CONTEXT]


def test_the_number_of_tries_is_bounded_and_a_loop_that_stays_is_said_once() -> None:
    decoder = ScriptedDecoder([loop(-0.3), loop(-0.1), loop(-0.2)])
    assert opened(decoder).transcribe(noise(1)).text == "go on"
    assert len(decoder.calls) == 3


def test_unsure_words_are_not_tried_again_for_that_takes_time_and_makes_them_no_surer() -> None:
    decoder = ScriptedDecoder([Attempt(text="turn on light", avg_logprob=-1.2, no_speech_prob=0.1)])
    transcript = opened(decoder).transcribe(noise(1))
    assert transcript.text == "turn on light"
    assert transcript.confidence is not None
    assert transcript.confidence < 0.35
    assert len(decoder.calls) == 1


def test_silence_that_the_model_sees_is_not_tried_again() -> None:
    decoder = ScriptedDecoder([Attempt(text="you", avg_logprob=-1.4, no_speech_prob=0.9)])
    transcript = opened(decoder).transcribe(noise(3))
    assert (transcript.text, transcript.rejected) == ("", "no_speech")
    assert len(decoder.calls) == 1


@pytest.mark.parametrize("sound", [np.zeros(48_000, np.float32), np.zeros(0, np.float32), noise(0.04)])
def test_digital_silence_and_clicks_never_reach_the_model(sound: NDArray[np.float32]) -> None:
    decoder = ScriptedDecoder()
    assert opened(decoder).transcribe(sound).rejected == "no_speech"
    assert decoder.calls == []


def test_a_partial_is_one_quick_try_whatever_comes_out() -> None:
    decoder = ScriptedDecoder([loop()])
    opened(decoder, beam_size=5).transcribe(noise(1), partial=True)
    assert [each["beam"] for each in decoder.calls] == [1]


def test_a_final_transcription_uses_the_beam_that_was_asked_for() -> None:
    decoder = ScriptedDecoder()
    opened(decoder, beam_size=5).transcribe(noise(1))
    assert decoder.calls[0]["beam"] == 5


def test_what_was_heard_before_never_changes_the_next_call() -> None:
    decoder = ScriptedDecoder([good("open the pod bay doors"), good("yes")])
    recognizer = opened(decoder)
    recognizer.transcribe(noise(2))
    recognizer.transcribe(noise(2))
    assert decoder.calls[0] == decoder.calls[1]


def test_a_repeated_text_is_bounded_by_the_length_of_the_sound() -> None:
    decoder = ScriptedDecoder()
    recognizer = opened(decoder)
    recognizer.transcribe(noise(1))
    recognizer.transcribe(noise(20))
    short, long = (each["max_tokens"] for each in decoder.calls)
    assert short < 50 < 200 < long < 448


def test_a_five_minute_monologue_is_heard_in_windows_of_at_most_30_seconds() -> None:
    decoder = ScriptedDecoder([good(f"part {number}.") for number in range(1, 20)])
    transcript = opened(decoder).transcribe(noise(300))
    assert sum(decoder.windows) == 300 * SAMPLE_RATE
    assert max(decoder.windows) <= 30 * SAMPLE_RATE
    assert transcript.text == " ".join(f"part {number}." for number in range(1, len(decoder.windows) + 1))


def test_a_silent_window_within_speech_is_left_out() -> None:
    sound = np.concatenate((noise(27.9), np.zeros(28 * SAMPLE_RATE, np.float32), noise(20)))
    decoder = ScriptedDecoder([good("before"), good("after")])
    transcript = opened(decoder).transcribe(sound)
    assert transcript.text.split() == ["before", "after"]
    assert transcript.rejected is None


def test_a_long_recording_is_cut_where_it_is_quiet() -> None:
    sound = noise(40)
    quiet = round(25.0 * SAMPLE_RATE)
    sound[quiet : quiet + SAMPLE_RATE // 2] *= 0.001
    first, _ = windows(sound)
    assert quiet < first.size < quiet + SAMPLE_RATE // 2


@given(st.integers(0, 130 * SAMPLE_RATE))
@settings(max_examples=30, deadline=None)
def test_windows_lose_and_repeat_nothing(size: int) -> None:
    sound = np.arange(size, dtype=np.float32)
    parts = list(windows(sound))
    assert np.array_equal(np.concatenate(parts), sound)
    assert all(part.size <= 28 * SAMPLE_RATE for part in parts)


def test_the_context_grows_with_the_utterance_and_ends_at_what_the_model_was_trained_on() -> None:
    sizes = [context_frames(round(seconds * SAMPLE_RATE)) for seconds in (0.5, 2, 8, 8.6, 12, 20, 28, 30)]
    assert sizes[:3] == [SHORT_CONTEXT] * 3
    assert sizes == sorted(sizes)
    assert sizes[-1] == FULL_CONTEXT
    assert all(frames >= seconds * 100 for frames, seconds in zip(sizes, (0.5, 2, 8, 8.6, 12, 20, 28, 30), strict=True))


def test_a_fixed_language_is_never_detected() -> None:
    decoder = ScriptedDecoder(language="ru")
    assert opened(decoder, "vi").transcribe(noise(1)).language == "vi"
    assert decoder.calls[0]["language"] == "vi"


def test_without_a_language_it_is_detected_for_every_utterance() -> None:
    decoder = ScriptedDecoder([good("Guten Tag")])
    assert opened(decoder, None).transcribe(noise(1)).language == "de"


def test_foreign_script_in_an_english_session_is_rejected() -> None:
    decoder = ScriptedDecoder([good("выключи")])
    transcript = opened(decoder).transcribe(noise(1))
    assert (transcript.text, transcript.rejected) == ("", "foreign_script")


def test_an_english_model_says_in_one_line_what_another_language_needs() -> None:
    recognizer = WhisperRecognizer(lambda: ScriptedDecoder(multilingual=False), language="vi")
    with pytest.raises(LanguageUnsupported, match="edgevox models get whisper-base"):
        recognizer.open()


def test_broken_samples_are_silence() -> None:
    decoder = ScriptedDecoder()
    sound = noise(1)
    sound[100:200] = np.nan
    assert opened(decoder).transcribe(sound).text == "more words"


def test_two_channels_are_refused() -> None:
    with pytest.raises(SpeechError, match="one channel"):
        opened(ScriptedDecoder()).transcribe(np.zeros((2, 16_000), np.float32))


def test_float16_on_a_processor_becomes_int8_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert usable_compute_type("float16", {"int8", "int8_float32", "float32"}) == "int8"
    assert len(caplog.records) == 1
    assert "float16" in caplog.text


def test_a_compute_type_that_the_device_has_is_taken_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    assert usable_compute_type("float32", {"int8", "float32"}) == "float32"
    assert usable_compute_type("auto", {"int8", "float32"}) == "int8"
    assert usable_compute_type("auto", {"float32"}) == "float32"
    assert not caplog.records


def test_a_graphics_card_that_does_not_load_gives_way_to_the_processor(caplog: pytest.LogCaptureFixture) -> None:
    def load(device: str) -> str:
        if device == "cuda":
            raise RuntimeError("Library libcublas.so.12 is not found or cannot be loaded")
        return device

    with caplog.at_level(logging.WARNING):
        assert load_with_fallback("cuda", load) == "cpu"
    assert "libcublas" in caplog.text


def test_words_are_scored_in_one_look_as_the_beginning_of_a_sentence_and_within_one() -> None:
    decoder = ScriptedDecoder()
    assert opened(decoder).score(noise(0.6), ("stop", "halt")) == [-1.0, -9.0]
    assert decoder.encoded == [SCORE_CONTEXT]
    assert [call["texts"] for call in decoder.calls] == [(" stop", " Stop", " halt", " Halt")]


@pytest.mark.parametrize("sound", [np.zeros(8000, np.float32), noise(0.01)])
def test_silence_and_less_than_a_word_are_scored_without_asking_the_model(sound: NDArray[np.float32]) -> None:
    decoder = ScriptedDecoder()
    assert opened(decoder).score(sound, ("stop",)) == [float("-inf")]
    assert decoder.calls == []


def test_a_recogniser_that_is_not_open_scores_nothing() -> None:
    with pytest.raises(SpeechError, match="before it was opened"):
        WhisperRecognizer(ScriptedDecoder).score(noise(0.5), ("stop",))
