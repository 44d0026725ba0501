"""A stored conversation as its next request carries it: each message cut by how often models have seen it.

How often is read from the conversation itself: an answer that took tokens is one request, which carried everything
before it. What was removed by then was not in it, but a removal is for good, so that makes no difference. Pure.
"""

from collections.abc import Iterator, Sequence

from edgevox.context.truncation import DEFAULT_RULES, Rules, cut_exchange
from edgevox.core.messages import Message, Role


def times_shown(messages: Sequence[Message]) -> list[int]:
    """Return for each message how many answers of a model came after it."""
    shown: list[int] = []
    answers = 0
    for message in reversed(messages):
        shown.append(answers)
        answers += message.role is Role.ASSISTANT and message.usage is not None
    return shown[::-1]


def cut_conversation(messages: Sequence[Message], default: Rules = DEFAULT_RULES) -> list[Message]:
    """Return what is left of a conversation for the next request; the same messages where no rule cuts them.

    Args:
        messages: oldest first; never altered.
        default: for results without rules.
    """
    shown = times_shown(messages)
    return [
        message
        for first, last in _exchanges(messages)
        for message in cut_exchange(messages[first:last], shown[first:last], default=default)
    ]


def _exchanges(messages: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Where each message begins that no result before it belongs to, and where its own results end."""
    first = 0
    for index in range(1, len(messages) + 1):
        if index == len(messages) or messages[index].role is not Role.TOOL:
            yield first, index
            first = index
