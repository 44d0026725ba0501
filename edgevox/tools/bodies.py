"""Runs the bodies of actions on workers, each behind a handle that speaks for it whatever the body does.

Knows how a body's end becomes its handle's, and which actions a call is made from. Waiting for an action, and telling
about it, is `edgevox.tools.goals`' business.
"""

import contextvars
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from edgevox.core.cancel import CancelReason
from edgevox.core.errors import EdgeVoxError, ToolFailure
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.core.session import AgentContext
from edgevox.tools.workers import POOL, Job

log = logging.getLogger(__name__)

AT_ONCE_S = 0.05
"""Seconds that a body which hands an action over may take before the caller gets a handle of its own instead."""
WATCH_S = 0.02
"""How often the context of an action that nobody drives is looked at, seconds."""

_within: contextvars.ContextVar[frozenset[int]] = contextvars.ContextVar("edgevox_within_actions", default=frozenset())


def start_body(body: Callable[[GoalHandle], Any], name: str, handle: GoalHandle | None = None) -> GoalHandle:
    """Run the body of an action on a worker and return its handle at once.

    The handle succeeds with what the body returns, fails with what it raises, and is cancelled if the body returns
    after it was asked to end. A body that ends its handle itself has the last word.

    Args:
        body: called with the handle; looks at `handle.should_cancel()` often.
        name: for messages.
        handle: the handle to end; a new one when not given.
    """
    own = handle if handle is not None else GoalHandle()

    def run() -> Any:
        _within.set(_within.get() | {id(own)})
        return body(own)

    _follow(own, POOL.submit(run, name), name)
    return own


def begin(call: Callable[[], Any], name: str) -> GoalHandle:
    """Begin an action whose body hands it over, and return a handle at once, even if the body hangs.

    Args:
        call: returns the handle of the action, or the result of one that is over already.
        name: for messages.
    """
    job = POOL.submit(call, name)
    job.wait(None, AT_ONCE_S)
    if job.finished and isinstance(job.value, GoalHandle):
        return job.value
    own = GoalHandle()
    _follow(own, job, name)
    return own


def attend(handle: GoalHandle, ctx: AgentContext, name: str, limit_s: float | None) -> None:
    """See to it that an action which nobody waits for ends with its context and at its time limit.

    Args:
        handle: of the action.
        ctx: whose end is the action's; a barge-in only where the policy of the context says so.
        name: for messages.
        limit_s: seconds it may take; `None` has no limit.
    """
    deadline = None if limit_s is None else time.monotonic() + limit_s

    def watch() -> None:
        while not handle.poll(WATCH_S).is_terminal():
            reason = _over(ctx, deadline)
            if reason is not None:
                handle.cancel(reason)
                return

    POOL.submit(watch, f"watching {name}")


def made_from(handle: GoalHandle) -> bool:
    """Whether this call is made from the body of that action, which therefore must not be ended for it."""
    return id(handle) in _within.get()


def _over(ctx: AgentContext, deadline: float | None) -> str | None:
    reason = ctx.scope.reason
    if reason is not None and (reason != CancelReason.BARGE_IN or getattr(ctx.interrupt, "cancel_skills", False)):
        return reason
    return CancelReason.TIMEOUT if deadline is not None and time.monotonic() >= deadline else None


def _follow(handle: GoalHandle, job: Job, name: str) -> None:
    job.on_end(lambda ended: _settle(handle, ended.value, ended.error, name))


def _settle(handle: GoalHandle, value: Any, error: BaseException | None, name: str) -> None:
    if isinstance(value, GoalHandle):
        handle.on_cancel(partial(_pass_cancel_on, handle, value))
        value.on_end(lambda: _copy(value, handle))
    elif handle.should_cancel():
        handle.mark_cancelled(str(error) if error is not None and str(error) else None)
    elif error is None:
        handle.succeed(value)
    else:
        log.warning("%s failed", name, exc_info=error)
        said = isinstance(error, ValueError | ToolFailure | EdgeVoxError) and str(error)
        handle.fail(said or f"{name} failed: {str(error) or type(error).__name__}")


def _pass_cancel_on(outer: GoalHandle, inner: GoalHandle) -> None:
    inner.cancel(outer.cancel_reason or CancelReason.USER)


def _copy(source: GoalHandle, target: GoalHandle) -> None:
    if source.status is GoalStatus.SUCCEEDED:
        target.succeed(source.result)
    elif source.status is GoalStatus.CANCELLED:
        target.mark_cancelled(source.error)
    else:
        target.fail(source.error or "failed")
