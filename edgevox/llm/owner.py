"""The one owner of an engine: a thread that takes requests in their order and generates for one at a time.

Callers wait for their turn in a queue, and stop waiting when their stop event is set. A reader that goes away, half-way
or before it began, cancels its request. Does not know prompts or replies.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

POLL_S = 0.01


class EitherEvent(threading.Event):
    """Set when it is set itself, or when the caller's event is.

    Args:
        other: the caller's event, if there is one.
    """

    def __init__(self, other: threading.Event | None) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """Whether one of the two is set."""
        return super().is_set() or (self._other is not None and self._other.is_set())


@dataclass(frozen=True, slots=True)
class _End:
    value: Any = None
    error: BaseException | None = None


class Ticket:
    """A request in the queue: what the owner does for it, and what comes of it.

    Args:
        work: given the ticket, does the work on the owner's thread and returns its outcome.
        stop: ends the request.
        patient: gives way as soon as somebody else asks.
    """

    def __init__(self, work: "Callable[[Ticket], Any]", stop: threading.Event | None, *, patient: bool = False) -> None:
        self.work = work
        self.stop = EitherEvent(stop)
        self.patient = patient
        self.outcome: Any = None
        """What the work returned; `None` until it has, or when the request was stopped."""
        self.done = threading.Event()
        self._pieces: queue.SimpleQueue[str | _End] = queue.SimpleQueue()

    def put(self, piece: str) -> None:
        """Hand a piece to the reader."""
        self._pieces.put(piece)

    def pieces(self) -> Iterator[str]:
        """Yield pieces until the work is done or the request is stopped; then `outcome` holds.

        Raises:
            BaseException: what the work raised.
        """
        try:
            while not self.stop.is_set():
                try:
                    piece = self._pieces.get(timeout=POLL_S)
                except queue.Empty:
                    continue
                if isinstance(piece, _End):
                    if piece.error is not None:
                        raise piece.error
                    self.outcome = piece.value
                    return
                yield piece
        finally:
            self.stop.set()

    def run(self) -> None:
        """Do the work; called by the owner."""
        try:
            value = None if self.stop.is_set() else self.work(self)
            self._pieces.put(_End(value))
        except BaseException as error:
            self._pieces.put(_End(error=error))
        finally:
            self.done.set()


class Owner:
    """Works off tickets, first come, first served. Starts its thread when it is first needed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: queue.SimpleQueue[Ticket | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._giving_way: Ticket | None = None

    def submit(self, ticket: Ticket) -> Ticket:
        """Put a ticket into the queue and return it."""
        with self._lock:
            if self._giving_way is not None:
                self._giving_way.stop.set()
            self._giving_way = ticket if ticket.patient else None
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=_work_off, args=(self._queue,), name=self._name, daemon=True)
                self._thread.start()
            self._queue.put(ticket)
        return ticket

    def close(self, timeout: float = 2.0) -> None:
        """Let the thread end after what is in the queue, and wait for it a moment."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)


def _work_off(tickets: "queue.SimpleQueue[Ticket | None]") -> None:
    while (ticket := tickets.get()) is not None:
        ticket.run()
        del ticket
