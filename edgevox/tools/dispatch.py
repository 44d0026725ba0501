"""One call of one tool, from its arguments to its result: check, ask, wait for resources, run, bound.

Whatever the body does (raise, exit, hang, return megabytes), a result comes out, soon after a stop at the latest.
"""

import inspect
import json
import logging
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from edgevox.core.cancel import CancelScope
from edgevox.core.characters import encodable_data
from edgevox.core.errors import Cancelled, ControlFlow, EdgeVoxError, ToolDefinitionError, ToolFailure
from edgevox.core.goals import GoalHandle
from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.redaction import redacted
from edgevox.core.running import running
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult, ToolSite, new_use_id
from edgevox.core.values import Value
from edgevox.tools.approval import approver_of, ask, question
from edgevox.tools.bodies import start_body
from edgevox.tools.coercion import Refused
from edgevox.tools.definition import Tool
from edgevox.tools.goals import HALT_GRACE_S, GoalDriver, GoalEnd, GoalNews, GoalOutcome
from edgevox.tools.leave import take_leave, touched_by
from edgevox.tools.limits import ERROR_LIMIT, bounded, cut
from edgevox.tools.locks import LOCKS, Hold, note_held
from edgevox.tools.one_body import BODY, end_what_is_left, free_the_body, moves_of
from edgevox.tools.projection import checked_output, payload_of, project
from edgevox.tools.workers import Job, Waited, start

log = logging.getLogger(__name__)

DEFAULT_TIMEOUT_S = 30.0
"""Seconds a tool may take that does not say so itself; a voice has given up long before."""
DONE = "done"
"""What the model reads when a function returned nothing."""

Arguments = Mapping[str, Any] | Value | str | None
"""What a call is made with: an object, its JSON text, or the value that another tool returned."""


@dataclass(slots=True, kw_only=True)
class Call:
    """One call under way."""

    tool: Tool
    ctx: AgentContext | None
    agent_name: str = ""
    origin: Origin = Origin.MODEL
    tool_use_id: str = field(default_factory=new_use_id)
    parent_use_id: str | None = None
    result_limit: int
    on_abandoned: Callable[[Job], object]
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    touched: frozenset[str] = frozenset()
    """The resources that it holds while it runs, and has leave for."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def scope(self) -> CancelScope | None:
        """What ends the call from outside."""
        return self.ctx.scope if self.ctx is not None else None

    def result(self, **outcome: Any) -> ToolCallResult:
        """Make the result of this call."""
        return ToolCallResult(
            name=self.tool.name,
            arguments=self.tool.shown(self.arguments),
            tool_use_id=self.tool_use_id,
            runtime_ms=round((time.perf_counter() - self.began) * 1000),
            origin=self.origin,
            parent_use_id=self.parent_use_id,
            **outcome,
        )

    def failure(self, words: str, code: str, status: ResultStatus = ResultStatus.ERROR) -> ToolCallResult:
        """Make the result of a call that did not do what it was asked."""
        words = self.tool.without_secrets(words, self.arguments)
        return self.result(status=status, error=cut(words, ERROR_LIMIT), error_code=code)

    def cancelled(self) -> ToolCallResult:
        """Make the result of a call whose turn ended."""
        reason = (self.scope.reason if self.scope is not None else None) or "cancelled"
        return self.failure(f"{self.tool.name} was cancelled ({reason}).", "cancelled", ResultStatus.CANCELLED)


def run_call(call: Call, arguments: Arguments) -> ToolCallResult:
    """Carry out one call; never raises but for control flow that the body raised."""
    try:
        if isinstance(arguments, Value):
            kwargs = _handed_on(call.tool, arguments)
        else:
            call.arguments = parse_arguments(call.tool.name, arguments)
            kwargs = call.tool.bind(call.arguments)
    except (Refused, EdgeVoxError) as error:
        return call.failure(str(error), "bad_arguments")
    except RecursionError:
        return call.failure(f"{call.tool.name}: the arguments are nested too deeply.", "bad_arguments")
    if call.scope is not None and call.scope.cancelled:
        return call.cancelled()
    call.arguments = _as_checked(call, kwargs)
    try:
        call.touched = touched_by(call.tool, kwargs, call.ctx)
    except Exception:  # a function of the application's; what is not known is not permitted
        log.exception("what %s would touch cannot be told", call.tool.name)
        return call.failure(f"{call.tool.name} failed: it cannot be told what it would touch.", "failed")
    return _without_leave(call) or _with_resources(call, kwargs)


def _handed_on(tool: Tool, value: Value) -> dict[str, Any]:
    """Bind the value that another tool returned."""
    if tool.input_model is None:
        raise Refused(f"{tool.name} takes arguments, not a value of another tool.")
    return {"input": project(value, tool.input_model, tool.name)}


def parse_arguments(name: str, arguments: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """Read a call's arguments, which a model may have written as text.

    Raises:
        Refused: they are not an object.
    """
    if isinstance(arguments, str):
        try:
            arguments = encodable_data(json.loads(arguments)) if arguments.strip() else None
        except ValueError as error:
            raise Refused(f"the arguments of {name} are not valid JSON: {error}.") from error
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise Refused(f'the arguments of {name} must be a JSON object such as {{"name": "value"}}.')
    return {str(key): value for key, value in arguments.items()}


def _as_checked(call: Call, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Show the call with the values that the body gets, as far as JSON holds them."""
    if call.tool.is_typed:
        kwargs = payload_of(kwargs["input"])
    return {name: bounded(value, call.result_limit) for name, value in kwargs.items()}


def _without_leave(call: Call) -> ToolCallResult | None:
    """Get leave for what the call touches, and a yes if the tool wants one; a result comes back when it ends here.

    A person who has just said yes to what it touches has said yes to the call.
    """
    words = ""
    if call.ctx is not None and call.tool.asks_first(call.origin):
        words = question(call.tool, call.arguments, call.ctx.language)
    decision = take_leave(call.tool, call.touched, call.ctx, words, call.agent_name)
    if call.scope is not None and call.scope.cancelled:
        return call.cancelled()
    if decision is None or (decision.allowed and not decision.history):
        return _approved(call)
    if decision.allowed:
        call.began = time.perf_counter()
        return None
    code = "not_permitted" if decision.reason == "rule" else "declined"
    return call.failure(decision.message, code, ResultStatus.DECLINED)


def _approved(call: Call) -> ToolCallResult | None:
    """Ask a person if the tool wants that; a result comes back when the call ends here."""
    if not call.tool.asks_first(call.origin):
        return None
    scope = call.scope if call.scope is not None else CancelScope()
    language = call.ctx.language if call.ctx is not None else "en"
    answer = ask(call.tool, call.arguments, approver_of(call.ctx), scope, language)
    if scope.cancelled:
        return call.cancelled()
    if answer.approved:
        call.began = time.perf_counter()
        return None
    why = {"timeout": "nobody answered in time", "nobody": "nobody was there to say yes"}.get(
        answer.by, "the person said no"
    )
    return call.failure(f"{call.tool.name} was not run: {why}.", "declined", ResultStatus.DECLINED)


def _with_resources(call: Call, kwargs: dict[str, Any]) -> ToolCallResult:
    limit = _time_limit(call.tool)
    if call.ctx is not None:
        end_what_is_left(call.ctx.goals, moves_of(call.tool) - {BODY})
    hold = LOCKS.acquire(call.touched, call.scope, limit if limit is not None else DEFAULT_TIMEOUT_S)
    if hold is Waited.CANCELLED:
        return call.cancelled()
    if not isinstance(hold, Hold):
        busy = ", ".join(sorted(call.touched))
        return call.failure(f"{call.tool.name} could not start: {busy} is busy.", "busy")
    refused = _with_the_body(call)
    if refused is not None:
        hold.release()
        return refused
    with running(call.ctx, call.agent_name) if call.ctx is not None else nullcontext():
        job = start(_body(call, kwargs, hold), call.tool.name, is_async=_is_async(call.tool.fn))
    try:
        return _outcome(call, job, limit)
    finally:
        job.on_end(partial(_give_back, hold))


def _with_the_body(call: Call) -> ToolCallResult | None:
    """End what is left of earlier actions, if the call moves what they move; a result comes back when it may not."""
    if call.ctx is None or BODY not in moves_of(call.tool):
        return None
    scope = call.ctx.scope
    in_the_way = free_the_body(call.ctx.goals, lambda: scope.cancelled)
    if scope.cancelled:
        return call.cancelled()
    if in_the_way is None:
        return None
    return call.failure(f"{call.tool.name} could not start: {in_the_way} still runs and does not end.", "busy")


def _give_back(hold: Hold, job: Job) -> None:
    """Give the resources back when the body, and the action that it began, are really over."""
    if isinstance(job.value, GoalHandle):
        job.value.on_end(hold.release)
    else:
        hold.release()


def _body(call: Call, kwargs: dict[str, Any], hold: Hold) -> Callable[[], Any]:
    tool = call.tool
    if tool.inject:
        ctx = call.ctx if call.ctx is not None else AgentContext()
        kwargs = kwargs | dict.fromkeys(tool.inject, ctx)
    if tool.is_typed:
        messages = call.ctx.session.messages if call.ctx is not None else []
        kwargs = kwargs | {"messages": messages}
    run = partial(tool.fn, **kwargs)
    handle_name = tool.signature.handle
    begin = run if handle_name is None else lambda: start_body(lambda own: run(**{handle_name: own}), tool.name)
    if not call.touched:
        return begin

    def run_holding() -> Any:
        note_held(hold)
        return begin()

    return run_holding


def _outcome(call: Call, job: Job, limit: float | None) -> ToolCallResult:
    began = time.monotonic()
    waited = job.wait(call.scope, limit)
    if waited is not Waited.DONE and not _comes_back(call, job):
        return _given_up(call, job, waited, limit)
    if job.error is not None:
        return _failed(call, job.error)
    if isinstance(job.value, GoalHandle):
        return _driven(call, job.value, time.monotonic() - began)
    return _succeeded(call, job.value)


def _comes_back(call: Call, job: Job) -> bool:
    """Give up on a body; one that begins an action gets a moment, for what it begins has to be ended."""
    job.abandon()
    return call.tool.site is ToolSite.WORKER and job.wait(None, HALT_GRACE_S) is Waited.DONE


def _given_up(call: Call, job: Job, waited: Waited, limit: float | None) -> ToolCallResult:
    job.on_end(_cancel_late_goal)
    call.on_abandoned(job)
    if waited is Waited.TIMEOUT:
        words = f"{call.tool.name} did not answer within {limit:g} seconds; it may still be running."
        return call.failure(words, "timeout")
    if call.tool.site is not ToolSite.WORKER:
        return call.cancelled()
    words = f"{call.cancelled().error} The halt is not confirmed; it has not come back and may still begin to move."
    return call.failure(words, GoalEnd.HALT_UNCONFIRMED.value, ResultStatus.CANCELLED)


def _cancel_late_goal(job: Job) -> None:
    """An action that begins after everybody gave up must not go on."""
    if isinstance(job.value, GoalHandle):
        log.warning("%s began after its call had ended; cancelling it", job.name)
        job.value.cancel()


def _driven(call: Call, handle: GoalHandle, spent_s: float) -> ToolCallResult:
    news = GoalNews(name=call.tool.name, tool_use_id=call.tool_use_id, arguments=call.tool.shown(call.arguments))
    agent_name = call.agent_name or call.tool.owner or call.tool.name
    driver = GoalDriver(
        handle,
        news,
        call.ctx,
        agent_name,
        call.tool.timeout_s,
        spent_s=spent_s,
        moves=moves_of(call.tool),
    )
    outcome: GoalOutcome = driver.drive()
    match outcome.end:
        case GoalEnd.SUCCEEDED:
            return _succeeded(call, outcome.result)
        case GoalEnd.FAILED:
            return call.failure(outcome.error, "failed")
        case GoalEnd.TIMEOUT:
            return call.failure(outcome.error, "timeout")
        case GoalEnd.CANCELLED | GoalEnd.HALT_UNCONFIRMED | GoalEnd.LEFT_RUNNING:
            return call.failure(outcome.error, outcome.end.value, ResultStatus.CANCELLED)


def _succeeded(call: Call, value: Any) -> ToolCallResult:
    if isinstance(value, ToolCallResult):
        words = value.error and cut(value.error, ERROR_LIMIT)
        result = bounded(value.result, call.result_limit)
        return call.result(status=value.status, result=result, error=words, error_code=value.error_code, value=value)
    if call.tool.is_typed:
        try:
            value = checked_output(value, call.tool.output_models, call.tool.name)
        except ToolDefinitionError as error:
            return call.failure(str(error), error.code)
    truncation = value.truncation if isinstance(value, Value) else ()
    try:
        payload = payload_of(value) if isinstance(value, Value) else value
        result = DONE if payload is None else bounded(payload, call.result_limit)
    except Exception:  # an object whose fields fail when they are read is still a result
        log.exception("the result of %s cannot be read", call.tool.name)
        result = f"[{type(value).__name__}]"
    return call.result(result=result, value=value, truncation=truncation)


def _failed(call: Call, error: BaseException) -> ToolCallResult:
    name = call.tool.name
    match error:
        case Cancelled():
            return call.cancelled()
        case ControlFlow():
            raise error
        case ToolFailure():
            return call.failure(str(error), error.error_code)
        case ValueError() | EdgeVoxError() if str(error):
            return call.failure(str(error), getattr(error, "code", "failed"))
        case SystemExit() | KeyboardInterrupt():
            log.warning("%s tried to end the program (%s)", name, type(error).__name__)
            return call.failure(f"{name} failed: it tried to end the program.", "failed")
        case _:
            trace = "".join(traceback.format_exception(error))
            log.warning("%s failed\n%s", name, redacted(call.tool.without_secrets(trace, call.arguments)))
            return call.failure(f"{name} failed: {_told(error, call.ctx)}", "failed")


def _told(error: BaseException, ctx: AgentContext | None) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, AttributeError) and error.obj is None and (ctx is None or ctx.deps is None):
        return f"{text}; there is no world here, so give one as deps"
    return text


def _time_limit(tool: Tool) -> float | None:
    if tool.timeout_s is not None:
        return tool.timeout_s
    return None if tool.site is ToolSite.WORKER else DEFAULT_TIMEOUT_S


def _is_async(fn: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(cast("Any", getattr(fn, "__call__", None)))  # noqa: B004
