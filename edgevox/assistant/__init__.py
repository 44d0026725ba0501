"""The headless application: the only place where pipeline, agent, threads and settings meet."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'edgevox.assistant' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
