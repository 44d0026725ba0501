"""What a turn came to: the handle that a caller holds, the outcome, and how long each stage took."""

import threading
from dataclasses import dataclass

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.tools import ToolCallResult


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTimes:
    """How long each stage of a turn took, milliseconds; `None` for a stage the turn did not have."""

    end_ms: float | None = None
    """Silence after the last word until the turn was over."""
    stt_ms: float | None = None
    """Waiting for the transcript after that; 0 when it was ready before."""
    decide_ms: float | None = None
    """From the words to the first words of the reply: a phrase match or the model."""
    tts_ms: float | None = None
    """From the first sentence of the reply to the first sound handed to the loudspeaker."""
    total_ms: float | None = None
    """From the end of speech (or the return key) to the first sound, or to the first words where nothing is spoken."""
    model_calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """What became of one turn."""

    text: str
    """What the person said or typed."""
    reply: str = ""
    """The whole reply as it was generated."""
    spoken: str = ""
    """The words of it that were heard; empty where nothing is spoken."""
    tool_calls: tuple[ToolCallResult, ...] = ()
    model_calls: int = 0
    times: StageTimes = StageTimes()
    error: str | None = None
    """One sentence when the turn failed."""
    cancelled: str | None = None
    """Why the turn was cut (`core.cancel.CancelReason`); `None` when it was not."""


class TurnHandle:
    """A caller's hold on a turn that waits, runs or is over.

    Args:
        turn: number of the turn, from 1.
        text: what the person said or typed.
    """

    def __init__(self, turn: int, text: str) -> None:
        self.turn = turn
        self.text = text
        self.scope = CancelScope()
        """The turn's life: its end reaches every token, sound and tool call of the turn."""
        self.ending: str | None = None
        """Why the scope is about to end: set before a stop begins with what moves, so that nothing more is said."""
        self._over = threading.Event()
        self._outcome: TurnOutcome | None = None

    @property
    def done(self) -> bool:
        """Whether the turn is over."""
        return self._over.is_set()

    @property
    def cut(self) -> str | None:
        """Why the turn is over or about to be before its work was done; `None` while it may go on."""
        return self.ending or self.scope.reason

    @property
    def outcome(self) -> TurnOutcome | None:
        """What became of the turn; `None` until it is over."""
        return self._outcome

    def wait(self, timeout: float | None = None) -> TurnOutcome | None:
        """Wait until the turn is over, at most `timeout` seconds, and return its outcome."""
        self._over.wait(timeout)
        return self._outcome

    def cancel(self, reason: str = CancelReason.USER) -> None:
        """End the turn where it is."""
        self.scope.cancel(reason)

    def finish(self, outcome: TurnOutcome) -> None:
        """Say what became of the turn; the first word stays."""
        if not self._over.is_set():
            self._outcome = outcome
            self._over.set()
