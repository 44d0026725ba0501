"""From the end of speech to the first sound of the reply, by stage, for commands that a phrase matches.

Recordings are played in real time through voice activity, recognition, phrase match, tool, reply template and voice,
with the set `tiny`; the loudspeaker is a file, so the time a device takes to sound is not in it.
"""

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.runner import measured, skipped
from edgevox.assistant import Assistant, build_assistant
from edgevox.assistant.options import Options
from edgevox.examples.agents.home_assistant import APP
from edgevox.pipeline.outcome import TurnOutcome

RECORDINGS = Path(__file__).parents[1] / "assets" / "recordings"
COMMANDS = ("turn_on_kitchen_light", "turn_off_bedroom_light", "set_thermostat_21", "start_timer", "whats_the_weather")
WARM_UP = "stop"
ROUNDS = 3
STAGES = {
    "end_ms": "silence until the turn is over",
    "stt_ms": "waiting for the transcript after that",
    "decide_ms": "phrase match and tool",
    "tts_ms": "first sound of the first sentence",
    "total_ms": "end of speech to first sound",
}


def run() -> dict[str, Any]:
    """Play every command several times, with replies that are spoken for the first time and ones that are kept."""
    from edgevox.config.models import missing

    lacking = missing("tiny")
    if lacking:
        return {"matched command": skipped(f"models are missing: {', '.join(entry.name for entry in lacking)}")}
    with tempfile.TemporaryDirectory() as folder:
        new, kept = _play_all(Path(folder) / "reply.wav")
    return {**_rows("new reply", new), **_rows("kept reply", kept)}


def _rows(label: str, outcomes: list[TurnOutcome]) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for stage, meaning in STAGES.items():
        rows[f"{label}: {meaning}"] = measured("ms", [getattr(outcome.times, stage) for outcome in outcomes])
    total = rows[f"{label}: {STAGES['total_ms']}"]["value"]
    for row in rows.values():
        row["share"] = round(row["value"] / total, 2)
    rows[f"{label}: model calls"] = measured("calls", [float(outcome.model_calls) for outcome in outcomes])
    return rows


def _play_all(reply: Path) -> tuple[list[TurnOutcome], list[TurnOutcome]]:
    """Return the outcomes whose reply had not been spoken before, and those whose reply had.

    The cache of spoken replies belongs to the voice, so every round of new replies takes a new assistant.
    """
    new: list[TurnOutcome] = []
    kept: list[TurnOutcome] = []
    for _ in range(ROUNDS):
        assistant = build_assistant(APP.definition(), Options(say=RECORDINGS, answer_to=reply, tts="piper"))
        assistant.start()
        try:
            _play(assistant, WARM_UP)
            new.extend(_play(assistant, command) for command in COMMANDS)
            kept.extend(_play(assistant, command) for command in COMMANDS)
        finally:
            assistant.close()
    return new, kept


def _play(assistant: Assistant, command: str) -> TurnOutcome:
    outcome = assistant.play_recording(RECORDINGS / f"{command}.wav")
    if outcome.error:
        raise RuntimeError(f"{command}: {outcome.error}")
    return outcome
