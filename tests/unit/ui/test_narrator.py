"""Which event becomes which line."""

from dataclasses import dataclass, field

import pytest

from edgevox.agents.handoff import HandoffNews
from edgevox.core.frames import SpokenFrame, TranscriptionFrame
from edgevox.core.goals import GoalHandle
from edgevox.core.messages import ResultStatus
from edgevox.core.ports import ApprovalRequest
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes
from edgevox.testing.assistant import ScriptedAssistant
from edgevox.tools.goals import GoalNews
from edgevox.ui.narrator import FAILURE, NOTICE, TOOL, Narrator
from edgevox.ui.screen import Prompt


@dataclass(slots=True)
class Paper:
    """A screen that keeps what was written on it."""

    lines: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    open: str = ""
    status: str = ""

    def line(self, text: str, style: str = "") -> None:
        self.end_stream()
        self.lines.append((text, style))

    def stream(self, piece: str, style: str = "") -> None:
        self.open += piece

    def end_stream(self) -> None:
        if self.open:
            self.lines.append((self.open, ""))
            self.open = ""

    def set_status(self, text: str) -> None:
        self.status = text

    def set_prompt(self, prompt: Prompt) -> None: ...

    def close(self) -> None: ...

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.lines]


@dataclass(slots=True)
class Told:
    """A conversation that is told on paper."""

    assistant: ScriptedAssistant
    paper: Paper
    narrator: Narrator


def told(*, echo: bool = True, status: bool = False, notices: tuple[str, ...] = ()) -> Told:
    assistant = ScriptedAssistant(notices=notices)
    paper = Paper()
    narrator = Narrator(assistant, paper, echo=echo, status=status)
    assistant.bus.subscribe_all(narrator.tell)
    return Told(assistant, paper, narrator)


def test_a_streamed_reply_is_not_told_again_when_it_is_whole() -> None:
    story = told()
    story.assistant.emit("text_delta", "The light ", 1)
    story.assistant.emit("text_delta", "is on.", 1)
    story.assistant.emit("agent_message", "The light is on.", 1)
    assert story.paper.texts == ["The light is on."]


def test_a_reply_that_was_not_streamed_is_told_when_it_is_whole() -> None:
    story = told()
    story.assistant.emit("agent_message", "Hello.")
    story.assistant.emit("agent_message", "Done.", 2)
    story.assistant.emit("agent_message", "", 3)
    assert story.paper.texts == ["Hello.", "Done."]


def test_a_tool_call_is_one_line_in_its_colour_between_the_pieces_of_a_reply() -> None:
    story = told()
    story.assistant.emit("text_delta", "Let me see. ", 1)
    story.assistant.emit("tool_call", ToolCallResult(name="get_pose", result="1, 2", runtime_ms=3))
    story.assistant.emit("tool_call", ToolCallResult(name="go", status=ResultStatus.ERROR, error="no"))
    story.assistant.emit("text_delta", "You are here.", 1)
    story.assistant.emit("agent_message", "Let me see. You are here.", 1)
    assert story.paper.lines == [
        ("Let me see. ", ""),
        ("↳ get_pose() → 1, 2 (3 ms)", TOOL),
        ("↳ go() ✗ failed: no", FAILURE),
        ("You are here.", ""),
    ]


@pytest.mark.parametrize(("echo", "texts"), [(True, ["› typed", "› heard"]), (False, ["› heard"])])
def test_typed_words_are_told_only_where_the_terminal_does_not_show_them(echo: bool, texts: list[str]) -> None:
    story = told(echo=echo)
    story.assistant.emit("heard", TranscriptionFrame(text="typed", typed=True))
    story.assistant.emit("heard", TranscriptionFrame(text="heard"))
    assert story.paper.texts == texts


def test_questions_cuts_and_errors_are_words() -> None:
    story = told()
    story.assistant.emit("approval_requested", ApprovalRequest(question="Unlock the door?"))
    story.assistant.emit("spoken", SpokenFrame(text="The kit", cut=True))
    story.assistant.emit("error", "The model is gone.")
    assert story.paper.texts == [
        "? Unlock the door? (yes or no)",
        "  (cut after “The kit”)",
        "✗ The model is gone.",
    ]


def test_an_error_that_the_reply_has_told_is_not_told_again() -> None:
    story = told()
    story.assistant.emit("agent_message", "Sorry. The model is gone.", 1)
    story.assistant.emit("error", "The model is gone.", 1)
    assert story.paper.texts == ["Sorry. The model is gone."]


def test_what_is_missing_is_told_first_and_only_once() -> None:
    story = told(notices=("There is no language model.",))
    story.narrator.begin()
    story.assistant.emit("error", "There is no language model.", 1)
    assert story.paper.lines == [("▲ There is no language model.", NOTICE)]


def test_the_status_line_has_a_glyph_a_word_and_what_is_being_heard() -> None:
    story = told(status=True)
    story.assistant.set_state("hearing")
    story.assistant.emit("audio_level", 1.0)
    story.assistant.emit("heard_partial", TranscriptionFrame(text="turn on the"))
    assert story.paper.status == "◉ hearing █████ turn on the"
    story.assistant.emit("heard", TranscriptionFrame(text="turn on the light"))
    assert "turn on" not in story.paper.status


def test_the_time_of_a_turn_is_told_where_there_is_a_status_line() -> None:
    times = StageTimes(total_ms=412)
    for status, texts in ((True, ["  0.41 s"]), (False, [])):
        story = told(status=status)
        story.assistant.emit("stage_timing", times, 1)
        assert story.paper.texts == texts


def test_an_event_of_a_kind_that_nobody_knows_is_passed_over() -> None:
    story = told()
    story.assistant.emit("weather_changed", object())
    assert story.paper.lines == []


def test_who_answers_now_is_told() -> None:
    story = told()
    story.assistant.switch_agent("robot-scout")
    story.assistant.emit("handoff", HandoffNews(source="casa", target="weather", reason="asked for\nrain"))
    assert story.paper.texts == ["robot-scout answers now.", "↳ weather answers: asked for rain"]


def test_the_status_line_forgets_an_action_that_is_over() -> None:
    story = told(status=True)
    goal = GoalHandle()
    story.assistant.goals.add("pick_up", goal)
    news = GoalNews(name="pick_up", tool_use_id="1", feedback={"progress": 0.58})
    story.assistant.emit("skill_feedback", news)
    assert story.paper.status.endswith("pick_up: 58 %")
    story.assistant.emit("tool_call", ToolCallResult(name="pick_up", status=ResultStatus.ERROR, error="cancelled"))
    story.assistant.set_state("idle")
    assert "pick_up" not in story.paper.status
    goal.succeed("late")
    story.assistant.emit("skill_feedback", news)
    assert "pick_up" not in story.paper.status
