"""What travels between the threads of a turn: frozen frames, each with the generation of its turn.

A frame from an older generation is dropped where it is received. Priority and interruptibility are types: a
`ControlFrame` overtakes and is never dropped, a `DataFrame` of a cancelled turn is.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]
    """Mono samples between -1 and 1, shape (n,)."""

SAMPLE_RATE = 16_000
"""Samples per second of everything between microphone and speech-to-text."""

VAD_FRAME = 512
"""Samples in one frame of voice-activity detection: 32 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Root of all frames."""

    generation: int = 0
    """Number of the turn's `CancelScope`; 0 belongs to no turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlFrame(Frame):
    """Overtakes data and is never dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFrame(Frame):
    """Dropped once its turn is cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopFrame(ControlFrame):
    """A safety stop."""

    reason: str = ""
    """The words, the key or the call that caused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptFrame(ControlFrame):
    """The person began to speak while the assistant was speaking or thinking."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFrame(ControlFrame):
    """Nothing more will come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioFrame(DataFrame):
    """A block of sound from the microphone."""

    samples: "Samples"
    """Mono, 16 kHz, shape (n,)."""
    started: float = 0.0
    """When its first sample was captured: seconds on the monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UtteranceFrame(DataFrame):
    """A stretch of speech, from its pre-roll to its end."""

    samples: "Samples"
    """Mono, 16 kHz, shape (n,)."""
    ended: float = 0.0
    """When the person fell silent: seconds on the monotonic clock."""
    speech_s: float = 0.0
    """How much of it was voiced, seconds."""
    cause: Literal["silence", "maximum", "released", "closed"] = "silence"
    """Why it ended: a pause, the longest length allowed, the talk key let go, the end of the recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftEndFrame(DataFrame):
    """A pause that may be the end of the utterance: worth starting to transcribe."""

    samples: "Samples"
    """What the utterance will hold if the silence lasts."""
    ended: float = 0.0
    """When the person fell silent; the `UtteranceFrame` that follows has the same value if speech did not go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialSpeechFrame(DataFrame):
    """Speech that goes on, from its pre-roll to now: worth a look for a stop word or an interruption."""

    samples: "Samples"
    speech_s: float = 0.0
    """How much of it was voiced, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GlanceFrame(DataFrame):
    """The last moments of speech that goes on or has just paused: worth a quick look for a stop word, nothing else."""

    samples: "Samples"
    """Mono, 16 kHz, from a little before the last run of voice to now, shape (n,); at most 2 s."""
    pausing: bool = False
    """Whether the person has fallen silent: the word is whole."""
    speech_s: float = 0.0
    """How much of the run was voiced, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStartedFrame(DataFrame):
    """The person began to speak."""

    at: float = 0.0
    """Seconds on the monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionFrame(DataFrame):
    """What was heard."""

    text: str
    final: bool = True
    """False for a partial transcript of speech that goes on."""
    language: str = "en"
    typed: bool = False
    ended: float = 0.0
    """When the person fell silent: seconds on the monotonic clock; 0 for typed text."""
    stt_ms: float = 0.0
    """How long the recogniser took, milliseconds."""
    confidence: float | None = None
    """Between 0 and 1; `None` where the recogniser does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFrame(DataFrame):
    """A piece of a reply as it is generated."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceFrame(DataFrame):
    """A piece of a reply that can be spoken by itself."""

    text: str
    index: int = 0
    last: bool = False
    """Nothing of this turn follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechFrame(DataFrame):
    """Synthesised sound, with the words it speaks."""

    samples: "Samples"
    sample_rate: int
    text: str = ""
    index: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenFrame(DataFrame):
    """How much of the reply came out of the loudspeaker."""

    text: str
    """The words that were heard."""
    cut: bool = False
    """Whether the rest was cut off."""
    words: tuple[str, ...] = field(default=())
