"""Picks messages out of a conversation by who spoke, which tool was asked for, and which tool answered."""

from collections.abc import Iterable

from edgevox.core.messages import Message, Role


def filter_messages(
    messages: Iterable[Message], role: Role | str | None = None, action: str | None = None, caller: str | None = None
) -> list[Message]:
    """Return the messages that fit everything that is given, in order, hidden ones included.

    Args:
        messages: the conversation, such as a typed tool receives.
        role: who speaks.
        action: a tool that the message asks for.
        caller: a tool whose answer the message holds.
    """
    return [
        message
        for message in messages
        if (role is None or message.role == role)
        and (action is None or any(use.tool_name == action for use in message.tool_uses))
        and (caller is None or any(result.tool_name == caller for result in message.tool_results))
    ]
