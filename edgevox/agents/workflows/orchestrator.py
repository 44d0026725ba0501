"""`Orchestrator`: a lead that splits a question, workers that each do one part, one answer made of what they found."""

import logging
from collections.abc import Generator, Iterable, Sequence
from typing import Any, ClassVar, Self

from edgevox.agents.agent import LLMAgent
from edgevox.agents.default_model import default_model
from edgevox.agents.protocol import AgentResult
from edgevox.agents.workflows.checks import checked_count, checked_name
from edgevox.agents.workflows.child import Ended
from edgevox.agents.workflows.plan import Plan, Planner, Subtask, waves
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow
from edgevox.core.errors import FAULTS, LibraryMissing, ModelMissing
from edgevox.core.ports import ChatModel, ModelFactory
from edgevox.core.session import AgentContext
from edgevox.core.visiting import visiting
from edgevox.tools import ToolRegistry

log = logging.getLogger(__name__)

MAX_SUBTASKS = 4
WORKER = "You do one part of a larger task. Use your tools, then say in one or two sentences what you found or did."
DIRECTLY = "This time there is no plan: answer the person yourself, in words."
SYNTHESIS = "Answer the person from the results of the parts. Say nothing that is not in them."


class Orchestrator(Workflow):
    """Lets a lead plan, gives each part to a worker with the tools it needs, and says what came of it in one answer.

    What a phrase of the tools matches is done at once, without a plan. A plan that cannot be read, also at a second
    try, and a plan without parts let the lead answer directly, with all the tools. Calls of the model: at most two for
    the plan, those of at most `max_subtasks` workers, one for the answer.

    Args:
        name: who answers, on the bus.
        lead_instructions: the persona that plans, and that answers what needs no plan.
        synth_instructions: the persona that makes one answer of the results.
        tools: functions, tools, skills, or a registry: what workers may be given.
        max_subtasks: parts at most.
        llm: a `ChatModel`, or a factory of one; `None` takes the process's default model.
        max_tool_hops: rounds of tool calls of one worker.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
        ToolDefinitionError: something in the tools cannot be a tool.
    """

    kind: ClassVar[str] = "orchestrator"

    def __init__(
        self,
        name: str,
        lead_instructions: str = "",
        synth_instructions: str = "",
        tools: Iterable[Any] = (),
        max_subtasks: int = MAX_SUBTASKS,
        *,
        llm: ChatModel | ModelFactory | None = None,
        max_tool_hops: int = 3,
        **options: Any,
    ) -> None:
        checked_name(name, self.kind)
        self._llm = llm
        self.has_own_model = llm is not None
        """Whether it was made with a model, which a router or workflow around it then leaves alone."""
        self._hops = max_tool_hops
        persona = f"{lead_instructions.strip()}\n\n{DIRECTLY}".strip()
        lead = LLMAgent(f"{name}_lead", "", persona, tools=tools, llm=llm, max_tool_hops=max_tool_hops)
        synth = LLMAgent(f"{name}_synth", "", synth_instructions.strip() or SYNTHESIS, llm=llm)
        super().__init__(name, (lead, synth), **options)
        self._lead, self._synth = lead, synth
        self._instructions = lead_instructions
        self.max_subtasks = checked_count(max_subtasks, "max_subtasks", self._title)

    @property
    def tools(self) -> ToolRegistry:
        """What workers may be given. Tools registered later count from the next turn on."""
        return self._lead.tools

    @property
    def limits(self) -> dict[str, Any]:
        """How many parts."""
        return {"max_subtasks": self.max_subtasks}

    def bind_llm(self, llm: ChatModel | ModelFactory | None) -> Self:
        """Plan, work and answer with another model from the next turn on."""
        with visiting(self) as visit:
            chosen = visit.outermost or (visit.first and not self.has_own_model)
        if chosen:
            self._llm = self._lead.llm = self._synth.llm = llm
        return self

    @property
    def needs_model(self) -> bool:
        """Whether nobody has given it a model yet."""
        return self._llm is None

    def _hearers(self) -> Sequence[Any]:
        return (self._lead,)

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        at_once = self._lead.recognises(turn.task, turn.ctx)
        plan = None if at_once else self._planned(turn)
        if turn.stopped:
            return
        if plan is None or not plan.subtasks:
            ended = yield from turn.relay(self._lead)
            if ended.fault and not turn.stopped:
                yield from turn.give_up_on(ended, heard=True)
            return
        done = self._work(turn, plan.subtasks)
        if turn.stopped:
            return
        if all(ended.fault for ended in done):
            yield from turn.give_up("; ".join(ended.blame for ended in done))
        else:
            yield from self._say(turn, plan.subtasks, done)

    def _planned(self, turn: WorkflowTurn) -> Plan | None:
        """Ask for a plan. A model that fails at it gives none: answering directly then says what is wrong with it."""
        planner = Planner(self.name, self._instructions, self.tools, self.max_subtasks)
        try:
            return planner.plan(self._model(), turn.ctx.session.openai(), turn.ctx)
        except (ModelMissing, LibraryMissing):
            return None
        except FAULTS as error:  # whatever a model raises, the person gets an answer
            log.warning("%s: planning failed: %s", self.name, error)
            return None
        finally:
            turn.count_model_calls(planner.model_calls)

    def _work(self, turn: WorkflowTurn, parts: Sequence[Subtask]) -> list[Ended]:
        """Let workers do the parts, round after round, and return how each ended, in the order of the parts."""
        workers = [_Worker(self._worker(number, part, turn.task)) for number, part in enumerate(parts, 1)]
        done: dict[int, Ended] = {}
        for together in waves(parts, self.tools):
            if turn.stopped or turn.called_off:
                break
            jobs = [(workers[index], parts[index].task) for index in together]
            ended = list(turn.side_by_side(jobs))  # fewer than jobs after a stop
            done.update(zip(together, ended, strict=False))
        return [done[index] for index in sorted(done)]

    def _worker(self, number: int, part: Subtask, asked: str) -> LLMAgent:
        """An agent for one part: it knows what the person asked, for plans that leave out what matters."""
        persona = f"{WORKER} The person asked: “{asked}”; others do the rest of it."
        given = [tool for tool in self.tools.tools if part.tools is None or tool.name in part.tools]
        return LLMAgent(
            f"{self.name}_{number}", part.task, persona, tools=given, llm=self._llm, max_tool_hops=self._hops
        )

    def _say(self, turn: WorkflowTurn, parts: Sequence[Subtask], done: Sequence[Ended]) -> Generator[str, None, None]:
        found = [
            f"{number}. {part.task}\n   {f'failed: {ended.fault}' if ended.fault else ended.result.reply}"
            for number, (part, ended) in enumerate(zip(parts, done, strict=False), 1)
        ]
        question = f"{turn.task}\n\nResults of the parts:\n" + "\n".join(found)
        said = yield from turn.relay(self._synth, question)
        if not said.fault or turn.stopped:
            return
        turn.error = said.blame
        good = " ".join(ended.result.reply for ended in done if not ended.fault)
        yield turn.say(f" {good}" if turn.has_spoken else good)

    def _model(self) -> ChatModel:
        if self._llm is None:
            return default_model()
        return self._llm if isinstance(self._llm, ChatModel) else self._llm()


class _Worker:
    """One worker, which answers in a conversation of its own."""

    def __init__(self, agent: LLMAgent) -> None:
        self.name = agent.name
        self.skills = agent.skills
        self._agent = agent

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Do the part."""
        return self._agent.spawn_subagent(task, parent_ctx=ctx)
