"""Whether what an agent depends on is there, looked at again and again.

Knows a monitor that never waits longer than it said, whatever a look does. What is looked at is
`edgevox.agents.dependencies`' business. What is shown about one is a short list of fields of its kind, never an
address with a key in it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import TracebackType
from typing import Self

from edgevox.agents.dependencies import (
    Dependency,
    DependencyKind,
    Executable,
    HealthFailure,
    NetworkService,
    dependencies_of,
    shown_metadata,
)
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.clock import utc_now
from edgevox.core.errors import EdgeVoxError, described
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.redaction import redacted
from edgevox.tools.workers import Job, Waited, start

__all__ = [
    "Dependency",
    "DependencyKind",
    "Executable",
    "HealthFailure",
    "HealthMonitor",
    "HealthRecord",
    "HealthState",
    "NetworkService",
    "dependencies_of",
]

log = logging.getLogger(__name__)

INTERVAL_S = 60.0
"""Between two looks at the same thing."""
TIMEOUT_S = 20.0
"""Longest look."""
CONCURRENCY = 4
"""Looks at a time."""
HEALTH_CHANGED = "health_changed"
"""Event with a `HealthRecord`: a dependency has gone, or has come back."""


class HealthState(StrEnum):
    """What the last look showed."""

    PENDING = "pending"
    """Nobody has looked yet."""
    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRecord:
    """What is known about one dependency."""

    id: str
    kind: str
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    """The fields of its kind that may be shown."""
    state: HealthState = HealthState.PENDING
    reason: str = ""
    """Stable word for why it is unavailable."""
    message: str = ""
    """One sentence on what to do then."""
    latency_ms: int | None = None
    """How long the last look took."""
    checked_at: datetime | None = None

    @property
    def line(self) -> str:
        """The record as one line of a list."""
        took = f", {self.latency_ms} ms" if self.latency_ms is not None else ""
        return f"{self.id}: {self.state}{took}" + (f". {self.message}" if self.message else "")


class HealthMonitor:
    """Looks at dependencies, at most a few at a time, never twice at the same one at once.

    A look that takes too long counts as a failure and is left behind; until it ends, that dependency is not looked at
    again, and the others are not held up.

    Args:
        dependencies: what to look at, or a function that says so before each round; equal ids are one.
        interval_s: seconds between two looks at the same thing.
        timeout_s: seconds after which a look counts as failed.
        concurrency: looks at a time.
        bus: where changes are published, as `health_changed`.
    """

    def __init__(
        self,
        dependencies: Iterable[Dependency] | Callable[[], Iterable[Dependency]] = (),
        *,
        interval_s: float = INTERVAL_S,
        timeout_s: float = TIMEOUT_S,
        concurrency: int = CONCURRENCY,
        bus: EventBus | None = None,
    ) -> None:
        if interval_s <= 0 or timeout_s <= 0 or concurrency < 1:
            raise ValueError("A health monitor needs an interval, a time limit and a number of looks above zero.")
        self._interval_s = interval_s
        self._timeout_s = timeout_s
        self._slots = threading.Semaphore(concurrency)
        self._bus = bus
        self._scope = CancelScope()
        self._lock = threading.Lock()
        self._known: dict[str, Dependency] = {}
        self._records: dict[str, HealthRecord] = {}
        self._looking: dict[str, tuple[Job, float]] = {}
        """Looks that are under way, each with the time of its beginning."""
        self._thread: threading.Thread | None = None
        self._source = dependencies if callable(dependencies) else None
        if not callable(dependencies):
            self.watch(dependencies)

    def watch(self, dependencies: Iterable[Dependency]) -> None:
        """Look at these from now on, and no longer at others; what is known about those that stay is kept."""
        known = {dependency.id: dependency for dependency in dependencies}
        with self._lock:
            self._known = known
            self._records = {name: self._records.get(name, _pending(known[name])) for name in known}

    def records(self) -> list[HealthRecord]:
        """Return what is known now, in the order in which the dependencies were given."""
        self._refresh()
        with self._lock:
            return list(self._records.values())

    def start(self) -> None:
        """Begin to look, on a thread of its own, if there is anything to look at; twice is fine."""
        self._refresh()
        with self._lock:
            if self._known and self._thread is None and not self._scope.cancelled:
                self._thread = threading.Thread(target=self._work, name="health", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Look no more; a look that is under way is left behind. Twice is fine."""
        self._scope.cancel(CancelReason.SHUTDOWN)

    def __enter__(self) -> Self:
        """Begin to look."""
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Look no more."""
        self.close()

    def look(self, scope: CancelScope | None = None) -> list[HealthRecord]:
        """Look at everything once, now, and return what is known then.

        Args:
            scope: its end ends the wait; what is under way is left behind.
        """
        self._refresh()
        around = scope.child() if scope is not None else CancelScope()
        forget = self._scope.on_cancel(around.cancel)
        try:
            with self._lock:
                known = list(self._known.values())
            threads = [self._spawn(dependency, around) for dependency in known]
            for thread in threads:
                while thread.is_alive() and not around.cancelled:
                    thread.join(0.05)
        finally:
            forget()
            around.close()
        return self.records()

    def _refresh(self) -> None:
        if self._source is not None:
            self.watch(self._source())

    def _work(self) -> None:
        while not self._scope.cancelled:
            self.look()
            self._scope.wait(self._interval_s)

    def _spawn(self, dependency: Dependency, scope: CancelScope) -> threading.Thread:
        thread = threading.Thread(target=self._look_at, args=(dependency, scope), name="health-look", daemon=True)
        thread.start()
        return thread

    def _look_at(self, dependency: Dependency, scope: CancelScope) -> None:
        while not self._slots.acquire(timeout=0.05):
            if scope.cancelled:
                return
        try:
            if scope.cancelled:
                return
            job, began = self._job_for(dependency)
            left_s = self._timeout_s - (time.monotonic() - began)
            if left_s <= 0:
                return  # it was left behind and still has not ended
            waited = job.wait(scope, left_s)
            if waited is Waited.CANCELLED:
                return
            failure = _judged(dependency, job) if waited is Waited.DONE else _too_slow(dependency, self._timeout_s)
            self._note(dependency, failure, round((time.monotonic() - began) * 1000))
        finally:
            self._slots.release()

    def _job_for(self, dependency: Dependency) -> tuple[Job, float]:
        """Begin a look, or join the one at the same thing that is under way."""
        with self._lock:
            under_way = self._looking.get(dependency.id)
            if under_way is not None:
                return under_way
            begun = start(dependency.check, f"health of {dependency.id}", is_async=False), time.monotonic()
            self._looking[dependency.id] = begun
        begun[0].on_end(lambda _: self._forget(dependency.id))
        return begun

    def _forget(self, name: str) -> None:
        with self._lock:
            self._looking.pop(name, None)

    def _note(self, dependency: Dependency, failure: HealthFailure | None, took_ms: int) -> None:
        record = HealthRecord(
            id=dependency.id,
            kind=str(dependency.kind),
            metadata=shown_metadata(dependency),
            state=HealthState.AVAILABLE if failure is None else HealthState.UNAVAILABLE,
            reason=failure.reason if failure is not None else "",
            message=failure.message if failure is not None else "",
            latency_ms=took_ms,
            checked_at=utc_now(),
        )
        with self._lock:
            before = self._records.get(record.id)
            if before is None:
                return
            self._records[record.id] = record
        changed = before.state is not record.state and not (
            before.state is HealthState.PENDING and record.state is HealthState.AVAILABLE
        )
        if changed:
            log.info("%s", record.line)
            if self._bus is not None:
                self._bus.publish(AgentEvent(HEALTH_CHANGED, payload=record))


def _pending(dependency: Dependency) -> HealthRecord:
    return HealthRecord(id=dependency.id, kind=str(dependency.kind), metadata=shown_metadata(dependency))


def _judged(dependency: Dependency, job: Job) -> HealthFailure | None:
    if isinstance(job.error, EdgeVoxError):
        return HealthFailure(reason=job.error.code, message=redacted(str(job.error)))
    if job.error is not None:
        words = f"{dependency.id} could not be looked at ({described(job.error)})."
        return HealthFailure(reason="failed", message=redacted(words))
    found = job.value
    if found is None:
        return None
    reason, message = getattr(found, "reason", "unavailable"), getattr(found, "message", str(found))
    return HealthFailure(reason=str(reason), message=redacted(str(message)))


def _too_slow(dependency: Dependency, timeout_s: float) -> HealthFailure:
    message = f"{dependency.id} did not answer within {timeout_s:g} seconds: check that it runs."
    return HealthFailure(reason="timeout", message=message)
