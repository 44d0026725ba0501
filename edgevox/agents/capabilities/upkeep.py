"""What looks after a memory: `Snapshots`, `MemoryConsolidation`, `Retention`, `Cadence`, as default tools.

A model is asked only while nobody is being answered; whoever speaks ends that, and it is tried again when they have
their answer. A fault is told and never ends the agent.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from pydantic import Field

from edgevox.agents import memory
from edgevox.agents.capabilities.capability import Bound, Capability, Site, ToolLabel
from edgevox.agents.idle import Idle
from edgevox.agents.memory.folders import MemoryFolders
from edgevox.agents.memory.retention import Limits
from edgevox.chains.models.truncation import NO_MESSAGE
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import Cancelled, EdgeVoxError
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message
from edgevox.core.running import current_run
from edgevox.core.values import Empty, Stop
from edgevox.tools import tool


class Look(Empty):
    """What one look came to. Never shown to a model."""

    made: list[str] = Field(default_factory=list[str])
    """Files that were made or removed."""
    problem: str | None = None
    """Why not, in one sentence."""


WAIT_S = 60.0
"""Seconds that a look waits for a moment in which nobody is being answered."""
TRIES = 3
"""How often a look begins anew when somebody speaks in the middle of it."""

Work = Callable[[CancelScope], Sequence[object]]


class _Upkeep(Capability):
    """A look at the memory of some agents.

    Args:
        clock: tells what is due.
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock

    def _watched(self, site: Site) -> "memory.Snapshots":
        watched = site.attributes.get("watched")
        return memory.Snapshots(site.need("folders", MemoryFolders), watched, clock=self._clock)


class Snapshots(_Upkeep):
    """Sums up conversations that are over, and long ones from time to time.

    Args:
        tokens: news of a running conversation before it is worth a snapshot.
        letters: characters of a snapshot.
        clock: gives snapshots their names.
    """

    label = ToolLabel(name="snapshots", title="Sum up conversations")
    required_attributes: ClassVar[tuple[str, ...]] = ("folders", "endpoint")

    def __init__(self, *, tokens: int = 20_000, letters: int = 8_000, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(clock)
        self._tokens = tokens
        self._letters = letters

    def bind(self, site: Site) -> Bound:
        """Make the default tool (`Capability.bind`)."""
        endpoint, idle = site.endpoint, site.get("idle", Idle)
        snapshots = memory.Snapshots(
            site.need("folders", MemoryFolders),
            site.attributes.get("watched"),
            tokens=self._tokens,
            letters=self._letters,
            clock=self._clock,
        )

        @tool
        def take_snapshots(input: Empty, messages: list[Message]) -> Look:  # noqa: ARG001
            """Sum up what has been said since the last time."""
            return _looked(idle, lambda scope: snapshots.take(endpoint, scope))

        return Bound(default_tools=(take_snapshots,))


class MemoryConsolidation(_Upkeep):
    """Makes one memory of the last one and the snapshots since.

    Args:
        enough: snapshots that are worth a new memory at once.
        letters: characters of a memory.
        clock: tells how old snapshots are.
    """

    label = ToolLabel(name="memory", title="Remember")
    required_attributes: ClassVar[tuple[str, ...]] = ("folders", "endpoint")

    def __init__(self, *, enough: int = 3, letters: int = 12_000, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(clock)
        self._enough = enough
        self._letters = letters

    def bind(self, site: Site) -> Bound:
        """Make the default tool (`Capability.bind`)."""
        endpoint, idle, watched = site.endpoint, site.get("idle", Idle), self._watched(site)
        made = memory.Consolidation(
            site.need("folders", MemoryFolders), enough=self._enough, letters=self._letters, clock=self._clock
        )

        def work(scope: CancelScope) -> Sequence[object]:
            if not made.is_due(anybody_active=watched.any_active()):
                return ()
            path = made.consolidate(endpoint, scope)
            return (path,) if path is not None else ()

        @tool
        def consolidate_memory(input: Empty, messages: list[Message]) -> Look:  # noqa: ARG001
            """Fold the snapshots that are new into the memory."""
            return _looked(idle, work)

        return Bound(default_tools=(consolidate_memory,))


class Retention(_Upkeep):
    """Removes the oldest of what is kept.

    Args:
        limits: how many files of each kind stay.
    """

    label = ToolLabel(name="retention", title="Forget what is old")
    required_attributes: ClassVar[tuple[str, ...]] = ("folders",)

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__()
        self._limits = limits

    def bind(self, site: Site) -> Bound:
        """Make the default tool (`Capability.bind`)."""
        kept = memory.Retention(site.need("folders", MemoryFolders), self._limits)

        @tool
        def sweep_memory(input: Empty, messages: list[Message]) -> Look:  # noqa: ARG001
            """Remove what is beyond the limits."""
            return _looked(None, lambda _: kept.sweep())

        return Bound(default_tools=(sweep_memory,))


class Cadence(_Upkeep):
    """Waits between two looks, and ends the run when there is nothing left to look after.

    Args:
        interval_s: seconds between two looks.
        poll_s: seconds between two glances at whether a conversation has ended.
        clock: where time comes from.
        pause: waits so many seconds or until the scope ends.
    """

    label = ToolLabel(name="cadence", title="Look again after a while", selectable=False)
    required_attributes: ClassVar[tuple[str, ...]] = ("folders",)

    def __init__(
        self,
        *,
        interval_s: float = 120.0,
        poll_s: float = 1.0,
        clock: Clock = SYSTEM_CLOCK,
        pause: Callable[[CancelScope, float], object] = CancelScope.wait,
    ) -> None:
        super().__init__(clock)
        self._interval_s = interval_s
        self._poll_s = poll_s
        self._pause = pause

    def bind(self, site: Site) -> Bound:
        """Make the default tool (`Capability.bind`)."""
        cadence = memory.Cadence(
            self._watched(site).any_active,
            interval_s=self._interval_s,
            poll_s=self._poll_s,
            clock=self._clock,
            pause=self._pause,
        )

        @tool
        def wait_for_next_look(input: Empty, messages: list[Message]) -> Look | Stop:  # noqa: ARG001
            """Wait, or end when no conversation is going on."""
            if cadence.goes_on(_scope()):
                return Look(truncation=NO_MESSAGE)
            return Stop(value="Nobody is talking any more.")

        return Bound(default_tools=(wait_for_next_look,))


def _scope() -> CancelScope:
    run = current_run()
    return run.ctx.scope if run is not None else CancelScope()


def _looked(idle: Idle | None, work: Work) -> Look:
    """Do a piece of work while nobody speaks, and again when somebody did; what hinders it is told in the look."""
    around = _scope()
    for _ in range(TRIES):
        scope = idle.wait(around, WAIT_S) if idle is not None else around.child()
        around.check()
        if scope is None:
            break
        try:
            return _look(made=[str(each) for each in work(scope)])
        except Cancelled:
            around.check()
        except EdgeVoxError as error:
            return _look(problem=str(error))
        finally:
            _done(idle, scope)
    return _look(problem="Somebody was being answered all the time; the next look tries again.")


def _done(idle: Idle | None, scope: CancelScope) -> None:
    if idle is not None:
        idle.give_back(scope)
    else:
        scope.close()


def _look(made: Sequence[str] = (), problem: str | None = None) -> Look:
    kind = MessageKind.LIBRARIAN_ACTIVITY if made or problem else MessageKind.LIBRARIAN_ROUTINE
    return Look(made=list(made), problem=problem, truncation=NO_MESSAGE, message_kind=kind)
