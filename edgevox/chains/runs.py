"""The runs of one chain agent: what each begins with, who hears of it, and how it is ended from outside."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from edgevox.chains.budget import Budget, Limits
from edgevox.chains.defaults import DefaultRoot
from edgevox.chains.io import channel_for
from edgevox.chains.loaded import LoadedTools
from edgevox.chains.nested import run_around
from edgevox.chains.prompter import ActionPrompter
from edgevox.chains.recovery import Recovery
from edgevox.chains.scheduler import Scheduler
from edgevox.chains.sinks import Sinks
from edgevox.chains.state import RunState, RunStatus
from edgevox.chains.steps import StepRunner
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Message
from edgevox.core.results import AgentResult
from edgevox.core.session import AgentContext, Session

if TYPE_CHECKING:
    from edgevox.chains.agent import Agent


class Runs:
    """Begins and ends the runs of an agent.

    Args:
        agent: whose runs they are.
    """

    def __init__(self, agent: "Agent") -> None:
        self._agent = agent
        self._lock = threading.Lock()
        self._live: list[RunState] = []
        self.latest: RunState | None = None

    @property
    def live(self) -> list[RunState]:
        """The runs that go on now."""
        with self._lock:
            return list(self._live)

    @contextmanager
    def begin(
        self,
        ctx: AgentContext | None,
        messages: list[Message],
        *,
        task: Any,
        also_keep: Callable[[Message], object] | None = None,
        limits: Limits | None = None,
    ) -> Generator[RunState]:
        """Let a run last as long as the block; publishes its beginning and its end.

        Args:
            ctx: of the caller; that of the run around it, or a new one, when not given.
            messages: what it begins with.
            task: what it was asked.
            also_keep: told each message that the run adds.
            limits: the bounds; the agent's own when not given.
        """
        agent, began = self._agent, time.monotonic()
        own = self._context(ctx, messages)
        bounds = limits if limits is not None else agent.limits
        state = RunState(agent_name=agent.name, ctx=own, messages=messages, budget=Budget(bounds), also_keep=also_keep)
        with own.scope, Sinks(own.bus, self._sinks(own), own.scope):
            self._enter(state)
            own.emit("agent_start", agent.name, task)
            try:
                yield state
            except BaseException as error:
                state.error = str(error) or type(error).__name__
                raise
            finally:
                state.close(RunStatus.FAILED)
                self._leave(state)
                state.result = self._result(state, time.monotonic() - began)
                own.emit("agent_end", agent.name, state.result)

    def scheduler(self, state: RunState) -> Scheduler:
        """Put together what runs a run."""
        agent = self._agent
        runner = StepRunner(state, agent.policy, told=agent.mode.asks_model)
        loaded = LoadedTools(agent.graph, agent.skills, state.messages)
        roots: list[Any] = [DefaultRoot(tool, runner) for tool in agent.default_tools]
        if agent.mode.asks_model:
            roots.append(ActionPrompter(state=state, runner=runner, graph=loaded.graph, model=agent.model, options={}))
        recovery = Recovery(state, runner, agent.prompt_user_tool, asks=agent.mode.asks_people)
        return Scheduler(roots, runner, loaded.graph, recovery)

    def _context(self, ctx: AgentContext | None, messages: list[Message]) -> AgentContext:
        agent, outer = self._agent, ctx
        if outer is None:
            around = run_around(agent.name)
            outer = around.ctx if around is not None else AgentContext(bus=agent.bus, language=agent.language)
        own = outer.child(session=Session(state=outer.session.state))
        own.session.messages = messages
        own.vars = outer.vars
        own.channel = channel_for(agent.mode, outer)
        own.permissions = _permissions(agent.permissions, outer.permissions)
        if own.bus is not agent.bus:
            own.on_event = _both(own.on_event, agent.bus.publish)
        return own

    def _sinks(self, ctx: AgentContext) -> Sequence[Callable[[AgentEvent], object]]:
        """The agent's sinks; on somebody else's bus they hear of this agent alone."""
        if ctx.bus is self._agent.bus:
            return self._agent.event_sinks
        return [_only(self._agent.name, sink) for sink in self._agent.event_sinks]

    def _enter(self, state: RunState) -> None:
        with self._lock:
            self._live.append(state)
            self.latest = state

    def _leave(self, state: RunState) -> None:
        with self._lock:
            self._live.remove(state)

    def _result(self, state: RunState, took_s: float) -> AgentResult:
        return AgentResult(
            reply=state.reply,
            agent_name=self._agent.name,
            preempted=state.status is RunStatus.CANCELLED,
            tool_calls=tuple(state.tool_calls),
            elapsed_s=took_s,
            model_calls=state.budget.llm_calls,
            error=state.error,
        )


def _both(
    first: Callable[[AgentEvent], object] | None, second: Callable[[AgentEvent], object]
) -> Callable[[AgentEvent], object]:
    def tell(event: AgentEvent) -> None:
        if first is not None:
            first(event)
        second(event)

    return tell


def _only(name: str, sink: Callable[[AgentEvent], object]) -> Callable[[AgentEvent], object]:
    return lambda event: sink(event) if event.agent_name == name else None


def _permissions(own: Any, outer: Any) -> Any:
    """The agent's own, with those of the person of the run around it laid over them."""
    if own is None or outer is None:
        return own if own is not None else outer
    return own.for_the_person_of(outer)
