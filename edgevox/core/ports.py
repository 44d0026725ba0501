"""The seams: what edgevox consumes and who may implement it.

Every port has a contract suite in `tests/contract` that runs over each implementation, the fakes of `edgevox.testing`
included.
"""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from edgevox.core.cancel import CancelScope
from edgevox.core.events import Journal
from edgevox.core.session import AgentContext, Session

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

__all__ = [
    "Approval",
    "ApprovalRequest",
    "Approver",
    "ChatEndpoint",
    "ChatModel",
    "InputRequest",
    "Journal",
    "MicrophoneSource",
    "ModelFactory",
    "MotionSource",
    "Remembered",
    "RunAgent",
    "SessionStore",
    "SpeakerSink",
    "SpeechToText",
    "StopSpotter",
    "TextToSpeech",
    "Transcript",
    "UserChannel",
    "Voice",
    "VoiceActivityDetector",
    "WatchedDevice",
    "WordScorer",
]


@runtime_checkable
class WordScorer(Protocol):
    """A recogniser that can also say how well given words fit a sound, sooner than it finds words of its own."""

    def score(self, samples: "Samples", words: Sequence[str]) -> Sequence[float]:
        """Return for each word the natural logarithm of the probability that the sound begins with it.

        Args:
            samples: mono, 16 kHz, float32, shape (n,), at most a few seconds.
            words: words or short phrases, spelled as the recogniser would write them.
        """
        ...


@runtime_checkable
class ChatModel(Protocol):
    """A language model that answers a conversation. It serialises its callers itself."""

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stop_event: threading.Event | None = None,
        stream: bool = False,
        **options: Any,
    ) -> Any:
        """Answer in the OpenAI chat-completion shape.

        Args:
            messages: the conversation in the OpenAI shape.
            tools: tool schemas in the OpenAI shape.
            tool_choice: `auto`, `none`, `required`, or one tool by name.
            stop_event: the answer ends at the next token when it is set.
            stream: return an iterator of chunks instead of one answer.
            options: `max_tokens`, `temperature`, `grammar`, … as the implementation documents.

        Raises:
            LanguageModelError: it could not answer.
        """
        ...


@runtime_checkable
class ChatEndpoint(ChatModel, Protocol):
    """A `ChatModel` that says which model it is: what an agent, a chain or a single tool is given to ask."""

    @property
    def model_name(self) -> str:
        """What the provider calls the model."""
        ...

    @property
    def api_name(self) -> str:
        """Which provider it is, such as `local` or `openrouter`."""
        ...

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit; `None` when nobody knows."""
        ...


@runtime_checkable
class UserChannel(Protocol):
    """The way to the person of this run: a terminal, a screen, a voice, the program that embeds edgevox."""

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Show or say a question and return the person's words; `None` when none came in time or the scope ended."""
        ...

    def notify(self, message: str) -> None:
        """Show or say a text; never waits for the person."""
        ...


class ModelFactory(Protocol):
    """Builds a `ChatModel` when somebody first needs one."""

    def __call__(self) -> ChatModel:
        """Build it, or raise an `EdgeVoxError` that says what to do."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What a recogniser made of an utterance."""

    text: str
    """Empty when nothing was said."""
    language: str = "en"
    confidence: float | None = None
    """Between 0 and 1; `None` where the recogniser does not say."""
    took_ms: float = 0.0
    rejected: str | None = None
    """Why words were thrown away: `no_speech`, `low_confidence`, `repetition`, `filler`, `foreign_script` (ask again);
    `None` when they were not."""


class SpeechToText(Protocol):
    """Turns an utterance into words. One thread owns it."""

    language: str | None
    """Two-letter code it listens for; `None` detects it."""

    def open(self) -> None:
        """Load the model. Opening twice is fine.

        Raises:
            ModelError, LibraryMissing: what is missing and the command that gets it.
        """
        ...

    def transcribe(self, samples: "Samples", *, partial: bool = False) -> Transcript:
        """Return the words in `samples`.

        Args:
            samples: mono, 16 kHz, float32, shape (n,).
            partial: speed before accuracy: the speech goes on.

        Raises:
            SpeechError: it failed; silence and noise are not failures, they are no words.
        """
        ...

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A voice that a synthesiser offers."""

    name: str
    language: str
    """Two-letter code."""
    description: str = ""


class TextToSpeech(Protocol):
    """Turns a sentence into sound. One thread owns it."""

    @property
    def sample_rate(self) -> int:
        """Samples per second of what it returns."""
        ...

    def open(self) -> None:
        """Load the model and the voice. Opening twice is fine."""
        ...

    def voices(self) -> Sequence[Voice]:
        """The voices on this machine."""
        ...

    def synthesize(self, text: str, scope: CancelScope | None = None) -> "Iterator[Samples]":
        """Yield the sound of `text` piece by piece, the first as early as can be.

        Text without a single speakable character yields nothing. A cancelled scope ends the stream.

        Raises:
            SpeechError: this text could not be spoken; the next one may be.
        """
        ...

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        ...


class VoiceActivityDetector(Protocol):
    """Says how likely a 32 ms frame holds speech. Keeps state between frames."""

    def open(self) -> None:
        """Load the model and warm it, so that the first frame is judged like any other."""
        ...

    def probability(self, frame: "Samples") -> float:
        """Between 0 and 1, for one frame of 512 samples at 16 kHz."""
        ...

    def reset(self) -> None:
        """Forget the frames before."""
        ...

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        ...


class StopSpotter(Protocol):
    """Finds a stop word in sound, before anything is transcribed. Acts on the listen thread's budget."""

    def feed(self, samples: "Samples") -> str | None:
        """Return the word that was spotted in the sound up to now, or `None`."""
        ...

    def reset(self) -> None:
        """Forget the sound before."""
        ...


class MicrophoneSource(Protocol):
    """Where sound comes from: a device, a file, a fake."""

    def open(self) -> None:
        """Start capturing.

        Raises:
            DeviceError: one sentence that names the cause and what to do.
        """
        ...

    def read(self, timeout: float) -> "Samples | None":
        """Return the next samples: mono, 16 kHz, at least one; `None` when none came within `timeout` seconds."""
        ...

    @property
    def ended(self) -> bool:
        """Whether nothing more will come: the recording is over."""
        ...

    def close(self) -> None:
        """Stop capturing. Closing twice is fine."""
        ...


class SpeakerSink(Protocol):
    """Where sound goes: a device, a file, a fake. A bounded buffer lies between `write` and the loudspeaker."""

    def open(self) -> None:
        """Get ready to play. Raises `DeviceError` as a microphone does."""
        ...

    def write(self, samples: "Samples", sample_rate: int, *, scope: CancelScope) -> bool:
        """Hand sound over; blocks while the buffer is full.

        Args:
            samples: mono, float32, shape (n,).
            sample_rate: samples per second of `samples`.
            scope: its end drops what has not been handed over yet.

        Returns:
            Whether all of it was handed over.
        """
        ...

    @property
    def written_s(self) -> float:
        """Seconds of sound handed over since the device was opened; `flush` takes back what was not heard."""
        ...

    @property
    def heard_s(self) -> float:
        """Seconds of sound that left the loudspeaker since the device was opened."""
        ...

    def flush(self) -> None:
        """Fall silent within 30 ms and forget what was not heard; from any thread."""
        ...

    def drain(self, scope: CancelScope) -> bool:
        """Wait until everything handed over has been heard. Returns False when the scope ended first."""
        ...

    def close(self) -> None:
        """Let the device go. Closing twice is fine."""
        ...


@runtime_checkable
class WatchedDevice(Protocol):
    """A device that notices when it is lost and when it is back."""

    on_change: Callable[[str, str], object] | None
    """Called with `closed`, `open` or `lost` and one sentence, from any thread."""


@runtime_checkable
class MotionSource(Protocol):
    """Something that moves and can be told to stand still: a robot, a simulator."""

    def halt(self) -> None:
        """Command velocity zero and cancel every goal. Must return at once and may be called from any thread."""
        ...

    def is_moving(self) -> bool:
        """Whether something moves, or is commanded to."""
        ...


Remembered = Literal["once", "turn", "conversation", "always"]
"""How long a person's yes holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """A question to the person that is answered with yes or no."""

    question: str
    tool_name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    timeout_s: float = 20.0
    """Silence for this long is *no*."""
    operation: str = ""
    """What leave is asked for (`edgevox.tools.permissions.Operation`); empty for a question about a call."""
    resource: str = ""
    """What it would be done to: `device:light/kitchen`; empty for a question about a call."""
    scopes: tuple[Remembered, ...] = ()
    """How long a yes may be made to hold; empty when it holds for this one time only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The answer to a question."""

    approved: bool
    by: Literal["voice", "typed", "key", "timeout", "stop", "nobody", "rule"] = "typed"
    remember: Remembered = "once"
    """How long a yes holds."""
    words: str = field(default="", compare=False)
    """What the person said or typed; empty for a key and for silence."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InputRequest:
    """A question to the person that is answered in words."""

    question: str
    timeout_s: float | None = None
    """Seconds the answer may take; `None` waits for it."""


class Approver(Protocol):
    """Puts a question to the person and waits for the answer."""

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        """Ask and wait; a timeout, a stop or an absent person is *no*."""
        ...


class SessionStore(Protocol):
    """Keeps sessions. `edgevox.threads` implements it with durable threads."""

    def load(self, session_id: str) -> Session | None:
        """The session of that id, or `None`."""
        ...

    def save(self, session_id: str, session: Session) -> None:
        """Keep the session under that id."""
        ...


@runtime_checkable
class RunAgent(Protocol):
    """The part of an agent that a turn needs. `edgevox.agents.Agent` is the whole."""

    name: str
    description: str

    def run(self, task: str, ctx: AgentContext | None = None) -> Any:
        """Answer, and return an `AgentResult`."""
        ...

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, Any]:
        """Answer, yielding pieces of the reply as they come and returning an `AgentResult`."""
        ...
