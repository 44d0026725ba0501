"""How events read: nothing a reply holds can act on a terminal, nothing is cut without a mark."""

from types import SimpleNamespace

import pytest

from edgevox.assistant.display import (
    STATES,
    call_text,
    calls_text,
    clean,
    cut_text,
    duration,
    feedback_text,
    is_routine,
    meter,
    one_line,
    outcome_text,
    stage_line,
    stage_rows,
    state_of,
    tool_line,
)
from edgevox.core.messages import Origin, ResultStatus, Severity, Truncation
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes, TurnOutcome
from edgevox.pipeline.state import VoiceState


def test_every_state_of_the_assistant_has_a_glyph_and_a_word_of_its_own() -> None:
    assert {str(state) for state in VoiceState} <= set(STATES)
    assert len({state.glyph for state in STATES.values()}) == len(STATES)
    assert len({state.word for state in STATES.values()}) == len(STATES)


def test_an_unknown_state_shows_its_name() -> None:
    assert state_of("dreaming").word == "dreaming"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("ring\x07", "ring␇"),
        ("\x9b31m", "\\x9b31m"),
        ("back\x08", "back␈"),
        ("a\tb", "a    b"),
        ("two\nlines", "two\nlines"),
        ("over\r", "over␍"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("[bold]as it is[/bold]", "[bold]as it is[/bold]"),
        ("grüße, 日本, 🙂", "grüße, 日本, 🙂"),
    ],
)
def test_control_characters_are_seen_and_do_nothing(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_long_value_is_one_line_cut_with_a_mark() -> None:
    shown = one_line("word\n" * 100, 40)
    assert len(shown) == 40
    assert shown.endswith("…")
    assert "\n" not in shown


def test_a_call_is_written_as_code() -> None:
    assert call_text("set_light", {"room": "kitchen", "on": True, "level": None}) == (
        'set_light(room="kitchen", on=true, level=null)'
    )


def test_heartbeats_and_links_between_are_nobodys_reading_unless_they_fail() -> None:
    hidden = (Truncation(threshold=0, severity=Severity.REMOVE),)
    assert is_routine(ToolCallResult(name="compact", truncation=hidden))
    assert not is_routine(ToolCallResult(name="trace", truncation=(Truncation(threshold=1, severity=Severity.REMOVE),)))
    assert not is_routine(ToolCallResult(name="compact", status=ResultStatus.ERROR, truncation=hidden))


def test_a_tool_call_reads_with_its_result_or_its_error() -> None:
    good = ToolCallResult(name="get_pose", result={"x": 1.5})
    bad = ToolCallResult(name="get_pose", status=ResultStatus.ERROR, error="the robot is off")
    assert tool_line(good) == '↳ get_pose() → {"x": 1.5}'
    assert tool_line(bad) == "↳ get_pose() ✗ failed: the robot is off"
    assert outcome_text(ToolCallResult(name="go")) == "done"
    assert outcome_text(ToolCallResult(name="go", status=ResultStatus.DECLINED)) == "declined"
    assert outcome_text(ToolCallResult(name="go", status=ResultStatus.CANCELLED)) == "cancelled"


def test_progress_of_an_action_reads_as_a_share() -> None:
    assert feedback_text(SimpleNamespace(name="navigate_to", feedback={"progress": 0.41})) == "navigate_to: 41 %"
    assert feedback_text(SimpleNamespace(name="navigate_to", feedback=None)) == "navigate_to"
    assert feedback_text("half way") == "half way"


@pytest.mark.parametrize(
    ("milliseconds", "shown"), [(4.4, "4 ms"), (310, "0.31 s"), (2140, "2.1 s"), (65_000, "1 m 05 s"), (0, "0 ms")]
)
def test_durations_read_as_a_person_says_them(milliseconds: float, shown: str) -> None:
    assert duration(milliseconds) == shown


def test_the_meter_is_empty_at_silence_full_at_one_and_never_leaves_its_width() -> None:
    assert meter(0) == "     "
    assert meter(1) == "█████"
    assert [len(meter(level)) for level in (-3, 0.33, 0.5, 7)] == [5, 5, 5, 5]
    assert meter(0.5) == "██▄  "


def test_stages_that_a_turn_did_not_have_are_left_out() -> None:
    typed = StageTimes(decide_ms=1, total_ms=2)
    assert [name for name, _ in stage_rows(typed)] == ["deciding", "heard to answer"]
    spoken = StageTimes(end_ms=180, stt_ms=96, decide_ms=1, tts_ms=135, total_ms=412)
    assert stage_line(spoken) == "0.41 s (end 180 · stt 96 · decide 1 · tts 135)"
    assert stage_line(StageTimes()) == ""


def test_model_calls_and_cuts_are_words() -> None:
    assert [calls_text(count) for count in (0, 1, 2)] == ["no model call", "1 model call", "2 model calls"]
    assert cut_text(TurnOutcome(text="go", cancelled="barge_in")) == "interrupted"
    assert cut_text(TurnOutcome(text="go")) == ""


def test_a_link_of_a_chain_repeats_neither_what_it_took_nor_what_it_hands_on() -> None:
    passed = ToolCallResult(name="lights", arguments={"title": "x"}, result={"title": "x"}, origin=Origin.CHAIN)
    changed = ToolCallResult(
        name="alarm", arguments={"title": "x"}, result={"title": "x", "on": True}, origin=Origin.CHAIN
    )
    asked = ToolCallResult(name="lights", arguments={"title": "x"}, result={"title": "x"})
    assert tool_line(passed) == "↳ lights → done"
    assert tool_line(changed) == '↳ alarm → {"title": "x", "on": true}'
    assert tool_line(asked) == '↳ lights(title="x") → {"title": "x"}'
