"""How soon a spoken stop acts, how often it does, and how often other speech is taken for one.

    python -m benchmarks.stop [--clips N] [--minutes M] [--json FILE]

A robot drives and the assistant speaks; a person says a stop. Measured is the time from the last audible sample of what
was said to commanded velocity zero and to silence. The microphone is `benchmarks.room`, in real time, with noise and
with the assistant's own voice 20 dB quieter and 100 ms late; echo guard, voice activity, recogniser, safety monitor and
stop chain are the product's, as is the voice that speaks.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.room import SPEECH_RMS, RoomMicrophone, RoomSpeaker, pink_noise
from benchmarks.runner import fingerprint, measured, save, show, skipped
from benchmarks.stop_clips import Clip, german_clips, reply_clips, shuffled, stop_clips
from benchmarks.stop_false import false_stops
from edgevox.agents import LLMAgent
from edgevox.assistant import Assistant
from edgevox.assistant.voice import VoiceParts
from edgevox.audio.echo import EchoGuard
from edgevox.core.frames import SAMPLE_RATE
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.sims import ToyWorld

RESULT = Path(__file__).parent / "results" / "stop.json"
NOISE_DB: tuple[float | None, ...] = (None, 20.0, 10.0)
"""How much louder the person is than the noise; `None` for no noise."""
LEAD_S = 0.9
"""From the beginning of drive and speech to the person's word: the guard has to learn the room."""
PATIENCE_S = 4.0
"""A stop that has not come so long after the word has been missed."""
STORY = (
    "Once upon a time there was a very small robot that lived in a kitchen at the end of a long corridor, "
    "and every morning it went to see whether the people had left any crumbs under the table."
)


class TimedWorld(ToyWorld):
    """A world that notes when it was told to stand still, and drives so slowly that it never arrives."""

    def __init__(self) -> None:
        super().__init__(rooms=[("here", 0, 0), ("bedroom", 40, 0)], navigate_speed=0.5)
        self.stood_at = 0.0
        """When velocity zero was commanded, monotonic seconds."""

    def halt(self) -> None:
        """Halt, and note it."""
        super().halt()
        self.stood_at = time.monotonic()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One spoken stop."""

    text: str
    voice: str
    speed: float
    noise_db: float | None
    speaking: bool
    """Whether the assistant spoke too; the robot drove in any case."""
    halt_ms: float | None = None
    """From the end of the word to velocity zero; below zero when it acted before the end; `None` when it did not."""
    silence_ms: float | None = None
    early: bool = False
    """Whether something stopped before the word had begun: a false stop, and nothing was measured."""


class Stage:
    """An assistant in a room, with a robot that drives."""

    def __init__(self, language: str = "en") -> None:
        from edgevox.speech.cache import CachedSpeech
        from edgevox.speech.factory import create_stt, create_tts, create_vad

        guard = EchoGuard()
        self.world, self.speaker = TimedWorld(), RoomSpeaker(guard)
        self.microphone = RoomMicrophone(self.speaker)
        voice = VoiceParts(
            microphone=self.microphone, speaker=self.speaker, stt=create_stt("auto", language), vad=create_vad(),
            tts=CachedSpeech(create_tts("auto", None, language)), echo=guard,
        )  # fmt: skip
        agent = LLMAgent("scout", skills=SCOUT_SKILLS)
        self.assistant = Assistant(agent, deps=self.world, voice=voice, language=language)

    def __enter__(self) -> "Stage":
        """Open everything."""
        self.assistant.start()
        if not self.assistant.wait_ready(60):
            raise RuntimeError("the assistant did not open within a minute")
        return self

    def __exit__(self, *_: object) -> None:
        """Close everything."""
        self.assistant.close()

    def set_noise(self, noise_db: float | None) -> None:
        """Fill the room with noise that is so much quieter than the person."""
        rms = 0.0 if noise_db is None else SPEECH_RMS / 10 ** (noise_db / 20)
        self.microphone.noise = None if noise_db is None else pink_noise(10.0, rms)
        time.sleep(1.0)
        # The guard learns how the room echoes from a first sentence that is spoken to its end, as from a greeting.
        self.assistant.say(STORY)
        time.sleep(1.5)
        until = time.monotonic() + 30
        while self.assistant.state != "listening" and time.monotonic() < until:
            time.sleep(0.05)

    def stop(self, clip: Clip, noise_db: float | None, *, speaking: bool) -> Trial:
        """Drive, speak, and let the person say the clip."""
        self.world.reset()
        if speaking:
            self.assistant.say(STORY)
        goal = self.world.apply_action("navigate_to", room="bedroom")
        time.sleep(0.3)
        ends = self.microphone.say(clip.sound, LEAD_S)
        began = time.monotonic()
        while self.world.is_moving() and time.monotonic() < ends + PATIENCE_S:
            time.sleep(0.005)
        early = not self.world.is_moving() and self.world.stood_at < ends - len(clip.sound) / SAMPLE_RATE
        stopped = not self.world.is_moving() and not early
        time.sleep(0.15)
        silent_at = self.speaker.silent_at if speaking and self.speaker.silent_at > began else None
        trial = Trial(
            text=clip.text, voice=clip.voice, speed=clip.speed, noise_db=noise_db, speaking=speaking,
            halt_ms=(self.world.stood_at - ends) * 1000 if stopped else None,
            silence_ms=(silent_at - ends) * 1000 if stopped and silent_at else None, early=early,
        )  # fmt: skip
        goal.cancel()
        self._come_to_rest(ends)
        return trial

    def _come_to_rest(self, ends: float) -> None:
        """Wait until nothing moves, speaks or is being heard: the next word is a new one."""
        self.assistant.stop("benchmark")
        time.sleep(max(0.0, ends + 1.2 - time.monotonic()))
        until = time.monotonic() + 5
        while self.assistant.state != "listening" and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)


def stop_trials(clips: Sequence[Clip], language: str = "en") -> list[Trial]:
    """Say every clip once: a third of them at each level of noise, every other one over the assistant's voice."""
    trials: list[Trial] = []
    with Stage(language) as stage:
        for noise_number, noise_db in enumerate(NOISE_DB):
            stage.set_noise(noise_db)
            for number, clip in enumerate(clips[noise_number :: len(NOISE_DB)]):
                trials.append(stage.stop(clip, noise_db, speaking=number % 2 == 0))
                print(f"\r  {len(trials)} of {len(clips)}", end="", flush=True)
    print("\r" + " " * 20 + "\r", end="")
    return trials


def rows_of(trials: Sequence[Trial], label: str = "") -> dict[str, Any]:
    """Return the figures of some trials: detection, and both times with median and 95th percentile."""
    if not trials:
        return {}
    found = [trial.halt_ms for trial in trials if trial.halt_ms is not None]
    rows: dict[str, Any] = {f"{label}found": {"value": 100 * len(found) / len(trials), "unit": "%", "of": len(trials)}}
    early = sum(trial.early for trial in trials)
    rows[f"{label}stopped before the word"] = {"value": early, "unit": f"of {len(trials)}"}
    silences = [trial.silence_ms for trial in trials if trial.silence_ms is not None]
    for name, values in (("velocity zero", found), ("silence", silences)):
        if values:
            rows[f"{label}end of the word to {name}, median"] = measured("ms", values)
            p95 = float(np.percentile(values, 95))
            rows[f"{label}end of the word to {name}, 95th percentile"] = {"value": p95, "unit": "ms"}
    return rows


def run(clips: int | None = None, minutes: float = 4.0, trials_too: bool = False) -> dict[str, Any]:
    """Measure everything and return the rows; the single trials as well where they are wanted."""
    from edgevox.config.models import find, missing

    lacking = [entry.name for entry in missing("tiny")] + [name for name in ("kokoro-82m-int8",) if find(name) is None]
    if lacking:
        return {"stop": skipped(f"models are missing: {', '.join(lacking)}")}
    print("  making clips", end="", flush=True)
    said = shuffled(list(stop_clips()))[:clips]
    trials = stop_trials(said)
    rows = rows_of(trials)
    for name, some in _groups(trials).items():
        rows |= {key: row for key, row in rows_of(some, f"{name}: ").items() if "silence" not in key}
    if find("whisper-base") is not None:
        rows |= rows_of(stop_trials(list(german_clips())), "German: ")
    rows |= false_stops(minutes, list(reply_clips()))
    if trials_too:
        rows["trials"] = [asdict(trial) for trial in trials]
    return rows


def _groups(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    groups = {
        "driving": [trial for trial in trials if not trial.speaking],
        "driving and speaking": [trial for trial in trials if trial.speaking],
    }
    for noise_db in NOISE_DB:
        name = "no noise" if noise_db is None else f"noise {noise_db:g} dB below"
        groups[name] = [trial for trial in trials if trial.noise_db == noise_db]
    for word in ("stop", "halt", "freeze"):
        groups[f"“{word}”"] = [trial for trial in trials if word in trial.text.lower()]
    return groups


def main() -> None:
    """Measure, print a table, and write the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stop", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clips", type=int, help="spoken stops (default: all, about 70)")
    parser.add_argument("--minutes", type=float, default=4.0, help="of other speech, and of the assistant's own echo")
    parser.add_argument("--json", type=Path, default=RESULT, help=f"where the report goes (default: {RESULT})")
    arguments = parser.parse_args()
    report = {"machine": fingerprint(), "results": run(arguments.clips, arguments.minutes, trials_too=True)}
    for label, row in report["results"].items():
        if isinstance(row, dict):
            print(f"  {label:<70} {show(row)}")
    for trial in report["results"].get("trials", ()):
        if trial["halt_ms"] is None or trial["halt_ms"] > 600:
            print("  late or missed:", trial)
    print(f"\nWritten to {save(report, arguments.json)}")


if __name__ == "__main__":
    main()
