"""Skills of every kind, ended at random moments: each has one end, nothing goes on, nobody waits."""

import asyncio
import random
import threading
import time
from typing import Any

from edgevox.agents import AgentContext, GoalHandle, ToyWorld, skill
from edgevox.core.tools import ToolCallResult
from edgevox.tools import ToolRegistry

ROUNDS = 80


@skill(timeout_s=0.15)
def polls(ctx: AgentContext) -> str:
    """Poll."""
    for _ in range(60):
        if ctx.should_stop():
            return "early"
        time.sleep(0.002)
    return "done"


@skill(timeout_s=0.15)
def waits(handle: GoalHandle) -> None:
    """Wait, and fail when told to end."""
    handle.set_feedback(progress=0.5)
    if handle.wait_cancel(0.1):
        raise RuntimeError("told to end")


@skill
def drives(ctx: AgentContext) -> GoalHandle:
    """Drive."""
    return ctx.deps.apply_action("navigate_to", room="kitchen")


@skill
async def sleeps() -> str:
    """Sleep."""
    await asyncio.sleep(0.1)
    return "rested"


class Round:
    """One call of one skill that is ended, or ends, at some moment."""

    def __init__(self, body: Any, ends_after_s: float, reason: str) -> None:
        self.ctx = AgentContext(deps=ToyWorld(navigate_speed=30.0))
        self.kinds: list[str] = []
        self.result: ToolCallResult | None = None
        self.ctx.bus.subscribe_all(lambda event: self.kinds.append(event.kind))
        self._body, self._reason, self._ends_after_s = body, reason, ends_after_s
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        threading.Timer(self._ends_after_s, self.ctx.scope.cancel, (self._reason,)).start()
        self.result = ToolRegistry(self._body).dispatch(self._body.name, {}, self.ctx)

    def at_rest(self, seconds: float = 5.0) -> bool:
        """Whether nothing goes on, now or soon."""
        until = time.monotonic() + seconds
        while self.ctx.goals.names() and time.monotonic() < until:
            time.sleep(0.005)
        return not self.ctx.goals.names() and not self.ctx.deps.is_moving()


def test_a_storm_of_ends_at_random_moments_leaves_nothing_running_and_nobody_waiting() -> None:
    dice = random.Random(7)
    bodies, reasons = [polls, waits, drives, sleeps], ["stop", "user", "shutdown"]
    rounds = [Round(dice.choice(bodies), dice.uniform(0, 0.2), dice.choice(reasons)) for _ in range(ROUNDS)]
    for one in rounds:
        one.thread.start()
    for one in rounds:
        one.thread.join(20)
    for one in rounds:
        assert one.result is not None
        assert one.result.error_code in (None, "cancelled", "timeout", "halt_unconfirmed"), one.result
        assert one.kinds.count("skill_goal") <= 1
        assert one.kinds.count("skill_cancelled") == (0 if one.result.ok or not one.kinds else 1)
        assert one.at_rest()
