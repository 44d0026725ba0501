"""`Retry`: the same agent again when it fails."""

from collections.abc import Generator
from typing import Any, ClassVar

from edgevox.agents.workflows.checks import checked_agent, checked_count, checked_seconds
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow

LONGEST_BACKOFF_S = 30.0


class Retry(Workflow):
    """Asks its agent again when it fails, after a pause that doubles each time and that a stop ends.

    What an attempt's tools did stays done and is shown to the next attempt. All attempts but the last are heard only
    once they have succeeded.

    Args:
        agent: who is asked.
        max_attempts: how often at most, the first time included.
        backoff_s: seconds before the second attempt; twice as long before each further one, 30 at most.
        name: who answers, on the bus; made from the agent's when not given.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "retry"

    def __init__(
        self, agent: Any, max_attempts: int = 3, backoff_s: float = 0.2, *, name: str | None = None, **options: Any
    ) -> None:
        checked_agent(agent, "Retry")
        super().__init__(name if name is not None else f"retry_{agent.name}", (agent,), **options)
        self.max_attempts = checked_count(max_attempts, "max_attempts", self._title)
        self.backoff_s = checked_seconds(backoff_s, "backoff_s", self._title, zero=True)

    @property
    def limits(self) -> dict[str, Any]:
        """How often, and how long it pauses."""
        return {"max_attempts": self.max_attempts, "backoff_s": self.backoff_s}

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        (agent,) = self.children
        faults = list[str]()
        for attempt in range(1, self.max_attempts):
            ended = turn.ask(agent)
            if turn.stopped:
                return
            if not ended.fault:
                yield from turn.answer(ended)
                return
            faults.append(ended.blame)
            if turn.ctx.scope.wait(min(self.backoff_s * 2 ** (attempt - 1), LONGEST_BACKOFF_S)):
                return
        ended = yield from turn.relay(agent)
        if ended.fault and not turn.stopped:
            yield from turn.give_up_on(ended, heard=True)
            turn.error = _counted([*faults, ended.blame])


def _counted(faults: list[str]) -> str:
    """Join what went wrong, the same thing only once."""
    return "; ".join(f"{fault} ({faults.count(fault)} times)" if faults.count(fault) > 1 else fault
                     for fault in dict.fromkeys(faults))  # fmt: skip
