"""Talks to the person of the run that the calling code belongs to, wherever that person is.

Works in any tool, typed or not, without a context in its signature: the run is found by `core.running`. Outside any run
it is the terminal.
"""

from typing import Literal, overload

from edgevox.chains.channels import CliChannel, HostChannel, NobodyChannel
from edgevox.chains.modes import AgentMode
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import UserInputUnavailable
from edgevox.core.ports import UserChannel
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext

__all__ = [
    "CliChannel",
    "HostChannel",
    "NobodyChannel",
    "channel_for",
    "interact_with_user",
]

TERMINAL = CliChannel()
"""Standard input and output: who is asked where nobody said otherwise."""
NOBODY = NobodyChannel()


def channel_for(mode: AgentMode, ctx: AgentContext) -> UserChannel:
    """Return the way to the person for a run of an agent.

    Args:
        mode: of the agent; an autonomous one has nobody.
        ctx: of the run. Without a channel of its own, that of the run around it counts, and else the terminal.
    """
    if not mode.asks_people:
        return NOBODY
    if ctx.channel is not None:
        return ctx.channel
    around = current_run()
    return around.ctx.channel if around is not None and around.ctx.channel is not None else TERMINAL


@overload
def interact_with_user(
    message: str, with_reply: Literal[True] = True, timeout_s: float | None = None
) -> str | None: ...
@overload
def interact_with_user(message: str, with_reply: Literal[False], timeout_s: float | None = None) -> None: ...
def interact_with_user(message: str, with_reply: bool = True, timeout_s: float | None = None) -> str | None:
    """Tell the person something, and return what they answer.

    Args:
        message: what is shown or said.
        with_reply: whether to wait for an answer.
        timeout_s: seconds to wait for it; `None` waits for the answer or the end of the run.

    Returns:
        The person's words without a line's end; `None` when none came in time, or when nobody was asked for any.

    Raises:
        Cancelled: the run has ended.
        UserInputUnavailable: the run may not ask a person, or there is none.
    """
    channel, scope = _person()
    scope.check()
    if not with_reply:
        channel.notify(message)
        return None
    reply = channel.request_input(message, timeout_s, scope)
    scope.check()
    return reply


def _person() -> tuple[UserChannel, CancelScope]:
    run = current_run()
    if run is None:
        return TERMINAL, CancelScope()
    if run.ctx.channel is None:
        raise UserInputUnavailable("Nobody is there to be asked: this run has no way to a person.")
    return run.ctx.channel, run.ctx.scope
