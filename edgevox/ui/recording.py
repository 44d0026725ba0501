"""One turn from a recording, told on paper: what was heard, which tools ran, the reply, and the time of each stage."""

import sys
from pathlib import Path
from typing import Protocol

from edgevox.assistant.display import calls_text, clean, cut_text, duration, origin_text, stage_rows, tool_line
from edgevox.assistant.surface import AssistantSurface
from edgevox.pipeline.outcome import TurnOutcome


class RecordingAssistant(AssistantSurface, Protocol):
    """An assistant that can take a turn from a file."""

    def play_recording(self, path: Path) -> TurnOutcome:
        """Take the turns of a recording and return the outcome of the last one."""
        ...


def run_recording(assistant: RecordingAssistant, recording: Path, answer_to: Path | None = None) -> int:
    """Take one turn from a recording and print what became of it.

    Args:
        assistant: built and not started; it is closed at the end.
        recording: what the person says.
        answer_to: the file that the assistant writes its spoken reply to, to be named in the report.

    Returns:
        0, or 1 when nothing was understood, a tool failed, the turn did, or its reply could not be written.
    """
    assistant.start()
    try:
        outcome = assistant.play_recording(recording)
    finally:
        assistant.close()
    for notice in assistant.notices:
        print(f"▲ {clean(notice)}", file=sys.stderr)
    print("\n".join(report(outcome, answer_to)))
    unwritten = answer_to is not None and bool(outcome.reply) and not outcome.spoken
    failed = outcome.error is not None or not all(call.ok for call in outcome.tool_calls)
    return int(failed or unwritten)


def report(outcome: TurnOutcome, answer_to: Path | None = None) -> list[str]:
    """Return what became of a turn, line by line."""
    lines = [f"heard   {clean(outcome.text) or '(nothing)'}"]
    lines.extend(
        f"tool    {tool_line(call)} ({origin_text(call.origin)}, {duration(call.runtime_ms)})"
        for call in outcome.tool_calls
    )
    if outcome.reply:
        lines.append(f"reply   {clean(outcome.reply)}")
    if outcome.cancelled:
        lines.append(f"ended   {cut_text(outcome)}")
    if outcome.error:
        lines.append(f"error   {clean(outcome.error)}")
    if answer_to is not None and answer_to.is_file():
        lines.append(f"answer  {answer_to}")
    lines.append(f"model   {calls_text(outcome.model_calls)}")
    rows = stage_rows(outcome.times)
    width = max((len(name) for name, _ in rows), default=0)
    lines.extend(f"        {name:<{width}}  {took:>8}" for name, took in rows)
    return lines
