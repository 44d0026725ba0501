"""Tells the bus what becomes of a turn (`pipeline.turn.Listeners`)."""

from collections.abc import Callable
from typing import Any, Protocol

from edgevox.core.frames import SpokenFrame
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome
from edgevox.pipeline.state import StateBoard


class Publish(Protocol):
    """Publishes an event of the assistant."""

    def __call__(self, kind: str, payload: Any = None, turn: int | None = None) -> None:
        """Publish it."""
        ...


class TurnNews:
    """Shows each turn as it happens.

    Args:
        board: shows that the agent thinks.
        publish: to the bus.
        on_outcome: told what became of each turn, before anybody hears of its end.
    """

    def __init__(self, board: StateBoard, publish: Publish, on_outcome: Callable[[TurnOutcome], object]) -> None:
        self._board = board
        self._publish = publish
        self._on_outcome = on_outcome

    def turn_began(self, handle: TurnHandle) -> None:
        """Show that the agent thinks."""
        self._board.set("thinking", True)
        self._publish("text_start", handle.turn, turn=handle.turn)

    def text_came(self, handle: TurnHandle, text: str) -> None:
        """Show a piece of the reply."""
        self._publish("text_delta", text, turn=handle.turn)

    def turn_ended(self, handle: TurnHandle, outcome: TurnOutcome, spoken: SpokenFrame) -> None:
        """Tell what became of the turn."""
        self._board.set("thinking", False)
        self._on_outcome(outcome)
        self._publish("text_end", handle.turn, turn=handle.turn)
        self._publish("agent_message", outcome.reply, turn=handle.turn)
        if spoken.text or spoken.cut:
            self._publish("spoken", spoken, turn=handle.turn)
        if outcome.error:
            self._publish("error", outcome.error, turn=handle.turn)
        self._publish("stage_timing", outcome.times, turn=handle.turn)
