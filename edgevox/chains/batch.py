"""Runs the tool calls of one message: side by side where that is safe, in order where it is not.

Knows which calls may overlap and that a stop ends the wait. The calls themselves run in `ToolRegistry.dispatch`.
"""

import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from edgevox.core.cancel import POLL_S
from edgevox.core.messages import ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, ToolCallResult, ToolSite
from edgevox.tools import ToolRegistry

GRACE_S = 1.0
"""How long calls under way are waited for after a stop; each of them ends itself well before."""

MOTION = "motion"
"""What skills that name no resource of their own share: one machine has one body."""
PERSON = "person"
"""What calls that ask a person share: one question at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call that is going to run."""

    index: int
    """Its place among the calls of the message."""
    name: str
    arguments: dict[str, Any] | str | None
    use_id: str


def resources_of(registry: ToolRegistry, name: str) -> frozenset[str]:
    """Return what a call of the tool needs for itself."""
    tool = registry.get(name)
    if tool is None:
        return frozenset()
    shared = {PERSON} if tool.confirm else set[str]()
    if tool.site is ToolSite.WORKER and tool.effect is not Effect.READ and not tool.resources:
        shared.add(MOTION)
    return tool.resources | shared


def lanes(calls: Sequence[PlannedCall], registry: ToolRegistry) -> list[list[PlannedCall]]:
    """Group calls so that those of one group run in order and different groups may run side by side."""
    groups: list[tuple[frozenset[str], list[PlannedCall]]] = []
    for call in calls:
        needs = resources_of(registry, call.name)
        touching = [group for group in groups if group[0] & needs]
        merged = sorted([each for group in touching for each in group[1]] + [call], key=lambda each: each.index)
        names = frozenset[str]().union(needs, *(group[0] for group in touching))
        groups = [group for group in groups if group not in touching] + [(names, merged)]
    return [group[1] for group in groups]


def run_calls(
    calls: Sequence[PlannedCall], registry: ToolRegistry, ctx: AgentContext, agent_name: str
) -> Iterator[tuple[PlannedCall, ToolCallResult]]:
    """Run the calls and yield each with its result as soon as there is one.

    A call that has not begun when the scope ends is cancelled; one that does not come back in time is reported so.

    Raises:
        ControlFlow: what a tool raised to divert the turn.
    """
    groups = lanes(calls, registry)
    if len(groups) == 1:
        for call in groups[0]:
            yield call, _run(call, registry, ctx, agent_name)
        return
    yield from _side_by_side(groups, registry, ctx, agent_name)


Finished = tuple[PlannedCall, ToolCallResult | BaseException]


def _side_by_side(
    groups: Sequence[Sequence[PlannedCall]], registry: ToolRegistry, ctx: AgentContext, agent_name: str
) -> Iterator[tuple[PlannedCall, ToolCallResult]]:
    finished: queue.SimpleQueue[Finished] = queue.SimpleQueue()

    def run_lane(lane: Sequence[PlannedCall]) -> None:
        for call in lane:
            try:
                finished.put((call, _run(call, registry, ctx, agent_name)))
            except BaseException as error:
                finished.put((call, error))

    for lane in groups:
        threading.Thread(target=run_lane, args=(lane,), name=f"tools-{lane[0].name}", daemon=True).start()
    waiting = {call.use_id: call for lane in groups for call in lane}
    patience = GRACE_S
    while waiting and patience > 0:
        try:
            call, outcome = finished.get(timeout=POLL_S)
        except queue.Empty:
            patience -= POLL_S if ctx.scope.cancelled else 0
            continue
        if isinstance(outcome, BaseException):
            raise outcome
        del waiting[call.use_id]
        yield call, outcome
    for call in waiting.values():
        yield call, _cancelled(call, "it was told to end and has not said that it did")


def _run(call: PlannedCall, registry: ToolRegistry, ctx: AgentContext, agent_name: str) -> ToolCallResult:
    if ctx.scope.cancelled:
        return _cancelled(call, "the turn ended before it began")
    return registry.dispatch(call.name, call.arguments, ctx, tool_use_id=call.use_id, agent_name=agent_name)


def _cancelled(call: PlannedCall, why: str) -> ToolCallResult:
    return ToolCallResult(
        name=call.name,
        arguments=call.arguments if isinstance(call.arguments, dict) else {},
        tool_use_id=call.use_id,
        status=ResultStatus.CANCELLED,
        error=f"{call.name} was cancelled: {why}.",
        error_code="cancelled",
    )
