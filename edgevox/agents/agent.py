"""`LLMAgent`: an agent that tries its tools' phrases first and asks a language model only when none matches.

A run is one turn: the person's words go into the session, the answer comes out in pieces, and everything that became
final on the way (requests, results, replies, what was said before a cut) is in the session for the next one.
"""

import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.agents.default_model import default_model
from edgevox.agents.history import keep, keep_cut
from edgevox.agents.hooks import HookChain
from edgevox.agents.interrupt import InterruptPolicy
from edgevox.agents.model_turn import Facts, ModelTurn
from edgevox.agents.phrases import Phrasebook, phrase_turn
from edgevox.agents.preempt import PreemptNews
from edgevox.agents.progress import Progress
from edgevox.agents.protocol import AgentResult
from edgevox.agents.skills import Skill, as_skill
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel, ModelFactory
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult
from edgevox.llm.loop import ToolChoicePolicy
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
        hooks: objects with some of the methods of `edgevox.agents.hooks.Hooks`.
        max_tool_hops: rounds of tool calls before the model must answer in words.
        tool_choice_policy: `auto`, or whether the first hop or every hop must call a tool.
        max_tokens: longest answer of the model, tokens; `None` is the model's own limit.
        temperature: of the model's sampling; `None` is the model's own.
        phrases: more spoken phrases per tool name, beside those the tools bring.
        language: two-letter code, for a run without a context.
        interrupt_policy: what a barge-in ends beside speech and model; by default nothing.
        facts: says what holds at this moment (`edgevox.agents.prompt.clock_facts`), for the model.
        on_tool_call: told the result of every tool call.

    Raises:
        ToolDefinitionError: something in the lists cannot be a tool, or is called like a stop: stopping is the safety
            monitor's business, and a model must not be able to invent one.
    """

    def __init__(
        self,
        name: str,
        description: str = "",
        instructions: str = "",
        tools: Iterable[Any] = (),
        skills: Iterable[Any] = (),
        llm: ChatModel | ModelFactory | None = None,
        *,
        hooks: Sequence[Any] = (),
        max_tool_hops: int = 3,
        tool_choice_policy: ToolChoicePolicy = "auto",
        max_tokens: int | None = None,
        temperature: float | None = None,
        phrases: Mapping[str, Any] | None = None,
        language: str = "en",
        interrupt_policy: InterruptPolicy | None = None,
        facts: Facts | None = None,
        on_tool_call: Callable[[ToolCallResult], object] | None = None,
    ) -> None:
        self.name = name
        self.description = description
        self.instructions = instructions
        self.language = language
        self.interrupt_policy = interrupt_policy if interrupt_policy is not None else InterruptPolicy()
        self.skills: dict[str, Skill] = {made.name: made for made in map(as_skill, skills)}
        self.tools = ToolRegistry(*_listed(tools), *self.skills.values())
        """Everything it can do, skills included. Tools registered later are offered from the next turn on."""
        _refuse_stop_tools(self.tools)
        self._llm = llm
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
        )

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
                preempted=closed or context.scope.cancelled,
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
        with parent.scope.child() as scope:
            nested = parent.child(session=Session())
            nested.scope = scope
            return self.run(task, nested)

    def bind_llm(self, llm: ChatModel | ModelFactory | None) -> "LLMAgent":
        """Answer with another model from the next turn on; `None` goes back to the default one."""
        self._llm = llm
        return self

    def matches_phrase(self, text: str, language: str | None = None) -> bool:
        """Whether a text is one of its tools' own phrases."""
        return self._phrasebook.match(text, language or self.language) is not None

    def examples(self, language: str | None = None, limit: int = EXAMPLES) -> list[str]:
        """Sentences that it understands without a model."""
        return self._phrasebook.examples(language or self.language, limit)

    def warm(self, ctx: AgentContext | None = None) -> None:
        """Compile the phrases, and let the model read the beginning of the prompt before anybody waits for it.

        Raises:
            EdgeVoxError: a phrase cannot be read, or there is no model.
        """
        context = self._context(ctx)
        self._phrasebook.warm(context.language)
        model = self._model()
        warm = getattr(model, "warm", None)
        if warm is not None:
            warm(
                [{"role": "system", "content": self._model_turn.system(context.language)}], self.tools.openai_schemas()
            )

    def _answer(self, task: str, ctx: AgentContext, progress: Progress) -> Generator[str, None, None]:
        keep(ctx, Message.text(task))
        if ctx.scope.cancelled:
            keep_cut(ctx)
            return
        match = self._matched(task, ctx)
        if match is not None:
            yield from phrase_turn(match, self.tools, ctx, progress, agent_name=self.name, hooks=self._hooks)
        else:
            yield from self._model_turn.run(ctx, progress, self._model, lambda: self.examples(ctx.language))

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
        if self._llm is None:
            return default_model()
        if not isinstance(self._llm, ChatModel):
            self._llm = self._llm()
        return self._llm


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
