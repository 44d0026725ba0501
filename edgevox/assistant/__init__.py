"""The headless application: the only place where pipeline, agent, threads and settings meet."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.assistant.assistant import Assistant
    from edgevox.assistant.build import build_assistant
    from edgevox.assistant.voice import VoiceParts
    from edgevox.pipeline.outcome import StageTimes, TurnHandle, TurnOutcome

_HOMES = {
    "Assistant": "edgevox.assistant.assistant",
    "StageTimes": "edgevox.pipeline.outcome",
    "TurnHandle": "edgevox.pipeline.outcome",
    "TurnOutcome": "edgevox.pipeline.outcome",
    "VoiceParts": "edgevox.assistant.voice",
    "build_assistant": "edgevox.assistant.build",
}

__all__ = ["Assistant", "StageTimes", "TurnHandle", "TurnOutcome", "VoiceParts", "build_assistant"]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
