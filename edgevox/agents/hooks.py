"""Six points at which your code may look at a run or change it.

A hook is any object with some of the methods of `Hooks`; the others are taken from there. Hooks see models and tools
through wrappers, so that the loop between them knows nothing of hooks.
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.llm.completion import collect, deltas
from edgevox.tools import ToolRegistry
from edgevox.tools.coercion import Refused
from edgevox.tools.dispatch import parse_arguments

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

    def after_model(self, ctx: AgentContext, text: str, tool_names: Sequence[str]) -> None:
        """The model has answered with words, or asked for tools, or both."""

    def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> str | dict[str, Any] | None:
        """A tool is about to run; return other arguments, or a sentence that refuses the call."""

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

    def __bool__(self) -> bool:
        """Whether there is any hook."""
        return bool(self._hooks)

    def run_start(self, ctx: AgentContext, task: str) -> None:
        """Tell every hook that a run begins."""
        for hook in self._having("on_run_start"):
            _safely(hook.on_run_start, ctx, task)

    def run_end(self, ctx: AgentContext, result: Any) -> None:
        """Tell every hook that a run is over."""
        for hook in reversed(self._having("on_run_end")):
            _safely(hook.on_run_end, ctx, result)

    def messages(self, ctx: AgentContext, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Let every hook change what the model is asked."""
        for hook in self._having("before_model"):
            messages = _safely(hook.before_model, ctx, messages) or messages
        return messages

    def answered(self, ctx: AgentContext, text: str, tool_names: Sequence[str]) -> None:
        """Tell every hook what the model said."""
        for hook in reversed(self._having("after_model")):
            _safely(hook.after_model, ctx, text, tool_names)

    def arguments(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> str | dict[str, Any]:
        """Let every hook change a call's arguments; a text refuses the call."""
        for hook in self._having("before_tool"):
            try:
                changed = hook.before_tool(ctx, name, arguments)
            except Exception as error:  # a guard that fails must not let the call through
                log.exception("a hook before %s failed", name)
                return f"{name} was not run: a check before it failed ({error})."
            if isinstance(changed, str):
                return changed
            arguments = arguments if changed is None else changed
        return arguments

    def result(self, ctx: AgentContext, result: ToolCallResult) -> ToolCallResult:
        """Let every hook change a call's result."""
        for hook in reversed(self._having("after_tool")):
            result = _safely(hook.after_tool, ctx, result) or result
        return result

    def _having(self, point: str) -> list[Any]:
        return [hook for hook in self._hooks if hasattr(hook, point)]


class HookedModel:
    """A model that shows hooks what it is asked and what it answers."""

    def __init__(self, model: ChatModel, hooks: HookChain, ctx: AgentContext) -> None:
        self._model = model
        self._hooks = hooks
        self._ctx = ctx

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stop_event: threading.Event | None = None,
        stream: bool = False,
        **options: Any,
    ) -> Any:
        """Answer as the model does (`ChatModel.complete`)."""
        changed = self._hooks.messages(self._ctx, [dict(message) for message in messages])
        answer = self._model.complete(
            changed, tools=tools, tool_choice=tool_choice, stop_event=stop_event, stream=stream, **options
        )
        if stream:
            return self._watched(answer)
        self._tell([answer])
        return answer

    def __getattr__(self, name: str) -> Any:
        """Whatever else the model offers (`count_tokens`, `context_size`)."""
        return getattr(self._model, name)

    def _watched(self, answer: Any) -> Iterator[Any]:
        seen: list[Any] = []
        for chunk in deltas(answer):
            seen.append(chunk)
            yield chunk
        self._tell(seen)

    def _tell(self, chunks: list[Any]) -> None:
        whole = collect(chunks)
        self._hooks.answered(self._ctx, whole.text, [call.name for call in whole.calls])


class HookedRegistry(ToolRegistry):
    """A registry whose calls pass through hooks; it knows the tools of another one."""

    def __init__(self, tools: ToolRegistry, hooks: HookChain) -> None:
        super().__init__(tools)
        self._inner = tools
        self._hooks = hooks

    def dispatch(
        self,
        name: str,
        arguments: Any = None,
        ctx: AgentContext | None = None,
        *,
        origin: Origin = Origin.MODEL,
        **details: Any,
    ) -> ToolCallResult:
        """Run a tool as `ToolRegistry.dispatch` does, between its hooks."""
        context = ctx if ctx is not None else AgentContext()
        try:
            given = parse_arguments(name, arguments)
        except Refused:  # the inner registry says what is wrong with them; nothing runs
            return self._inner.dispatch(name, arguments, context, origin=origin, **details)
        allowed = self._hooks.arguments(context, name, given)
        if isinstance(allowed, str):
            return _refused(name, given, allowed, origin, details)
        result = self._inner.dispatch(name, allowed, context, origin=origin, **details)
        return self._hooks.result(context, result)


def _refused(name: str, arguments: dict[str, Any], why: str, origin: Origin, details: Mapping[str, Any]) -> Any:
    result = ToolCallResult(
        name=name, arguments=arguments, status=ResultStatus.DECLINED, error=why, error_code="declined", origin=origin
    )
    use_id, parent = details.get("tool_use_id"), details.get("parent_use_id")
    return replace(result, tool_use_id=use_id or result.tool_use_id, parent_use_id=parent)


def _safely(point: Any, *arguments: Any) -> Any:
    try:
        return point(*arguments)
    except Exception:  # a hook is somebody else's code; the run goes on without it
        log.exception("a hook failed at %s", getattr(point, "__name__", point))
        return None
