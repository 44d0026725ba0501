"""Tools that tell the person something and go on."""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

from edgevox.chains.io import interact_with_user
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message
from edgevox.core.values import Empty, Str
from edgevox.tools import tool
from edgevox.tools.factory import factory


@tool
def say(input: Str, messages: list[Message]) -> Empty:
    """Tell the person something and go on without waiting for an answer."""
    if input.value.strip():  # nothing is left where it was told while the model was still writing
        interact_with_user(input.value, with_reply=False)
    return Empty(message_kind=MessageKind.USER_NOTIFICATION)


@factory
def message_user(input: Empty, messages: list[Message], ctx: str) -> Empty:
    """Tell the person that this point was reached."""
    interact_with_user(ctx, with_reply=False)
    return Empty(message_kind=MessageKind.USER_NOTIFICATION)
