import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from edgevox.audio.files import NullSpeaker
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.frames import SentenceFrame
from edgevox.pipeline.speak import Mouth
from edgevox.testing import ToneTalk

LONG = "one two three four five six seven eight nine ten"


@dataclass
class Mouthpiece:
    mouth: Mouth
    tts: ToneTalk
    speaker: NullSpeaker
    speaking: list[bool] = field(default_factory=list[bool])
    first: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    errors: list[str] = field(default_factory=list[str])

    def say(self, *sentences: str, scope: CancelScope | None = None) -> CancelScope:
        scope = scope or CancelScope()
        for sentence in sentences:
            self.mouth.say(SentenceFrame(generation=scope.generation, text=sentence), scope)
        return scope


@contextmanager
def mouth(*, fail_at: int | None = None, seconds_per_character: float = 0.01) -> Generator[Mouthpiece]:
    tts = ToneTalk(seconds_per_character=seconds_per_character, fail_at=fail_at)
    speaker = NullSpeaker(realtime=True)
    tts.open()
    speaker.open()
    speaking, first, errors = list[bool](), list[tuple[int, float]](), list[str]()
    made = Mouth(
        tts,
        speaker,
        on_speaking=speaking.append,
        on_first_sound=lambda generation, at: first.append((generation, at)),
        on_error=errors.append,
    )
    made.start()
    try:
        yield Mouthpiece(made, tts, speaker, speaking, first, errors)
    finally:
        made.close()


def wait_until(true: Callable[[], bool], timeout: float = 3.0) -> None:
    deadline = time.monotonic() + timeout
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.005)


def test_sentences_are_spoken_in_order_and_accounted_for() -> None:
    with mouth() as m:
        scope = m.say("Hello there.", "How are you?")
        spoken = m.mouth.finish(scope)
    assert m.tts.said == ["Hello there.", "How are you?"]
    assert spoken.text == "Hello there. How are you?"
    assert not spoken.cut
    assert m.speaking[0] is True
    assert m.speaking[-1] is False
    assert m.first[0][0] == scope.generation


def test_a_cut_reply_is_accounted_for_to_the_word() -> None:
    with mouth(seconds_per_character=0.03) as m:
        scope = m.say("First one.", LONG)
        wait_until(lambda: m.speaker.heard_s > 0.7)
        scope.cancel(CancelReason.BARGE_IN)
        m.mouth.silence()
        spoken = m.mouth.finish(scope)
    assert spoken.cut
    assert spoken.text.startswith("First one. one two")
    assert not spoken.text.endswith("ten")


def test_silence_is_immediate_and_nothing_of_the_turn_follows() -> None:
    with mouth(seconds_per_character=0.03) as m:
        scope = m.say(LONG, LONG, LONG)
        wait_until(lambda: m.speaker.heard_s > 0.1)
        started = time.monotonic()
        m.mouth.silence()
        assert time.monotonic() - started < 0.03
        wait_until(lambda: not m.mouth.speaking)
        heard = m.speaker.heard_s
        m.say("More of the same turn.", scope=scope)
        time.sleep(0.1)
        assert m.speaker.heard_s == heard
        assert "More of the same turn." not in m.tts.said


def test_after_silence_the_next_turn_is_spoken() -> None:
    with mouth(seconds_per_character=0.03) as m:
        m.say(LONG)
        wait_until(lambda: m.speaker.heard_s > 0.05)
        m.mouth.silence()
        assert m.mouth.finish(m.say("Stopped.")).text == "Stopped."


def test_a_sentence_that_cannot_be_spoken_costs_only_itself() -> None:
    with mouth(fail_at=0) as m:
        spoken = m.mouth.finish(m.say("broken", "Good."))
    assert len(m.errors) == 1
    assert "broken" in m.errors[0]
    assert "Good." in spoken.text


def test_text_without_sound_ends_the_turn_normally() -> None:
    with mouth() as m:
        spoken = m.mouth.finish(m.say("…", "***"))
        assert not m.mouth.speaking
    assert not spoken.cut
    assert m.first == []


def test_a_cancelled_turn_says_nothing_at_all() -> None:
    with mouth() as m:
        scope = CancelScope()
        scope.cancel()
        m.say("Hello.", scope=scope)
        assert m.mouth.finish(scope).text == ""
    assert m.tts.said == []


def test_an_announcement_beside_a_turn_leaves_the_turns_account_alone() -> None:
    with mouth() as m:
        turn = m.say("The light is on.")
        m.say("The timer is over.")
        assert m.mouth.finish(turn).text == "The light is on."


def test_silence_from_many_threads_is_safe() -> None:
    with mouth(seconds_per_character=0.02) as m:
        threads = [threading.Thread(target=m.mouth.silence) for _ in range(8)]
        m.say(LONG)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(1.0)
        assert m.mouth.finish(m.say("Still here.")).text == "Still here."
