"""`Fallback`: the first agent that has an answer."""

from collections.abc import Generator, Sequence
from typing import Any, ClassVar

from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow


class Fallback(Workflow):
    """Asks its agents in order until one answers: not with nothing, not with an error, not by raising.

    All but the last are heard only once they have succeeded; the last is heard as it speaks.

    Args:
        name: who answers, on the bus.
        agents: in order.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "fallback"

    def __init__(self, name: str, agents: Sequence[Any], **options: Any) -> None:
        super().__init__(name, agents, **options)

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        *first, last = self.children
        faults, apology = list[str](), ""
        for agent in first:
            ended = turn.ask(agent)
            if turn.stopped:
                return
            if not ended.fault:
                yield from turn.answer(ended)
                return
            faults.append(ended.blame)
            apology = ended.apology or apology
        ended = yield from turn.relay(last)
        if not ended.fault or turn.stopped:
            return
        error = "; ".join([*faults, ended.blame])
        if ended.apology:  # it has been heard
            turn.error = error
        else:
            yield from turn.give_up(error, apology)
