"""How well a member of a pool says it can answer a request: by its phrases, by what it says itself, by its topics.

Compares; does not ask anybody to answer. A member whose own judgement fails, or takes too long, does not bid.
"""

import logging
import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from edgevox.agents.requests import BoardRequest
from edgevox.agents.team import understands
from edgevox.core.session import AgentContext
from edgevox.core.visiting import visiting
from edgevox.tools.workers import POOL, Waited

log = logging.getLogger(__name__)

BY_PHRASE = 1.0
"""A phrase of its own: it needs no model, and it is sure."""
BY_ITS_WORD = 0.7
"""It says yes, without saying how sure it is."""
BY_TOPIC = 0.4
ANOTHER_TOPIC = 0.1
MOST_BY_TOPIC = 0.6
JUDGING_S = 0.5
"""Seconds that the members' own judgement may take, all together."""

Judgement = Callable[[BoardRequest], float | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Volunteer:
    """An agent, and for what it volunteers beside the phrases of its tools."""

    agent: Any
    topics: tuple[str, ...] = ()
    """Words that a request, or its topics, may name."""
    volunteers_for: Judgement | None = None
    """Looks at a request and says whether it would answer, or how well: from 0, not at all, to 1."""

    def __post_init__(self) -> None:
        """Take a single topic for what it is, and not for its letters."""
        if isinstance(self.topics, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            object.__setattr__(self, "topics", (self.topics,))

    @property
    def name(self) -> str:
        """Of the agent."""
        return str(self.agent.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """How well one member says it can answer."""

    member: Volunteer
    strength: float
    """More than 0, up to 1."""


def as_volunteer(member: Any) -> Volunteer:
    """Return a member as a volunteer: an agent may carry `topics` and `volunteers_for` itself."""
    if isinstance(member, Volunteer):
        return member
    given: Iterable[str] | str = getattr(member, "topics", ())
    topics = (given,) if isinstance(given, str) else given
    return Volunteer(agent=member, topics=tuple(topics), volunteers_for=getattr(member, "volunteers_for", None))


def bids_for(request: BoardRequest, members: Sequence[Volunteer], pool: Any, ctx: AgentContext) -> list[Bid]:
    """Return the bids for a request, best first; of equals, in the order of the members.

    Args:
        request: what is asked.
        members: who may bid.
        pool: whose members they are, so that a pool within itself is asked once.
        ctx: of the run; its end ends the judging.
    """
    judged = [_begin_judging(member, request) for member in members]
    with visiting(pool):
        sure = [understands(member.agent, request.text, ctx) for member in members]
    deadline = time.monotonic() + JUDGING_S
    bids = [
        Bid(
            member=member, strength=BY_PHRASE if phrase else max(_by_topic(member.topics, request), says(ctx, deadline))
        )
        for member, phrase, says in zip(members, sure, judged, strict=True)
    ]
    return sorted((bid for bid in bids if bid.strength > 0), key=lambda bid: -bid.strength)


def _by_topic(topics: Sequence[str], request: BoardRequest) -> float:
    said = " ".join(["", *re.findall(r"\w+", request.text.casefold()), ""])
    named = sum(topic.casefold() in request.topics or f" {topic.casefold().strip()} " in said for topic in topics)
    return min(MOST_BY_TOPIC, BY_TOPIC + ANOTHER_TOPIC * (named - 1)) if named else 0.0


def _begin_judging(member: Volunteer, request: BoardRequest) -> Callable[[AgentContext, float], float]:
    """Ask the member on a worker: its judgement is somebody else's code and may hang. Returns how to wait for it."""
    judge = member.volunteers_for
    if judge is None:
        return lambda _, __: 0.0
    job = POOL.submit(lambda: judge(request), f"bid of {member.name}")

    def says(ctx: AgentContext, deadline: float) -> float:
        waited = job.wait(ctx.scope, max(0.0, deadline - time.monotonic()))
        if waited is not Waited.DONE or job.error is not None:
            log.warning("%s does not bid: %s", member.name, job.error or "its judgement took too long")
            return 0.0
        return _strength(member, job.value)

    return says


def _strength(member: Volunteer, said: Any) -> float:
    if isinstance(said, bool) or said is None:
        return BY_ITS_WORD if said else 0.0
    if isinstance(said, int | float) and not math.isnan(said):
        return min(1.0, max(0.0, float(said)))
    log.warning("%s does not bid: volunteers_for must return a number from 0 to 1, not %r", member.name, said)
    return 0.0
