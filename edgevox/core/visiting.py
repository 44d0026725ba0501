"""Walks over agents that may refer to each other in circles: each is asked once.

A walk begins with the first agent that is asked and ends when that one has answered; every agent that it passes the
question on to takes part. Knows agents by their identity alone.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

_seen: ContextVar[set[int] | None] = ContextVar("edgevox_agents_seen", default=None)


@dataclass(frozen=True, slots=True)
class Visit:
    """How an agent came to be asked."""

    first: bool
    """Whether it is asked for the first time in this walk; otherwise it has nothing to add."""
    outermost: bool
    """Whether the walk begins here: nobody passed the question on."""


@contextmanager
def visiting(agent: Any, passing_by: Iterable[Any] = ()) -> Generator[Visit]:
    """Note that an agent is asked, for as long as it takes to answer.

    Args:
        agent: who is asked, or who passes a question on to others.
        passing_by: agents that are not to be asked in this walk; looked at only where the walk begins.
    """
    seen = _seen.get()
    if seen is not None:
        first = id(agent) not in seen
        seen.add(id(agent))
        yield Visit(first=first, outermost=False)
        return
    token = _seen.set({id(agent), *map(id, passing_by)})
    try:
        yield Visit(first=True, outermost=True)
    finally:
        _seen.reset(token)
