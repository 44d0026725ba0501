"""The turn that asks a language model: what it is shown, and what is said when it cannot answer.

The loop between model and tools is the scheduler's (`edgevox.chains`). Here every fault becomes a sentence; silence is
never one.
"""

import logging
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from edgevox.agents.following import HandoffDesk, wishes_handoff
from edgevox.agents.handoffs import PREFIX
from edgevox.agents.history import keep, keep_cut, without_calls
from edgevox.agents.hooks import HookChain
from edgevox.agents.own_words import told_by_tools
from edgevox.agents.progress import Progress
from edgevox.agents.prompt import system_prompt
from edgevox.agents.words import say
from edgevox.context import with_facts
from edgevox.context.folded import folded
from edgevox.core.completion import ToolCall
from edgevox.core.errors import (
    FAULTS,
    ChainError,
    ContextOverflow,
    EdgeVoxError,
    LibraryMissing,
    ModelMissing,
    described,
)
from edgevox.core.messages import Message, MessageStatus, Role
from edgevox.core.ports import ChatModel
from edgevox.core.redaction import redacted
from edgevox.core.session import AgentContext
from edgevox.llm.prompter import LoopHooks, LoopResult, ToolChoicePolicy, run_tool_loop
from edgevox.tools import ToolRegistry

log = logging.getLogger(__name__)

Otherwise = Callable[[], tuple[str, str | None]]
"""What is said where there is no model, and the kind of message that is."""
Facts = Callable[[AgentContext], str]
"""Says what holds at this moment, in sentences for the model."""
Instead = Callable[[HandoffDesk, AgentContext, str], ToolCall | None]
"""Makes the call that had to come and did not, of the words that came instead."""


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
    instead: Instead | None = None

    def system(self, language: str, desk: HandoffDesk) -> str:
        """The words every conversation in that language begins with."""
        has_tools = any(tool.active for tool in desk.registry(self.registry).tools)
        hands_off = bool(desk.open)
        return system_prompt(self.name, self.instructions, language, has_tools=has_tools, hands_off=hands_off)

    def messages(self, ctx: AgentContext, desk: HandoffDesk) -> list[dict[str, Any]]:
        """What the model is shown: the conversation, with the facts of the moment beside the person's last words."""
        conversation = folded(self._told(ctx, desk))
        shown = [{"role": "system", "content": self.system(ctx.language, desk)}, *conversation]
        return with_facts(shown, self.facts(ctx)) if self.facts is not None else shown

    def _told(self, ctx: AgentContext, desk: HandoffDesk) -> list[Message]:
        """The conversation without the hand-offs of others, which this agent has no part in and would only imitate."""
        if any(source.name == self.name for source, _ in ctx.trail):  # the turn has come back: it must see why
            return list(ctx.session.messages)
        offered = {target.tool_name for target in desk.open}
        return without_calls(ctx.session.messages, lambda name: name.startswith(PREFIX) and name not in offered)

    def run(
        self,
        ctx: AgentContext,
        progress: Progress,
        model: Callable[[], ChatModel],
        otherwise: Otherwise,
        desk: HandoffDesk,
    ) -> Generator[str, None, None]:
        """Answer the conversation of `ctx`.

        Args:
            ctx: its session ends with the person's words.
            progress: filled in.
            model: returns the model, or raises why there is none.
            otherwise: says something where there is no model.
            desk: the hand-offs of the run.
        """
        try:
            outcome = yield from self._loop(ctx, model(), progress, desk)
        except (ModelMissing, LibraryMissing) as error:
            log.info("no language model: %s", error)
            words, kind = otherwise()
            yield from _apologise(ctx, progress, words, error, kind)
        except ContextOverflow as error:
            yield from _apologise(ctx, progress, str(error), error)
        except FAULTS as error:  # whatever a model or its library raises, the person hears a sentence
            known = isinstance(error, EdgeVoxError)
            log.warning("the language model failed: %s", error, exc_info=not known)
            key = "failed" if isinstance(error, ChainError) else "model_failed"
            words = f"{say(key, ctx.language)} {error if known else ''}".strip()
            yield from _apologise(ctx, progress, words, error)
        else:
            if outcome.cancelled:
                keep_cut(ctx)
            if outcome.ended_by is not None:
                progress.wish = outcome.ended_by.value

    def _loop(
        self, ctx: AgentContext, model: ChatModel, progress: Progress, desk: HandoffDesk
    ) -> Generator[str, None, LoopResult]:
        pieces = run_tool_loop(
            model,
            self.messages(ctx, desk),
            desk.registry(self.registry),
            ctx,
            agent_name=self.name,
            max_tool_hops=self.max_tool_hops,
            tool_choice_policy=self.tool_choice_policy,
            options=self.options,
            on_message=lambda message: keep(ctx, message),
            on_tool_call=progress.note,
            hooks=_counted(self.hooks.with_hook(desk).around_loop(ctx), progress),
            ends_turn=wishes_handoff,
            quiet=desk.tool_names,
            told=lambda results: told_by_tools(results, self.registry, ctx),
            instead=partial(self.instead, desk, ctx) if self.instead is not None else None,
            language=ctx.language,
        )
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                return end.value
            yield progress.say(piece)


def _counted(hooks: LoopHooks, progress: Progress) -> LoopHooks:
    """Count the model's calls where they are made, so that one that fails counts too."""
    inner = hooks.before_model

    def before_model(messages: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
        progress.model_calls += 1
        return inner(messages) if inner is not None else None

    return replace(hooks, before_model=before_model)


def _apologise(
    ctx: AgentContext, progress: Progress, words: str, error: BaseException, kind: str | None = None
) -> Generator[str, None, None]:
    """Say what went wrong, after whatever has been said already."""
    progress.error = redacted(str(error) if isinstance(error, EdgeVoxError) else described(error))
    words = redacted(words)
    if ctx.scope.cancelled:
        keep_cut(ctx)
        return
    piece = progress.say(f"… {words}" if progress.said else words)
    message = Message.text(progress.reply, Role.ASSISTANT, kind=kind)
    keep(ctx, message.model_copy(update={"status": MessageStatus.FAILED}))
    yield piece
