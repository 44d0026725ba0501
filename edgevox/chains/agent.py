"""`Agent`: tools that follow each other by their types, with a model and a person to fall back on.

An agent says what it is made of; the scheduler runs it. `invoke` is a run of its own; `run` answers within somebody's
conversation, so that the agent can stand wherever any other agent can: in an application, as a hand-off, in a workflow.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from edgevox.chains.asking_people import prompt_user
from edgevox.chains.budget import Budget, Limits
from edgevox.chains.checks import Problems, check_graph, check_mode, check_model, check_name, check_rest, check_skills
from edgevox.chains.defaults import DefaultRoot
from edgevox.chains.execution import Execution
from edgevox.chains.graph import ChainGraph, Lint, lint
from edgevox.chains.io import channel_for
from edgevox.chains.loaded import LoadedTools
from edgevox.chains.modes import AgentMode
from edgevox.chains.opening import opening_messages
from edgevox.chains.policy import OnError, as_policy
from edgevox.chains.prompter import ActionPrompter
from edgevox.chains.recovery import Recovery
from edgevox.chains.scheduler import Scheduler
from edgevox.chains.sinks import Sinks
from edgevox.chains.skills import Skill
from edgevox.chains.state import RunState, RunStatus
from edgevox.chains.steps import StepRunner
from edgevox.core.cancel import CancelReason
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext, Session
from edgevox.core.values import Empty, Stop, Value
from edgevox.tools import Tool


class Agent:
    """Runs chains of typed tools, and asks a model what to do when no chain is left.

    Safe from several threads: each run has its own messages and its own budget.

    Args:
        name: a Python identifier.
        description: what it is for; other agents and people read this.
        tools: typed tools, active and chained ones; lists within the list are fine.
        skills: instructions with tools that a model loads when it needs them.
        system_prompt: what the model is told about itself.
        auto_loaded_skills: skills that are loaded from the beginning.
        automatic_tool_prompt: whether the model is told how to call the tools.
        mode: whether a model is asked, and whether a person may be.
        default_tools: run in turn when no chain is left, before the model is asked.
        custom_prompt_user_tool: asks the person in place of `prompt_user`.
        agent_endpoint: the model.
        initial_messages: texts and paths of markdown files that every run begins with.
        event_sinks: functions that are told every event of a run, beside it and never in its way.
        on_error: what becomes of an error in a tool: `report` tells the model, `raise` ends the run, `retry(n)` runs
            the tool again first. Where there is no model to tell, an error ends the run.
        max_steps: tools that may run in one run.
        max_llm_calls: model calls in one run.
        deadline_s: seconds that one run may take.
        max_tokens: tokens that the model calls of one run may take together.
        permissions: decides what the tools may touch (`edgevox.tools.permissions`).
        language: two-letter code, for a run without a context.

    Raises:
        ChainGraphError: says everything that does not fit, with the names of the tools.
    """

    kind = "chain"
    """What is drawn beside its name."""

    def __init__(
        self,
        *,
        name: str,
        description: str = "",
        tools: Iterable[Any] = (),
        skills: Iterable[Skill] = (),
        system_prompt: str = "",
        auto_loaded_skills: Iterable[Skill] = (),
        automatic_tool_prompt: bool = True,
        mode: AgentMode | str = AgentMode.STEERABLE,
        default_tools: Iterable[Any] = (),
        custom_prompt_user_tool: Tool | None = None,
        agent_endpoint: ChatModel | None = None,
        initial_messages: Any = None,
        event_sinks: Sequence[Callable[[AgentEvent], object]] = (),
        on_error: OnError = "report",
        max_steps: int | None = None,
        max_llm_calls: int | None = None,
        deadline_s: float | None = None,
        max_tokens: int | None = None,
        permissions: Any = None,
        language: str = "en",
    ) -> None:
        problems = Problems()
        self.name = check_name(problems, name)
        self.description = description
        self.mode = check_mode(problems, mode)
        self.system_prompt = system_prompt
        self.automatic_tool_prompt = automatic_tool_prompt
        self.initial_messages = initial_messages
        self.event_sinks = tuple(event_sinks)
        self.permissions = permissions
        self.language = language
        self.limits = Limits(
            max_steps=max_steps, max_llm_calls=max_llm_calls, deadline_s=deadline_s, max_tokens=max_tokens
        )
        self.policy = as_policy(on_error)
        self.llm: Any = agent_endpoint
        """Who is asked, or a function that makes it."""
        self.bus = EventBus()
        """Where the events of its runs go; within another agent's run, that one's bus as well."""
        check_model(problems, self.mode, system_prompt, agent_endpoint)
        self.auto_loaded_skills = tuple(check_skills(problems, auto_loaded_skills))
        self.skills = tuple(check_skills(problems, (*self.auto_loaded_skills, *skills)))
        self.default_tools = tuple(problems.of(lambda: Tool.to_tool_list(list(default_tools))))
        self.prompt_user_tool = custom_prompt_user_tool or prompt_user
        given = problems.of(lambda: Tool.to_tool_list(list(tools)))
        self.tools = tuple(self._with_own(given))
        """Everything a run begins with: what was given, a tool for each skill, and one that asks the person."""
        check_graph(problems, self.tools, self.default_tools, self.skills)
        check_rest(
            problems,
            mode=self.mode,
            defaults=self.default_tools,
            custom_prompt_user_tool=custom_prompt_user_tool,
            initial_messages=initial_messages,
            event_sinks=self.event_sinks,
            limits=self.limits,
        )
        problems.raise_all(name)
        self.graph = ChainGraph(self.tools, self.default_tools)
        """The tools and their edges, before any skill is loaded."""
        self._runs: list[RunState] = []
        self._latest: RunState | None = None
        self._lock = threading.Lock()

    @property
    def messages(self) -> list[Message]:
        """The messages of the latest run: the live list."""
        return self._latest.messages if self._latest is not None else []

    @property
    def status(self) -> RunStatus:
        """How the latest run stands."""
        return self._latest.status if self._latest is not None else RunStatus.IDLE

    def invoke(self, input: Value | None = None, ctx: AgentContext | None = None) -> tuple[Stop, list[Message]]:  # noqa: A002 - a promised name
        """Run until a tool stops it, the model replies in words, or somebody cancels it.

        Args:
            input: given to the first default tool; never shown to the model.
            ctx: world, bus and the way out; that of the run around it, when a tool invokes the agent.

        Returns:
            What the run ended with, and its messages. A run that was cancelled ends with `Stop(None)`.

        Raises:
            ChainError: the chains forked, the budget was spent, or a link broke.
            LanguageModelError: the model could not answer.
            Exception: what a tool raised, where nobody can be told.
        """
        context = self._context(ctx)
        with context.scope, Sinks(context.bus, self.event_sinks):
            state = self._begin(
                context, opening_messages(self._system(), self.initial_messages, self.auto_loaded_skills)
            )
            context.emit("agent_start", self.name, input)
            execution = Execution(state, lambda: self._scheduler(state).run(input if input is not None else Empty()))
            stop: Stop | None = None
            try:
                stop = execution.wait()
            finally:
                self._end(state)
                context.emit("agent_end", self.name, stop)
            return stop, state.messages

    def cancel(self, reason: str = CancelReason.USER) -> None:
        """End every run of this agent."""
        for state in list(self._runs):
            state.ctx.scope.cancel(reason)

    def interrupt(self) -> None:
        """Break the model's answer off, now or when it is next asked; the person then says how to go on."""
        for state in list(self._runs):
            state.interrupt()

    def lint(self, samples: Callable[[Tool], Sequence[Any]] | None = None) -> Lint:
        """Look for what a run would trip over: conditions that overlap, tools that nothing reaches.

        Args:
            samples: returns outputs of a tool to try the conditions on; made from the output classes when not given.
        """
        from edgevox.chains.samples import samples_of

        more = [tool for skill in self.skills for tool in Tool.to_tool_list(tuple(skill.tools))]
        return lint(self.graph.with_tools(more), samples or samples_of)

    def bind_llm(self, llm: Any) -> Self:
        """Ask another model from the next call on."""
        self.llm = llm
        return self

    # -- one run -------------------------------------------------------------------------------------------------

    def _with_own(self, given: Sequence[Tool]) -> list[Tool]:
        tools = [*given, *(skill.wrapper for skill in self.skills)]
        asks = self.mode is AgentMode.STEERABLE and not any(tool.name == self.prompt_user_tool.name for tool in given)
        return [*tools, self.prompt_user_tool] if asks else tools

    def _context(self, ctx: AgentContext | None) -> AgentContext:
        around = current_run()
        outer = ctx or (around.ctx if around is not None else AgentContext(bus=self.bus, language=self.language))
        own = outer.child(session=Session(state=outer.session.state))
        own.vars = outer.vars
        own.channel = channel_for(self.mode, outer)
        own.permissions = self.permissions if self.permissions is not None else outer.permissions
        return own

    def _begin(self, ctx: AgentContext, messages: list[Message]) -> RunState:
        ctx.session.messages = messages
        state = RunState(agent_name=self.name, ctx=ctx, messages=messages, budget=Budget(self.limits))
        with self._lock:
            self._runs.append(state)
            self._latest = state
        return state

    def _end(self, state: RunState) -> None:
        state.close(RunStatus.FAILED)
        with self._lock:
            self._runs.remove(state)

    def _scheduler(self, state: RunState) -> Scheduler:
        runner = StepRunner(state, self.policy, told=self.mode.asks_model)
        loaded = LoadedTools(self.graph, self.skills, state.messages)
        roots: list[Any] = [DefaultRoot(tool, runner) for tool in self.default_tools]
        if self.mode.asks_model:
            roots.append(ActionPrompter(state=state, runner=runner, graph=loaded.graph, model=self._model, options={}))
        recovery = Recovery(state, runner, self.prompt_user_tool, asks=self.mode.asks_people)
        return Scheduler(roots, runner, loaded.graph, recovery)

    def _model(self) -> ChatModel:
        if not isinstance(self.llm, ChatModel):
            self.llm = self.llm()
        return self.llm

    def _system(self) -> str:
        return self.system_prompt
