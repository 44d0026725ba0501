"""Runs a typed tool on a value: project, call, await, check.

What a link of a chain costs is what stands here. Everything that a call by a model needs besides (permission, locks,
time limits, words for errors) is `edgevox.tools.dispatch`' business.
"""

import inspect
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.core.errors import Cancelled, ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.values import Value
from edgevox.tools.projection import checked_output, project
from edgevox.tools.workers import Waited, start

if TYPE_CHECKING:
    from edgevox.core.session import AgentContext
    from edgevox.tools.definition import Tool


def run_typed(
    tool: "Tool", value: Value, messages: Sequence[Message], ctx: "AgentContext | None" = None, *, source: str = ""
) -> Value:
    """Run a typed tool on a value, on the calling thread; an async body is awaited on the loop that they share.

    Args:
        tool: a typed tool.
        value: what the tool takes; projected to its input class, so that nothing it does to it reaches the caller.
        messages: the conversation as the body sees it: the list itself, which it may change.
        ctx: its scope ends the wait for an async body; `None` waits as long as it takes.
        source: who returned the value, for messages.

    Raises:
        Refused: the value does not fit the tool's input.
        ToolDefinitionError: this is no typed tool, or what it returned is not what it declares.
        Cancelled: the scope ended while an async body was awaited.
        BaseException: whatever the body raises.
    """
    if tool.input_model is None or tool.signature.unbound:
        raise ToolDefinitionError(f"{tool.name} is not a tool of the form (input, messages) -> Value.")
    given = project(value, tool.input_model, tool.name, source)
    returned = tool.fn(given, messages)
    if inspect.isawaitable(returned):
        returned = _awaited(returned, tool.name, ctx)
    return checked_output(returned, tool.output_models, tool.name)


def _awaited(pending: Awaitable[Any], name: str, ctx: "AgentContext | None") -> Any:
    async def outcome() -> Any:
        return await pending

    job = start(outcome, name, is_async=True)
    scope = ctx.scope if ctx is not None else None
    if job.wait(scope, None) is not Waited.DONE:
        job.abandon()
        if not job.begun and inspect.iscoroutine(pending):
            pending.close()
        raise Cancelled(scope.reason if scope is not None else None)
    if job.error is not None:
        raise job.error
    return job.value
