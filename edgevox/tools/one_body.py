"""One machine has one body: ends what is left of earlier actions before a new one moves it.

An action that names `resources` of its own waits for them instead (`edgevox.tools.locks`), and one that only reads
moves nothing. Does not know what the body is.
"""

import time
from collections.abc import Callable
from functools import partial

from edgevox.core.cancel import POLL_S
from edgevox.core.goals import RunningGoals
from edgevox.core.tools import Effect, ToolSite
from edgevox.tools.bodies import made_from
from edgevox.tools.definition import Tool
from edgevox.tools.goals import HALT_GRACE_S
from edgevox.tools.workers import POOL

PREEMPTED = "preempted"
"""Why an action was asked to end when another takes its place."""


def shares_body(tool: Tool) -> bool:
    """Whether the tool is an action that moves the one body."""
    return tool.site is ToolSite.WORKER and tool.effect is not Effect.READ and not tool.resources


def free_the_body(goals: RunningGoals, over: Callable[[], bool]) -> str | None:
    """Ask what is left of earlier actions to end, and wait half a second at most.

    Args:
        goals: of the assistant.
        over: whether the turn has ended, and with it the wait.

    Returns:
        The name of an action that did not end; `None` when nothing is in the way.
    """
    moving = [(name, handle) for name, handle in goals.left_moving() if not made_from(handle)]
    for name, handle in moving:
        POOL.submit(partial(handle.cancel, PREEMPTED), f"cancel of {name}")
    deadline = time.monotonic() + HALT_GRACE_S
    for name, handle in moving:
        while not handle.poll(POLL_S).is_terminal():
            if over() or time.monotonic() >= deadline:
                return name
    return None
