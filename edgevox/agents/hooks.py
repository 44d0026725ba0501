"""Six points at which your code may look at a run or change it.

A hook is any object with some of the methods of `Hooks`; the others are taken to do nothing. What guards against loops
and bounds results is not a hook: it is part of the loop and of dispatch, and always on.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from edgevox.chains.calls import LoopHooks
from edgevox.core.errors import FAULTS
from edgevox.core.messages import Message, Origin, ResultStatus, ToolUseBlock
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult

log = logging.getLogger(__name__)


class Hooks:
    """Base of hooks: does nothing anywhere. Override what you need.

    A hook that raises is logged and passed over, except in `before_tool`: there the call is refused, for a check that
    fails must not let through what it guards.
    """

    priority: int = 0
    """Higher runs first on the way in, and last on the way out."""

    def on_run_start(self, ctx: AgentContext, task: str) -> None:
        """A run begins."""

    def before_model(self, ctx: AgentContext, messages: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
        """The model is about to be asked; return other messages to have those sent."""

    def after_model(self, ctx: AgentContext, message: Message) -> None:
        """The model has answered with words, or asked for tools, or both."""

    def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> str | ToolCallResult | None:
        """A tool is about to run; return a sentence to refuse the call, or a result that stands in for running it."""

    def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> ToolCallResult | None:
        """A tool has run; return another result to have that one used."""

    def on_run_end(self, ctx: AgentContext, result: Any) -> None:
        """A run is over; `result` is its `AgentResult`."""


class HookChain:
    """The hooks of one agent, in their order.

    Args:
        hooks: objects with some of the methods of `Hooks`.
    """

    def __init__(self, hooks: Sequence[Any] = ()) -> None:
        self._hooks = sorted(hooks, key=lambda hook: -getattr(hook, "priority", 0))

    def with_hook(self, hook: Any) -> "HookChain":
        """Return these hooks and one more."""
        return HookChain([*self._hooks, hook])

    def run_start(self, ctx: AgentContext, task: str) -> None:
        """Tell every hook that a run begins."""
        for hook in self._having("on_run_start"):
            _safely(hook.on_run_start, ctx, task)

    def run_end(self, ctx: AgentContext, result: Any) -> None:
        """Tell every hook that a run is over."""
        for hook in reversed(self._having("on_run_end")):
            _safely(hook.on_run_end, ctx, result)

    def before_tool(self, ctx: AgentContext, use: ToolUseBlock) -> ToolCallResult | None:
        """Ask every hook whether a call may run; a result comes back when it may not, or need not."""
        for hook in self._having("before_tool"):
            try:
                answer = hook.before_tool(ctx, use.tool_name, dict(use.input))
            except FAULTS as error:  # a guard that fails must not let the call through
                log.exception("a hook before %s failed", use.tool_name)
                answer = f"{use.tool_name} was not run: a check before it failed ({error})."
            if isinstance(answer, str):
                return _refused(use, answer)
            if answer is not None:
                return replace(answer, tool_use_id=use.tool_use_id)
        return None

    def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> ToolCallResult:
        """Let every hook change a call's result."""
        for hook in reversed(self._having("after_tool")):
            result = _safely(hook.after_tool, ctx, result) or result
        return result

    def around_loop(self, ctx: AgentContext) -> LoopHooks:
        """The points that lie inside the loop between model and tools."""
        return LoopHooks(
            before_model=lambda messages: self._before_model(ctx, messages),
            after_model=lambda message: self._after_model(ctx, message),
            before_tool=lambda use: self.before_tool(ctx, use),
            after_tool=lambda result: self.after_tool(ctx, result),
        )

    def _before_model(self, ctx: AgentContext, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for hook in self._having("before_model"):
            messages = _safely(hook.before_model, ctx, messages) or messages
        return messages

    def _after_model(self, ctx: AgentContext, message: Message) -> None:
        for hook in reversed(self._having("after_model")):
            _safely(hook.after_model, ctx, message)

    def _having(self, point: str) -> list[Any]:
        return [hook for hook in self._hooks if hasattr(hook, point)]


def _refused(use: ToolUseBlock, why: str) -> ToolCallResult:
    return ToolCallResult(
        name=use.tool_name,
        arguments=dict(use.input),
        tool_use_id=use.tool_use_id,
        status=ResultStatus.DECLINED,
        error=why,
        error_code="declined",
        origin=Origin(use.origin),
    )


def _safely(point: Any, *arguments: Any) -> Any:
    try:
        return point(*arguments)
    except FAULTS:  # a hook is somebody else's code; the run goes on without it
        log.exception("a hook failed at %s", getattr(point, "__name__", point))
        return None
