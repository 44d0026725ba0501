"""Carries out the steps of a chain agent: runs the tool, keeps and publishes what came of it, applies the error policy.

A link of a chain runs on the thread of the run and costs no hand-over. A tool that asks a person, needs something for
itself or has a time limit goes through dispatch, like any other call of it.
"""

import time
from dataclasses import dataclass
from typing import Any

from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.policy import Retry
from edgevox.chains.scheduler import Interrupted
from edgevox.chains.state import RunState
from edgevox.core.errors import Cancelled, EdgeVoxError, EndpointRefused, ToolFailure
from edgevox.core.messages import Message, Origin, ResultStatus, Role
from edgevox.core.tools import ToolCallResult, ToolSite
from edgevox.core.values import Value
from edgevox.tools import Tool
from edgevox.tools.coercion import Refused
from edgevox.tools.dispatch import Call, run_call
from edgevox.tools.limits import ERROR_LIMIT, RESULT_LIMIT, cut
from edgevox.tools.projection import payload_of
from edgevox.tools.typed import run_typed


@dataclass(slots=True)
class StepRunner:
    """Runs the tools of one run.

    Args:
        state: of the run.
        policy: what becomes of errors.
        told: whether a model will read them; without one, an error that nobody would hear of ends the run.
    """

    state: RunState
    policy: Retry
    told: bool

    def run(self, step: Step) -> Outcome:
        """Run one tool (`scheduler.Runner.run`)."""
        for again in range(self.policy.times + 1):
            self.state.ctx.scope.check()
            self.state.budget.take_step()
            last = again == self.policy.times
            try:
                return self._once(step)
            except Cancelled:  # of a model call that the tool made, perhaps, and not of the run
                if self.state.take_interrupt():
                    raise Interrupted from None
                raise
            except EndpointRefused:  # nobody but a person can mend that; the scheduler asks, where it may
                raise
            except Exception as error:  # whatever a tool raises is what the step came to; the policy decides
                outcome = self._failed(step, error, final=last)
            if last:
                return outcome
        raise AssertionError("a step is tried at least once")

    def fail(self, name: str, error: Exception, after: Outcome) -> Outcome:
        """Keep why a tool could not follow (`scheduler.Runner.fail`)."""
        if self._raises:
            raise error
        code = getattr(error, "code", "failed")
        result = ToolCallResult(
            name=name,
            status=ResultStatus.ERROR,
            error=cut(str(error), ERROR_LIMIT),
            error_code=code,
            origin=Origin.CHAIN,
            parent_use_id=after.use_id,
        )
        self._keep_failure(result)
        return Outcome(tool=after.tool, use_id=after.use_id, result=result, failed=True)

    @property
    def _raises(self) -> bool:
        return self.policy.then == "raise" or not self.told

    def _once(self, step: Step) -> Outcome:
        began = time.perf_counter()
        tool = step.tool
        given = step.value if step.value is not None else tool.bind(step.arguments or {})["input"]
        if _needs_dispatch(tool):
            value = self._dispatched(step, given)
        else:
            value = run_typed(tool, given, self.state.messages, self.state.ctx, source=step.source)
        return self._succeeded(step, value, round((time.perf_counter() - began) * 1000))

    def _dispatched(self, step: Step, given: Value) -> Value:
        call = Call(
            tool=step.tool,
            ctx=self.state.ctx,
            agent_name=self.state.agent_name,
            origin=step.origin,
            tool_use_id=step.use_id,
            parent_use_id=step.parent_use_id,
            result_limit=RESULT_LIMIT,
            on_abandoned=_ignore,
        )
        result = run_call(call, given)
        self.state.ctx.scope.check()
        if not result.ok:
            raise _Ended(result)
        return result.value

    def _succeeded(self, step: Step, value: Value, took_ms: int) -> Outcome:
        result = ToolCallResult(
            name=step.tool.name,
            arguments=_arguments_shown(step),
            tool_use_id=step.use_id,
            result=payload_of(value),
            runtime_ms=took_ms,
            origin=step.origin,
            parent_use_id=step.parent_use_id,
            value=value,
            truncation=value.truncation,
        )
        block = result.to_block()
        self.state.keep(Message.of_blocks(Role.TOOL, block, kind=value.message_kind))
        self.state.ran(result, block)
        return Outcome(value, step.tool, step.use_id, result)

    def _failed(self, step: Step, error: Exception, *, final: bool) -> Outcome:
        if final and self._raises:
            raise error
        result = error.result if isinstance(error, _Ended) else _error_result(step, error)
        if final:
            self._keep_failure(result)
        return Outcome(None, step.tool, step.use_id, result, failed=True)

    def _keep_failure(self, result: ToolCallResult) -> None:
        block = result.to_block()
        self.state.keep(Message.of_blocks(Role.TOOL, block))
        self.state.ran(result, block)


class _Ended(ToolFailure):
    """A call that went through dispatch and did not do what it was asked."""

    def __init__(self, result: ToolCallResult) -> None:
        super().__init__(result.error or "", error_code=result.error_code or "failed")
        self.result = result


def _needs_dispatch(tool: Tool) -> bool:
    return bool(tool.confirm or tool.touches or tool.timeout_s is not None or tool.site is not ToolSite.INLINE)


def _arguments_shown(step: Step) -> dict[str, Any]:
    if step.arguments is not None:
        return step.tool.shown(step.arguments)
    return {}


def _error_result(step: Step, error: Exception) -> ToolCallResult:
    name = step.tool.name
    match error:
        case Refused():
            words, code = str(error), "bad_arguments"
        case ToolFailure():
            words, code = str(error), error.error_code
        case EdgeVoxError() | ValueError() if str(error):
            words, code = str(error), getattr(error, "code", "failed")
        case _:
            words, code = f"{name} failed: {str(error) or type(error).__name__}", "failed"
    return ToolCallResult(
        name=name,
        arguments=_arguments_shown(step),
        tool_use_id=step.use_id,
        status=ResultStatus.ERROR,
        error=cut(step.tool.without_secrets(words, step.arguments or {}), ERROR_LIMIT),
        error_code=code,
        origin=step.origin,
        parent_use_id=step.parent_use_id,
    )


def _ignore(_: object) -> None:
    return None
