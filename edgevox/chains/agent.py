"""`Agent`: tools that follow each other by their types, with a model and a person to fall back on.

An agent says what it is made of; the scheduler runs it. `invoke` is a run of its own; `run` answers within somebody's
conversation, so that the agent can stand wherever any other agent can: in an application, as a hand-off, in a workflow.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Self

from edgevox.chains.answering import answer
from edgevox.chains.asking_people import prompt_user
from edgevox.chains.budget import Limits
from edgevox.chains.checks import (
    Problems,
    check_graph,
    check_list,
    check_mode,
    check_model,
    check_name,
    check_policy,
    check_rest,
    check_skills,
    check_texts,
    check_tools,
)
from edgevox.chains.drawing import draw_agent
from edgevox.chains.execution import Execution
from edgevox.chains.graph import ChainGraph, Lint, lint
from edgevox.chains.info import AgentInfo, describe_agent
from edgevox.chains.modes import AgentMode
from edgevox.chains.opening import opening_messages
from edgevox.chains.phrases import SpokenTools
from edgevox.chains.policy import OnError
from edgevox.chains.prompt import technical_prompt
from edgevox.chains.runs import Runs
from edgevox.chains.samples import samples_of
from edgevox.chains.skills import Skill
from edgevox.chains.state import RunStatus
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import AgentError
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel
from edgevox.core.results import AgentResult
from edgevox.core.session import AgentContext
from edgevox.core.skilldocs import SkillDoc
from edgevox.core.transcript import Transcript
from edgevox.core.values import Empty, Stop, Value
from edgevox.core.visiting import visiting
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
    keeps_llm = True
    """An application leaves it the model that it was made with; a person may choose another (`bind_llm`)."""

    def __init__(
        self,
        *,
        name: str,
        description: str = "",
        tools: Iterable[Any] = (),
        skills: Iterable[Skill | SkillDoc] = (),
        system_prompt: str = "",
        auto_loaded_skills: Iterable[Skill | SkillDoc] = (),
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
        self.event_sinks = tuple(check_list(problems, "event_sinks", event_sinks))
        self.permissions = permissions
        self.language = language
        self.limits = Limits(
            max_steps=max_steps, max_llm_calls=max_llm_calls, deadline_s=deadline_s, max_tokens=max_tokens
        )
        self.policy = check_policy(problems, on_error)
        self.llm: Any = agent_endpoint
        """Who is asked, or a function that makes it."""
        self._made_with_llm = agent_endpoint is not None
        self.bus = EventBus()
        """Where the events of its runs go; within another agent's run, that one's bus as well."""
        self.auto_loaded_skills = tuple(check_skills(problems, "auto_loaded_skills", auto_loaded_skills))
        given = check_list(problems, "skills", skills)
        self.skills = tuple(check_skills(problems, "skills", (*self.auto_loaded_skills, *given)))
        self.default_tools = tuple(check_tools(problems, "default_tools", default_tools))
        self.prompt_user_tool = custom_prompt_user_tool if isinstance(custom_prompt_user_tool, Tool) else prompt_user
        self.tools = tuple(self._with_own(check_tools(problems, "tools", tools)))
        """Everything a run begins with: what was given, a tool for each skill, and one that asks the person."""
        self._check(problems, custom_prompt_user_tool)
        self.graph = ChainGraph(self.tools, self.default_tools)
        """The tools and their edges, before any skill is loaded."""
        self.spoken = SpokenTools(list(self.graph.active.values()))
        """What it understands without a model."""
        self._runs = Runs(self)

    @property
    def messages(self) -> list[Message]:
        """The messages of the latest run: the live list."""
        return self._runs.latest.messages if self._runs.latest is not None else []

    @property
    def status(self) -> RunStatus:
        """How the latest run stands."""
        return self._runs.latest.status if self._runs.latest is not None else RunStatus.IDLE

    def invoke(self, input: Value | None = None, ctx: AgentContext | None = None) -> tuple[Stop, list[Message]]:
        """Run until a tool stops it, the model replies in words, or somebody cancels it.

        Args:
            input: given to the first default tool; never shown to the model.
            ctx: world, bus and the way out; that of the run around it, when a tool invokes the agent.

        Returns:
            What the run ended with, and its messages. A run that was cancelled ends with `Stop(None)`.

        Raises:
            AgentError: the input is no value, or the context none.
            ChainError: the chains forked, the budget was spent, or a link broke.
            LanguageModelError: the model could not answer.
            Exception: what a tool raised, where nobody can be told.
        """
        if not (isinstance(input, Value | None) and isinstance(ctx, AgentContext | None)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AgentError(f"{self.name} is invoked with a value, in an AgentContext: invoke(Str(value=…), ctx).")
        with self._runs.begin(ctx, Transcript(self.opening()), task=input) as state:
            scheduler = self._runs.scheduler(state)
            stop = Execution(state, lambda: scheduler.run(input if input is not None else Empty())).wait()
            state.reply = stop.value or ""
        return stop, state.messages

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Answer one turn of a conversation (`agents.Agent.run`)."""
        pieces = self.run_stream(task, ctx)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return end.value

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        """Answer one turn of a conversation, yielding pieces of the reply (`agents.Agent.run_stream`).

        A phrase of a tool runs it, and what is chained to it, without a model.
        """
        return answer(self, self._runs, task, ctx)

    def cancel(self, reason: str = CancelReason.USER) -> None:
        """End every run of this agent."""
        for state in self._runs.live:
            state.ctx.scope.cancel(reason)

    def interrupt(self) -> None:
        """Break the model's answer off, now or when it is next asked; the person then says how to go on."""
        for state in self._runs.live:
            state.interrupt()

    def lint(self, samples: Callable[[Tool], Sequence[Any]] | None = None) -> Lint:
        """Look for what a run would trip over: conditions that overlap, tools that nothing reaches.

        Args:
            samples: returns outputs of a tool to try the conditions on; made from the output classes when not given.
        """
        more = [tool for skill in self.skills for tool in Tool.to_tool_list(tuple(skill.tools))]
        return lint(self.graph.with_tools(more), samples or samples_of)

    @property
    def needs_model(self) -> bool:
        """Whether it asks a model and nobody has given it one."""
        return self.mode.asks_model and self.llm is None

    @property
    def has_own_llm(self) -> bool:
        """Whether it was made with a model, which whoever it works for leaves alone."""
        return self._made_with_llm

    def bind_llm(self, llm: Any) -> Self:
        """Ask another model, or what a function makes, from the next call on; `None` changes nothing.

        One that was made with a model keeps it when the agent it works for gets another.
        """
        with visiting(self) as visit:
            if llm is not None and (visit.outermost or (visit.first and not self.has_own_llm)):
                self.llm = llm
        return self

    def matches_phrase(self, text: str, language: str | None = None) -> bool:
        """Whether a text is a phrase of its tools."""
        return bool(self.spoken.match(text, language or self.language))

    def examples(self, language: str | None = None, limit: int = 3) -> list[str]:
        """Sentences that it understands without a model."""
        return self.spoken.examples(language or self.language, limit)

    def warm(self, ctx: AgentContext | None = None) -> None:
        """Compile the phrases, and let the model read the beginning of the prompt before anybody waits for it.

        Raises:
            EdgeVoxError: a phrase cannot be read, or the model cannot be opened.
        """
        self.spoken.warm(ctx.language if ctx is not None else self.language)
        warm = getattr(self.model(), "warm", None) if self.mode.asks_model else None
        if warm is not None:
            warm([{"role": "system", "content": self.system()}])

    def model(self) -> ChatModel:
        """Who is asked; made now, when it has not been.

        Raises:
            EdgeVoxError: it cannot be made.
        """
        if not hasattr(self.llm, "complete"):  # looking for the whole protocol takes longer than a step
            self.llm = self.llm()
        return self.llm

    def opening(self) -> list[Message]:
        """What a run begins with: the system prompt, the initial messages, the skills that are always loaded."""
        return opening_messages(self.system(), self.initial_messages, self.auto_loaded_skills)

    def show_agent_info(self) -> AgentInfo:
        """Print everything that the agent is made of, and return it; nothing is run, loaded or asked."""
        info = describe_agent(self)
        print(info.text())
        return info

    def draw(self, form: str = "text") -> str:
        """Draw which tool may follow which.

        Args:
            form: `text` for a tree, `mermaid` for a flowchart.

        Raises:
            ValueError: there is no such form.
        """
        return draw_agent(self, form)

    def system(self) -> str:
        """What the model is told before everything else: the system prompt, and how the tools are called."""
        if not (self.automatic_tool_prompt and self.system_prompt and self.mode.asks_model):
            return self.system_prompt
        loaded = {skill.wrapper.id for skill in self.auto_loaded_skills}
        offered = [tool for tool in self.graph.active.values() if tool.id not in loaded]
        return f"{self.system_prompt}\n\n{technical_prompt(offered)}"

    def _check(self, problems: Problems, custom_prompt_user_tool: Any) -> None:
        """Raise one error for everything that does not fit."""
        check_texts(problems, description=self.description, system_prompt=self.system_prompt, language=self.language)
        check_model(problems, self.mode, self.system_prompt, self.llm)
        check_graph(problems, self.tools, self.default_tools, self.skills)
        check_rest(
            problems,
            mode=self.mode,
            defaults=self.default_tools,
            custom_prompt_user_tool=custom_prompt_user_tool,
            initial_messages=self.initial_messages,
            event_sinks=self.event_sinks,
            permissions=self.permissions,
            limits=self.limits,
        )
        problems.raise_all(self.name)

    def _with_own(self, given: Sequence[Tool]) -> list[Tool]:
        tools = [*given, *(skill.wrapper for skill in self.skills)]
        asks = self.mode is AgentMode.STEERABLE and not any(tool.name == self.prompt_user_tool.name for tool in given)
        return [*tools, self.prompt_user_tool] if asks else tools
