"""What of a conversation a model is still shown, as far as the messages themselves say, and what that costs. Pure."""

from collections.abc import Callable, Sequence

from edgevox.context.window import OVERHEAD, cost
from edgevox.core.messages import Message, Role, Severity, ToolResultBlock, Truncation

STUB_TOKENS = 16
"""Tokens of what is left of a message that is cut to a stub, beside those of any message."""
_SEVERITIES = (Severity.LIGHT, Severity.STUB, Severity.REMOVE)


def severity_after(rules: Sequence[Truncation], times: int) -> Severity | None:
    """Return how hard a message is cut that was shown so many times; `None` leaves it whole.

    Of the rules that apply the one with the highest threshold counts, and of two with the same the harder one.
    """
    applying = [rule for rule in rules if 0 <= rule.threshold <= times]
    if not applying:
        return None
    return max(applying, key=lambda rule: (rule.threshold, _SEVERITIES.index(rule.severity))).severity


def times_shown(messages: Sequence[Message]) -> list[int]:
    """Return how many requests carried each message: every answer of a model after it was one."""
    times, answers = [0] * len(messages), 0
    for index in range(len(messages) - 1, -1, -1):
        times[index] = answers
        answers += messages[index].role is Role.ASSISTANT
    return times


def costs_shown(messages: Sequence[Message], count: Callable[[str], int]) -> list[int]:
    """Return how many tokens each message takes in the next request; 0 for one that is hidden by then.

    Args:
        messages: a whole conversation.
        count: how many tokens a text has.
    """
    times = times_shown(messages)
    return [_cost(message, shown, count) for message, shown in zip(messages, times, strict=True)]


def _cost(message: Message, times: int, count: Callable[[str], int]) -> int:
    if message.role is Role.SYSTEM:
        return cost([message], count)
    hidden = [severity_after(message.truncation, times), *_of_results(message, times)]
    if Severity.REMOVE in hidden:
        return 0
    return OVERHEAD + STUB_TOKENS if Severity.STUB in hidden else cost([message], count)


def _of_results(message: Message, times: int) -> list[Severity | None]:
    return [severity_after(block.truncation, times) for block in message.content if isinstance(block, ToolResultBlock)]
