"""The one event envelope and the one bus.

Every step of a turn publishes; screens, logs, stores and bridges subscribe. The bus knows what must be kept before it
is told (durable kinds) and what may be lost (transient kinds). It does not know who listens.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from edgevox.core.clock import utc_now
from edgevox.core.errors import FAULTS

log = logging.getLogger(__name__)

EventKind = Literal[
    "agent_start", "agent_end", "agent_message", "handoff", "safety_preempt",
    "skill_goal", "skill_feedback", "skill_cancelled", "tool_call",
    "text_start", "text_delta", "text_end", "tool_use", "tool_result", "error", "discard",
    "thread_status", "activity", "title", "goal_status", "task_changed", "feedback",
    "output_validated", "output_rejected", "auto_tool_started", "auto_tool_result",
    "llm_call", "announcement", "agent_changed",
    "request_posted", "request_claimed", "request_answered",
    "approval_requested", "approval_decided", "permission_decided",
    "input_requested", "input_received",
    "heard_partial", "heard", "voice_state", "spoken", "audio_level", "stage_timing", "device_changed",
    "download_progress", "degraded", "health_changed",
]  # fmt: skip
"""The kinds the framework publishes. Your own code may publish others; they count as durable."""

TRANSIENT: frozenset[str] = frozenset({
    "text_delta", "activity", "heard_partial", "voice_state", "audio_level", "stage_timing", "device_changed",
    "download_progress", "degraded", "health_changed",
})  # fmt: skip
"""Kinds that never touch a journal and that a full queue may drop."""

SAFETY_PREEMPT = "safety_preempt"
"""Published before it is journalled: a stop never waits for a disk."""


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """Something that happened, in the past tense."""

    kind: str
    agent_name: str = ""
    payload: Any = None
    ts: float = field(default_factory=lambda: utc_now().timestamp())
    """Seconds since 1970, UTC."""
    thread_id: str | None = None
    turn: int | None = None
    rev: int | None = None
    """Place in the journal of its thread; `None` for an event that is not kept."""
    message_seq: int | None = None
    block_seq: int | None = None
    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None

    @property
    def transient(self) -> bool:
        """Whether nobody misses the event when it is lost."""
        return self.kind in TRANSIENT


Subscriber = Callable[[AgentEvent], object]


class Journal(Protocol):
    """Where durable events are committed before anybody sees them."""

    def append(self, event: AgentEvent) -> int:
        """Commit the event and return its revision."""
        ...


class EventQueue:
    """A bounded inbox for a subscriber with a thread of its own.

    When it is full the oldest transient event goes; without one, the oldest of all, and `missed` counts it, so that a
    reader can ask the journal. Putting never blocks the publisher.
    """

    def __init__(self, maxsize: int = 1000) -> None:
        self._events: deque[AgentEvent] = deque()
        self._maxsize = maxsize
        self._ready = threading.Condition()
        self._closed = False
        self.dropped = 0
        """Transient events that were lost."""
        self.missed = 0
        """Durable events that were lost; the journal has them."""

    def put(self, event: AgentEvent) -> None:
        """Add an event; never blocks."""
        with self._ready:
            if self._closed:
                return
            if len(self._events) >= self._maxsize:
                self._make_room()
            self._events.append(event)
            self._ready.notify()

    def get(self, timeout: float | None = None) -> AgentEvent | None:
        """Take the oldest event; `None` when there is none within `timeout` seconds or the queue is closed."""
        with self._ready:
            self._ready.wait_for(lambda: bool(self._events) or self._closed, timeout)
            return self._events.popleft() if self._events else None

    def drain(self) -> list[AgentEvent]:
        """Take everything that is there now."""
        with self._ready:
            events = list(self._events)
            self._events.clear()
            return events

    def close(self) -> None:
        """Wake the reader for good; closing twice is fine."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    def __iter__(self) -> Iterator[AgentEvent]:
        """Yield events until the queue is closed and empty."""
        while (event := self.get()) is not None:
            yield event

    def _make_room(self) -> None:
        for index, event in enumerate(self._events):
            if event.transient:
                del self._events[index]
                self.dropped += 1
                return
        self._events.popleft()
        self.missed += 1


class EventBus:
    """Publish and subscribe, synchronous and safe from any thread.

    Subscribers run on the publisher's thread, one after the other, each isolated from the others' faults. A subscriber
    that needs time takes a queue instead (`subscribe_queue`).

    Args:
        journal: where durable kinds are committed before they are published; `None` keeps nothing.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._by_kind: dict[str | None, tuple[Subscriber, ...]] = {}

    def subscribe(self, kind: str, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber(event)` for every event of one kind. Returns a function that ends it."""
        return self._add(kind, subscriber)

    def subscribe_all(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber(event)` for every event. Returns a function that ends it."""
        return self._add(None, subscriber)

    def subscribe_queue(self, maxsize: int = 1000) -> EventQueue:
        """Return a bounded queue that receives every event; `unsubscribe` it when done."""
        queue = EventQueue(maxsize)
        self._add(None, queue.put)
        return queue

    def unsubscribe(self, subscriber: Subscriber | EventQueue) -> None:
        """Forget a subscriber or a queue wherever it subscribed; a stranger is not an error."""
        target = subscriber.put if isinstance(subscriber, EventQueue) else subscriber
        with self._lock:
            for kind, subscribers in self._by_kind.items():
                self._by_kind[kind] = tuple(known for known in subscribers if known != target)
        if isinstance(subscriber, EventQueue):
            subscriber.close()

    def heeds(self, kind: str) -> bool:
        """Whether anybody would learn of an event of a kind: a journal or a subscriber."""
        return self._journal is not None or bool(self._by_kind.get(kind) or self._by_kind.get(None))

    def publish(self, event: AgentEvent) -> AgentEvent:
        """Commit the event if it is durable, then tell everybody; returns it with its revision."""
        if self._journal is None or event.transient:
            self._tell(event)
            return event
        if event.kind == SAFETY_PREEMPT:
            self._tell(event)
            return self._commit(event)
        event = self._commit(event)
        self._tell(event)
        return event

    def _commit(self, event: AgentEvent) -> AgentEvent:
        assert self._journal is not None
        return replace(event, rev=self._journal.append(event))

    def _tell(self, event: AgentEvent) -> None:
        for subscriber in (*self._by_kind.get(event.kind, ()), *self._by_kind.get(None, ())):
            try:
                subscriber(event)
            except FAULTS:  # one subscriber's fault must not keep the others, or the turn, from going on
                log.exception("a subscriber of %s failed", event.kind)

    def _add(self, kind: str | None, subscriber: Subscriber) -> Callable[[], None]:
        with self._lock:
            self._by_kind[kind] = (*self._by_kind.get(kind, ()), subscriber)
        return lambda: self._remove(kind, subscriber)

    def _remove(self, kind: str | None, subscriber: Subscriber) -> None:
        with self._lock:
            self._by_kind[kind] = tuple(known for known in self._by_kind.get(kind, ()) if known != subscriber)
