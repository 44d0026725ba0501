"""How much one run may take: steps, model calls, tokens, seconds. Counts, and says when it is too much."""

import time
from dataclasses import dataclass, field

from edgevox.core.errors import BudgetExceeded


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of a run. `None` is no bound."""

    max_steps: int | None = None
    """Tools that may run, chained ones and defaults included."""
    max_llm_calls: int | None = None
    deadline_s: float | None = None
    """Seconds from the beginning of the run."""
    max_tokens: int | None = None
    """Tokens read and written, in all model calls of the run together."""

    def problems(self) -> list[str]:
        """Say what is no bound."""
        whole = {"max_steps": self.max_steps, "max_llm_calls": self.max_llm_calls, "max_tokens": self.max_tokens}
        found = [
            f"{name} must be a whole number of at least 1, not {value!r:.80}."
            for name, value in whole.items()
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1)  # pyright: ignore[reportUnnecessaryIsInstance]
        ]
        seconds = self.deadline_s
        if seconds is not None and not (_is_number(seconds) and seconds > 0):
            found.append(f"deadline_s must be more than 0 seconds, not {seconds!r:.80}.")
        return found

    def or_else(self, other: "Limits") -> "Limits":
        """Return these bounds, and the other's where there is none."""
        return Limits(
            max_steps=self.max_steps if self.max_steps is not None else other.max_steps,
            max_llm_calls=self.max_llm_calls if self.max_llm_calls is not None else other.max_llm_calls,
            deadline_s=self.deadline_s if self.deadline_s is not None else other.deadline_s,
            max_tokens=self.max_tokens if self.max_tokens is not None else other.max_tokens,
        )


VOICE_TURN = Limits(max_steps=64, max_llm_calls=8)
"""What an answer to a person may take where the agent does not say."""


@dataclass(slots=True)
class Budget:
    """What a run has taken so far."""

    limits: Limits = field(default_factory=Limits)
    steps: int = 0
    llm_calls: int = 0
    tokens: int = 0
    began: float = field(default_factory=time.monotonic)

    def take_step(self) -> None:
        """Count a tool that is about to run.

        Raises:
            BudgetExceeded: it may not.
        """
        if self.limits.max_steps is not None and self.steps >= self.limits.max_steps:
            raise BudgetExceeded(f"The run has taken its {self.limits.max_steps} steps and is not done (max_steps).")
        self.check_time()
        self.steps += 1

    def take_llm_call(self) -> None:
        """Count a model call that is about to be made.

        Raises:
            BudgetExceeded: it may not.
        """
        limits = self.limits
        if limits.max_llm_calls is not None and self.llm_calls >= limits.max_llm_calls:
            raise BudgetExceeded(
                f"The run has asked its model {limits.max_llm_calls} times and is not done (max_llm_calls)."
            )
        if limits.max_tokens is not None and self.tokens >= limits.max_tokens:
            raise BudgetExceeded(
                f"The run has used {self.tokens} tokens of {limits.max_tokens} and is not done (max_tokens)."
            )
        self.check_time()
        self.llm_calls += 1

    def check_time(self) -> None:
        """Raise `BudgetExceeded` when the time is over."""
        limit = self.limits.deadline_s
        if limit is not None and time.monotonic() - self.began >= limit:
            raise self.late()

    def late(self) -> BudgetExceeded:
        """The error of a run whose time is over."""
        return BudgetExceeded(f"The run has taken its {self.limits.deadline_s:g} seconds and is not done (deadline_s).")

    def seconds_left(self) -> float | None:
        """Seconds until the end of the time; `None` where there is none."""
        if self.limits.deadline_s is None:
            return None
        return max(self.began + self.limits.deadline_s - time.monotonic(), 0.0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
