"""Sums up the older part of a conversation and puts the summary in its place.

The list stays the same object. A summary goes in only if its scope still lives and what it stands for is still there,
so a conversation that goes on meanwhile loses nothing: the work is thrown away.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from edgevox.agents.compaction.plan import HEADING, Budget, Stretch, is_due, parts_exchange, stretch, turns, used
from edgevox.agents.compaction.shown import Costs
from edgevox.agents.compaction.transcript import lines_of
from edgevox.agents.summaries import Summariser, window_of
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, EdgeVoxError
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message, Role
from edgevox.core.ports import ChatModel

log = logging.getLogger(__name__)

Apply = Callable[[Callable[[], object]], bool]
"""Makes a change unless it is too late for it; says whether it was made."""


class Outcome(StrEnum):
    """What became of looking after a conversation."""

    OK = "ok"
    """There is room; nothing was touched."""
    COMPACTED = "compacted"
    BLOCKED = "blocked"
    """There is no room and nothing that could be summed up so as to make some; nothing was touched."""
    CANCELLED = "cancelled"
    """Somebody spoke meanwhile; what was finished before stays."""
    FAILED = "failed"
    """The model could not be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What looking after a conversation came to."""

    outcome: Outcome
    used: float
    """Share of its room that the conversation takes now."""
    summed_up: int = 0
    """Messages that a summary stands for now."""
    problem: str | None = None
    """Why it failed, in one sentence."""


class Compactor:
    """Keeps conversations within the window of one model.

    Args:
        model: who sums up.
        budget: the room of the conversation; `None` is the window of `model`, with an eighth of it for the answer.
    """

    def __init__(self, model: ChatModel, budget: Budget | None = None) -> None:
        window = window_of(model)
        self.budget = budget if budget is not None else Budget(window=window, reserved=window // 8)
        self._summariser = Summariser(model)
        self._costs = Costs(self._summariser.count)

    def used(self, messages: list[Message]) -> float:
        """Return which share of its room a conversation takes; above 1 it no longer fits."""
        return used(messages, self.budget, self._costs)

    def is_due(self, messages: list[Message]) -> bool:
        """Return whether it is time to sum up."""
        return is_due(messages, self.budget, self._costs)

    def compact(
        self, messages: list[Message], scope: CancelScope | None = None, *, apply: Apply | None = None
    ) -> Compaction:
        """Sum up as long as it is due; never raises for what a model does.

        Args:
            messages: the conversation, which is changed in place.
            scope: its end ends the work; what was not finished leaves no trace.
            apply: makes the change of the list; by default it is made at once unless the scope has ended.
        """
        scope = scope if scope is not None else CancelScope()
        apply = apply if apply is not None else (lambda change: _unless_over(scope, change))
        summed_up, outcome, problem = 0, Outcome.OK, None
        try:
            while self.is_due(messages):
                gone = self._step(messages, scope, apply)
                if gone is None:
                    given_up = Outcome.CANCELLED if scope.cancelled else Outcome.BLOCKED
                    outcome = given_up if not summed_up or scope.cancelled else outcome
                    break
                summed_up, outcome = summed_up + gone, Outcome.COMPACTED
        except Cancelled:
            outcome = Outcome.CANCELLED
        except EdgeVoxError as error:
            outcome, problem = Outcome.FAILED, str(error)
        return Compaction(outcome=outcome, used=self.used(messages), summed_up=summed_up, problem=problem)

    def _step(self, messages: list[Message], scope: CancelScope, apply: Apply) -> int | None:
        """Sum up what one question holds; returns how many messages that were, or `None` when it was not to be."""
        part = stretch(messages, self.budget, self._costs)
        if part is None:
            return None
        end = self._reach(messages, part)
        old, lines = messages[part.start : end], lines_of(messages)[part.body : end]
        text = self._summariser.whole(
            [line for each in lines for line in each], self.budget.summary_tokens, scope, known=part.known
        )
        new = [Message.text(_headed(text), kind=MessageKind.COMPACTED_CONTEXT)] if text else []
        if not self._gains(old, new, sum(self._costs.of(messages)[part.start : end])):
            return None
        swap = _Swap(messages, part.start, old, new)
        return end - part.body if apply(swap) and swap.made else None

    def _reach(self, messages: list[Message], part: Stretch) -> int:
        """How far one step goes: as far as one question does, so that whatever breaks in, what is finished is kept."""
        room, end, turn = self._summariser.window // 2, part.body, part.body
        costs = self._costs.of(messages)
        for index in range(part.body, part.end):
            room -= costs[index]
            if room < 0 and end > part.body:
                break
            if not parts_exchange(messages, part.body, index + 1):
                end = index + 1
                turn = end if end == part.end or messages[end].role is Role.USER else turn
        return turn if turn > part.body else max(end, part.body + 1)

    def _gains(self, old: list[Message], new: list[Message], spent: int) -> bool:
        return sum(Costs(self._summariser.count).of(new)) < spent or turns(new) < turns(old)


class _Swap:
    """Puts `new` in the place of `old`, if `old` is still there."""

    def __init__(self, messages: list[Message], start: int, old: list[Message], new: list[Message]) -> None:
        self._messages, self._start, self._old, self._new = messages, start, old, new
        self.made = False

    def __call__(self) -> None:
        end = self._start + len(self._old)
        now = self._messages[self._start : end]
        if len(now) == len(self._old) and all(a is b for a, b in zip(now, self._old, strict=True)):
            self._messages[self._start : end] = self._new
            self.made = True


def _headed(text: str) -> str:
    return f"{HEADING}\n{text.removeprefix(HEADING).strip()}"


def _unless_over(scope: CancelScope, change: Callable[[], object]) -> bool:
    scope.check()
    change()
    return True
