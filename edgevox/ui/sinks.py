"""Shows the events of an agent's run in a terminal, beside the run: give it as one of the `event_sinks`.

A sink is told on a thread of its own, after the fact. It draws and decides nothing.
"""

import sys
from collections.abc import Callable, Mapping
from typing import IO, Self

from rich.console import Console
from rich.text import Text

from edgevox.assistant.display import clean, duration, handoff_line, one_line, origin_text, tool_line
from edgevox.core.completion import LlmCall
from edgevox.core.events import AgentEvent
from edgevox.core.messages import ToolUseBlock
from edgevox.core.tools import ToolCallResult

NAME, CALL, FAILURE, QUIET, WORDS = "bold", "dark_orange", "red", "dim", "cyan"


class CliSink:
    """Prints what a run does, one line for each step.

    Args:
        console: where to.
        model_calls: whether to tell of each model call: its tokens and its time.
    """

    def __init__(self, console: Console, *, model_calls: bool = True) -> None:
        self._console = console
        self._model_calls = model_calls

    @classmethod
    def default(cls, file: IO[str] | None = None) -> Self:
        """Return a sink that prints on standard error, so that what the tools print stays apart from it.

        Args:
            file: where to print instead.
        """
        stream = file if file is not None else sys.stderr
        return cls(Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True))

    def __call__(self, event: AgentEvent) -> None:
        """Print one event; kinds that mean nothing here are passed over."""
        tell = _TOLD.get(event.kind)
        line = tell(event) if tell is not None and (self._model_calls or event.kind != "llm_call") else None
        if line is not None:
            text, style = line
            self._console.print(Text(text, style=style))


Line = tuple[str, str]
"""Words and their style."""


def _started(event: AgentEvent) -> Line:
    return f"▶ {clean(event.agent_name)}", NAME


def _ended(event: AgentEvent) -> Line:
    value = getattr(event.payload, "value", None) or getattr(event.payload, "reply", None)
    return f"■ {clean(event.agent_name)}" + (f": {one_line(value)}" if value else ""), NAME


def _asked_for(event: AgentEvent) -> Line | None:
    use = event.payload
    if not isinstance(use, ToolUseBlock):
        return None
    return f"  {clean(event.agent_name)} asks for {clean(use.tool_name)}", QUIET


def _ran(event: AgentEvent) -> Line | None:
    result = event.payload
    if not isinstance(result, ToolCallResult):
        return None
    took = f", {duration(result.runtime_ms)}" if result.runtime_ms else ""
    return f"{tool_line(result)} ({origin_text(result.origin)}{took})", CALL if result.ok else FAILURE


def _answered(event: AgentEvent) -> Line | None:
    call = event.payload
    if not isinstance(call, LlmCall):
        return None
    if call.error:
        return f"  the model did not answer: {one_line(call.error)}", FAILURE
    tokens = f"{call.prompt_tokens} tokens read, {call.completion_tokens} written"
    return f"  {one_line(call.model, 60) or 'the model'} answered: {tokens}, {duration(1000 * call.took_s)}", QUIET


def _said(event: AgentEvent) -> Line | None:
    return (clean(str(event.payload)), WORDS) if event.payload else None


def _handed_on(event: AgentEvent) -> Line:
    return handoff_line(event.payload), QUIET


def _went_wrong(event: AgentEvent) -> Line:
    return f"✗ {clean(str(event.payload))}", FAILURE


_TOLD: Mapping[str, Callable[[AgentEvent], Line | None]] = {
    "agent_start": _started,
    "agent_end": _ended,
    "tool_use": _asked_for,
    "tool_call": _ran,
    "llm_call": _answered,
    "agent_message": _said,
    "handoff": _handed_on,
    "error": _went_wrong,
}
