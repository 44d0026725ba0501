"""What a front end may ask of the assistant, and nothing else.

`edgevox.assistant.Assistant` is the implementation; `edgevox.testing.ScriptedAssistant` is the other one. A front end
that needs more than this decides something that is not its to decide.
"""

from typing import Any, Protocol

from edgevox.core.events import EventBus
from edgevox.core.goals import RunningGoal
from edgevox.core.ports import ApprovalRequest, InputRequest, Remembered
from edgevox.core.session import Session
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome
from edgevox.tools.permissions import PermissionEngine


class AssistantSurface(Protocol):
    """The headless application, as front ends see it. Every method is safe from any thread."""

    @property
    def bus(self) -> EventBus:
        """Everything that happens is published here."""
        ...

    @property
    def session(self) -> Session:
        """The conversation up to now."""
        ...

    @property
    def agent(self) -> Any:
        """The agent that answers: `.name`, `.description`, and `.tools` where it has any."""
        ...

    @property
    def deps(self) -> Any:
        """The world the agent acts in; `None` for none."""
        ...

    @property
    def settings(self) -> Any:
        """The settings in force."""
        ...

    @property
    def model(self) -> Any:
        """The language model that answers what no phrase matches; `None` for none."""
        ...

    @property
    def voice_parts(self) -> Any:
        """Devices and engines of the voice: `.microphone .speaker .stt .tts .vad`, each `None` where there is none."""
        ...

    @property
    def language(self) -> str:
        """Two-letter code of hearing, voice and answers."""
        ...

    @property
    def greeting(self) -> str:
        """What the assistant says first; empty for nothing."""
        ...

    @property
    def state(self) -> str:
        """What it is doing, in one word (`pipeline.state.VoiceState`)."""
        ...

    @property
    def notices(self) -> list[str]:
        """What is missing or does not work, one sentence each."""
        ...

    @property
    def question(self) -> ApprovalRequest | None:
        """The question that waits for yes or no."""
        ...

    @property
    def asked(self) -> InputRequest | None:
        """The question that waits for words: the next line that is submitted answers it."""
        ...

    @property
    def last(self) -> TurnOutcome | None:
        """What became of the last turn."""
        ...

    @property
    def muted(self) -> bool:
        """Whether the microphone is deaf."""
        ...

    def start(self) -> None:
        """Open devices and models in the background and begin to listen."""
        ...

    def close(self) -> None:
        """Let everything go, within two seconds."""
        ...

    def submit(self, text: str, *, typed: bool = True) -> TurnHandle:
        """Begin a turn with these words."""
        ...

    def is_stop(self, text: str) -> bool:
        """Whether these words would stop everything, were they submitted now."""
        ...

    def stop(self, reason: str = "key") -> object:
        """Stop everything, the robot first."""
        ...

    def running_actions(self) -> list[RunningGoal]:
        """The actions that are under way, oldest first."""
        ...

    def cancel_action(self, goal_id: str) -> bool:
        """Ask one action to end and leave the others alone; returns whether there is such a one."""
        ...

    @property
    def permissions(self) -> PermissionEngine:
        """Decides what may be touched, and knows what the person has said yes to."""
        ...

    def answer(self, approved: bool, remember: Remembered = "once") -> object:
        """Answer the question that is open; a yes may hold for longer where the question says so."""
        ...

    def no_answer(self) -> object:
        """Say that nobody will answer the question that is open: no more input will come."""
        ...

    def set_muted(self, muted: bool) -> object:
        """Make the microphone deaf, or let it hear again."""
        ...

    def repeat(self) -> bool:
        """Speak the last reply again; returns whether there is one."""
        ...

    def say(self, text: str) -> object:
        """Speak these words."""
        ...

    def set_language(self, code: str) -> object:
        """Hear, speak and answer in another language. Raises `EdgeVoxError` with what is missing."""
        ...

    def set_voice(self, name: str) -> object:
        """Speak with another voice. Raises `EdgeVoxError` with the nearest names."""
        ...

    def set_model(self, spec: str) -> object:
        """Answer with another language model. Raises `EdgeVoxError` with what is missing."""
        ...

    def switch_agent(self, name: str) -> object:
        """Let another agent answer in this conversation. Raises `EdgeVoxError` with the nearest names."""
        ...

    def reset(self) -> object:
        """Forget the conversation."""
        ...
