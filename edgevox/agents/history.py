"""What a turn leaves in the conversation, and what of it an agent is shown."""

from collections.abc import Callable, Iterable

from edgevox.core.messages import Message, Role, ToolResultBlock, ToolUseBlock
from edgevox.core.session import AgentContext

HANDOFF = "handoff"
"""Kind of a message with which one agent asks another, in other words than the person's."""
CLARIFICATION = "clarification"
"""Kind of a reply that asks for what a command lacks."""


def keep(ctx: AgentContext, message: Message) -> Message:
    """Add a message of this turn."""
    return ctx.session.add(message.model_copy(update={"turn": ctx.turn}))


def keep_cut(ctx: AgentContext) -> None:
    """See to it that a turn that was cut ends with a cancelled message, so that the next is not taken for its end."""
    last = ctx.session.messages[-1] if ctx.session.messages else None
    if last is None or last.role is not Role.ASSISTANT or last.tool_uses:
        keep(ctx, Message.text("", Role.ASSISTANT).cut(""))


def asked_already(ctx: AgentContext, task: str) -> bool:
    """Whether the words of a run are in the conversation, because another agent has handed the turn over."""
    if not ctx.trail:
        return False
    for message in reversed(ctx.session.messages):
        if message.role is Role.USER:
            return message.plain == task
        if message.role is Role.ASSISTANT and not message.tool_uses:
            return False
    return False


def without_calls(messages: Iterable[Message], hidden: Callable[[str], bool]) -> list[Message]:
    """Return the messages without the calls of some tools and their results.

    Args:
        messages: a conversation.
        hidden: says whether calls of the tool of that name are left out.
    """
    kept: list[Message] = []
    for message in messages:
        content = tuple(
            block
            for block in message.content
            if not (isinstance(block, ToolUseBlock | ToolResultBlock) and hidden(block.tool_name))
        )
        if len(content) == len(message.content):
            kept.append(message)
        elif content:
            kept.append(message.model_copy(update={"content": content}))
    return kept
