"""Shows each event where it belongs. Knows which kind of event concerns which pane, and nothing of threads."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from edgevox.agents.health import HealthRecord
from edgevox.assistant.display import HELD, answers_to, duration, handoff_line, is_routine, stage_line, tool_line
from edgevox.assistant.health import health_row
from edgevox.core.events import AgentEvent
from edgevox.core.frames import SpokenFrame, TranscriptionFrame
from edgevox.core.messages import ToolUseBlock
from edgevox.core.ports import ApprovalRequest, InputRequest
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes
from edgevox.tui.modals import QuestionScreen

if TYPE_CHECKING:
    from edgevox.tui.app import EdgeVoxApp


class Teller:
    """Follows one conversation on the screen.

    Args:
        app: whose panes are drawn on.
    """

    def __init__(self, app: "EdgeVoxApp") -> None:
        self._app = app
        self._last_said = ""
        self._handlers: dict[str, Callable[[AgentEvent], None]] = {
            "heard": self._heard,
            "heard_partial": self._heard_partial,
            "text_delta": self._text_delta,
            "agent_message": self._agent_message,
            "tool_use": self._tool_use,
            "tool_call": self._tool_call,
            "skill_feedback": self._skill_feedback,
            "approval_requested": self._approval_requested,
            "approval_decided": self._approval_decided,
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
            "voice_state": self._voice_state,
            "audio_level": self._audio_level,
        }

    def begin(self) -> None:
        """Show what is missing, before anything is said."""
        assistant = self._app.assistant
        for notice in assistant.notices:
            self._app.chat.add("▲", notice, "notice")
        if assistant.notices:
            self._app.status.warning = "degraded"
        self._app.status.state = assistant.state

    def tell(self, event: AgentEvent) -> None:
        """Show one event; kinds that mean nothing here are passed over."""
        handler = self._handlers.get(event.kind)
        if handler is not None:
            handler(event)

    def _heard(self, event: AgentEvent) -> None:
        frame = event.payload
        if isinstance(frame, TranscriptionFrame) and frame.text:
            self._app.chat.heard(frame.text, spoken=not frame.typed)

    def _heard_partial(self, event: AgentEvent) -> None:
        if isinstance(event.payload, TranscriptionFrame):
            self._app.chat.hear_partly(event.payload.text)

    def _text_delta(self, event: AgentEvent) -> None:
        self._app.chat.stream(event.turn, str(event.payload))

    def _agent_message(self, event: AgentEvent) -> None:
        self._last_said = str(event.payload or "")
        self._app.chat.said(event.turn, self._last_said)

    def _tool_use(self, event: AgentEvent) -> None:
        if isinstance(event.payload, ToolUseBlock):
            self._app.tools.begin(event.payload)

    def _tool_call(self, event: AgentEvent) -> None:
        result = event.payload
        if isinstance(result, ToolCallResult):
            self._app.tools.finish(result)
            if is_routine(result):
                return
            self._app.chat.break_stream()
            self._app.chat.add("", tool_line(result), "tool" if result.ok else "failed", duration(result.runtime_ms))

    def _skill_feedback(self, event: AgentEvent) -> None:
        self._app.tools.progress(event.payload)

    def _approval_requested(self, event: AgentEvent) -> None:
        request = event.payload
        if isinstance(request, ApprovalRequest):
            self._app.chat.add("?", f"{request.question} {answers_to(request)}?", "question")
            self._app.open_question(QuestionScreen(request))

    def _approval_decided(self, event: AgentEvent) -> None:
        self._app.close_question()
        decided = event.payload[-1] if isinstance(event.payload, tuple) else event.payload  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        approved = bool(getattr(decided, "approved", False))  # pyright: ignore[reportUnknownArgumentType]
        by = str(getattr(decided, "by", ""))  # pyright: ignore[reportUnknownArgumentType]
        held = str(getattr(decided, "remember", "once"))  # pyright: ignore[reportUnknownArgumentType]
        how_long = "" if held == "once" else f", {HELD.get(held, held)}"
        self._app.chat.add("", f"{'yes' if approved else 'no'}{how_long} ({by})", "quiet")

    def _input_requested(self, event: AgentEvent) -> None:
        request = event.payload
        if isinstance(request, InputRequest):
            self._app.chat.break_stream()
            self._app.chat.add("?", request.question, "question")
            self._app.prompt.wait_for_answer(request.question)

    def _input_received(self, event: AgentEvent) -> None:
        _, answer = event.payload
        self._app.prompt.wait_for_answer("")
        if answer is None:
            self._app.chat.add("", "no answer", "quiet")

    def _spoken(self, event: AgentEvent) -> None:
        frame = event.payload
        if isinstance(frame, SpokenFrame):
            self._app.chat.spoken(event.turn, cut=frame.cut, upto=frame.text)

    def _error(self, event: AgentEvent) -> None:
        told_already = str(event.payload) in self._last_said
        if event.payload not in self._app.assistant.notices and not told_already:
            self._app.chat.add("✗", str(event.payload), "error")

    def _degraded(self, event: AgentEvent) -> None:
        self._app.chat.add("▲", str(event.payload), "notice")
        self._app.status.warning = "degraded" if event.kind == "degraded" else ""

    def _health_changed(self, event: AgentEvent) -> None:
        if isinstance(event.payload, HealthRecord):
            self._app.chat.add("", health_row(event.payload), "notice")

    def _handoff(self, event: AgentEvent) -> None:
        self._app.chat.break_stream()
        self._app.chat.add("", handoff_line(event.payload), "quiet")

    def _agent_changed(self, event: AgentEvent) -> None:
        name = str(event.payload)
        self._app.status.agent = self._app.chat.agent = name
        self._app.chat.add("", f"{name} answers now.", "quiet")

    def _stage_timing(self, event: AgentEvent) -> None:
        times = event.payload
        if isinstance(times, StageTimes):
            self._app.foot.times = stage_line(times)
            self._app.chat.took(event.turn, duration(times.total_ms) if times.total_ms is not None else "")

    def _voice_state(self, event: AgentEvent) -> None:
        self._app.status.state = str(event.payload)

    def _audio_level(self, event: AgentEvent) -> None:
        self._app.status.level = float(event.payload)
