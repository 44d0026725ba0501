"""`Workflow`: what every agent that is made of agents has in common.

Knows how a run begins, ends and is told about, and how what concerns all children reaches them. In which order they
are asked, and what a failure means, is each workflow's own.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar, Self

from edgevox.agents.interrupt import InterruptPolicy
from edgevox.agents.preempt import PreemptNews
from edgevox.agents.protocol import AgentResult
from edgevox.agents.team import any_matches, bind_all, joined_examples, understands, warm_all
from edgevox.agents.workflows.checks import checked_agents, checked_name
from edgevox.agents.workflows.child import said_of
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.core.errors import FAULTS, Cancelled
from edgevox.core.ports import ChatModel, ModelFactory
from edgevox.core.session import AgentContext
from edgevox.core.visiting import visiting

log = logging.getLogger(__name__)

EXAMPLES = 3


class Workflow(ABC):
    """An agent that lets other agents answer.

    Args:
        name: who answers, on the bus.
        agents: who is asked.
        description: what it is for; made from the children when not given.
        interrupt_policy: what a barge-in ends beside speech and model; `None` leaves that to each child's own policy.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "workflow"
    """What it is called in a drawn tree."""

    def __init__(
        self,
        name: str,
        agents: Sequence[Any],
        *,
        description: str = "",
        interrupt_policy: InterruptPolicy | None = None,
    ) -> None:
        self.name = checked_name(name, self.kind)
        self.children: tuple[Any, ...] = checked_agents(agents, self._title)
        """The agents that it asks."""
        self.description = description or f"{self.kind} of {', '.join(child.name for child in self.children)}"
        self.interrupt_policy = interrupt_policy

    @property
    def limits(self) -> Mapping[str, Any]:
        """What bounds it, by the names of its arguments."""
        return {}

    @property
    def language(self) -> str:
        """Two-letter code, for a run without a context: that of the first child."""
        return str(getattr(self.children[0], "language", "en"))

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Answer one turn (`Agent.run`)."""
        pieces = self.run_stream(task, ctx)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return end.value

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        """Answer one turn, yielding pieces of the reply as early as they are certain (`Agent.run_stream`)."""
        context = ctx if ctx is not None else AgentContext(language=self.language)
        news, closed = PreemptNews(context), False
        context.emit("agent_start", self.name, task)
        turn = WorkflowTurn(self.name, task, context)
        try:
            yield from self._guarded(turn)
        except GeneratorExit:
            closed = True
            raise
        finally:
            news.settle(self.name)
            result = turn.finish(closed=closed)
            context.emit("agent_end", self.name, result)
            self._let_go(turn)
        return result

    def bind_llm(self, llm: ChatModel | ModelFactory | None) -> Self:
        """Let all children that have no language model of their own answer with this one from the next turn on."""
        with visiting(self) as visit:
            if visit.first:
                bind_all(self.children, llm)
        return self

    def matches_phrase(self, text: str, language: str | None = None) -> bool:
        """Whether a child that hears the person's own words understands these without a model."""
        with visiting(self) as visit:
            return visit.first and any_matches(self._hearers(), text, language or self.language)

    def recognises(self, text: str, ctx: AgentContext) -> bool:
        """Whether a child answers the person's words without a model, in the light of the conversation."""
        with visiting(self) as visit:
            return visit.first and any(understands(child, text, ctx) for child in self._hearers())

    def examples(self, language: str | None = None, limit: int = EXAMPLES) -> list[str]:
        """Sentences that are understood without a model."""
        with visiting(self) as visit:
            return joined_examples((), self._hearers(), language or self.language, limit) if visit.first else []

    def warm(self, ctx: AgentContext | None = None) -> None:
        """Let every child get ready; the one that is asked first comes last and finds the model as it left it.

        Raises:
            EdgeVoxError: of the first child that could not, after all have been asked.
        """
        context = ctx if ctx is not None else AgentContext(language=self.language)
        with visiting(self) as visit:
            problem = warm_all(reversed(self.children), context) if visit.first else None
        if problem is not None:
            raise problem

    def __repr__(self) -> str:
        """Kind, name and how many it holds."""
        return f"<{type(self).__name__} {self.name!r} of {len(self.children)}>"

    @property
    def _title(self) -> str:
        return f"{type(self).__name__} '{self.name}'"

    def _hearers(self) -> Sequence[Any]:
        """The children that may be given the person's own words."""
        return self.children

    @property
    def needs_model(self) -> bool:
        """Whether a child has not been given a model yet."""
        return any(getattr(child, "needs_model", False) for child in self.children)

    @abstractmethod
    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        """Ask the children, and yield what is said."""

    def _let_go(self, turn: WorkflowTurn) -> None:  # noqa: B027 - most workflows have nothing to do here
        """Do what follows the end of a run."""

    def _guarded(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        if turn.stopped:
            return
        try:
            yield from self._perform(turn)
        except Cancelled:
            return
        except FAULTS as error:  # a fault between the children becomes a sentence, as one of theirs does
            log.exception("%s failed", self.name)
            yield from turn.give_up(said_of(error))
