"""What a check found, and what it may know before it looks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from edgevox.config.settings import Settings


class State(StrEnum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    """It works without; something could be better."""
    PROBLEM = "problem"
    """Something that was asked for does not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the doctor's report."""

    area: str
    """What was looked at: `sound`, `libraries`, `models`, `settings`, `machine`."""
    name: str
    state: State
    detail: str
    """What is so, or what is wrong, in one sentence."""
    fix: str = ""
    """The command that mends it; empty when there is none or none is needed."""
    voice: bool = False
    """Whether a spoken conversation is impossible while this is a problem."""

    def record(self) -> dict[str, Any]:
        """The finding as `edgevox doctor --json` shows it."""
        return {
            "area": self.area,
            "name": self.name,
            "state": self.state.value,
            "detail": self.detail,
            "fix": self.fix,
            "essential_for_voice": self.voice,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What every check may rely on: it was read before."""

    settings: Settings
    problems: tuple[str, ...] = ()
    """Sentences about values of the settings that cannot be used."""


Check = Callable[[Patient], Iterable[Finding]]
"""Looks at one part of the machine. May raise; the doctor says so and goes on."""
