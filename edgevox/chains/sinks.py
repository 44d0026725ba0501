"""Hands the events of a run to sinks: functions that show, count or keep them.

A sink is called on a thread of its own, one event after the other. It can neither fail the run nor hold it up: what a
sink raises is logged, and one that cannot follow loses transient events first. Knows no sink by name.
"""

import logging
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import FAULTS
from edgevox.core.events import EventBus, EventQueue, Subscriber

log = logging.getLogger(__name__)

WAITING = 5000
"""Events that may wait for a sink."""
DRAIN_S = 1.0
"""How long the end of a run waits for its sinks to have told everything, seconds."""


class Sinks:
    """The sinks of one run, for the length of a `with` block.

    Args:
        bus: whose events they get.
        sinks: called with each event.
        scope: of the run.
    """

    def __init__(self, bus: EventBus, sinks: Sequence[Subscriber], scope: CancelScope | None = None) -> None:
        self._bus = bus
        self._scope = scope
        self._sinks = tuple(sinks)
        self._threads: list[tuple[EventQueue, threading.Thread]] = []

    def __enter__(self) -> Self:
        """Begin to hand events over."""
        for sink in self._sinks:
            events = self._bus.subscribe_queue(WAITING)
            thread = threading.Thread(target=_feed, args=(sink, events), name="event-sink", daemon=True)
            thread.start()
            self._threads.append((events, thread))
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Let the sinks tell what has happened up to now; waits a moment for them, and none at all after a stop."""
        threads, self._threads = self._threads, []
        for events, _thread in threads:
            self._bus.unsubscribe(events)
        for _events, thread in threads:
            thread.join(0.0 if self._scope is not None and self._scope.cancelled else DRAIN_S)


def _feed(sink: Subscriber, events: EventQueue) -> None:
    for event in events:
        try:
            sink(event)
        except FAULTS:  # a sink's fault costs this one event in this one sink
            log.exception("a sink failed at %s", event.kind)
