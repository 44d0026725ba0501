"""A chain agent within a conversation: answers one turn of it, as every agent does.

A declared phrase runs its tool, and what is chained to it, without a model. Whatever goes wrong becomes a sentence.
"""

import logging
import queue
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from edgevox.chains.budget import VOICE_TURN
from edgevox.chains.execution import Execution
from edgevox.chains.nested import context_below
from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.phrases import reply_to, words_of
from edgevox.chains.runs import Runs
from edgevox.chains.scheduler import Scheduler
from edgevox.chains.sentences import sentence
from edgevox.chains.state import RunState, RunStatus
from edgevox.core.errors import FAULTS, AgentError, BudgetExceeded, EdgeVoxError, OutputFormatError
from edgevox.core.messages import Message, MessageStatus, Origin, Role, ToolUseBlock
from edgevox.core.results import AgentResult
from edgevox.core.session import AgentContext
from edgevox.core.tools import new_use_id
from edgevox.core.transcript import Transcript
from edgevox.core.values import Empty, Stop, Str
from edgevox.tools import Tool

if TYPE_CHECKING:
    from edgevox.chains.agent import Agent

log = logging.getLogger(__name__)

_ENDS = ".!?:;…。！？"
"""How a sentence ends."""
Calls = Sequence[tuple[Tool, dict[str, Any]]]


def answer(agent: "Agent", runs: Runs, task: str, ctx: AgentContext | None) -> Generator[str, None, AgentResult]:
    """Answer one turn of a conversation (`agents.Agent.run_stream`).

    Args:
        agent: who answers.
        runs: its runs.
        task: what the person said.
        ctx: whose session is the conversation.

    Raises:
        AgentError: the task is no text, or the context none.
    """
    if not isinstance(task, str) or not (ctx is None or isinstance(ctx, AgentContext)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise AgentError(f'{agent.name} is asked in words, in an AgentContext or in none: run("…").')
    if ctx is None:
        own = context_below(agent.name, bus=agent.bus, language=agent.language)
        with own.scope:
            return (yield from answer(agent, runs, task, own))
    outer = ctx
    conversation = _Conversation(outer)
    if not conversation.ends_with(task):
        conversation.keep(Message.text(task))
    messages = Transcript([*agent.opening(), *outer.session.messages])
    limits = agent.limits.or_else(VOICE_TURN)
    with runs.begin(outer, messages, task=task, also_keep=conversation.keep, limits=limits) as state:
        try:
            yield from _answered(agent, runs, state, task)
        finally:
            conversation.close(state)
    assert state.result is not None
    return state.result


def _answered(agent: "Agent", runs: Runs, state: RunState, task: str) -> Generator[str, None, None]:
    calls = agent.spoken.match(task, state.ctx.language)
    inbox: queue.SimpleQueue[str] = queue.SimpleQueue()
    state.on_words = inbox.put
    scheduler = runs.scheduler(state)

    def work() -> Generator[str, None, Outcome]:
        return _phrase(calls, scheduler, state) if calls else scheduler.run(Str(value=task))

    said = ""
    try:
        with closing(Execution(state, work, inbox.put).pieces(inbox)) as pieces:
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    stop: Stop = end.value
                    break
                said += piece
                state.reply = said.strip()
                yield piece
    except FAULTS as error:  # whatever a run fails with, the person hears a sentence
        log.warning("%s failed: %s", agent.name, error, exc_info=not isinstance(error, EdgeVoxError))
        state.error = str(error) or type(error).__name__
        words = _said_of(error, state.ctx.language)
    else:
        if state.status is RunStatus.CANCELLED:
            return
        words = _unsaid(state, stop, said) or ("" if said.strip() else sentence("done", state.ctx.language))
    if words:
        piece = _joined(said, words, broken=state.error is not None)
        state.reply = f"{said}{piece}".strip()
        yield piece


def _said_of(error: BaseException, language: str) -> str:
    """What a person hears of an error; what is meant for programmers is in the result and in the log."""
    match error:
        case BudgetExceeded():
            return sentence("hops", language)
        case OutputFormatError():
            return sentence("unclear", language)
        case _:
            return sentence("failed", language, result=str(error) if isinstance(error, EdgeVoxError) else "")


def _joined(said: str, words: str, *, broken: bool) -> str:
    """Words as they follow what was said already."""
    if not said.strip():
        return words
    return f"… {words}" if broken else words if said[-1].isspace() else f" {words}"


def _unsaid(state: RunState, stop: Stop, said: str) -> str:
    """The answer of a run, as far as it was not its words that were said already."""
    words = words_of(stop)
    before, answer = " ".join(said.split()), " ".join(words.split())
    last = state.messages[-1] if state.messages else None
    replied = last is not None and last.role is Role.ASSISTANT and " ".join(last.plain.split()) == answer
    head = before.removesuffix(answer).rstrip()
    return "" if before.endswith(answer) and (replied or not head or head[-1] in _ENDS) else words


def _phrase(calls: Calls, scheduler: Scheduler, state: RunState) -> Generator[str, None, Outcome]:
    """Run the tools that a phrase asks for, each with its chain, and say what came of them."""
    replies: list[str] = []
    last = Outcome(Empty())
    for tool, arguments in calls:
        use = ToolUseBlock(
            tool_name=tool.name, tool_use_id=new_use_id(), input=tool.shown(arguments), origin=Origin.PHRASE
        )
        state.keep(Message(role=Role.ASSISTANT, content=(use,)))
        state.emit("tool_use", use)
        first = scheduler.runner.run(Step(tool=tool, arguments=arguments, origin=Origin.PHRASE, use_id=use.tool_use_id))
        last = scheduler.follow(first, last)
        replies.append(reply_to(last.tool, last.result, last.value, state.ctx.language))
        if last.ends or last.failed:
            break
    yield " ".join(replies)
    return Outcome(Stop(value=" ".join(replies)))


class _Conversation:
    """The session that a turn is part of."""

    def __init__(self, ctx: AgentContext) -> None:
        self._ctx = ctx

    def keep(self, message: Message) -> None:
        self._ctx.session.add(message.model_copy(update={"turn": self._ctx.turn}))

    def ends_with(self, task: str) -> bool:
        """Whether the words are there already, because another agent has handed the turn over."""
        if not self._ctx.trail:
            return False
        spoken = [message for message in self._ctx.session.messages if message.role is Role.USER]
        return bool(spoken) and spoken[-1].plain == task

    def close(self, state: RunState) -> None:
        """See to it that the turn ends with a reply, or with a message that says it was cut."""
        last = self._ctx.session.messages[-1]
        if last.role is Role.ASSISTANT and not last.tool_uses:
            return
        if state.status is RunStatus.CANCELLED:
            self.keep(Message.text(state.reply, Role.ASSISTANT).cut(state.reply))
        elif state.reply:
            status = MessageStatus.FAILED if state.error else MessageStatus.COMPLETED
            self.keep(Message.text(state.reply, Role.ASSISTANT).model_copy(update={"status": status}))
