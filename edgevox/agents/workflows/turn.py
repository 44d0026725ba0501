"""One turn of a workflow while it goes on: whom it asked, what came of it, what is said and what is kept."""

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from edgevox.agents.history import asked_already, keep, keep_cut
from edgevox.agents.patience import not_ended
from edgevox.agents.protocol import AgentResult
from edgevox.agents.workflows.child import ChildRun, Ended
from edgevox.agents.workflows.words import did_not_work
from edgevox.core.errors import Cancelled
from edgevox.core.messages import Message, MessageStatus, Role
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools.workers import POOL, Waited

log = logging.getLogger(__name__)


class WorkflowTurn:
    """What one run of a workflow has come to so far.

    The conversation of `ctx` gets the task once, what tools did as soon as the child that ran them has ended, and the
    reply at the end.

    Args:
        name: of the workflow.
        task: what it was asked.
        ctx: of the run.
    """

    def __init__(self, name: str, task: str, ctx: AgentContext) -> None:
        self.name = name
        self.task = task
        self.ctx = ctx
        self.error: str | None = None
        self.handed_off_to: str | None = None
        self.timed_out = False
        self.called_off = False
        """Whether somebody ended what a child did (`Ended.called_off`): nothing more may begin."""
        self._before = list(ctx.session.messages)
        self._did_something = False
        self._began = time.monotonic()
        self._said: list[str] = []
        self._reply_kind: str | None = None
        self._tool_calls: list[ToolCallResult] = []
        self._model_calls = 0
        if not asked_already(ctx, task):
            keep(ctx, Message.text(task))

    @property
    def stopped(self) -> bool:
        """Whether the run has to end: nothing more may begin."""
        return self.ctx.scope.cancelled

    @property
    def has_spoken(self) -> bool:
        """Whether anything has been said yet."""
        return bool(self._said)

    def ask(
        self,
        agent: Any,
        task: str | None = None,
        between: Sequence[Message] = (),
        *,
        seconds: float | None = None,
    ) -> Ended:
        """Run a child to its end; what it says is for the workflow alone.

        Args:
            agent: the child.
            task: what it is asked; the workflow's own task when not given.
            between: what else the child should find in its conversation before the task.
            seconds: how long it may take; `None` has no limit.
        """
        run = self._run_of(agent, task, between, seconds)
        run.start()
        ended = run.wait()
        self._take(ended)
        return ended

    def relay(
        self, agent: Any, task: str | None = None, between: Sequence[Message] = (), *, seconds: float | None = None
    ) -> Generator[str, None, Ended]:
        """Run a child and hand what it says on as it comes.

        Args:
            agent: the child.
            task: what it is asked; the workflow's own task when not given.
            between: what else the child should find in its conversation before the task.
            seconds: how long it may take; `None` has no limit.
        """
        run = self._run_of(agent, task, between, seconds)
        run.start()
        try:
            for piece in run.pieces():
                yield self.say(piece)
        finally:
            ended = run.end()
            self._take(ended)
        self._reply_kind = ended.reply_kind
        if not ended.fault:
            yield from self._catch_up(ended)
        return ended

    def side_by_side(self, jobs: Sequence[tuple[Any, str]]) -> Generator[Ended, None, None]:
        """Run children at the same time and yield how each ended, in the order of the jobs.

        Args:
            jobs: agents and what each is asked.
        """
        runs = [self._run_of(agent, task, ()) for agent, task in jobs]
        begun: list[ChildRun] = []
        try:
            for run in runs:
                if self.stopped:
                    break
                begun.append(run)
                run.start()
            for run in begun:
                yield run.wait()
        finally:
            for run in begun:
                run.tell()
            for run in begun:
                self._take(run.end())

    def count_model_calls(self, calls: int) -> None:
        """Count calls of a model that no child has made."""
        self._model_calls += calls

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function that belongs to the application, without letting it keep a stop waiting.

        Raises:
            Cancelled: the run ended first.
            Exception: what the function raised.
        """
        job = POOL.submit(lambda: function(*arguments), f"{self.name}'s function")
        if job.wait(self.ctx.scope, None) is not Waited.DONE:
            raise Cancelled(self.ctx.scope.reason)
        if job.error is not None:
            raise job.error
        return job.value

    def say(self, piece: str) -> str:
        """Note a piece of the reply and return it."""
        self._said.append(piece)
        return piece

    def answer(self, ended: Ended) -> Iterator[str]:
        """Say what a child has said to the workflow alone: it is the reply."""
        self.handed_off_to = ended.result.handed_off_to
        self._reply_kind = ended.reply_kind
        if ended.result.reply:
            yield self.say(ended.result.reply)

    def give_up(self, error: str, words: str = "") -> Iterator[str]:
        """End with an error, and say so to the person.

        Args:
            error: what went wrong and where, for a screen or a log.
            words: what is said; a plain sentence when not given.
        """
        self.error = error
        if self.stopped:
            return
        words = words or did_not_work(self.ctx.language)
        yield self.say(f" … {words}" if self._said else words)

    def give_up_on(self, ended: Ended, *, heard: bool) -> Iterator[str]:
        """End because a child failed.

        Args:
            ended: how it ended.
            heard: whether the person has heard what the child said.
        """
        self._reply_kind = ended.reply_kind
        if heard and ended.apology:
            self.error = ended.blame
            return
        yield from self.give_up(ended.blame, "" if heard else ended.apology)

    def finish(self, *, closed: bool) -> AgentResult:
        """Settle the conversation and return the result.

        Args:
            closed: whether the one who listened has gone.
        """
        cut = closed or self.stopped
        reply = "".join(self._said).strip()
        self._keep_reply(reply, cut or (self.called_off and not reply))
        return AgentResult(
            reply=reply,
            agent_name=self.name,
            preempted=cut or self.timed_out or self.called_off,
            handed_off_to=self.handed_off_to,
            tool_calls=tuple(self._tool_calls),
            elapsed_s=time.monotonic() - self._began,
            model_calls=self._model_calls,
            error=self.error,
        )

    def _run_of(
        self, agent: Any, task: str | None, between: Sequence[Message], seconds: float | None = None
    ) -> ChildRun:
        """A child finds the conversation as it was; the task and what came of it until now, if anything did."""
        history = [*self.ctx.session.messages, *between] if between or self._did_something else self._before
        return ChildRun(agent, self.task if task is None else task, self.ctx, history, seconds=seconds)

    def _take(self, ended: Ended) -> None:
        self._tool_calls.extend(ended.result.tool_calls)
        self._model_calls += ended.result.model_calls
        for message in ended.exchanges:
            self.ctx.session.add(message)
            self._did_something = True
        self.called_off |= ended.called_off
        if self.stopped and ended.result.error:  # what did not end, further down
            self.error = ended.result.error
        if ended.raised:
            self.ctx.emit("error", self.name, ended.blame)
        if ended.abandoned:
            sentence = not_ended(ended.agent_name)
            log.warning("%s: %s", self.name, sentence)
            self.ctx.emit("degraded", self.name, sentence)
            if self.stopped:
                self.error = sentence

    def _catch_up(self, ended: Ended) -> Iterator[str]:
        """Say the reply of a child that handed over no pieces."""
        self.handed_off_to = ended.result.handed_off_to
        if not self._said and ended.result.reply and not self.stopped:
            yield self.say(ended.result.reply)

    def _keep_reply(self, reply: str, cut: bool) -> None:
        if cut and not reply:
            keep_cut(self.ctx)
            return
        message = Message.text(reply, Role.ASSISTANT, kind=self._reply_kind)
        if cut:
            message = message.cut(reply)
        elif self.error:
            message = message.model_copy(update={"status": MessageStatus.FAILED})
        keep(self.ctx, message)
