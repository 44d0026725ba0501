"""The one place that knows both events and Textual messages.

Events come in on any thread, into a bounded queue; the app takes them out in batches, on its own thread, so that a
flood of events never becomes a flood of redraws. Orders go out on threads of their own, so that no engine and no device
can hold up a key.
"""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.message import Message

from edgevox.assistant.surface import AssistantSurface
from edgevox.core.events import AgentEvent

log = logging.getLogger(__name__)

RATE_HZ = 25
"""Batches per second."""
WAITING = 2000
"""Events that may wait; beyond that the oldest transient ones go."""
COALESCED = frozenset({"audio_level", "heard_partial", "voice_state", "skill_feedback"})
"""Kinds of which a batch needs only the last."""


class Happened(Message):
    """A batch of events, in order."""

    def __init__(self, events: list[AgentEvent], lost: int) -> None:
        super().__init__()
        self.events = events
        self.lost = lost
        """Events that were lost since the start because nobody could have read them."""


class Answered(Message):
    """What a command came to, to be shown."""

    def __init__(self, text: str, line: str = "") -> None:
        super().__init__()
        self.text = text
        self.line = line
        """The command, as it was typed."""


class Leaving(Message):
    """Somebody ordered the app to end."""


class Bridge:
    """Carries events to the app and orders to the assistant.

    Args:
        app: whose messages the events become.
        assistant: who is ordered.
    """

    def __init__(self, app: App[Any], assistant: AssistantSurface) -> None:
        self._app = app
        self._assistant = assistant
        self._events = assistant.bus.subscribe_queue(WAITING)
        self._orders: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()

    def start(self) -> None:
        """Begin to obey orders. No thread runs before, so that the terminal's supervisor can still fork."""
        threading.Thread(target=self._work, name="orders", daemon=True).start()

    def pump(self) -> None:
        """Post what has happened since the last time as one message; called by the app's own timer."""
        events = coalesced(self._events.drain())
        if events:
            self.post(Happened(events, self._events.dropped + self._events.missed))

    def post(self, message: Message) -> None:
        """Post a message to the app, from any thread."""
        self._app.post_message(message)

    def order(self, action: Callable[[], object]) -> None:
        """Have something done after what was ordered before."""
        self._orders.put(action)

    def now(self, action: Callable[[], object]) -> None:
        """Have something done at once, whatever is being done."""
        threading.Thread(target=lambda: self._do(action), name="order", daemon=True).start()

    def close(self) -> None:
        """Take no more events and orders."""
        self._assistant.bus.unsubscribe(self._events)
        self._orders.put(None)

    def _work(self) -> None:
        while (action := self._orders.get()) is not None:
            self._do(action)

    def _do(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:  # an order's fault is shown; it must not end the thread that obeys
            log.exception("an order failed")
            self.post(Answered(f"That failed: {error}."))


def coalesced(events: list[AgentEvent]) -> list[AgentEvent]:
    """Return a batch with pieces of one reply joined, and only the last of what replaces itself."""
    last = {event.kind: index for index, event in enumerate(events) if event.kind in COALESCED}
    kept: list[AgentEvent] = []
    for index, event in enumerate(events):
        if event.kind in COALESCED and last[event.kind] != index:
            continue
        if kept and event.kind == kept[-1].kind == "text_delta" and event.turn == kept[-1].turn:
            kept[-1] = replace(event, payload=f"{kept[-1].payload}{event.payload}")
        else:
            kept.append(event)
    return kept
