"""The conversation of a child and what of it belongs to the person's.

A child works in a conversation of its own that begins like the one it is called from. Afterwards only what its tools
did is taken over: a request without a result, a task that another agent wrote and words that nobody heard are not part
of what the person and the assistant said to each other.
"""

from collections.abc import Iterable, Sequence

from edgevox.core.messages import Message, MessageStatus, Origin, Role, ToolUseBlock
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult


def branch_of(ctx: AgentContext, history: Iterable[Message]) -> AgentContext:
    """Return a context for a child: its own conversation and scope, everything else shared, the scratchpad included.

    Args:
        ctx: of the workflow.
        history: what the child's conversation begins with.
    """
    child = ctx.child(session=Session(history, state=ctx.session.state))
    child.vars = ctx.vars
    return child


def exchanges_in(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the requests that were answered and their results, in order."""
    answered = {result.tool_use_id for message in messages for result in message.tool_results}
    kept = (_finished(message, answered) for message in messages)
    return tuple(message for message in kept if message is not None)


def exchanges_of(results: Iterable[ToolCallResult]) -> tuple[Message, ...]:
    """Return tool calls as a conversation keeps them, for a child that has kept none of its own."""
    messages: list[Message] = []
    for result in results:
        use = ToolUseBlock(
            tool_name=result.name,
            tool_use_id=result.tool_use_id,
            input=result.arguments,
            origin=Origin(result.origin),
        )
        messages.append(Message(role=Role.ASSISTANT, content=(use,)))
        messages.append(Message(role=Role.TOOL, content=(result.to_block(),)))
    return tuple(messages)


def reply_kind_of(messages: Sequence[Message]) -> str | None:
    """Return the kind of the reply with which a child's turn ended, if it ended with one that was not cut off."""
    last = messages[-1] if messages else None
    if last is None or last.role is not Role.ASSISTANT or last.tool_uses or last.status is MessageStatus.CANCELLED:
        return None
    return last.kind


def _finished(message: Message, answered: set[str]) -> Message | None:
    if message.role is Role.TOOL:
        return message if message.tool_results else None
    uses = tuple(use for use in message.tool_uses if use.tool_use_id in answered)
    return message.model_copy(update={"content": uses}) if uses else None
