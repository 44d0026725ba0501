"""Looking for a stop word in sound: when, how sure is sure, and what becomes of the words behind it."""

from collections.abc import Iterable

import numpy as np
import pytest

from edgevox.core.frames import (
    Frame,
    GlanceFrame,
    PartialSpeechFrame,
    SoftEndFrame,
    SpeechStartedFrame,
    TranscriptionFrame,
    UtteranceFrame,
)
from edgevox.pipeline.glance import PAUSING, SPEAKING, Glance
from edgevox.pipeline.hear import Hearer
from edgevox.pipeline.queues import FrameQueue
from edgevox.safety import SafetyMonitor
from edgevox.speech.segmenter import Segmenter
from edgevox.testing import ScriptedRecognizer

SOUND = np.full(16_000, 0.1, dtype=np.float32)


class Ear:
    """A hearer that looks, with a record of what it did."""

    def __init__(self, score: float, script: Iterable[str] = (), *, active: bool = True, phrase: str = "") -> None:
        self.stops: list[str] = []
        self.turns: list[str] = []
        self.active = active
        self.moves = False
        self.stopped_at = float("-inf")
        stt = ScriptedRecognizer(script, partials=[""] * 9, scores={"stop": score})
        stt.open()
        monitor = SafetyMonitor(
            on_stop=self._stop, is_active=lambda: self.active, is_phrase=lambda text: bool(phrase) and text == phrase
        )
        self.hearer = Hearer(
            stt,
            monitor,
            FrameQueue[Frame](8),
            answers=lambda _: False,
            on_heard=self._heard,
            is_complete=lambda text: bool(phrase) and text == phrase,
            glance=Glance(lambda: monitor.key_words, lambda: self.active),
            moves=lambda: self.moves,
            last_stop=lambda: self.stopped_at,
        )

    def look(self, speech_s: float = 0.4, *, pausing: bool = True) -> None:
        self.hearer.take(GlanceFrame(samples=SOUND, speech_s=speech_s, pausing=pausing))

    def end(self, ended: float = 10.0) -> None:
        self.hearer.take(UtteranceFrame(samples=SOUND, ended=ended, speech_s=0.5))

    def _stop(self, word: str) -> None:
        self.stops.append(word)
        self.active = self.moves

    def _heard(self, heard: TranscriptionFrame) -> None:
        self.turns.append(heard.text)


def test_a_word_that_fits_stops_before_anything_is_transcribed() -> None:
    ear = Ear(-1.0)
    ear.look()
    assert ear.stops == ["stop"]


@pytest.mark.parametrize(
    ("score", "pausing", "stops"),
    [(PAUSING + 0.1, True, True), (PAUSING - 0.1, True, False), (SPEAKING + 0.1, False, True),
     (SPEAKING - 0.1, False, False)],
)  # fmt: skip
def test_a_word_that_goes_on_has_to_fit_better_than_one_that_has_ended(
    score: float, pausing: bool, stops: bool
) -> None:
    ear = Ear(score)
    ear.look(pausing=pausing)
    assert bool(ear.stops) is stops


def test_the_very_beginning_of_a_word_is_no_word_yet() -> None:
    ear = Ear(-0.1)
    ear.look(0.16, pausing=False)
    assert ear.stops == []
    ear.look(0.16, pausing=True)
    assert ear.stops == ["stop"]


def test_at_rest_nobody_looks() -> None:
    ear = Ear(-0.1, ["Stop."], active=False)
    ear.look()
    assert ear.stops == []
    ear.end()
    assert ear.stops == ["stop"], "the final transcript decides"


def test_a_recogniser_that_cannot_score_is_not_asked() -> None:
    class Plain:
        language = "en"

        def open(self) -> None:
            raise AssertionError

        def transcribe(self, samples: object, *, partial: bool = False) -> object:
            raise AssertionError

        def close(self) -> None:
            raise AssertionError

    glance = Glance(lambda: ("stop",), lambda: True)
    assert glance.word_in(Plain(), SOUND, 0.5, pausing=True) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("words", ["Dub.", "Stop.", "Stop the...", "Good job."])
def test_the_words_behind_a_stop_are_its_own_and_do_nothing(words: str) -> None:
    ear = Ear(-1.0, [words])
    ear.look()
    ear.end()
    assert ear.stops == ["stop"]
    assert ear.turns == []


def test_a_tools_own_phrase_is_heard_although_its_stop_was_acted_upon() -> None:
    ear = Ear(-1.0, ["stop the timer"], phrase="stop the timer")
    ear.look()
    ear.end()
    assert ear.stops == ["stop"]
    assert ear.turns == ["stop the timer"]


def test_words_that_were_no_stop_after_all_are_heard() -> None:
    ear = Ear(-1.0, ["Start the music in the kitchen"])
    ear.look()
    ear.end()
    assert ear.turns == ["Start the music in the kitchen"]


def test_what_still_moves_is_stopped_again_by_the_final_words() -> None:
    ear = Ear(-1.0, ["Stop!"])
    ear.moves = True
    ear.look()
    ear.end()
    assert ear.stops == ["stop", "stop"]


def test_a_stop_acts_at_the_pause_that_may_be_the_end() -> None:
    ear = Ear(float("-inf"), ["please stop the robot"])
    ear.hearer.take(SoftEndFrame(samples=SOUND, ended=10.0))
    assert ear.stops == ["stop"]
    ear.end()
    assert ear.stops == ["stop"]


def test_words_that_were_begun_before_a_stop_do_nothing_after_it() -> None:
    ear = Ear(float("-inf"), ["go to the bedroom", "go to the kitchen"])
    ear.stopped_at = 10.1
    ear.end(ended=10.0)
    assert ear.turns == []
    ear.end(ended=12.0)
    assert ear.turns == ["go to the kitchen"]


def test_the_key_words_are_the_languages_own_and_the_word_of_the_signs() -> None:
    assert SafetyMonitor().key_words[:3] == ("stop", "halt", "freeze")
    for language in ("de", "fr", "es", "vi", "ja"):
        assert "stop" in SafetyMonitor(language=language).key_words[:4]
    assert SafetyMonitor(language="de").key_words[0] == "stopp"
    assert SafetyMonitor(("do not move", "cease")).key_words == ("cease", "do not move")
    assert SafetyMonitor(()).key_words == ()


def frames(*levels: float, partials: bool = True) -> list[Frame]:
    """What a segmenter makes of frames with these probabilities of speech."""
    segmenter, out = Segmenter(), list[Frame]()
    segmenter.partials = partials
    for number, level in enumerate(levels):
        out += segmenter.push(np.full(512, level, np.float32), level, number * 0.032)
    return out


def test_glances_come_while_a_voice_goes_on_and_as_soon_as_it_pauses() -> None:
    made = frames(*[0.0] * 20, *[0.9] * 12, *[0.0] * 5)
    looks = [frame for frame in made if isinstance(frame, GlanceFrame)]
    assert [look.pausing for look in looks] == [False, False, True, True]
    assert [round(look.speech_s / 0.032) for look in looks] == [5, 10, 12, 12]
    assert isinstance(made[0], SpeechStartedFrame)


def test_a_glance_holds_the_last_run_of_voice_and_little_before_it() -> None:
    made = frames(*[0.0] * 20, *[0.9] * 12, *[0.0] * 5, *[0.8] * 6, 0.0)
    last = [frame for frame in made if isinstance(frame, GlanceFrame)][-1]
    assert last.pausing
    assert round(last.speech_s / 0.032) == 6
    assert len(last.samples) <= (8 + 6 + 1) * 512
    assert float(last.samples[-1024]) == pytest.approx(0.8)


def test_a_glance_is_never_longer_than_its_window() -> None:
    looks = [frame for frame in frames(*[0.9] * 200) if isinstance(frame, GlanceFrame)]
    assert max(len(look.samples) for look in looks) <= 32_000 + 512


def test_no_glance_is_made_where_nobody_wants_one() -> None:
    made = frames(*[0.9] * 40, *[0.0] * 20, partials=False)
    assert not [frame for frame in made if isinstance(frame, GlanceFrame | PartialSpeechFrame)]
