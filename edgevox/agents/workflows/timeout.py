"""`Timeout`: an agent that may not take longer than so many seconds."""

from collections.abc import Generator
from typing import Any, ClassVar

from edgevox.agents.workflows.checks import checked_agent, checked_seconds
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.words import took_too_long
from edgevox.agents.workflows.workflow import Workflow
from edgevox.core.cancel import CancelReason


class Timeout(Workflow):
    """Ends its agent when the time is over, and says so. The reply is heard as it comes.

    When the time is over the agent's own stop is set at once. When the run has ended, the `stop` of the context that
    it was called with is set too: within another workflow that is a scope of this run alone, so that its siblings and
    whatever comes after it go on; called directly it is the caller's, who can see by it what happened.

    Args:
        agent: who is asked.
        seconds: how long it may take, wall-clock.
        name: who answers, on the bus; made from the agent's when not given.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "timeout"

    def __init__(self, agent: Any, seconds: float, *, name: str | None = None, **options: Any) -> None:
        checked_agent(agent, "Timeout")
        super().__init__(name if name is not None else f"timeout_{agent.name}", (agent,), **options)
        self.seconds = checked_seconds(seconds, "seconds", self._title)

    @property
    def limits(self) -> dict[str, Any]:
        """How long."""
        return {"seconds": self.seconds}

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        (agent,) = self.children
        ended = yield from turn.relay(agent, seconds=self.seconds)
        if turn.stopped or not ended.fault:
            return
        if ended.timed_out:
            turn.timed_out = True
            yield from turn.give_up(ended.blame, took_too_long(turn.ctx.language))
        else:
            yield from turn.give_up_on(ended, heard=True)

    def _let_go(self, turn: WorkflowTurn) -> None:
        if turn.timed_out:
            turn.ctx.scope.cancel(CancelReason.TIMEOUT)
