"""What the monitor does with frames, at rest and while something is active."""

import numpy as np
import pytest

from edgevox.core.frames import VAD_FRAME, AudioFrame, Frame, InterruptFrame, StopFrame, TranscriptionFrame
from edgevox.safety import SafetyMonitor


class ScriptedSpotter:
    """Spots a word at chosen frames, or fails."""

    def __init__(self, hits: dict[int, str] | None = None, error: Exception | None = None) -> None:
        self.hits = hits or {}
        self.error = error
        self.fed = 0
        self.resets = 0

    def feed(self, samples: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> str | None:
        if self.error is not None:
            raise self.error
        self.fed += 1
        return self.hits.get(self.fed - 1)

    def reset(self) -> None:
        self.resets += 1


def heard(text: str, *, final: bool = True, generation: int = 7) -> TranscriptionFrame:
    return TranscriptionFrame(text=text, final=final, generation=generation)


def kinds(frames: object) -> list[str]:
    assert hasattr(frames, "__iter__")
    return [type(frame).__name__ for frame in frames]  # type: ignore[attr-defined]


def sound() -> AudioFrame:
    return AudioFrame(samples=np.zeros(VAD_FRAME, dtype=np.float32))


def test_a_stop_word_becomes_a_stop_frame_of_its_turn_and_goes_no_further() -> None:
    frames = list(SafetyMonitor().process(heard("Stop!")))
    assert frames == [StopFrame(reason="stop", generation=7)]


def test_on_stop_has_run_before_the_first_frame_is_handed_out() -> None:
    stopped: list[str] = []
    frames = SafetyMonitor(on_stop=stopped.append).process(heard("please stop"))
    assert stopped == ["stop"]
    assert kinds(frames) == ["StopFrame"]


@pytest.mark.parametrize("frame", [heard("turn on the light"), InterruptFrame(), StopFrame(reason="key")])
def test_everything_else_passes_as_it_came(frame: Frame) -> None:
    assert list(SafetyMonitor().process(frame)) == [frame]


def test_a_failing_on_stop_still_yields_the_stop_frame() -> None:
    def broken(word: str) -> None:
        raise RuntimeError("no")

    assert kinds(SafetyMonitor(on_stop=broken).process(heard("stop"))) == ["StopFrame"]


@pytest.mark.parametrize("active", [True, False])
def test_a_doubtful_text_stops_only_while_something_is_active(active: bool) -> None:
    monitor = SafetyMonitor(is_active=lambda: active)
    assert kinds(monitor.process(heard("stop the washing machine"))) == [
        "StopFrame" if active else "TranscriptionFrame"
    ]


@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("text", ["don't stop", "where is the bus stop", "when will it stop raining", "non-stop"])
def test_a_clear_mention_never_stops(text: str, active: bool) -> None:
    assert SafetyMonitor(is_active=lambda: active).check(text) is None


@pytest.mark.parametrize("active", [True, False])
def test_a_command_always_stops(active: bool) -> None:
    assert SafetyMonitor(is_active=lambda: active).check("Stop now!") == "stop"


def test_stop_the_timer_runs_the_tool_at_rest() -> None:
    monitor = SafetyMonitor(is_active=lambda: False, is_phrase=lambda text: text == "stop the timer")
    assert kinds(monitor.process(heard("stop the timer"))) == ["TranscriptionFrame"]


def test_stop_the_timer_stops_and_runs_the_tool_while_something_moves() -> None:
    stopped: list[str] = []
    monitor = SafetyMonitor(None, stopped.append, is_active=lambda: True, is_phrase=lambda text: "timer" in text)
    assert kinds(monitor.process(heard("stop the timer"))) == ["StopFrame", "TranscriptionFrame"]
    assert stopped == ["stop"]


def test_a_plain_stop_never_reaches_the_agent_even_if_a_tool_declares_it() -> None:
    monitor = SafetyMonitor(is_active=lambda: True, is_phrase=lambda _: True)
    assert kinds(monitor.process(heard("stop"))) == ["StopFrame"]


def test_a_sensor_that_fails_counts_as_active() -> None:
    def broken() -> bool:
        raise OSError("gone")

    assert SafetyMonitor(is_active=broken).check("stop the washing machine") == "stop"


def test_a_partial_transcript_stops_what_is_active_and_waits_at_rest() -> None:
    assert kinds(SafetyMonitor(is_active=lambda: True).process(heard("stop", final=False))) == ["StopFrame"]
    assert kinds(SafetyMonitor(is_active=lambda: False).process(heard("stop", final=False))) == ["TranscriptionFrame"]
    assert kinds(SafetyMonitor().process(heard("stop", final=False))) == ["StopFrame"]


def test_typed_text_is_judged_like_speech() -> None:
    frame = TranscriptionFrame(text="stop", typed=True)
    assert kinds(SafetyMonitor().process(frame)) == ["StopFrame"]


def test_empty_stop_words_disable_the_monitor_and_it_says_so() -> None:
    monitor = SafetyMonitor(())
    assert not monitor.enabled
    assert kinds(monitor.process(heard("stop"))) == ["TranscriptionFrame"]
    assert SafetyMonitor().enabled


def test_words_of_your_own_are_the_ones_that_stop() -> None:
    monitor = SafetyMonitor(("cease", "do not move", "dừng lại"))
    assert [monitor.check(text) for text in ("Cease!", "do not move", "Dừng lại.", "stop")] == [
        "cease", "do not move", "dừng lại", None,
    ]  # fmt: skip


def test_a_single_word_may_be_given_as_a_text() -> None:
    assert SafetyMonitor("cease").stop_words == ("cease",)


def test_another_language_brings_its_own_words_and_keeps_yours() -> None:
    monitor, own = SafetyMonitor(), SafetyMonitor(("cease",))
    monitor.set_language("de")
    own.set_language("de")
    assert monitor.check("Bitte anhalten.") == "anhalten"
    assert own.stop_words == ("cease",)


def test_a_spotted_word_stops_and_the_sound_goes_on() -> None:
    stopped: list[str] = []
    monitor = SafetyMonitor(None, stopped.append, spotter=ScriptedSpotter({1: "stop"}))
    passed = [kinds(monitor.process(sound())) for _ in range(3)]
    assert passed == [["AudioFrame"], ["StopFrame", "AudioFrame"], ["AudioFrame"]]
    assert stopped == ["stop"]


def test_sound_from_the_first_frame_on_is_judged() -> None:
    monitor = SafetyMonitor(spotter=ScriptedSpotter({0: "stop"}))
    assert kinds(monitor.process(sound())) == ["StopFrame", "AudioFrame"]


def test_a_failing_spotter_does_not_end_hearing() -> None:
    monitor = SafetyMonitor(spotter=ScriptedSpotter(error=RuntimeError("model")))
    assert kinds(monitor.process(sound())) == ["AudioFrame"]
    assert kinds(monitor.process(heard("stop"))) == ["StopFrame"]


def test_a_disabled_monitor_does_not_ask_the_spotter() -> None:
    spotter = ScriptedSpotter({0: "stop"})
    assert kinds(SafetyMonitor((), spotter=spotter).process(sound())) == ["AudioFrame"]
    assert spotter.fed == 0


def test_a_reset_reaches_the_spotter() -> None:
    spotter = ScriptedSpotter()
    SafetyMonitor(spotter=spotter).reset()
    assert spotter.resets == 1
