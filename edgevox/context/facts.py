"""Where the facts of the moment go: the time, the state of the house, where the robot is.

They change at every turn, so they stand last, beside the person's words. Before them the prompt stays the same from
turn to turn, and a model that remembers its beginning does not read it again.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def with_facts(messages: Sequence[Mapping[str, Any]], facts: str) -> list[dict[str, Any]]:
    """Return the messages with `facts` put before the words of the last user message.

    Args:
        messages: the conversation in the OpenAI shape.
        facts: sentences that hold now; empty changes nothing.
    """
    made = [dict(message) for message in messages]
    if not facts.strip():
        return made
    for message in reversed(made):
        if message["role"] == "user" and isinstance(message.get("content"), str):
            message["content"] = f"({facts.strip()})\n{message['content']}"
            break
    return made
