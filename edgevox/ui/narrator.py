"""Tells a conversation on a screen: what was heard, each tool call, the reply as it comes, what went wrong.

Knows which event becomes which line. Keeps no thread and asks the assistant for nothing but its state.
"""

from collections.abc import Callable

from edgevox.agents.health import HealthRecord
from edgevox.assistant.display import (
    answers_to,
    duration,
    feedback_text,
    handoff_line,
    is_routine,
    meter,
    state_of,
    tool_line,
)
from edgevox.assistant.health import health_row
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.events import AgentEvent
from edgevox.core.frames import SpokenFrame, TranscriptionFrame
from edgevox.core.ports import ApprovalRequest, InputRequest
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes
from edgevox.ui.screen import Screen

YOU, REPLY, TOOL, FAILURE, QUIET, NOTICE, QUESTION = (
    "bold",
    "cyan",
    "dark_orange",
    "red",
    "dim",
    "yellow",
    "bold yellow",
)


class Narrator:
    """Follows one conversation.

    Args:
        assistant: whose conversation it is.
        screen: where it is told.
        echo: whether typed words are told too.
        status: whether there is a status line with state and sound level.
    """

    def __init__(self, assistant: AssistantSurface, screen: Screen, *, echo: bool = True, status: bool = False) -> None:
        self._assistant = assistant
        self._screen = screen
        self._echo = echo
        self._has_status = status
        self._level = 0.0
        self._partial = ""
        self._progress = ""
        self._streamed: dict[int | None, str] = {}
        self._last_said = ""
        self._handlers: dict[str, Callable[[AgentEvent], None]] = {
            "heard": self._heard,
            "heard_partial": self._heard_partial,
            "text_delta": self._text_delta,
            "agent_message": self._agent_message,
            "tool_call": self._tool_call,
            "skill_feedback": self._skill_feedback,
            "skill_cancelled": self._skill_cancelled,
            "approval_requested": self._approval_requested,
            "input_requested": self._input_requested,
            "input_received": self._input_received,
            "spoken": self._spoken,
            "error": self._error,
            "degraded": self._degraded,
            "health_changed": self._health_changed,
            "device_changed": self._degraded,
            "handoff": self._handoff,
            "agent_changed": self._agent_changed,
            "stage_timing": self._stage_timing,
            "voice_state": self._status_changed,
            "audio_level": self._audio_level,
        }

    def tell(self, event: AgentEvent) -> None:
        """Show one event; kinds that mean nothing here are passed over."""
        handler = self._handlers.get(event.kind)
        if handler is not None:
            handler(event)

    def begin(self) -> None:
        """Show what is missing, before anything is said."""
        for notice in self._assistant.notices:
            self._screen.line(f"▲ {notice}", NOTICE)
        self._draw_status()

    def _heard(self, event: AgentEvent) -> None:
        frame = event.payload
        self._partial = ""
        if isinstance(frame, TranscriptionFrame) and frame.text and (self._echo or not frame.typed):
            self._screen.line(f"› {frame.text}", YOU)
        self._draw_status()

    def _heard_partial(self, event: AgentEvent) -> None:
        if isinstance(event.payload, TranscriptionFrame):
            self._partial = event.payload.text
            self._draw_status()

    def _text_delta(self, event: AgentEvent) -> None:
        piece = str(event.payload)
        self._streamed[event.turn] = self._streamed.get(event.turn, "") + piece
        self._screen.stream(piece, REPLY)

    def _agent_message(self, event: AgentEvent) -> None:
        streamed = self._streamed.pop(event.turn, "") if event.turn is not None else ""
        self._screen.end_stream()
        whole = self._last_said = str(event.payload or "")
        if whole and streamed.split() != whole.split():
            self._screen.line(whole, REPLY)

    def _tool_call(self, event: AgentEvent) -> None:
        result = event.payload
        if isinstance(result, ToolCallResult) and not is_routine(result):
            self._progress = ""
            took = f" ({duration(result.runtime_ms)})" if result.runtime_ms else ""
            self._screen.line(tool_line(result) + took, TOOL if result.ok else FAILURE)

    def _skill_feedback(self, event: AgentEvent) -> None:
        if self._has_status:
            self._progress = feedback_text(event.payload) if self._assistant.running_actions() else ""
            self._draw_status()

    def _skill_cancelled(self, _: AgentEvent) -> None:
        self._progress = ""
        self._draw_status()

    def _approval_requested(self, event: AgentEvent) -> None:
        request = event.payload
        if isinstance(request, ApprovalRequest):
            self._screen.line(f"? {request.question} ({answers_to(request)})", QUESTION)

    def _input_requested(self, event: AgentEvent) -> None:
        if isinstance(event.payload, InputRequest):
            self._screen.end_stream()
            self._screen.line(f"? {event.payload.question}", QUESTION)

    def _input_received(self, event: AgentEvent) -> None:
        _, answer = event.payload
        if answer is None:
            self._screen.line("  (no answer)", QUIET)

    def _spoken(self, event: AgentEvent) -> None:
        if isinstance(event.payload, SpokenFrame) and event.payload.cut and event.payload.text:
            self._screen.line(f"  (cut after “{event.payload.text}”)", QUIET)

    def _error(self, event: AgentEvent) -> None:
        told_already = str(event.payload) in self._last_said
        if event.payload not in self._assistant.notices and not told_already:
            self._screen.line(f"✗ {event.payload}", FAILURE)

    def _degraded(self, event: AgentEvent) -> None:
        self._screen.line(f"▲ {event.payload}", NOTICE)

    def _health_changed(self, event: AgentEvent) -> None:
        if isinstance(event.payload, HealthRecord):
            self._screen.line(health_row(event.payload), NOTICE)

    def _handoff(self, event: AgentEvent) -> None:
        self._screen.line(handoff_line(event.payload), QUIET)

    def _agent_changed(self, event: AgentEvent) -> None:
        self._screen.line(f"{event.payload} answers now.", QUIET)

    def _stage_timing(self, event: AgentEvent) -> None:
        if self._has_status and isinstance(event.payload, StageTimes) and event.payload.total_ms is not None:
            self._screen.line(f"  {duration(event.payload.total_ms)}", QUIET)

    def _status_changed(self, _: AgentEvent) -> None:
        self._draw_status()

    def _audio_level(self, event: AgentEvent) -> None:
        self._level = float(event.payload)
        self._draw_status()

    def _draw_status(self) -> None:
        if not self._has_status:
            return
        state = state_of(self._assistant.state)
        now = self._partial or self._progress
        heard = f" {now}" if now else ""
        keys = "Esc stop · F1 help · ^C ^C quit"
        self._screen.set_status(f"{state.glyph} {state.word} {meter(self._level)}{heard or '  ' + keys}")
