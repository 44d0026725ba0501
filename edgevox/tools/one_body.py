"""One machine has one body: ends what is left of earlier actions before a new one moves the same.

An action that names `resources` of its own moves these and nothing else, and then waits for them as long as it may
(`edgevox.tools.locks`). One that only reads moves nothing. Does not know what the body is.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial

from edgevox.core.cancel import POLL_S
from edgevox.core.goals import GoalHandle, RunningGoals
from edgevox.core.tools import Effect, ToolSite
from edgevox.tools.bodies import made_from
from edgevox.tools.definition import Tool
from edgevox.tools.goals import HALT_GRACE_S
from edgevox.tools.workers import POOL

PREEMPTED = "preempted"
"""Why an action was asked to end when another takes its place."""
BODY = ""
"""What every action moves that names no resource of its own."""


def moves_of(tool: Tool) -> frozenset[str]:
    """Return names of what the tool moves, if it is an action that moves anything."""
    if tool.site is not ToolSite.WORKER or tool.effect is Effect.READ:
        return frozenset()
    return tool.resources or frozenset({BODY})


def end_what_is_left(goals: RunningGoals, moves: Iterable[str]) -> list[tuple[str, GoalHandle]]:
    """Ask what is left of earlier actions to end, without waiting for it.

    Args:
        goals: of the assistant.
        moves: names of what the next action moves.

    Returns:
        Those that were asked, with their names.
    """
    moving = [(name, handle) for name, handle in goals.left_moving(moves) if not made_from(handle)]
    for name, handle in moving:
        POOL.submit(partial(handle.cancel, PREEMPTED), f"cancel of {name}")
    return moving


def free_the_body(goals: RunningGoals, over: Callable[[], bool]) -> str | None:
    """Ask what is left of earlier actions to end, and wait half a second at most.

    Args:
        goals: of the assistant.
        over: whether the turn has ended, and with it the wait.

    Returns:
        The name of an action that did not end; `None` when nothing is in the way.
    """
    moving = end_what_is_left(goals, {BODY})
    deadline = time.monotonic() + HALT_GRACE_S
    for name, handle in moving:
        while not handle.poll(POLL_S).is_terminal():
            if over() or time.monotonic() >= deadline:
                return name
    return None
