"""Knows when nobody is being answered, and lends out that time.

Work that uses the model for its own ends takes a scope here: the person's next word ends it. A change that such work
makes to what a turn reads is made under a lock, so that no turn begins in the middle of one.
"""

import threading
from collections.abc import Callable, Iterable

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.events import AgentEvent, EventBus

SETTLE_S = 1.0
"""Seconds after a turn that still belong to it: people go on talking."""
POLL_S = 0.25

_BEGINS = frozenset({"text_start"})
_ENDS = frozenset({"text_end"})
_RUNS = frozenset({"agent_start", "agent_end"})
_DISTURBS = frozenset({"heard", "heard_partial", "safety_preempt", "approval_requested", *_BEGINS})


class Idle:
    """Whether an assistant is at rest.

    Args:
        settle_s: seconds of rest before any time is lent.
        clock: where time comes from.
        agents: names of agents whose runs are turns, where no assistant tells of its turns.
    """

    def __init__(self, settle_s: float = SETTLE_S, clock: Clock = SYSTEM_CLOCK, *, agents: Iterable[str] = ()) -> None:
        self._settle_s = settle_s
        self._clock = clock
        self._agents = frozenset(agents)
        self._lock = threading.Lock()
        self._lent: set[CancelScope] = set()
        self._answering = False
        self._disturbed_at: float | None = None

    def listen(self, bus: EventBus) -> Callable[[], None]:
        """Follow the turns of an assistant by what it publishes. Returns a function that ends it."""
        kinds = _DISTURBS | _ENDS | (_RUNS if self._agents else frozenset[str]())
        leaving = [bus.subscribe(kind, self._hear) for kind in sorted(kinds)]

        def leave() -> None:
            while leaving:
                leaving.pop()()

        return leave

    @property
    def quiet(self) -> bool:
        """Whether time may be lent now."""
        since = self._disturbed_at
        return not self._answering and (since is None or self._clock.monotonic() - since >= self._settle_s)

    def disturb(self) -> None:
        """Somebody speaks: end what was begun meanwhile. Never waits for it."""
        with self._lock:
            self._disturbed_at = self._clock.monotonic()
            lent, self._lent = self._lent, set()
        for scope in lent:
            scope.cancel(CancelReason.BARGE_IN)

    def borrow(self, around: CancelScope | None = None) -> CancelScope | None:
        """Return a scope that the next disturbance ends; `None` when it is not quiet. Close it when done.

        Args:
            around: a scope whose end ends this one too.
        """
        with self._lock:
            if not self.quiet:
                return None
            scope = CancelScope(around)
            self._lent.add(scope)
            return scope

    def wait(self, around: CancelScope, timeout: float | None = None) -> CancelScope | None:
        """Wait for quiet and borrow it; `None` when `around` ended or `timeout` seconds went by first."""
        left = timeout
        while (scope := self.borrow(around)) is None:
            if (left is not None and left <= 0) or around.wait(POLL_S):
                return None
            left = None if left is None else left - POLL_S
        return scope

    def give_back(self, scope: CancelScope) -> None:
        """Say that the work of a scope is done."""
        with self._lock:
            self._lent.discard(scope)
        scope.close()

    def change(self, scope: CancelScope, made: Callable[[], object]) -> bool:
        """Make a change unless the scope has ended; no disturbance passes in the middle of it.

        Args:
            scope: of the work.
            made: makes the change; must take no time.
        """
        with self._lock:
            if scope.cancelled or scope not in self._lent:
                return False
            made()
            return True

    def _hear(self, event: AgentEvent) -> None:
        ours = event.agent_name in self._agents
        if event.kind in _DISTURBS or (ours and event.kind == "agent_start"):
            self._answering = self._answering or event.kind in _BEGINS or event.kind == "agent_start"
            self.disturb()
        elif event.kind in _ENDS or (ours and event.kind == "agent_end"):
            self._disturbed_at = self._clock.monotonic()
            self._answering = False
