"""What of a conversation a model with native tool calls is shown: the latest turns that fit beside tools and answer.

The conversation is one that `edgevox.context.folded` has written, or a hook has changed. Asks nobody.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from edgevox.context.window import cost, fit_messages, guessed, recent_turns
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel

HISTORY_TURNS = 24
"""Turns that a model is shown at most: small models lose the thread long before their context is full."""
DEFAULT_CONTEXT = 4096
"""Tokens, for a model that does not say how many it holds."""
RESERVE = 512
"""Tokens kept for the answer when the caller does not say how long it may be."""


def visible(
    messages: Sequence[Mapping[str, Any]],
    model: ChatModel,
    tools: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
    share: float = 1.0,
) -> list[dict[str, Any]]:
    """Return the messages that the model is shown: the latest turns that fit beside the tools and the answer."""
    count = counter(model)
    size = held_by(model) or DEFAULT_CONTEXT
    reserve = min(int(options.get("max_tokens") or RESERVE), size // 2)
    offered = count(str(tools)) if tools else 0
    budget = int((size - reserve - min(offered, size // 2)) * share)
    known = recent_turns([Message.from_openai(m) for m in messages], HISTORY_TURNS)
    kept = fit_messages(known, budget, count)
    if share < 1.0:
        kept = [_cut_to(message, budget, count) for message in kept]
    return [projected for message in kept for projected in message.openai()]


def held_by(model: Any) -> int | None:
    """Return how many tokens a model holds; `None` where it does not say."""
    said = (getattr(model, name, None) for name in ("context_size", "max_context_tokens"))
    return next((size for size in said if isinstance(size, int) and size > 0), None)


def counter(model: ChatModel) -> Callable[[str], int]:
    """Return how to count a model's tokens: by its own tokenizer, or by a guess on the safe side."""
    count = getattr(model, "count_tokens", None)
    return cast("Callable[[str], int]", count) if callable(count) else guessed


def _cut_to(message: Message, budget: int, count: Callable[[str], int]) -> Message:
    """Shorten the words of a message that alone is longer than everything may be."""
    tokens = cost([message], count)
    if tokens <= max(budget, 64) or not message.plain:
        return message
    letters = max(len(message.plain) * max(budget, 64) // tokens, 1)
    return Message.text(f"{message.plain[:letters]} …", message.role)
