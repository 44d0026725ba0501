"""`Parallel`: several agents at the same time, one reply."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any, ClassVar

from edgevox.agents.protocol import AgentResult
from edgevox.agents.workflows.checks import checked_function
from edgevox.agents.workflows.child import Ended, said_of
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow
from edgevox.core.errors import FAULTS

BETWEEN = "\n\n"
"""What stands between the replies of two agents."""


class Parallel(Workflow):
    """Asks all its agents at once, each in a conversation of its own, and makes one reply of theirs.

    A child that fails is left out; only when all fail has the workflow failed. Agents that share a language model take
    turns with it: what overlaps is their tools, their waiting and the models of other agents.

    Args:
        name: who answers, on the bus.
        agents: all of them are asked the same.
        reduce: called with the `AgentResult`s of those that did not fail, in the order of the agents; returns the
            reply. Without it the replies follow each other, and each is heard as soon as those before it are there.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "parallel"

    def __init__(
        self,
        name: str,
        agents: Sequence[Any],
        reduce: Callable[[list[AgentResult]], object] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name, agents, **options)
        self._reduce = checked_function(reduce, "reduce", self._title)

    @property
    def limits(self) -> dict[str, Any]:
        """The name of the function that makes one reply of all."""
        return {"reduce": getattr(self._reduce, "__name__", "reduce")} if self._reduce is not None else {}

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        ended = list[Ended]()
        with closing(turn.side_by_side([(agent, turn.task) for agent in self.children])) as ends:
            for each in ends:
                ended.append(each)
                if turn.stopped or each.fault or self._reduce is not None or not each.result.reply:
                    continue
                yield turn.say(f"{BETWEEN if turn.has_spoken else ''}{each.result.reply}")
        if turn.stopped:
            return
        good = [each.result for each in ended if not each.fault]
        if not good:
            apology = next((each.apology for each in ended if each.apology), "")
            yield from turn.give_up("; ".join(each.blame for each in ended), apology)
        elif self._reduce is not None:
            yield from self._reduced(turn, good)

    def _reduced(self, turn: WorkflowTurn, good: list[AgentResult]) -> Generator[str, None, None]:
        assert self._reduce is not None
        try:
            made = turn.call(self._reduce, good)
        except FAULTS as error:  # the caller's function; its fault is the workflow's result
            yield from turn.give_up(f"{self.name}: reduce failed: {said_of(error)}")
            return
        reply = made.reply if isinstance(made, AgentResult) else "" if made is None else str(made)
        if reply.strip():
            yield turn.say(reply)
        else:
            yield from turn.give_up(f"{self.name}: reduce gave no reply")
