"""What the assistant is doing, in one word, for every status line."""

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Literal

Flag = Literal["muted", "hearing", "thinking", "speaking", "asking", "waiting", "stopped"]


class VoiceState(StrEnum):
    """The words of the status line."""

    IDLE = "idle"
    """Nothing listens: typed input only."""
    LISTENING = "listening"
    HEARING = "hearing"
    THINKING = "thinking"
    ASKING = "asking"
    """A question waits for yes or no."""
    WAITING = "waiting"
    """A question waits for words."""
    SPEAKING = "speaking"
    MUTED = "muted"
    STOPPED = "stopped"


_ORDER: tuple[Flag, ...] = ("stopped", "asking", "waiting", "speaking", "thinking", "hearing", "muted")
"""Which flag names the state when several are up: what a person has to know first."""


class StateBoard:
    """Folds what the threads of a turn report into one state, and tells of every change.

    Args:
        on_change: called with the new state, on the thread that caused it.
    """

    def __init__(self, on_change: Callable[[VoiceState], object]) -> None:
        self._on_change = on_change
        self._lock = threading.Lock()
        self._flags: set[Flag] = set()
        self._listens = False
        self._state = VoiceState.IDLE

    @property
    def state(self) -> VoiceState:
        """The state now."""
        return self._state

    def is_up(self, flag: Flag) -> bool:
        """Whether a flag is raised, whatever the state is called."""
        with self._lock:
            return flag in self._flags

    def set(self, flag: Flag, up: bool) -> None:
        """Raise or lower one flag."""
        with self._lock:
            if up:
                self._flags.add(flag)
            else:
                self._flags.discard(flag)
        self._refresh()

    def set_listening(self, listens: bool) -> None:
        """Say whether a microphone is open."""
        self._listens = listens
        self._refresh()

    def _refresh(self) -> None:
        with self._lock:
            raised = next((flag for flag in _ORDER if flag in self._flags), None)
            resting = VoiceState.LISTENING if self._listens else VoiceState.IDLE
            state = VoiceState(raised) if raised else resting
            if state is self._state:
                return
            self._state = state
        self._on_change(state)
