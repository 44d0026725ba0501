"""Shows the events of an agent's run in a terminal, beside the run: give it as one of the `event_sinks`.

A sink is told on a thread of its own, after the fact. It draws and decides nothing.
"""

import sys
from typing import IO, Any, Self

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
        for text, style in self._lines(event):
            self._console.print(Text(text, style=style))

    def _lines(self, event: AgentEvent) -> list[tuple[str, str]]:
        payload, name = event.payload, clean(event.agent_name)
        match event.kind:
            case "agent_start":
                return [(f"▶ {name}", NAME)]
            case "agent_end":
                return [(f"■ {name}{_ending(payload)}", NAME)]
            case "tool_use" if isinstance(payload, ToolUseBlock):
                return [(f"  {name} asks for {clean(payload.tool_name)}", QUIET)]
            case "tool_call" if isinstance(payload, ToolCallResult):
                return [(_call(payload), CALL if payload.ok else FAILURE)]
            case "llm_call" if self._model_calls and isinstance(payload, LlmCall):
                return [(f"  {_model_call(payload)}", QUIET)]
            case "agent_message":
                return [(clean(str(payload)), WORDS)] if payload else []
            case "handoff":
                return [(handoff_line(payload), QUIET)]
            case "error":
                return [(f"✗ {clean(str(payload))}", FAILURE)]
            case _:
                return []


def _call(result: ToolCallResult) -> str:
    took = f", {duration(result.runtime_ms)}" if result.runtime_ms else ""
    return f"{tool_line(result)} ({origin_text(result.origin)}{took})"


def _ending(payload: Any) -> str:
    """What a run came to: a `Stop`, an agent's result, or nothing."""
    value = getattr(payload, "value", None) or getattr(payload, "reply", None)
    return f": {one_line(value)}" if value else ""


def _model_call(payload: LlmCall) -> str:
    if payload.error:
        return f"the model did not answer: {one_line(payload.error)}"
    tokens = f"{payload.prompt_tokens} tokens read, {payload.completion_tokens} written"
    return f"{one_line(payload.model, 60) or 'the model'} answered: {tokens}, {duration(1000 * payload.took_s)}"
