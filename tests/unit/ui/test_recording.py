"""One turn from a recording, on paper."""

from pathlib import Path

import pytest

from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes, TurnOutcome
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.ui.recording import report, run_recording

LIGHT = ToolCallResult(name="set_light", arguments={"room": "kitchen"}, result="on", runtime_ms=4, origin=Origin.PHRASE)


def test_the_report_says_what_was_heard_done_said_and_how_long_it_took(tmp_path: Path) -> None:
    answer = tmp_path / "out.wav"
    answer.touch()
    outcome = TurnOutcome(
        text="Turn on the light.",
        reply="It is on.",
        tool_calls=(LIGHT,),
        times=StageTimes(end_ms=180, stt_ms=96, decide_ms=1, tts_ms=135, total_ms=412),
    )
    assert report(outcome, answer) == [
        "heard   Turn on the light.",
        'tool    ↳ set_light(room="kitchen") → on (phrase match, no model, 4 ms)',
        "reply   It is on.",
        f"answer  {answer}",
        "model   no model call",
        "        end of speech noticed    0.18 s",
        "        speech to text            96 ms",
        "        deciding                   1 ms",
        "        first sound made         0.14 s",
        "        heard to answer          0.41 s",
    ]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(pieces=["Yes."]), 0),
        (Reply(error="Nothing was understood."), 1),
        (Reply(calls=[ToolCallResult(name="go", status=ResultStatus.ERROR, error="no")], pieces=["No."]), 1),
    ],
)
def test_the_exit_code_says_whether_the_turn_did_what_was_asked(
    reply: Reply, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assistant = ScriptedAssistant({"go home": reply}, notices=["No loudspeaker."])
    assert run_recording(assistant, tmp_path / "go_home.wav") == code
    printed = capsys.readouterr()
    assert printed.out.startswith("heard   go home\n")
    assert printed.err == "▲ No loudspeaker.\n"
    assert assistant.done == ["start", "close"]


def test_a_reply_that_was_to_be_written_and_was_not_is_a_failure(tmp_path: Path) -> None:
    assistant = ScriptedAssistant({"go home": Reply(pieces=["Yes."])}, notices=["The disk is full."])
    assert run_recording(assistant, tmp_path / "go_home.wav", tmp_path / "out.wav") == 1


def test_markup_and_escapes_in_a_reply_stay_text() -> None:
    outcome = TurnOutcome(text="", reply="[red]\x1b[31m", error="x", cancelled="stop")
    assert report(outcome)[:4] == ["heard   (nothing)", "reply   [red]␛[31m", "ended   stopped", "error   x"]
