"""A tool that keeps an agent running beside the run that calls it.

The agent belongs to nobody's turn: it goes on when the run is over, is listed among the running actions, and ends with
a stop. Each call is a heartbeat that says how it is and begins it again when it has died.
"""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

import logging
import threading
import time
from contextvars import copy_context
from typing import Literal

from edgevox.chains.io import NOBODY
from edgevox.chains.models.truncation import NO_MESSAGE
from edgevox.chains.nested import Runnable
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import FAULTS, ChainError, ControlFlow, described
from edgevox.core.events import AgentEvent
from edgevox.core.goals import GoalHandle
from edgevox.core.messages import Message
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext, Session
from edgevox.core.values import Empty, Str
from edgevox.tools.factory import factory

log = logging.getLogger(__name__)

START_S = 5.0
"""How long an agent may take to say that it has begun, seconds."""


class Heartbeat(Empty):
    """How an agent in the background is."""

    agent: str
    status: Literal["started", "alive", "restarted"]
    checks: int
    """How often it was looked after."""
    uptime_s: float


class BackgroundAgent:
    """An agent and its thread; give it to `run_background_agent`.

    Args:
        agent: what runs. An agent of chains is invoked, so it has no other bounds than its own.
        task: what it is told each time it begins; the first default tool of an agent of chains is given it.
    """

    def __init__(self, agent: Runnable, task: str = "Begin.") -> None:
        self.agent = agent
        self.task = task
        self.error: str | None = None
        """Why it died; `None` while it lives, and after an end without a fault."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._scope = CancelScope()
        self._checks = 0
        self._began = 0.0

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._thread is not None and self._thread.is_alive()

    def cancel(self, reason: str = "user") -> None:
        """Ask it to end; never waits."""
        self._scope.cancel(reason)

    def check(self) -> Heartbeat:
        """Say how it is, after beginning it if it does not run.

        Raises:
            ChainError: it did not begin in time.
        """
        with self._lock:
            status: Literal["started", "alive", "restarted"] = "alive"
            if not self.alive:
                status = "started" if self._thread is None else "restarted"
                self._begin()
            self._checks += 1
            uptime = time.monotonic() - self._began
            return Heartbeat(
                agent=self.agent.name,
                status=status,
                checks=self._checks,
                uptime_s=round(uptime, 3),
                truncation=NO_MESSAGE if status == "alive" else (),
            )

    def _begin(self) -> None:
        around = current_run()
        caller = around.ctx if around is not None else AgentContext()
        caller.scope.check()
        self._scope, self.error = CancelScope(), None
        ctx = _context(caller, self._scope)
        begun = threading.Event()
        forget = ctx.bus.subscribe("agent_start", lambda event: self._note_start(event, begun))
        handle = GoalHandle()
        handle.on_cancel(lambda: self._scope.cancel(handle.cancel_reason or CancelReason.USER))
        context = copy_context()
        self._thread = threading.Thread(
            target=lambda: context.run(self._run, ctx, handle, begun), name=f"background-{self.agent.name}", daemon=True
        )
        self._began = time.monotonic()
        caller.goals.add(self.agent.name, handle, {"background": True})
        self._thread.start()
        try:
            self._await(begun, caller.scope)
        finally:
            forget()

    def _note_start(self, event: AgentEvent, begun: threading.Event) -> None:
        if event.agent_name == self.agent.name:
            begun.set()

    def _await(self, begun: threading.Event, scope: CancelScope) -> None:
        forget = scope.on_cancel(lambda _: begun.set())
        try:
            if begun.wait(START_S) and not scope.cancelled:
                return
        finally:
            forget()
        self._scope.cancel("never_began")
        scope.check()
        raise ChainError(f"{self.agent.name} did not begin within {START_S:g} seconds.")

    def _run(self, ctx: AgentContext, handle: GoalHandle, begun: threading.Event) -> None:
        try:
            invoke = getattr(self.agent, "invoke", None)
            result = invoke(Str(value=self.task), ctx) if callable(invoke) else self.agent.run(self.task, ctx)
            self.error = getattr(result, "error", None)
        except ControlFlow:
            log.info("%s, in the background, was ended", self.agent.name)
        except FAULTS as error:  # its fault is told at the next heartbeat and must not end the program's thread loudly
            log.exception("%s, in the background, failed", self.agent.name)
            self.error = described(error)
        finally:
            begun.set()
            if self._scope.cancelled:
                handle.mark_cancelled()
            elif self.error:
                handle.fail(self.error)
            else:
                handle.succeed()


@factory
def run_background_agent(input: Empty, messages: list[Message], ctx: BackgroundAgent) -> Heartbeat:
    """Keep an agent running in the background, and say how it is."""
    return ctx.check()


def _context(caller: AgentContext, scope: CancelScope) -> AgentContext:
    """A context beside the caller's: same world and bus; nobody to ask, because nobody waits for it."""
    return AgentContext(
        session=Session(),
        deps=caller.deps,
        bus=caller.bus,
        on_event=caller.on_event,
        memory=caller.memory,
        scope=scope,
        language=caller.language,
        goals=caller.goals,
        permissions=caller.permissions,
        channel=NOBODY,
        endpoints=caller.endpoints,
    )
