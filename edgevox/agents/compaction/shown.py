"""What of a conversation a model is still shown, as far as the messages themselves say, and what that costs. Pure.

How rules cut is `edgevox.context.truncation`'s; how often each message was shown is read from the answers after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edgevox.context.truncation import cut_exchange, schedules_of
from edgevox.context.window import cost
from edgevox.core.messages import Message, Role, ToolUseBlock


def as_shown(messages: Sequence[Message]) -> list[Message | None]:
    """Return what is left of each message in the next request; `None` for one that is hidden by then.

    Args:
        messages: a whole conversation.
    """
    times = times_shown(messages)
    left = [_first(cut_exchange([message], [shown])) for message, shown in zip(messages, times, strict=True)]
    gone = {
        use_id for message, kept in zip(messages, left, strict=True) for use_id in _results(message) - _results(kept)
    }
    return [_without_uses(message, gone) for message in left]


def times_shown(messages: Sequence[Message]) -> list[int]:
    """Return how many requests carried each message: every answer of a model after it was one."""
    times, answers = [0] * len(messages), 0
    for index in range(len(messages) - 1, -1, -1):
        times[index] = answers
        answers += messages[index].role is Role.ASSISTANT
    return times


@dataclass(frozen=True, slots=True)
class _Known:
    message: Message
    tokens: int
    until: int | None
    """How often it is shown when this changes; `None` is never."""


class Costs:
    """How many tokens the messages of a conversation take in its next request. Counts each message once.

    Args:
        count: how many tokens a text has.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: dict[int, _Known] = {}

    def of(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of each message; 0 for one that is hidden by then.

        Args:
            messages: a whole conversation.
        """
        known = {
            id(message): self._cost(message, shown)
            for message, shown in zip(messages, times_shown(messages), strict=True)
        }
        self._known = known
        return [known[id(message)].tokens for message in messages]

    def _cost(self, message: Message, shown: int) -> _Known:
        known = self._known.get(id(message))
        if known is not None and known.message is message and (known.until is None or shown < known.until):
            return known
        left = _first(cut_exchange([message], [shown]))
        later = [at for schedule in schedules_of(message) for at, _ in schedule if at > shown]
        tokens = cost([left], self._count) if left is not None else 0
        return _Known(message, tokens, min(later, default=None))


def _first(left: Sequence[Message]) -> Message | None:
    return left[0] if left else None


def _results(message: Message | None) -> set[str]:
    return {block.tool_use_id for block in message.tool_results} if message is not None else set()


def _without_uses(message: Message | None, gone: set[str]) -> Message | None:
    """A request goes with its result."""
    if message is None or not any(use.tool_use_id in gone for use in message.tool_uses):
        return message
    content = tuple(b for b in message.content if not (isinstance(b, ToolUseBlock) and b.tool_use_id in gone))
    return message.model_copy(update={"content": content}) if content else None
