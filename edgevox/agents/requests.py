"""What is asked on a board: each request is claimed by one at a time and answered once.

A claim runs out, so that nobody who takes a request and goes silent keeps it; whoever looks next finds it open again.
Does not know who can answer what.
"""

import itertools
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from edgevox.core.cancel import POLL_S, CancelScope
from edgevox.core.clock import Clock
from edgevox.core.errors import FAULTS, AgentError

log = logging.getLogger(__name__)

CLAIM_S = 30.0
"""Seconds a claim holds unless it says otherwise."""


class RequestStatus(StrEnum):
    """Where a request is in its life."""

    OPEN = "open"
    CLAIMED = "claimed"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"

    def is_over(self) -> bool:
        """Whether nobody can claim it any more."""
        return self in (RequestStatus.ANSWERED, RequestStatus.WITHDRAWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRequest:
    """Something that was asked for, as it stands at one moment."""

    request_id: str
    text: str
    by: str = ""
    """Who asks."""
    topics: frozenset[str] = frozenset()
    """What it is about, in words that volunteers may look for."""
    payload: Any = None
    """What goes with it; passed on as it is."""
    language: str = "en"
    status: RequestStatus = RequestStatus.OPEN
    claimed_by: str | None = None
    """Who works at it, or has answered it."""
    result: Any = None
    """The answer; `None` before there is one."""
    tried: tuple[str, ...] = ()
    """Who claimed it and gave it back, or let the claim run out."""


Listener = Callable[[BoardRequest], object]


@dataclass(slots=True, eq=False)
class _Record:
    request: BoardRequest
    until: float = 0.0
    over: threading.Event = field(default_factory=threading.Event)


class Requests:
    """The requests of one board. Safe from any thread.

    Args:
        history: finished requests that are remembered, and the most that may be open at once.
        clock: when a claim runs out.
    """

    def __init__(self, *, history: int, clock: Clock) -> None:
        self._history = history
        self._clock = clock
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._records: dict[str, _Record] = {}
        self._listeners: list[Listener] = []

    def post(
        self, text: str, by: str = "", *, topics: Iterable[str] = (), payload: Any = None, language: str = "en"
    ) -> BoardRequest:
        """Ask for something; every listener hears of it.

        Raises:
            AgentError: too many requests are open.
        """
        with self._lock:
            self._forget_old()
            if len(self._records) >= self._history * 2:
                raise AgentError(f"{len(self._records)} requests are open on the board: answer or withdraw some first.")
            request = BoardRequest(
                request_id=f"r{next(self._ids)}",
                text=text,
                by=by,
                topics=frozenset(topic.casefold() for topic in topics),
                payload=payload,
                language=language,
            )
            self._records[request.request_id] = _Record(request)
        self._tell(request)
        return request

    def get(self, request_id: str) -> BoardRequest | None:
        """A request as it stands now; `None` where it is unknown or forgotten."""
        with self._lock:
            record = self._records.get(request_id)
            return self._current(record) if record is not None else None

    def open(self) -> list[BoardRequest]:
        """The requests that somebody may claim now, oldest first."""
        return [request for request in self.all() if request.status is RequestStatus.OPEN]

    def all(self) -> list[BoardRequest]:
        """The requests that are remembered, oldest first."""
        with self._lock:
            return [self._current(record) for record in self._records.values()]

    def claim(self, request_id: str, by: str, *, seconds: float = CLAIM_S) -> bool:
        """Take a request, for so many seconds at most. Returns whether it is `by`'s now: of all who try, one's.

        Raises:
            AgentError: `seconds` is not more than 0.
        """
        if not seconds > 0:
            raise AgentError(f"A claim holds for more than 0 seconds, not {seconds!r}.")
        with self._lock:
            record = self._records.get(request_id)
            if record is None or self._current(record).status is not RequestStatus.OPEN:
                return False
            record.until = self._clock.monotonic() + seconds
            request = self._change(record, status=RequestStatus.CLAIMED, claimed_by=by)
        self._tell(request)
        return True

    def release(self, request_id: str, by: str) -> bool:
        """Give a claimed request back, for the next to take. Returns whether it was `by`'s."""
        with self._lock:
            record = self._mine(request_id, by)
            if record is None:
                return False
            request = self._given_back(record)
        self._tell(request)
        return True

    def answer(self, request_id: str, by: str, result: Any) -> bool:
        """Answer a claimed request. Returns whether the claim still was `by`'s; a late answer is not taken."""
        with self._lock:
            record = self._mine(request_id, by)
            if record is None:
                return False
            request = self._change(record, status=RequestStatus.ANSWERED, result=result)
        record.over.set()
        self._tell(request)
        return True

    def withdraw(self, request_id: str) -> bool:
        """Take a request back: nobody can claim or answer it any more. Returns whether it was not over yet."""
        with self._lock:
            record = self._records.get(request_id)
            if record is None or record.request.status.is_over():
                return False
            request = self._change(record, status=RequestStatus.WITHDRAWN)
        record.over.set()
        self._tell(request)
        return True

    def wait(
        self, request_id: str, scope: CancelScope | None = None, *, seconds: float = CLAIM_S
    ) -> BoardRequest | None:
        """Wait until a request is over, or free again, but not past the end of the scope or `seconds` seconds.

        Returns:
            The request as it stands then; `None` where it is unknown.
        """
        with self._lock:
            record = self._records.get(request_id)
        if record is None:
            return None
        deadline = self._clock.monotonic() + seconds
        while not record.over.wait(POLL_S):
            gone = scope is not None and scope.cancelled
            if gone or self._clock.monotonic() >= deadline or self._is_free(record):
                break
        with self._lock:
            return self._current(record)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener(request)` whenever a request is posted, claimed, given back, answered or withdrawn.

        Returns:
            A function that ends it; twice is fine.
        """
        with self._lock:
            self._listeners.append(listener)
        return lambda: self._unlisten(listener)

    # -- inside; the lock is held where a record is handed in -------------------------------------------------------

    def _unlisten(self, listener: Listener) -> None:
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)

    def _is_free(self, record: _Record) -> bool:
        with self._lock:
            return self._current(record).status is RequestStatus.OPEN

    def _current(self, record: _Record) -> BoardRequest:
        """The request as it stands, after looking at the clock."""
        if record.request.status is RequestStatus.CLAIMED and self._clock.monotonic() >= record.until:
            return self._given_back(record)
        return record.request

    def _given_back(self, record: _Record) -> BoardRequest:
        tried = (*record.request.tried, record.request.claimed_by or "")
        return self._change(record, status=RequestStatus.OPEN, claimed_by=None, tried=tried)

    def _mine(self, request_id: str, by: str) -> _Record | None:
        record = self._records.get(request_id)
        if record is None:
            return None
        current = self._current(record)
        return record if current.status is RequestStatus.CLAIMED and current.claimed_by == by else None

    def _change(self, record: _Record, **changes: Any) -> BoardRequest:
        record.request = replace(record.request, **changes)
        return record.request

    def _forget_old(self) -> None:
        over = [name for name, record in self._records.items() if record.request.status.is_over()]
        for name in over[: max(0, len(over) - self._history + 1)]:
            del self._records[name]

    def _tell(self, request: BoardRequest) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener(request)
            except FAULTS:  # one listener's fault must keep neither the others nor the request from going on
                log.exception("a listener for requests failed")
