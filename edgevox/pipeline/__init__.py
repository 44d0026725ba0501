"""One spoken turn, from the microphone to the loudspeaker.

`turn.py` is the page to read first. This facade loads a name when it is asked for.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.core.frames import (
        AudioFrame,
        ControlFrame,
        DataFrame,
        EndFrame,
        Frame,
        InterruptFrame,
        PartialSpeechFrame,
        SentenceFrame,
        SoftEndFrame,
        SpeechFrame,
        SpeechStartedFrame,
        SpokenFrame,
        StopFrame,
        TextFrame,
        TranscriptionFrame,
        UtteranceFrame,
    )
    from edgevox.pipeline.agent_processor import AgentProcessor
    from edgevox.pipeline.outcome import StageTimes, TurnHandle, TurnOutcome
    from edgevox.safety.monitor import SafetyMonitor

_FRAMES = "edgevox.core.frames"
_OUTCOME = "edgevox.pipeline.outcome"
_HOMES = {
    "AgentProcessor": "edgevox.pipeline.agent_processor",
    "AudioFrame": _FRAMES,
    "ControlFrame": _FRAMES,
    "DataFrame": _FRAMES,
    "EndFrame": _FRAMES,
    "Frame": _FRAMES,
    "InterruptFrame": _FRAMES,
    "PartialSpeechFrame": _FRAMES,
    "SafetyMonitor": "edgevox.safety.monitor",
    "SentenceFrame": _FRAMES,
    "SoftEndFrame": _FRAMES,
    "SpeechFrame": _FRAMES,
    "SpeechStartedFrame": _FRAMES,
    "SpokenFrame": _FRAMES,
    "StageTimes": _OUTCOME,
    "StopFrame": _FRAMES,
    "TextFrame": _FRAMES,
    "TranscriptionFrame": _FRAMES,
    "TurnHandle": _OUTCOME,
    "TurnOutcome": _OUTCOME,
    "UtteranceFrame": _FRAMES,
}

__all__ = [
    "AgentProcessor",
    "AudioFrame",
    "ControlFrame",
    "DataFrame",
    "EndFrame",
    "Frame",
    "InterruptFrame",
    "PartialSpeechFrame",
    "SafetyMonitor",
    "SentenceFrame",
    "SoftEndFrame",
    "SpeechFrame",
    "SpeechStartedFrame",
    "SpokenFrame",
    "StageTimes",
    "StopFrame",
    "TextFrame",
    "TranscriptionFrame",
    "TurnHandle",
    "TurnOutcome",
    "UtteranceFrame",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
