"""What a turn leaves in the conversation."""

from edgevox.core.messages import Message, Role
from edgevox.core.session import AgentContext


def keep(ctx: AgentContext, message: Message) -> Message:
    """Add a message of this turn."""
    return ctx.session.add(message.model_copy(update={"turn": ctx.turn}))


def keep_cut(ctx: AgentContext) -> None:
    """See to it that a turn that was cut ends with a cancelled message, so that the next is not taken for its end."""
    last = ctx.session.messages[-1] if ctx.session.messages else None
    if last is None or last.role is not Role.ASSISTANT or last.tool_uses:
        keep(ctx, Message.text("", Role.ASSISTANT).cut(""))
