"""Voice activity, speech to text and text to speech.

Knows how sound becomes words and words become sound. Does not know what they mean, nor where sound comes from.
Importing the package loads no engine: each is one module that is imported by name when it is chosen.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.speech.cache import CachedSpeech
    from edgevox.speech.engine import SpeechEngine
    from edgevox.speech.factory import (
        available_voices,
        create_stt,
        create_tts,
        create_vad,
        segmenter_options,
    )
    from edgevox.speech.languages import LANGUAGES, Language, language_of
    from edgevox.speech.normalise import normalise
    from edgevox.speech.segmenter import MIN_SPEECH_S, Pause, Segmenter, SegmenterOptions, adaptive_end
    from edgevox.speech.splitter import SentenceSplitter
    from edgevox.speech.vad import SileroVad

_HOMES = {
    "CachedSpeech": "edgevox.speech.cache",
    "LANGUAGES": "edgevox.speech.languages",
    "Language": "edgevox.speech.languages",
    "MIN_SPEECH_S": "edgevox.speech.segmenter",
    "Pause": "edgevox.speech.segmenter",
    "Segmenter": "edgevox.speech.segmenter",
    "SegmenterOptions": "edgevox.speech.segmenter",
    "SentenceSplitter": "edgevox.speech.splitter",
    "SileroVad": "edgevox.speech.vad",
    "SpeechEngine": "edgevox.speech.engine",
    "adaptive_end": "edgevox.speech.segmenter",
    "available_voices": "edgevox.speech.factory",
    "create_stt": "edgevox.speech.factory",
    "create_tts": "edgevox.speech.factory",
    "create_vad": "edgevox.speech.factory",
    "language_of": "edgevox.speech.languages",
    "normalise": "edgevox.speech.normalise",
    "segmenter_options": "edgevox.speech.factory",
}
"""Where each name lives."""

__all__ = [
    "LANGUAGES",
    "MIN_SPEECH_S",
    "CachedSpeech",
    "Language",
    "Pause",
    "Segmenter",
    "SegmenterOptions",
    "SentenceSplitter",
    "SileroVad",
    "SpeechEngine",
    "adaptive_end",
    "available_voices",
    "create_stt",
    "create_tts",
    "create_vad",
    "language_of",
    "normalise",
    "segmenter_options",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
