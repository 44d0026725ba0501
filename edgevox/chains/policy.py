"""What becomes of an error in a run: told to the model, tried again, or the end of the run."""

from dataclasses import dataclass
from typing import Literal

from edgevox.core.errors import AgentError


@dataclass(frozen=True, slots=True)
class Retry:
    """Runs a tool that failed again, with the same input.

    Args:
        times: how often, at most.
        then: what becomes of the last error.
    """

    times: int
    then: Literal["report", "raise"] = "report"


OnError = Literal["report", "raise"] | Retry
"""`report` tells the model, or raises where there is none; `raise` ends the run."""


def retry(times: int, then: Literal["report", "raise"] = "report") -> Retry:
    """Return the policy that runs a tool that failed again, up to `times` times."""
    return Retry(times, then)


def as_policy(given: object) -> Retry:
    """Read a policy; every one is a number of repetitions and what comes then.

    Raises:
        AgentError: it is none.
    """
    match given:
        case Retry(times=int() as times, then="report" | "raise") if times >= 0 and not isinstance(times, bool):
            return given
        case "report":
            return Retry(0, "report")
        case "raise":
            return Retry(0, "raise")
        case _:
            raise AgentError(f"on_error must be 'report', 'raise' or retry(n) with n of 0 or more, not {given!r:.80}.")
