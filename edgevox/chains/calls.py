"""Carries out what a model asks for, and what is chained to that, through a registry of tools.

Knows hooks, what need not run again, and who is told. The calls of one message run side by side where that is safe
(`batch`); a chained tool runs when the one before it is done. Nothing here asks a model.
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from edgevox.chains.batch import PlannedCall, run_calls
from edgevox.chains.budget import Budget
from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.repeats import RepeatGuard
from edgevox.core.characters import encodable_data
from edgevox.core.completion import ToolCall
from edgevox.core.listeners import told
from edgevox.core.messages import Message, Origin, ResultStatus, Role, ToolUseBlock
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools import ToolRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopHooks:
    """Where an agent may look in, or change what happens. Each may be left out."""

    before_model: Callable[[list[dict[str, Any]]], list[dict[str, Any]] | None] | None = None
    """Given the messages the model is about to see; returns others, or `None` to leave them."""
    after_model: Callable[[Message], object] | None = None
    """Given what the model answered."""
    before_tool: Callable[[ToolUseBlock], ToolCallResult | None] | None = None
    """Given a call that is about to run; a result returned here stands in for running it."""
    after_tool: Callable[[ToolCallResult], ToolCallResult | None] | None = None
    """Given a result; returns another, or `None` to leave it."""


def _never(_: ToolCallResult) -> bool:
    return False


@dataclass(slots=True, kw_only=True)
class CallRunner:
    """Runs the calls of one turn.

    Args:
        registry: the tools.
        ctx: what they may reach; its end ends the turn.
        agent_name: who publishes.
        keep: told each message when it is final.
        on_tool_call: told each result.
        hooks: looked in on around each call.
        quiet: tools whose calls are in the conversation, but neither published nor counted.
        ends_turn: says whether a result ends the turn; of several in one message the first counts.
        budget: of the turn.
        guard: knows what was done before in the turn; without one, the same call runs as often as it is made.
    """

    registry: ToolRegistry
    ctx: AgentContext
    agent_name: str
    keep: Callable[[Message], object]
    on_tool_call: Callable[[ToolCallResult], object]
    hooks: LoopHooks
    budget: Budget
    quiet: Collection[str] = ()
    ends_turn: Callable[[ToolCallResult], bool] = _never
    guard: RepeatGuard | None = None
    results: list[ToolCallResult] = field(default_factory=list[ToolCallResult])
    """What ran in this turn; what was only answered again is not in it."""
    replayed: set[str] = field(default_factory=set[str])
    """Calls that were answered with what the same call came to before."""

    def run_all(self, calls: Sequence[ToolCall]) -> list[ToolCallResult]:
        """Run the calls of one message; returns their results in its order, as far as they came."""
        outcomes: dict[int, ToolCallResult] = {}
        planned: list[PlannedCall] = []
        for index, call in enumerate(calls):
            ready = self._without_running(call)
            if ready is not None:
                outcomes[index] = ready
            else:
                self.budget.take_step()
                planned.append(PlannedCall(index=index, name=call.name, arguments=parsed(call), use_id=call.use_id))
        ordered: list[ToolCallResult] = []
        try:
            for done, result in run_calls(planned, self.registry, self.ctx, self.agent_name):
                outcomes[done.index] = self._observed(result)
        finally:
            ordered = self._one_ending([outcomes[index] for index in sorted(outcomes)])
            self._record(ordered)
        return ordered

    def run(self, step: Step) -> Outcome:
        """Run a chained tool (`scheduler.Runner.run`); what it fails with is told to the model."""
        self.ctx.scope.check()
        self.budget.take_step()
        use = ToolUseBlock(
            tool_name=step.tool.name, tool_use_id=step.use_id, origin=step.origin, parent_use_id=step.parent_use_id
        )
        result = self.hooks.before_tool(use) if self.hooks.before_tool is not None else None
        if result is None:
            result = self.registry.dispatch(
                step.tool.name,
                step.arguments if step.arguments is not None else step.value,
                self.ctx,
                origin=step.origin,
                tool_use_id=step.use_id,
                parent_use_id=step.parent_use_id,
                agent_name=self.agent_name,
            )
        result = self._observed(replace(result, origin=step.origin, parent_use_id=step.parent_use_id))
        self._record([result])
        return Outcome(result.value, step.tool, step.use_id, result, failed=not result.ok)

    def fail(self, name: str, error: Exception, after: Outcome) -> Outcome:
        """Tell the model why a tool could not follow (`scheduler.Runner.fail`)."""
        result = ToolCallResult(
            name=name,
            status=ResultStatus.ERROR,
            error=str(error),
            error_code=getattr(error, "code", "failed"),
            origin=Origin.CHAIN,
            parent_use_id=after.use_id,
        )
        self._record([self._observed(result)])
        return Outcome(None, after.tool, after.use_id, result, failed=True)

    def outcomes(self, results: Sequence[ToolCallResult]) -> list[Outcome]:
        """The results of a message as what chains may follow; what was only answered again begins none."""
        return [
            Outcome(result.value, self.registry.get(result.name), result.tool_use_id, result, failed=not result.ok)
            for result in results
            if result.tool_use_id not in self.replayed
        ]

    def _one_ending(self, results: list[ToolCallResult]) -> list[ToolCallResult]:
        """Let the first result that ends the turn count, and answer the others that would so."""
        first = next((result for result in results if self.ends_turn(result)), None)
        return [
            _declined(result, first) if first is not None and result is not first and self.ends_turn(result) else result
            for result in results
        ]

    def _without_running(self, call: ToolCall) -> ToolCallResult | None:
        """Answer a call that need not run: it has been done in this turn, or a hook answers it."""
        block = ToolUseBlock(tool_name=call.name, tool_use_id=call.use_id, input=_shown(self.registry, call))
        if call.name not in self.quiet:
            self.ctx.emit("tool_use", self.agent_name, block)
        done = self.guard.already(call.name, call.arguments, call.use_id) if self.guard is not None else None
        if done is not None:
            self.replayed.add(call.use_id)
            return done
        return self.hooks.before_tool(block) if self.hooks.before_tool is not None else None

    def _observed(self, result: ToolCallResult) -> ToolCallResult:
        if self.hooks.after_tool is not None:
            result = self.hooks.after_tool(result) or result
        if result.name in self.quiet:
            return result
        if result.error_code != "unknown_tool":
            self.ctx.emit("tool_call", self.agent_name, result)
        told(self.on_tool_call, result)
        return result

    def _record(self, results: Sequence[ToolCallResult]) -> None:
        if not results:
            return
        blocks = tuple(result.to_block() for result in results)
        self.keep(Message(role=Role.TOOL, content=blocks))
        self.results.extend(result for result in results if result.tool_use_id not in self.replayed)
        for block in blocks:
            if block.tool_name not in self.quiet:
                self.ctx.emit("tool_result", self.agent_name, block)


def parsed(call: ToolCall) -> dict[str, Any] | str:
    """The arguments as an object; as the text that they are where they are none."""
    try:
        value = json.loads(call.arguments)
    except ValueError:
        return call.arguments
    if not isinstance(value, dict):
        return call.arguments
    return cast("dict[str, Any]", encodable_data(value))


def _shown(registry: ToolRegistry, call: ToolCall) -> dict[str, Any]:
    """The arguments as they may be published: secrets are covered."""
    arguments = parsed(call)
    tool = registry.get(call.name)
    if not isinstance(arguments, dict):
        return {}
    return dict(tool.shown(arguments)) if tool is not None else arguments


def _declined(result: ToolCallResult, first: ToolCallResult) -> ToolCallResult:
    words = f"{result.name} was not followed: {first.name} came first, and only one can take the turn."
    return replace(result, status=ResultStatus.DECLINED, result=None, value=None, error=words, error_code="declined")
