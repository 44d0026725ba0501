"""The turn that asks a language model: what it is shown, and what is said when it cannot answer.

The loop between model and tools is `edgevox.llm.loop`'s. Here every fault becomes a sentence; silence is never one.
"""

import logging
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from edgevox.agents.hooks import HookChain
from edgevox.agents.phrases import Answer
from edgevox.agents.prompt import system_prompt
from edgevox.agents.words import say, without_model
from edgevox.context import with_facts
from edgevox.core.errors import ContextOverflow, EdgeVoxError, LibraryMissing, ModelMissing
from edgevox.core.messages import Message, MessageStatus, Role
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.llm.loop import LoopResult, ToolChoicePolicy, run_tool_loop
from edgevox.tools import ToolRegistry

log = logging.getLogger(__name__)

Facts = Callable[[AgentContext], str]
"""Says what holds at this moment, in sentences for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn:
    """How one agent asks a model."""

    name: str
    instructions: str
    registry: ToolRegistry
    hooks: HookChain
    max_tool_hops: int = 3
    tool_choice_policy: ToolChoicePolicy = "auto"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    facts: Facts | None = None
    on_tool_call: Callable[[ToolCallResult], object] | None = None

    def system(self, language: str) -> str:
        """The words every conversation in that language begins with."""
        has_tools = any(tool.active for tool in self.registry.tools)
        return system_prompt(self.name, self.instructions, language, has_tools=has_tools)

    def messages(self, ctx: AgentContext) -> list[dict[str, Any]]:
        """What the model is shown: the conversation, with the facts of the moment beside the person's last words."""
        shown = [{"role": "system", "content": self.system(ctx.language)}, *ctx.session.openai()]
        return with_facts(shown, self.facts(ctx)) if self.facts is not None else shown

    def run(
        self, ctx: AgentContext, model: Callable[[], ChatModel], examples: Callable[[], list[str]]
    ) -> Generator[str, None, Answer]:
        """Answer the conversation of `ctx`.

        Args:
            ctx: its session ends with the person's words.
            model: returns the model, or raises why there is none.
            examples: sentences that work without a model.
        """
        results: list[ToolCallResult] = []
        said: list[str] = []
        try:
            outcome = yield from self._loop(ctx, model(), results, said)
        except (ModelMissing, LibraryMissing) as error:
            log.info("no language model: %s", error)
            return (yield from self._apologise(ctx, without_model(examples(), ctx.language), str(error), results, said))
        except ContextOverflow as error:
            return (yield from self._apologise(ctx, str(error), str(error), results, said))
        except Exception as error:  # whatever a model or its library raises, the person hears a sentence
            log.warning("the language model failed", exc_info=not isinstance(error, EdgeVoxError))
            words = f"{say('model_failed', ctx.language)} {error if isinstance(error, EdgeVoxError) else ''}".strip()
            return (yield from self._apologise(ctx, words, f"{type(error).__name__}: {error}", results, said))
        if outcome.cancelled:
            _keep_cut(ctx)
        return Answer(reply="".join(said).strip(), tool_calls=outcome.tool_calls, model_calls=outcome.model_calls)

    def _loop(
        self, ctx: AgentContext, model: ChatModel, results: list[ToolCallResult], said: list[str]
    ) -> Generator[str, None, LoopResult]:
        def note(result: ToolCallResult) -> None:
            results.append(result)
            if self.on_tool_call is not None:
                self.on_tool_call(result)

        pieces = run_tool_loop(
            model,
            self.messages(ctx),
            self.registry,
            ctx,
            agent_name=self.name,
            max_tool_hops=self.max_tool_hops,
            tool_choice_policy=self.tool_choice_policy,
            options=self.options,
            on_message=lambda message: ctx.session.add(message.model_copy(update={"turn": ctx.turn})),
            on_tool_call=note,
            hooks=self.hooks.around_loop(ctx),
            language=ctx.language,
        )
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                return end.value
            said.append(piece)
            yield piece

    def _apologise(
        self, ctx: AgentContext, words: str, error: str, results: list[ToolCallResult], said: list[str]
    ) -> Generator[str, None, Answer]:
        """Say what went wrong, after whatever has been said already."""
        if ctx.scope.cancelled:
            _keep_cut(ctx)
            return Answer(reply="".join(said).strip(), tool_calls=tuple(results), error=error)
        text = f" {words}" if said else words
        message = Message.text("".join([*said, text]), Role.ASSISTANT, turn=ctx.turn)
        ctx.session.add(message.model_copy(update={"status": MessageStatus.FAILED}))
        yield text
        return Answer(reply=message.plain, tool_calls=tuple(results), error=error)


def _keep_cut(ctx: AgentContext) -> None:
    """See to it that a turn that was cut ends with a cancelled message, so that the next one is not its answer."""
    last = ctx.session.messages[-1] if ctx.session.messages else None
    if last is None or last.role is not Role.ASSISTANT or last.tool_uses:
        ctx.session.add(Message.text("", Role.ASSISTANT, turn=ctx.turn).cut(""))
