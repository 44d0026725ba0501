"""Voice activity, speech to text and text to speech.

Knows how sound becomes words and words become sound. Does not know what they mean, nor where sound comes from.
Importing the package loads no engine: each is one module that is imported by name when it is chosen.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.speech.detector import SpeechDetector
    from edgevox.speech.segmenter import MIN_SPEECH_S, Segmenter, SegmenterOptions
    from edgevox.speech.vad import SileroVad

_HOMES = {
    "MIN_SPEECH_S": "edgevox.speech.segmenter",
    "Segmenter": "edgevox.speech.segmenter",
    "SegmenterOptions": "edgevox.speech.segmenter",
    "SileroVad": "edgevox.speech.vad",
    "SpeechDetector": "edgevox.speech.detector",
}
"""Where each name lives."""

__all__ = ["MIN_SPEECH_S", "Segmenter", "SegmenterOptions", "SileroVad", "SpeechDetector"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'edgevox.speech' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
