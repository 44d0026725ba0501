"""`Sequence`: one agent after the other, each working on what the one before said."""

from collections.abc import Generator
from collections.abc import Sequence as Listed
from typing import Any, ClassVar

from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow
from edgevox.core.messages import Message, Role


class Sequence(Workflow):
    """Asks its agents in order: the reply of one is the task of the next, the reply of the last is the reply.

    A child that fails or has nothing to say ends the sequence; the result carries the error. One whose action was
    called off ends it too, without an error.

    Args:
        name: who answers, on the bus.
        agents: in order.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "sequence"

    def __init__(self, name: str, agents: Listed[Any], **options: Any) -> None:
        super().__init__(name, agents, **options)

    def _hearers(self) -> Listed[Any]:
        return self.children[:1]

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        *first, last = self.children
        task, between = turn.task, list[Message]()
        for agent in first:
            ended = turn.ask(agent, task, between)
            if turn.stopped:
                return
            if ended.fault:
                yield from turn.give_up_on(ended, heard=False)
                return
            if ended.called_off:
                yield from turn.answer(ended)
                return
            task = ended.result.reply
            between.append(Message.text(task, Role.ASSISTANT, turn=turn.ctx.turn))
        ended = yield from turn.relay(last, task, between)
        if ended.fault and not turn.stopped:
            yield from turn.give_up_on(ended, heard=True)
