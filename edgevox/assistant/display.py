"""Words, glyphs and tables for what happens: what every front end shows, before it is coloured.

Knows how an event reads. Knows nothing of screens: no colours, no widths, no markup.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from edgevox.core.messages import Origin, ResultStatus, Severity
from edgevox.core.ports import ApprovalRequest
from edgevox.core.redaction import redacted, redacted_value
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes, TurnOutcome

ARROW = "↳"
"""Begins the line of a tool call."""
_METER = " ▁▂▃▄▅▆▇█"
_BIDI = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd")
_C0 = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
_C1 = {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
_VISIBLE = {**_C0, **_C1, **_BIDI, 0x7F: "\u2421", ord("\t"): "    "}
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class State:
    """How a state of the assistant is shown: never by colour alone."""

    glyph: str
    word: str


STATES: Mapping[str, State] = {
    "idle": State("○", "ready"),
    "listening": State("●", "listening"),
    "hearing": State("◉", "hearing"),
    "thinking": State("◌", "thinking"),
    "asking": State("?", "yes or no?"),
    "waiting": State("¿", "your answer?"),
    "speaking": State("►", "speaking"),
    "muted": State("⊘", "muted"),
    "stopped": State("■", "stopped"),
    "degraded": State("▲", "degraded"),
}

_ORIGINS: Mapping[Origin, str] = {
    Origin.MODEL: "model",
    Origin.PHRASE: "phrase match, no model",
    Origin.CHAIN: "chain, no model",
    Origin.DEFAULT: "default tool",
    Origin.AUTO: "auto tool",
    Origin.SKILL: "skill",
    Origin.GOAL: "goal",
    Origin.HANDOFF: "hand-off",
}


def handoff_line(news: Any) -> str:
    """Return the line that says who answers now and why (`edgevox.agents.HandoffNews`)."""
    reason = one_line(str(getattr(news, "reason", "")))
    return f"{ARROW} {clean(str(getattr(news, 'target', news)))} answers" + (f": {reason}" if reason else "")


def state_of(name: str) -> State:
    """Return how a state is shown; an unknown one shows its own name."""
    return STATES.get(str(name), State("·", str(name)))


def clean(text: str) -> str:
    """Return text without secrets, whose control characters can be seen and do nothing: escapes, bells, marks."""
    return redacted(text).translate(_VISIBLE)


def one_line(value: Any, limit: int = 160) -> str:
    """Return a value in one clean line, cut with a mark when it is longer than `limit` characters."""
    text = value if isinstance(value, str) else json.dumps(redacted_value(value), ensure_ascii=False, default=str)
    text = clean(_SPACES.sub(" ", text).strip())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def call_text(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as it is written: `set_light(room="kitchen", on=true)`."""
    given = ", ".join(
        f"{key}={one_line(json.dumps(value, ensure_ascii=False, default=str), 60)}"
        for key, value in redacted_value(arguments).items()
    )
    return f"{clean(name)}({given})"


def outcome_text(result: ToolCallResult, limit: int = 160) -> str:
    """Return what a call came to: its result, or its error."""
    if result.ok:
        return one_line("done" if result.result is None else result.result, limit)
    words = {ResultStatus.DECLINED: "declined", ResultStatus.CANCELLED: "cancelled"}.get(result.status, "failed")
    return f"{words}: {one_line(result.error, limit)}" if result.error else words


def tool_line(result: ToolCallResult) -> str:
    """Return a whole tool call in one line, after its arrow.

    A link of a chain that went well is told by its name: what it took is what came before. What it only hands on is
    not repeated.
    """
    linked = result.origin is Origin.CHAIN and result.ok
    call = clean(result.name) if linked else call_text(result.name, result.arguments)
    handed_on = linked and result.result == dict(result.arguments)
    return f"{ARROW} {call} {'→' if result.ok else '✗'} {'done' if handed_on else outcome_text(result)}"


def is_routine(result: ToolCallResult) -> bool:
    """Whether a call went well and its result is nobody's reading: a heartbeat, a link between two others."""
    hidden = (rule.threshold == 0 and rule.severity is Severity.REMOVE for rule in result.truncation)
    return result.ok and any(hidden)


def feedback_text(news: Any) -> str:
    """Return the progress of an action in one line: `navigate_to: 41 %`.

    Args:
        news: a `tools.goals.GoalNews`, or what a skill reported.
    """
    feedback: Any = getattr(news, "feedback", news)
    progress = cast("dict[str, Any]", feedback).get("progress") if isinstance(feedback, dict) else None
    if isinstance(progress, int | float):
        feedback = f"{100 * progress:.0f} %"
    name = getattr(news, "name", "")
    text = "" if feedback is None else one_line(feedback, 60)
    return f"{clean(str(name))}: {text}" if name and text else clean(str(name)) or text


def origin_text(origin: Origin) -> str:
    """Return who caused a call, in words."""
    return _ORIGINS.get(origin, str(origin))


def duration(milliseconds: float) -> str:
    """Return a duration as a person reads it: `4 ms`, `0.31 s`, `2.1 s`, `1 m 05 s`."""
    if milliseconds < 100:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} m {int(seconds % 60):02d} s"


def meter(level: float, width: int = 5) -> str:
    """Draw a sound level between 0 and 1 as `width` bars."""
    filled = max(0.0, min(1.0, level)) * width
    cells = [max(0.0, min(1.0, filled - cell)) for cell in range(width)]
    return "".join(_METER[round(cell * (len(_METER) - 1))] for cell in cells)


def stage_rows(times: StageTimes) -> list[tuple[str, str]]:
    """Return the stages a turn had, in order, each with its time."""
    stages = (
        ("end of speech noticed", times.end_ms),
        ("speech to text", times.stt_ms),
        ("deciding", times.decide_ms),
        ("first sound made", times.tts_ms),
        ("heard to answer", times.total_ms),
    )
    return [(name, duration(took)) for name, took in stages if took is not None]


def stage_line(times: StageTimes) -> str:
    """Return the stages of a turn in one line: `412 ms (end 180 · stt 96 · decide 1 · tts 135)`."""
    parts = (("end", times.end_ms), ("stt", times.stt_ms), ("decide", times.decide_ms), ("tts", times.tts_ms))
    shares = " · ".join(f"{name} {took:.0f}" for name, took in parts if took is not None)
    whole = duration(times.total_ms) if times.total_ms is not None else ""
    return f"{whole} ({shares})" if whole and shares else whole or shares


def calls_text(model_calls: int) -> str:
    """Return how often the language model was asked, in words."""
    return {0: "no model call", 1: "1 model call"}.get(model_calls, f"{model_calls} model calls")


def cut_text(outcome: TurnOutcome) -> str:
    """Return how a turn was cut, in words; empty for a turn that was not."""
    words = {"stop": "stopped", "barge_in": "interrupted", "timeout": "took too long", "shutdown": "closed"}
    return words.get(outcome.cancelled, "cancelled") if outcome.cancelled else ""


HELD: Mapping[str, str] = {"turn": "for this turn", "conversation": "for this conversation", "always": "always"}
"""How long a yes holds, in words."""


def answers_to(request: ApprovalRequest) -> str:
    """Say which answers a question takes."""
    return "yes, no, always, or for this conversation" if request.scopes else "yes or no"
