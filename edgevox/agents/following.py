"""The hand-offs of one run: which are open, which wish is followed, and the target's answer in the source's place.

A turn is handed on at most `MAX_HANDOFFS` times, and never twice the same way: two agents that point at each other
come to an end, and the last of them answers.
"""

import logging
import math
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from edgevox.agents.handoff import Handoff, HandoffNews
from edgevox.agents.handoffs import OfferedTools, Target, Targets
from edgevox.agents.history import HANDOFF, keep, keep_cut
from edgevox.agents.patience import heard_out, not_ended
from edgevox.agents.progress import Progress
from edgevox.agents.protocol import AgentResult
from edgevox.agents.team import lend
from edgevox.agents.words import say
from edgevox.core.errors import FAULTS, AgentError, Cancelled, EdgeVoxError, described
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Message, MessageStatus, Origin, ResultStatus, Role
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools import ToolRegistry

log = logging.getLogger(__name__)

MAX_HANDOFFS = 4
"""Hand-offs of one turn."""
NO_HANDOFF = "no_handoff"
"""Error code of a hand-off that is not followed."""


class HandoffDesk:
    """Decides about the hand-offs of one run. A hook of that run: it sees each call before it runs and each result.

    Args:
        source: the agent that runs.
        targets: whom it may hand the turn to.
        ctx: of the run.
    """

    priority = math.inf

    def __init__(self, source: Any, targets: Targets, ctx: AgentContext) -> None:
        self._source = source
        self._targets = targets
        self._trail = ctx.trail
        self._asked: Target | None = None
        self.open = [target for target in targets if self._closed(target.name) is None]
        """The targets that may still be asked in this turn."""

    @property
    def tool_names(self) -> frozenset[str]:
        """The tools that do nothing but hand the turn over, closed ones included."""
        return frozenset(target.tool_name for target in self._targets if target.tool_name not in self._source.tools)

    def registry(self, own: ToolRegistry) -> ToolRegistry:
        """The tools of the agent with the hand-offs that are open."""
        return OfferedTools(own, [target.tool for target in self.open]) if self.open else own

    def taker(self, wish: Handoff) -> Any:
        """Return the agent that takes the turn.

        Raises:
            AgentError: there is none of that name, or the turn has been there already; words for the model.
        """
        own = wish.target_name == self._source.name
        agent = self._source if own else self._found(wish.target)
        closed = self._closed(str(agent.name))
        if closed is not None:
            raise AgentError(closed)
        return agent

    def before_tool(self, _: AgentContext, name: str, arguments: dict[str, Any]) -> str | ToolCallResult | None:
        """Let one hand-off of a message through, and none to an agent that has been asked already."""
        target = next((each for each in self._targets if each.tool_name == name), None)
        if target is None or name in self._source.tools:
            return None
        closed = self._closed(target.name)
        if closed is not None:
            return _refused(ToolCallResult(name=name, arguments=arguments), closed)
        if self._asked is not None:
            return f"Only one agent can take the turn, and {self._asked.key} was asked first."
        self._asked = target
        return None

    def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> ToolCallResult | None:
        """Say who answers now, or why a hand-off is not followed."""
        if not result.ok and self._asked is not None and result.name == self._asked.tool_name:
            self._asked = None
        if not wishes_handoff(result):
            return None
        try:
            agent = self.taker(result.value)
        except AgentError as error:
            log.info("a hand-off of %s is not followed: %s", self._source.name, error)
            spoken = result.origin is Origin.PHRASE
            return _refused(result, say("no_handoff", ctx.language) if spoken else str(error))
        return replace(result, result=f"{agent.name} answers now.")

    def _found(self, target: Any) -> Any:
        """The agent that is meant: a target, one that took part in the turn, or one of the list of agents."""
        if isinstance(target, str) and not any(each.called(target) for each in self._targets):
            took_part = next((agent for pair in self._trail for agent in pair if agent.name == target), None)
            if took_part is not None:
                return took_part
        return self._targets.find(target)

    def _closed(self, name: str) -> str | None:
        """Why the turn cannot go to an agent; `None` when it can."""
        own = str(self._source.name)
        if name == own:
            return f"You are {own}: answer the person yourself."
        if any((source.name, target.name) == (own, name) for source, target in self._trail):
            return f"{name} has been asked in this turn: answer the person yourself."
        if len(self._trail) >= MAX_HANDOFFS:
            return "Enough agents have been asked in this turn: answer the person yourself."
        return None


def wishes_handoff(result: ToolCallResult) -> bool:
    """Whether a call came to a hand-off."""
    return result.ok and isinstance(result.value, Handoff)


@dataclass(slots=True, kw_only=True)
class _Overheard:
    """What a target did, for a run that is cut off before the target can say so itself."""

    ctx: AgentContext
    progress: Progress
    tool_calls: list[ToolCallResult] = field(default_factory=list[ToolCallResult])
    model_calls: int = 0

    def __call__(self, event: AgentEvent) -> None:
        """Note an event of the target and pass it on."""
        if event.kind == "llm_call":
            self.model_calls += 1
        elif event.kind == "tool_call" and isinstance(event.payload, ToolCallResult):
            self.tool_calls.append(event.payload)
            self.progress.tell(event.payload)
        if self.ctx.on_event is not None:
            self.ctx.on_event(event)


def follow(
    source: Any, desk: HandoffDesk, wish: Handoff, ctx: AgentContext, progress: Progress, words: str
) -> Generator[str, None, None]:
    """Let another agent answer in the same conversation, on the same bus, within the turn.

    Args:
        source: who hands the turn over.
        desk: knows who takes it.
        wish: what goes with it.
        ctx: of the source's run.
        progress: of the source's run; what the target does is added.
        words: what the person said.
    """
    if ctx.scope.cancelled:
        keep_cut(ctx)
        return
    try:
        agent = desk.taker(wish)
        nested = _nested(source, agent, ctx)
    except EdgeVoxError as error:
        yield from _apologise(ctx, progress, _sentence(say("no_handoff", ctx.language)), str(error))
        return
    task = (wish.task or "").strip() or None
    _announce(source.name, str(agent.name), wish, task, ctx)
    progress.handed_off_to = str(agent.name)
    progress.begin_part()
    if task is not None and task != words:
        keep(ctx, Message.text(task, kind=HANDOFF))
    lend(agent, source.llm)
    overheard = _Overheard(ctx=ctx, progress=progress)
    nested.on_event = overheard
    with nested.scope:
        result = yield from _answered(agent, task or words, nested, progress, overheard)
    if result is not None:
        _settle(result, ctx, progress)


def _announce(source: str, target: str, wish: Handoff, task: str | None, ctx: AgentContext) -> None:
    ctx.session.state.update(wish.state_update or {})
    ctx.emit("handoff", source, HandoffNews(source=source, target=target, reason=wish.reason, task=task))


def _nested(source: Any, target: Any, ctx: AgentContext) -> AgentContext:
    nested = ctx.child()
    nested.trail = (*ctx.trail, (source, target))
    if nested.interrupt is source.interrupt_policy:  # the target has a policy of its own
        nested.interrupt = None
    world = getattr(target, "world", None)
    if world is not None:
        nested.enter(world)
    return nested


def _answered(
    agent: Any, task: str, ctx: AgentContext, progress: Progress, overheard: _Overheard
) -> Generator[str, None, AgentResult | None]:
    """Hand on the target's pieces as they come; returns its result, or `None` when it failed."""
    result: AgentResult | None = None
    try:
        result = yield from _pieces(agent, task, ctx, progress)
    except Cancelled:
        keep_cut(ctx)
    except (*FAULTS, KeyboardInterrupt) as error:  # other people's code: the person hears a sentence
        log.warning("%s failed", agent.name, exc_info=True)
        yield from _apologise(ctx, progress, say("failed", ctx.language), described(error))
    finally:
        if result is None:
            progress.tool_calls.extend(overheard.tool_calls)
            progress.model_calls += overheard.model_calls
    return result


def _pieces(agent: Any, task: str, ctx: AgentContext, progress: Progress) -> Generator[str, None, AgentResult | None]:
    said = False
    stream = heard_out(agent, task, ctx)
    with closing(stream):
        while True:
            try:
                piece = next(stream)
            except StopIteration as end:
                returned: tuple[Any] | None = end.value
                break
            if piece and not ctx.scope.cancelled:
                said = True
                yield progress.say(piece)
    if returned is None:
        _give_up(agent, ctx, progress)
        return None
    result = _as_result(returned[0], agent, "".join(progress.said) if said else "", ctx)
    if not said and result.reply:
        yield progress.say(result.reply)
    elif not said and not ctx.scope.cancelled and not result.preempted:
        yield progress.say(say("failed", ctx.language))
    return result


def _as_result(value: Any, agent: Any, words: str, ctx: AgentContext) -> AgentResult:
    """What an agent returned; one that only hands pieces over, or returns words, has said all it has to say."""
    if isinstance(value, AgentResult):
        return value
    if value is not None and not isinstance(value, str):
        raise AgentError(f"{agent.name} returned {type(value).__name__} and not an AgentResult")
    return AgentResult(value or words, str(agent.name), preempted=ctx.scope.cancelled)


def _give_up(agent: Any, ctx: AgentContext, progress: Progress) -> None:
    """Go on without an agent that did not end when the turn did."""
    progress.error = not_ended(agent.name)
    log.warning("%s", progress.error)
    ctx.emit("degraded", str(agent.name), progress.error)
    keep_cut(ctx)


def _settle(result: AgentResult, ctx: AgentContext, progress: Progress) -> None:
    """Add what the target did, and see to it that the conversation holds its answer."""
    progress.tool_calls.extend(result.tool_calls)
    progress.model_calls += result.model_calls
    progress.preempted = result.preempted
    progress.error = result.error
    if ctx.scope.cancelled or result.preempted:
        keep_cut(ctx)
        return
    last = ctx.session.messages[-1]
    if last.role is not Role.ASSISTANT or last.tool_uses:
        keep(ctx, Message.text(progress.reply, Role.ASSISTANT))


def _apologise(ctx: AgentContext, progress: Progress, words: str, error: str) -> Generator[str, None, None]:
    progress.error = error
    if ctx.scope.cancelled:
        keep_cut(ctx)
        return
    keep(ctx, Message.text(words, Role.ASSISTANT).model_copy(update={"status": MessageStatus.FAILED}))
    yield progress.say(f"… {words}" if progress.said else words)


def _sentence(words: str) -> str:
    """The words as they stand alone; elsewhere an apology goes before them."""
    return words[:1].upper() + words[1:]


def _refused(result: ToolCallResult, why: str) -> ToolCallResult:
    return replace(result, status=ResultStatus.ERROR, result=None, value=None, error=why, error_code=NO_HANDOFF)
