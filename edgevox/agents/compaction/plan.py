"""Which part of a conversation is summed up, and which stays as it is. Pure: no model, no clock, no thread.

What a conversation begins with (`BOOTSTRAP_KINDS`) and what was said last stay word for word. An earlier summary is
part of what is summed up. A request for a tool and its result are never parted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from edgevox.agents.compaction.shown import Costs
from edgevox.context.visible import HISTORY_TURNS
from edgevox.core.kinds import BOOTSTRAP_KINDS, MessageKind
from edgevox.core.messages import Message, Role

HEADING = "What was said and done before, in short:"
"""Begins a summary, so that nobody takes it for the person's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The room that a conversation has."""

    window: int
    """Tokens that the model holds."""
    reserved: int = 0
    """Tokens that are never the conversation's: the system's words, the tools, the answer."""
    threshold: float = 0.8
    """Share of the room from which on a conversation is summed up."""
    keep: float = 0.3
    """Share of the room that the last exchanges keep word for word."""
    summary: float = 0.15
    """Share of the room that a summary may have."""
    max_turns: int | None = HISTORY_TURNS
    """Turns that a request carries at most, however short they are; `None` is any number."""

    @property
    def room(self) -> int:
        """Tokens that the conversation may have."""
        return max(self.window - self.reserved, self.window // 4, 64)

    @property
    def summary_tokens(self) -> int:
        """Tokens of a summary."""
        return max(int(self.room * self.summary), 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The part that is summed up: `messages[start:end]`, the earlier summary first where there is one."""

    start: int
    end: int
    known: str = ""
    """The earlier summary."""
    body: int = 0
    """Where the messages begin that no summary covers yet."""


def used(messages: Sequence[Message], budget: Budget, costs: Costs) -> float:
    """Return which share of its room a conversation takes; above 1 it no longer fits."""
    share = sum(costs.of(messages)) / budget.room
    if budget.max_turns is None:
        return share
    return max(share, turns(messages) / budget.max_turns)


def is_due(messages: Sequence[Message], budget: Budget, costs: Costs) -> bool:
    """Return whether it is time to sum up."""
    return used(messages, budget, costs) >= budget.threshold


def stretch(messages: Sequence[Message], budget: Budget, costs: Costs) -> Stretch | None:
    """Return what to sum up, or `None` when nothing can be.

    Args:
        messages: the conversation, oldest first.
        budget: its room.
        costs: how many tokens its messages take.
    """
    start = next((i for i, m in enumerate(messages) if not _is_bootstrap(m)), len(messages))
    body = start
    while body < len(messages) and messages[body].kind == MessageKind.COMPACTED_CONTEXT:
        body += 1
    end = _boundary(messages, body, _tail_start(messages, body, budget, costs))
    if end <= body:
        return None
    known = "\n".join(message.plain.removeprefix(HEADING).strip() for message in messages[start:body])
    return Stretch(start=start, end=end, known=known, body=body)


def _is_bootstrap(message: Message) -> bool:
    return message.role is Role.SYSTEM or message.kind in BOOTSTRAP_KINDS


def turns(messages: Sequence[Message]) -> int:
    """Return how many turns the messages count for; a summary counts for one."""
    return sum(message.role is Role.USER and not _is_bootstrap(message) for message in messages)


def _tail_start(messages: Sequence[Message], body: int, budget: Budget, costs: Costs) -> int:
    """Where the last messages begin that may stay."""
    room, index, spent = int(budget.room * budget.keep), len(messages), costs.of(messages)
    left = budget.max_turns // 3 if budget.max_turns is not None else len(messages)
    while index > body:
        message = messages[index - 1]
        room -= spent[index - 1]
        left -= message.role is Role.USER
        if room < 0 or left < 0:
            break
        index -= 1
    return index


def _boundary(messages: Sequence[Message], body: int, wanted: int) -> int:
    """The place from `wanted` on where a turn begins; without one, where no request waits for its result."""
    whole = [index for index in range(wanted, len(messages) + 1) if not parts_exchange(messages, body, index)]
    begun = [index for index in whole if index < len(messages) and messages[index].role is Role.USER]
    return begun[0] if begun else whole[0]


def parts_exchange(messages: Sequence[Message], body: int, index: int) -> bool:
    """Return whether a cut before `messages[index]` would part a request from its result.

    Args:
        messages: the conversation.
        body: nothing before it matters.
        index: where the cut would be.
    """
    if index >= len(messages) or messages[index].role is not Role.TOOL:
        return False
    wanted = {block.tool_use_id for block in messages[index].tool_results}
    before = index - 1
    while before >= body:
        if wanted & {use.tool_use_id for use in messages[before].tool_uses}:
            return True
        if messages[before].role is not Role.TOOL:
            return False
        before -= 1
    return False
