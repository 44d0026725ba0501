from collections.abc import Iterable

import numpy as np
import pytest

from edgevox.core.frames import EndFrame, Frame, PartialSpeechFrame, SoftEndFrame, TranscriptionFrame, UtteranceFrame
from edgevox.core.ports import Transcript
from edgevox.pipeline.hear import Hearer, is_back_channel
from edgevox.pipeline.queues import FrameQueue
from edgevox.safety import SafetyMonitor
from edgevox.testing import ScriptedRecognizer

SOUND = np.full(16_000, 0.1, dtype=np.float32)


class Ear:
    """A hearer over a scripted recogniser, with a record of what it did."""

    def __init__(
        self,
        script: Iterable[str | Transcript | BaseException],
        *,
        partials: Iterable[str] | None = None,
        busy: bool = False,
        question: bool = False,
    ) -> None:
        self.stops: list[str] = []
        self.turns: list[TranscriptionFrame] = []
        self.answers: list[str] = []
        self.interruptions: list[str] = []
        self.errors: list[str] = []
        self.partials: list[str] = []
        self.ended = 0
        self.busy = busy
        self.question = question
        self.stt = ScriptedRecognizer(script, partials=partials)
        self.stt.open()
        self.hearer = Hearer(
            self.stt,
            SafetyMonitor(on_stop=self.stops.append, is_active=lambda: self.busy),
            FrameQueue[Frame](8),
            answers=self._answer,
            on_heard=self.turns.append,
            on_partial=lambda frame: self.partials.append(frame.text),
            interrupts=lambda: self.busy,
            on_interrupt=self._interrupt,
            asks=lambda: self.question,
            on_error=self.errors.append,
            on_end=self._end,
        )

    def hear(self, *, ended: float = 1.0, speech_s: float = 0.8) -> None:
        self.hearer.take(UtteranceFrame(samples=SOUND, ended=ended, speech_s=speech_s))

    def glance(self, speech_s: float = 0.5) -> None:
        self.hearer.take(PartialSpeechFrame(samples=SOUND, speech_s=speech_s))

    def words(self) -> list[str]:
        return [turn.text for turn in self.turns]

    def _answer(self, text: str) -> bool:
        if self.question:
            self.answers.append(text)
        return self.question

    def _interrupt(self, text: str) -> None:
        self.interruptions.append(text)
        self.busy = False

    def _end(self) -> None:
        self.ended += 1


def test_an_utterance_becomes_a_turn() -> None:
    ear = Ear(["turn on the light"])
    ear.hear(ended=12.5)
    assert ear.words() == ["turn on the light"]
    assert ear.turns[0].ended == 12.5


def test_a_stop_word_never_becomes_a_turn() -> None:
    ear = Ear(["Stop."])
    ear.hear()
    assert ear.stops == ["stop"]
    assert ear.turns == []


def test_a_very_short_stop_is_heard_although_a_short_sound_is_no_turn() -> None:
    ear = Ear(["stop", "and"])
    ear.hear(speech_s=0.1)
    ear.hear(speech_s=0.1)
    assert ear.stops == ["stop"]
    assert ear.turns == []


def test_an_open_question_takes_the_answer() -> None:
    ear = Ear(["yes"], question=True)
    ear.hear()
    assert ear.answers == ["yes"]
    assert ear.turns == []


def test_an_answer_that_is_still_being_said_does_not_cut_its_own_question_off() -> None:
    ear = Ear(["yes please"], partials=["yes please"], question=True, busy=True)
    ear.glance(0.6)
    assert ear.interruptions == []
    ear.hear()
    assert ear.answers == ["yes please"]


@pytest.mark.parametrize("reason", ["no_speech", "low_confidence", "filler"])
def test_what_the_recogniser_rejects_is_no_turn(reason: str) -> None:
    ear = Ear([Transcript(text="Thanks for watching!", rejected=reason)])
    ear.hear()
    assert ear.turns == []


def test_words_over_a_running_turn_interrupt_it_and_become_the_next_one() -> None:
    ear = Ear(["what time is it"], busy=True)
    ear.hear()
    assert ear.interruptions == ["what time is it"]
    assert ear.words() == ["what time is it"]


@pytest.mark.parametrize("text", ["Mhm.", "uh", "Mm-hmm"])
def test_a_sound_of_listening_interrupts_nothing(text: str) -> None:
    ear = Ear([text], busy=True)
    ear.hear()
    assert ear.interruptions == []
    assert ear.turns == []
    assert is_back_channel(text)


def test_a_stop_acts_before_the_sentence_is_over() -> None:
    ear = Ear(["stop the robot now"], partials=["stop", "stop the robot"], busy=True)
    ear.glance(0.2)
    ear.glance(0.6)
    assert ear.stops == ["stop"]
    assert ear.interruptions == []


def test_other_words_interrupt_before_the_sentence_is_over() -> None:
    ear = Ear(["tell me something else"], partials=["tell", "tell me"], busy=True)
    ear.glance(0.1)
    assert ear.interruptions == []
    ear.glance(0.5)
    assert ear.interruptions == ["tell me"]
    assert ear.partials == ["tell", "tell me"]
    ear.hear()
    assert ear.words() == ["tell me something else"]


def test_a_guess_made_in_a_pause_is_kept_when_the_silence_lasts() -> None:
    ear = Ear(["turn on the light", "something else"])
    ear.hearer.take(SoftEndFrame(samples=SOUND, ended=3.0))
    ear.hear(ended=3.0)
    assert ear.words() == ["turn on the light"]
    assert len(ear.stt.heard) == 1


def test_a_guess_is_dropped_when_speech_goes_on() -> None:
    ear = Ear(["turn on", "turn on the light"])
    ear.hearer.take(SoftEndFrame(samples=SOUND, ended=3.0))
    ear.hear(ended=4.0)
    assert ear.words() == ["turn on the light"]


def test_a_new_recogniser_takes_over_and_the_old_one_is_closed() -> None:
    ear = Ear(["old words"])
    other = ScriptedRecognizer(["neue Worte"], language="de")
    other.open()
    ear.hearer.replace_recognizer(other)
    ear.hear()
    assert ear.words() == ["neue Worte"]
    assert not ear.stt.opened


def test_a_failing_recogniser_loses_one_utterance_and_says_so() -> None:
    inbox: FrameQueue[Frame] = FrameQueue(8)
    ear = Ear([RuntimeError("out of memory"), "hello"])
    done: list[str] = []
    hearer = Hearer(
        ear.stt,
        SafetyMonitor(),
        inbox,
        answers=lambda _: False,
        on_heard=ear.turns.append,
        on_error=ear.errors.append,
        on_end=lambda: done.append("end"),
    )
    for ended in (1.0, 2.0):
        inbox.put(UtteranceFrame(samples=SOUND, ended=ended, speech_s=1.0))
    inbox.put(EndFrame())
    hearer.start()
    for _ in range(200):
        if done:
            break
        hearer.join(0.01)
    hearer.close()
    hearer.join(2.0)
    assert ear.words() == ["hello"]
    assert "out of memory" in ear.errors[0]


def test_a_pause_after_a_whole_command_need_not_be_long() -> None:
    soon: list[float] = []
    ear = Ear(["turn on the light", "turn on the"])
    hearer = Hearer(
        ear.stt,
        SafetyMonitor(),
        FrameQueue[Frame](8),
        answers=lambda _: False,
        on_heard=ear.turns.append,
        is_complete=lambda text: text.endswith("light"),
        on_complete=soon.append,
    )
    hearer.take(SoftEndFrame(samples=SOUND, ended=3.0))
    hearer.take(SoftEndFrame(samples=SOUND, ended=5.0))
    assert soon == [3.0]


def test_words_in_the_wrong_script_are_asked_for_again_and_do_nothing() -> None:
    asked: list[str] = []
    ear = Ear([Transcript(text="включи", rejected="foreign_script"), Transcript(text="hm", rejected="no_speech")])
    hearer = Hearer(
        ear.stt,
        SafetyMonitor(),
        FrameQueue[Frame](8),
        answers=lambda _: False,
        on_heard=ear.turns.append,
        on_unclear=lambda: asked.append("again"),
    )
    for ended in (1.0, 2.0):
        hearer.take(UtteranceFrame(samples=SOUND, ended=ended, speech_s=1.0))
    assert asked == ["again"]
    assert ear.turns == []
