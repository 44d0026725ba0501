"""From the end of speech to the first sound of the reply, by stage, for commands that a phrase matches.

Recordings are played in real time through voice activity, recognition, phrase match, tool, reply template and voice,
with the set `tiny`; the loudspeaker is a file, so the time a device takes to sound is not in it.
"""

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.runner import measured, skipped

RECORDINGS = Path(__file__).parents[1] / "assets" / "recordings"
COMMANDS = ("turn_on_kitchen_light", "turn_off_bedroom_light", "set_thermostat_21", "start_timer", "whats_the_weather")
ROUNDS = 4
STAGES = {
    "end_ms": "silence until the turn is over",
    "stt_ms": "waiting for the transcript after that",
    "decide_ms": "phrase match and tool",
    "tts_ms": "first sound of the first sentence",
    "total_ms": "end of speech to first sound",
}


def run() -> dict[str, Any]:
    """Play every command several times; the first round warms up and does not count."""
    from edgevox.config.models import missing

    lacking = missing("tiny")
    if lacking:
        return {"matched command": skipped(f"models are missing: {', '.join(entry.name for entry in lacking)}")}
    times: dict[str, list[float]] = {stage: [] for stage in STAGES}
    with tempfile.TemporaryDirectory() as folder:
        model_calls = _play_all(Path(folder) / "reply.wav", times)
    rows = {label: measured("ms", times[stage]) for stage, label in STAGES.items()}
    total = rows[STAGES["total_ms"]]["value"]
    for stage, label in STAGES.items():
        rows[label]["share"] = round(rows[label]["value"] / total, 2) if stage != "total_ms" else 1.0
    rows["model calls"] = measured("calls", [float(model_calls)])
    return rows


def _play_all(reply: Path, times: dict[str, list[float]]) -> int:
    from edgevox.assistant import build_assistant
    from edgevox.assistant.options import Options
    from edgevox.examples.agents.home_assistant import APP

    assistant = build_assistant(APP.definition(), Options(say=RECORDINGS, answer_to=reply, tts="piper"))
    assistant.start()
    model_calls = 0
    try:
        for number in range(ROUNDS + 1):
            for command in COMMANDS:
                outcome = assistant.play_recording(RECORDINGS / f"{command}.wav")
                if outcome.error:
                    raise RuntimeError(f"{command}: {outcome.error}")
                model_calls += outcome.model_calls
                for stage in STAGES if number else ():
                    times[stage].append(getattr(outcome.times, stage))
    finally:
        assistant.close()
    return model_calls
