"""`LLMAgent`: an agent that tries its tools' phrases first and asks a language model only when none matches.

With hand-offs it also tries the phrases of those it may hand the turn to, and offers them to its model.

A run is one turn: the person's words go into the session, the answer comes out in pieces, and everything that became
final on the way (requests, results, replies, what was said before a cut) is in the session for the next one.
"""

import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.agents.default_model import default_model, shared
from edgevox.agents.following import HandoffDesk, follow
from edgevox.agents.given import (
    check_chains,
    check_hooks,
    check_limits,
    check_lists,
    check_model,
    check_name,
    check_phrase_names,
    check_phrases,
    check_run,
)
from edgevox.agents.handoff import Handoff
from edgevox.agents.handoffs import Target, Targets
from edgevox.agents.history import CLARIFICATION, asked_already, keep, keep_cut
from edgevox.agents.hooks import HookChain
from edgevox.agents.interrupt import InterruptPolicy
from edgevox.agents.model_turn import Facts, Instead, ModelTurn
from edgevox.agents.phrases import Phrasebook, phrase_turn
from edgevox.agents.preempt import PreemptNews
from edgevox.agents.progress import Progress
from edgevox.agents.protocol import AgentResult
from edgevox.agents.skills import Skill, as_skill
from edgevox.agents.team import any_matches, first_question, joined_examples, understands, warm_all
from edgevox.agents.which import WHICH, answered, which_agent
from edgevox.agents.words import without_model
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel, ModelFactory
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult
from edgevox.core.visiting import visiting
from edgevox.llm.prompter import ToolChoicePolicy
from edgevox.tools import ToolRegistry

if TYPE_CHECKING:
    from edgevox.intents import PhraseMatch

log = logging.getLogger(__name__)

EXAMPLES = 3
"""Sentences that an agent without a model offers."""

_STOP_WORDS = frozenset({"stop", "halt", "emergency", "estop", "freeze"})
_COMPANY = frozenset({"e", "the", "robot", "all", "motion", "motors", "now", "everything", "safe", "safety"})


class LLMAgent:
    """Answers with phrases, tools, skills and a language model, in that order.

    Safe from several threads: each run owns its context.

    Args:
        name: who answers, on the bus and in a prompt without instructions.
        description: what it is for; other agents and people read this.
        instructions: the persona, for the model.
        tools: functions, tools, bound methods, or a registry.
        skills: actions that take time and can be cancelled.
        llm: a `ChatModel`, or a factory of one that is called when it is first needed; `None` takes the process's
            default model.
        handoffs: whom it may pass the turn to: agents, names of agents, or `Handoff`s; or a mapping from what each is
            called to one of these.
        hooks: objects with some of the methods of `edgevox.agents.hooks.Hooks`.
        max_tool_hops: rounds of tool calls before the model must answer in words.
        tool_choice_policy: `auto`, or whether the first hop or every hop must call a tool.
        max_tokens: longest answer of the model, tokens; `None` is the model's own limit.
        temperature: of the model's sampling; `None` is the model's own.
        phrases: more spoken phrases per tool name, beside those the tools bring.
        language: two-letter code, for a run without a context.
        interrupt_policy: what a barge-in ends beside speech and model; by default nothing.
        facts: says what holds at this moment (`edgevox.agents.prompt.clock_facts`), for the model.
        instead: makes the call of a turn whose model would rather talk; with it, every answer of the model is a call.
        on_tool_call: told the result of every tool call.

    Raises:
        AgentError: an argument is of another kind than it must be; a hand-off is to nobody, to the agent itself, or to
            two of one name.
        ToolDefinitionError: something in the lists cannot be a tool, or is called like a stop: stopping is the safety
            monitor's business, and a model must not be able to invent one.
        ChainGraphError: tools cannot be chained as they say; the sentence names both.
    """

    kind = "agent"
    """What is drawn beside its name."""

    def __init__(
        self,
        name: str,
        description: str = "",
        instructions: str = "",
        tools: Iterable[Any] = (),
        skills: Iterable[Any] = (),
        llm: ChatModel | ModelFactory | None = None,
        *,
        handoffs: Iterable[Any] | Mapping[str, Any] = (),
        hooks: Sequence[Any] = (),
        max_tool_hops: int = 3,
        tool_choice_policy: ToolChoicePolicy = "auto",
        max_tokens: int | None = None,
        temperature: float | None = None,
        phrases: Mapping[str, Any] | None = None,
        language: str = "en",
        interrupt_policy: InterruptPolicy | None = None,
        facts: Facts | None = None,
        instead: Instead | None = None,
        on_tool_call: Callable[[ToolCallResult], object] | None = None,
    ) -> None:
        check_name(name)
        check_lists(name, tools=tools.tools if isinstance(tools, ToolRegistry) else tools, skills=skills)
        check_phrases(name, phrases)
        check_model(name, llm)
        check_hooks(name, hooks)
        check_limits(name, max_tool_hops=max_tool_hops, max_tokens=max_tokens, temperature=temperature)
        self.name = name
        self.description = description
        self.instructions = instructions
        self.language = language
        self.world: Any = None
        """The world it acts in when another agent hands it the turn; `None` stays in the other's."""
        self.interrupt_policy = interrupt_policy if interrupt_policy is not None else InterruptPolicy()
        self.skills: dict[str, Skill] = {made.name: made for made in map(as_skill, skills)}
        self.tools = ToolRegistry(*_listed(tools), *self.skills.values())
        """Everything it can do, skills included. Tools registered later are offered from the next turn on."""
        check_chains(name, self.tools.tools)
        check_phrase_names(name, phrases, [tool.name for tool in self.tools.tools])
        _refuse_stop_tools(self.tools)
        self.llm = shared(llm)
        """Who is asked, or a factory of it; `None` for the process's default model."""
        self.has_own_llm = llm is not None
        """Whether it was made with a model, which a router or workflow around it then leaves alone."""
        self._targets = Targets(name, handoffs, self.llm)
        self._hooks = HookChain(hooks)
        self._on_tool_call = on_tool_call
        self._phrasebook = Phrasebook(self.tools, phrases)
        limits = {"max_tokens": max_tokens, "temperature": temperature}
        self._model_turn = ModelTurn(
            name=name,
            instructions=instructions,
            registry=self.tools,
            hooks=self._hooks,
            max_tool_hops=max_tool_hops,
            tool_choice_policy=tool_choice_policy,
            options={option: value for option, value in limits.items() if value is not None},
            facts=facts,
            instead=instead,
        )

    @property
    def handoffs(self) -> tuple[str, ...]:
        """What those are called that it may pass the turn to."""
        return tuple(self._targets.names)

    @handoffs.setter
    def handoffs(self, given: Iterable[Any] | Mapping[str, Any]) -> None:
        """Replace whom it may pass the turn to, from the next turn on: agents that point at each other need that."""
        self._targets = Targets(self.name, given, self.llm)

    @property
    def children(self) -> tuple[Any, ...]:
        """The agents it may pass the turn to; one that is known by name only is there once it was found."""
        return self._targets.agents

    @property
    def phrasebook(self) -> Phrasebook:
        """What its own tools understand without a model."""
        return self._phrasebook

    @property
    def needs_model(self) -> bool:
        """Whether nobody has given it a model yet."""
        return self.llm is None

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Answer one turn (`Agent.run`)."""
        pieces = self.run_stream(task, ctx)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return end.value

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        """Answer one turn, yielding pieces of the reply (`Agent.run_stream`).

        Closing the generator early is an interruption: the session keeps what was said and what tools did.
        """
        check_run(self.name, task, ctx)
        context = self._context(ctx)
        began, news = time.monotonic(), PreemptNews(context)
        progress, closed = Progress(on_tool_call=self._on_tool_call), False
        context.emit("agent_start", self.name, task)
        self._hooks.run_start(context, task)
        try:
            yield from self._answer(task, context, progress)
        except GeneratorExit:
            closed = True
            raise
        finally:
            news.settle(self.name)
            result = AgentResult(
                reply=progress.reply,
                agent_name=self.name,
                preempted=closed or context.scope.cancelled or progress.preempted,
                handed_off_to=progress.handed_off_to,
                tool_calls=tuple(progress.tool_calls),
                elapsed_s=time.monotonic() - began,
                model_calls=progress.model_calls,
                error=progress.error,
            )
            self._hooks.run_end(context, result)
            context.emit("agent_end", self.name, result)
        return result

    def spawn_subagent(self, task: str, parent_ctx: AgentContext | None = None) -> AgentResult:
        """Answer a task in a conversation of its own, within the world, the bus and the scope of another run."""
        parent = parent_ctx if parent_ctx is not None else AgentContext(language=self.language)
        nested = parent.child(session=Session())
        with nested.scope:
            return self.run(task, nested)

    def bind_llm(self, llm: ChatModel | ModelFactory | None) -> "LLMAgent":
        """Answer with another model from the next turn on; `None` goes back to the default one.

        Those it hands the turn to get it too. One made with a model of its own keeps it, and so do those below it.
        """
        llm = shared(llm)
        with visiting(self) as visit:
            if visit.outermost or (visit.first and not self.has_own_llm):
                self.llm = llm
                self._targets.bind(llm)
        return self

    def matches_phrase(self, text: str, language: str | None = None) -> bool:
        """Whether a text is a phrase of its tools, or of an agent that it may hand the turn to."""
        spoken = language or self.language
        with visiting(self) as visit:
            return visit.first and (
                self._phrasebook.match(text, spoken) is not None or any_matches(self.children, text, spoken)
            )

    def recognises(self, text: str, ctx: AgentContext) -> bool:
        """Whether it answers a text without a model, in the light of the conversation: follow-ups count too."""
        with visiting(self) as visit:
            return visit.first and (
                self._matched(text, ctx) is not None or any(understands(child, text, ctx) for child in self.children)
            )

    def examples(self, language: str | None = None, limit: int = EXAMPLES) -> list[str]:
        """Sentences that it, or an agent that it may hand the turn to, understands without a model."""
        spoken = language or self.language
        with visiting(self) as visit:
            if not visit.first:
                return []
            return joined_examples(self._phrasebook.examples(spoken, limit), self.children, spoken, limit)

    def question(self, ctx: AgentContext) -> str | None:
        """What it, or an agent that it may hand the turn to, would ask to make a command of the person's last words."""
        with visiting(self) as visit:
            if not visit.first:
                return None
            return self._phrasebook.question(ctx.session, ctx.language) or first_question(self.children, ctx)

    def warm(self, ctx: AgentContext | None = None) -> None:
        """Compile the phrases, and let the model read the beginning of the prompt before anybody waits for it.

        The agents that it may hand the turn to are made ready too, and its own prompt is read last.

        Raises:
            EdgeVoxError: a phrase cannot be read, or there is no model.
        """
        context = self._context(ctx)
        with visiting(self) as visit:
            if visit.first:
                problem = warm_all(self.children, context)
                self._phrasebook.warm(context.language)
                self._read_prompt(context)
                if problem is not None:
                    raise problem

    def _read_prompt(self, ctx: AgentContext) -> None:
        model, desk = self._model(), HandoffDesk(self, self._targets, ctx)
        warm = getattr(model, "warm", None)
        if warm is not None:
            prompt = {"role": "system", "content": self._model_turn.system(ctx.language, desk)}
            warm([prompt], desk.registry(self.tools).openai_schemas())

    def _answer(self, task: str, ctx: AgentContext, progress: Progress) -> Generator[str, None, None]:
        if not asked_already(ctx, task):
            keep(ctx, Message.text(task))
        if ctx.scope.cancelled:
            keep_cut(ctx)
            return
        desk = HandoffDesk(self, self._targets, ctx)
        match = self._matched(task, ctx)
        if match is not None:
            hooks = self._hooks.with_hook(desk)
            yield from phrase_turn(match, self.tools, ctx, progress, agent_name=self.name, hooks=hooks)
        else:
            yield from self._pass_on_or_ask(task, ctx, progress, desk)
        if progress.wish is not None:
            yield from follow(self, desk, progress.wish, ctx, progress, task)

    def _pass_on_or_ask(
        self, task: str, ctx: AgentContext, progress: Progress, desk: HandoffDesk
    ) -> Generator[str, None, None]:
        """Hand the turn to the one agent whose phrase it is; ask the model where there is none, or more than one."""
        able = self._targets.understanding(task, ctx, self)
        progress.wish = answered(self._targets, ctx.session, task)
        if progress.wish is None and len(able) == 1 and able[0] in desk.open:
            progress.wish = Handoff(able[0].key, reason="phrase")
        if progress.wish is None:
            yield from self._model_turn.run(ctx, progress, self._model, lambda: self._without_model(able, ctx), desk)

    def _without_model(self, able: Sequence[Target], ctx: AgentContext) -> tuple[str, str | None]:
        """What is said where there is no model: which agent is meant, or what works without one."""
        if len(able) > 1:
            return which_agent(able, ctx.language), WHICH
        question = self.question(ctx)
        if question is not None:
            return question, CLARIFICATION
        return without_model(self.examples(ctx.language), ctx.language), None

    def _matched(self, task: str, ctx: AgentContext) -> "PhraseMatch | None":
        try:
            return self._phrasebook.match(task, ctx.language, ctx.session)
        except (
            ToolDefinitionError
        ) as error:  # phrases of a language that nobody has tried yet; the model can still help
            log.error("no phrases in %s: %s", ctx.language, error)
            return None

    def _context(self, ctx: AgentContext | None) -> AgentContext:
        context = ctx if ctx is not None else AgentContext(language=self.language)
        if context.interrupt is None:
            context.interrupt = self.interrupt_policy
        return context

    def _model(self) -> ChatModel:
        if self.llm is None:
            return default_model()
        if not isinstance(self.llm, ChatModel):
            self.llm = self.llm()
        return self.llm


def _listed(tools: Any) -> list[Any]:
    return [tools] if isinstance(tools, ToolRegistry) else list(tools)


def _refuse_stop_tools(registry: ToolRegistry) -> None:
    for tool in registry.tools:
        words = set(re.split(r"[_\-\s]+", tool.name.casefold()))
        if words & _STOP_WORDS and words <= _STOP_WORDS | _COMPANY:
            raise ToolDefinitionError(
                f"'{tool.name}' cannot be a tool: stopping is done by stop words, before any model; give your world a "
                "halt() and pass it as deps."
            )
