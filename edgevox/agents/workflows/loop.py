"""`Loop`: the same agent until something is so."""

import inspect
from collections.abc import Callable, Generator
from typing import Any, ClassVar

from edgevox.agents.protocol import AgentResult
from edgevox.agents.workflows.checks import checked_agent, checked_count, checked_function
from edgevox.agents.workflows.child import Ended, said_of
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow
from edgevox.core.errors import FAULTS
from edgevox.core.messages import Message, Role

MAX_ITERATIONS = 5

Until = Callable[[dict[str, Any]], object] | Callable[[dict[str, Any], AgentResult], object]
"""Says whether a loop is done: from the scratchpad, or from that and the result of the round."""


class Loop(Workflow):
    """Asks its agent the same again until `until` says that it is enough, looking after every round.

    A later round finds the replies of the earlier ones in its conversation. The reply of the last round is the reply.
    A child that fails ends the loop, and so does an `until` that raises; the result carries the error. Rounds that are
    spent before `until` is true are an error too, beside the last reply; without an `until` they are the purpose.

    Args:
        name: who answers, on the bus.
        agent: who is asked.
        until: called with the scratchpad of the conversation (`session.state`), and with the `AgentResult` of the round
            if it takes two arguments; whether the loop is done.
        max_iterations: rounds at most.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "loop"

    def __init__(
        self,
        name: str,
        agent: Any,
        until: Until | None = None,
        max_iterations: int = MAX_ITERATIONS,
        **options: Any,
    ) -> None:
        super().__init__(name, (checked_agent(agent, f"Loop '{name}'"),), **options)
        self._until = checked_function(until, "until", self._title)
        self._takes_result = self._until is not None and _takes_two(self._until)
        self.max_iterations = checked_count(max_iterations, "max_iterations", self._title)

    @property
    def limits(self) -> dict[str, Any]:
        """How often, and the name of the condition."""
        ends = {"until": getattr(self._until, "__name__", "until")} if self._until is not None else {}
        return {"max_iterations": self.max_iterations, **ends}

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        (agent,) = self.children
        between = list[Message]()
        for rest in range(self.max_iterations - 1, -1, -1):
            last = rest == 0
            ended = (yield from turn.relay(agent, None, between)) if last else turn.ask(agent, None, between)
            if turn.stopped:
                return
            if ended.fault:
                yield from turn.give_up_on(ended, heard=last)
                return
            if ended.called_off or self._is_done(turn, ended) or turn.error:
                yield from () if last else turn.answer(ended)
                return
            between.append(Message.text(ended.result.reply, Role.ASSISTANT, turn=turn.ctx.turn))
        if self._until is not None:
            turn.error = f"{self.name}: not done after {self.max_iterations} rounds"

    def _is_done(self, turn: WorkflowTurn, ended: Ended) -> bool:
        """Ask `until`; one that raises leaves its error with the turn."""
        if self._until is None:
            return False
        arguments: tuple[dict[str, Any]] | tuple[dict[str, Any], AgentResult] = (turn.ctx.session.state,)
        if self._takes_result:
            arguments = (*arguments, ended.result)
        try:
            return bool(turn.call(self._until, *arguments))
        except FAULTS as error:  # a condition that fails must not be taken for one that is not yet so
            turn.error = f"{self.name}: until failed: {said_of(error)}"
            return False


def _takes_two(until: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(until).parameters.values()
    except (TypeError, ValueError):  # a function of C does not tell
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in positional and each.default is inspect.Parameter.empty]
    return len(needed) >= 2
