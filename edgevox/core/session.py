"""What one run of an agent works with: the conversation, the world, the bus and the way out.

`edgevox.agents` re-exports both classes.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from edgevox.core.cancel import CancelScope
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.goals import RunningGoals
from edgevox.core.listeners import told
from edgevox.core.messages import Message, Role


class Session:
    """The in-memory view of one conversation: its messages and a scratchpad.

    Args:
        messages: earlier messages; dictionaries in the OpenAI shape are accepted.
        state: what tools and agents note for each other; JSON-compatible if it is to be stored.
    """

    def __init__(
        self, messages: Iterable[Message | Mapping[str, Any]] = (), state: dict[str, Any] | None = None
    ) -> None:
        self.messages: list[Message] = [m if isinstance(m, Message) else Message.from_openai(m) for m in messages]
        self.state: dict[str, Any] = state if state is not None else {}

    def add(self, message: Message) -> Message:
        """Append one message and return it."""
        self.messages.append(message)
        return message

    def openai(self) -> list[dict[str, Any]]:
        """Project the conversation to the OpenAI chat shape."""
        return [projected for message in self.messages for projected in message.openai()]

    def keep_heard(self, heard: str) -> None:
        """Replace the words of the last reply by those the person heard before it was cut off.

        Requests and results of the turn stay: what a tool did is done, whatever was said about it.
        """
        for index in range(len(self.messages) - 1, -1, -1):
            message = self.messages[index]
            if message.role is Role.USER:
                return
            if message.role is Role.ASSISTANT and message.plain:
                self.messages[index] = message.cut(heard)
                return

    def reset(self) -> None:
        """Forget the conversation and the scratchpad."""
        self.messages.clear()
        self.state.clear()


class AgentContext:
    """Everything a run may reach: passed to `agent.run`, and to tools and skills that ask for it.

    Args:
        session: the conversation; a new one when not given.
        deps: your world: a simulator, a robot, a database.
        bus: where events go.
        stop: an event of yours that ends the run when it is set.
        on_event: called for every event of this run, beside the bus.
        interrupt: the policy of a barge-in (`edgevox.agents.InterruptPolicy`).
        memory: what the agent remembers across conversations.
        scope: the scope of the turn; made from `stop` when not given.
        thread: the durable thread the conversation belongs to.
        turn: number of the turn within the thread.
        language: two-letter code the person speaks and wants to be answered in.
        admit_world: opens a world that a run enters and lets every stop reach it.
        goals: the list of actions under way that a stop must reach; an assistant has one for all its turns.
        permissions: decides what a run may touch (`edgevox.tools.permissions`); `None` allows nothing that needs leave.
        channel: the way to the person (`core.ports.UserChannel`); `None` is nobody.
        endpoints: what a run may ask beside its own model, by name.
    """

    def __init__(
        self,
        session: Session | None = None,
        deps: Any = None,
        bus: EventBus | None = None,
        stop: threading.Event | None = None,
        on_event: Callable[[AgentEvent], object] | None = None,
        interrupt: Any = None,
        memory: Any = None,
        *,
        scope: CancelScope | None = None,
        thread: Any = None,
        turn: int | None = None,
        client_context: Any = None,
        analysis_scope: Any = None,
        vars: dict[str, Any] | None = None,
        approver: Any = None,
        language: str = "en",
        goals: RunningGoals | None = None,
        admit_world: Callable[[Any], object] | None = None,
        permissions: Any = None,
        channel: Any = None,
        endpoints: Any = None,
    ) -> None:
        self.session = session if session is not None else Session()
        self.deps = deps
        self.bus = bus if bus is not None else EventBus()
        self.scope = scope if scope is not None else CancelScope(event=stop)
        self.on_event = on_event
        self.interrupt = interrupt
        self.memory = memory
        self.thread = thread
        self.turn = turn
        self.client_context = client_context
        self.analysis_scope = analysis_scope
        self.vars: dict[str, Any] = vars if vars is not None else self.session.state.setdefault("vars", {})
        self.approver = approver
        """Answers `confirm=True` tools (`core.ports.Approver`); `None` means nobody is there, so *no*."""
        self.language = language
        self.goals = goals if goals is not None else RunningGoals()
        self._admit_world = admit_world
        self.permissions = permissions
        self.channel = channel
        self.endpoints = endpoints
        self.effect: Any = None
        """The checkpoint of the tool that is running, for tools that reconcile after a crash."""
        self.trail: tuple[tuple[Any, Any], ...] = ()
        """Which agent has handed the turn to which before this run, oldest first: the bound on circles of agents."""

    @property
    def stop(self) -> threading.Event:
        """Set when the run has to end; setting it ends the run."""
        return self.scope.event

    def should_stop(self) -> bool:
        """Whether the run has to end."""
        return self.scope.cancelled

    def enter(self, world: Any) -> None:
        """Act in another world from now on.

        Raises:
            EdgeVoxError: it cannot be opened; one sentence says what is missing.
        """
        if self._admit_world is not None:
            self._admit_world(world)
        elif callable(getattr(world, "open", None)):
            world.open()
        self.deps = world

    def emit(self, kind: str, agent_name: str, payload: Any = None) -> None:
        """Publish an event of this run."""
        if self.on_event is None and not self.bus.heeds(kind):
            return
        thread_id = getattr(self.thread, "thread_id", None)
        event = AgentEvent(kind, agent_name, payload, thread_id=thread_id, turn=self.turn)
        event = self.bus.publish(event)
        if self.on_event is not None:
            told(self.on_event, replace(event))

    def child(self, *, session: Session | None = None, stop: threading.Event | None = None) -> "AgentContext":
        """Return a context for a nested run: same world and bus, a scope of its own below this one.

        Args:
            session: the nested run's conversation; this one's when not given.
            stop: an event that ends the nested run alone.
        """
        nested = AgentContext(
            session=session if session is not None else self.session,
            deps=self.deps,
            bus=self.bus,
            on_event=self.on_event,
            interrupt=self.interrupt,
            memory=self.memory,
            scope=self.scope.child(stop),
            thread=self.thread,
            turn=self.turn,
            client_context=self.client_context,
            analysis_scope=self.analysis_scope,
            vars=self.vars if session is None else None,
            approver=self.approver,
            language=self.language,
            goals=self.goals,
            admit_world=self._admit_world,
            permissions=self.permissions,
            channel=self.channel,
            endpoints=self.endpoints,
        )
        nested.trail = self.trail
        return nested
