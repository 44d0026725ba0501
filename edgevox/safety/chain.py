"""What a stop does, in which order, and whether it is known to have worked.

Motion first, then goals, the loudspeaker, the model and whatever waits. Knows nothing of what these are; each effect
runs on a thread of its own, so that one that hangs or raises keeps neither the others nor the caller.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from edgevox.core.errors import described
from edgevox.core.ports import MotionSource

log = logging.getLogger(__name__)

GRACE_S = 0.003
"""How long a group may keep the next one waiting, seconds: quick effects stay in order, a slow one costs little."""

CONFIRM_S = 0.05
"""How long `fire` waits for effects to confirm, all together, seconds."""

STANDSTILL_POLL_S = 0.002


class Place(IntEnum):
    """The order of the effects."""

    MOTION = 0
    GOALS = 1
    SPEAKER = 2
    MODEL = 3
    PENDING = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectReport:
    """How one effect went."""

    name: str
    latency_s: float | None
    """From the call of `fire` to the effect's end; `None` when it had not ended when the report was made."""
    error: str | None = None
    """What it raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReport:
    """How a stop went."""

    reason: str
    effects: tuple[EffectReport, ...]
    """In their order."""
    unconfirmed: tuple[str, ...] = ()
    """Motion sources that raised, did not return or still move: say *halt not confirmed*."""

    @property
    def latencies(self) -> dict[str, float]:
        """Seconds from the stop to each effect's end, by name; an effect that has not ended is missing."""
        return {effect.name: effect.latency_s for effect in self.effects if effect.latency_s is not None}

    @property
    def confirmed(self) -> bool:
        """Whether everything that moves is known to stand still."""
        return not self.unconfirmed


class StopChain:
    """The effects of a stop. Register them once; `fire` may be called from any thread, any number of times.

    Args:
        confirm_s: how long `fire` waits for effects to end and for motion to come to rest, all together, seconds.
    """

    def __init__(self, *, confirm_s: float = CONFIRM_S) -> None:
        self._confirm_s = confirm_s
        self._lock = threading.Lock()
        self._effects: list[_Effect] = []

    def add_motion(self, source: MotionSource, name: str = "") -> Callable[[], None]:
        """Have a robot or a simulator told to stand still, before anything else. Returns a function that forgets it."""
        return self._add(Place.MOTION, name or type(source).__name__, _standstill(source), source)

    def add_goal_canceller(self, cancel: Callable[[], object], name: str = "goals") -> Callable[[], None]:
        """Have running goals cancelled. Returns a function that forgets it."""
        return self._add(Place.GOALS, name, lambda _: cancel())

    def set_speaker(self, flush: Callable[[], object]) -> Callable[[], None]:
        """Have the loudspeaker silenced, in the place of the one set before."""
        return self._set(Place.SPEAKER, "speaker", flush)

    def set_model(self, abort: Callable[[], object]) -> Callable[[], None]:
        """Have the language model aborted, in the place of the one set before."""
        return self._set(Place.MODEL, "model", abort)

    def add_pending(self, tell: Callable[[], object], name: str = "pending") -> Callable[[], None]:
        """Have something told that waits: a tool, an open question. Returns a function that forgets it."""
        return self._add(Place.PENDING, name, lambda _: tell())

    def is_moving(self) -> bool:
        """Whether any motion source moves, or cannot say."""
        return any(_moves(effect.source) for effect in self._effects if effect.source is not None)

    def fire(self, reason: str) -> StopReport:
        """Stop everything, in order, and report what is known after at most `confirm_s` and a little.

        Effects that have not ended by then go on ending by themselves; they are named in the report.
        """
        started = time.monotonic()
        with self._lock:
            effects = list(self._effects)
        runs: list[_Run] = []
        for place in Place:
            group = [_Run(effect, started, self._confirm_s) for effect in effects if effect.place is place]
            for run in group:
                run.start()
            _wait(group, time.monotonic() + GRACE_S)
            runs.extend(group)
        _wait(runs, started + self._confirm_s)
        report = _report(reason, runs)
        for name in report.unconfirmed:
            log.error("halt not confirmed: %s", name)
        return report

    def _set(self, place: Place, name: str, call: Callable[[], object]) -> Callable[[], None]:
        with self._lock:
            self._effects = [effect for effect in self._effects if effect.place is not place]
        return self._add(place, name, lambda _: call())

    def _add(
        self, place: Place, name: str, call: "Callable[[float], object]", source: MotionSource | None = None
    ) -> Callable[[], None]:
        effect = _Effect(place, name, call, source)
        with self._lock:
            self._effects = [*self._effects, effect]
        return lambda: self._remove(effect)

    def _remove(self, effect: "_Effect") -> None:
        with self._lock:
            self._effects = [known for known in self._effects if known is not effect]


@dataclass(frozen=True, slots=True, eq=False)
class _Effect:
    place: Place
    name: str
    call: Callable[[float], object]
    """Takes the moment on the monotonic clock until which it may look whether it worked."""
    source: MotionSource | None = None


class _Run:
    """One effect of one stop, on a daemon thread of its own."""

    def __init__(self, effect: _Effect, started: float, confirm_s: float) -> None:
        self.effect = effect
        self.over = threading.Event()
        self.latency_s: float | None = None
        self.error: str | None = None
        self._started = started
        self._until = started + confirm_s

    def start(self) -> None:
        thread = threading.Thread(target=self._run, name=f"stop-{self.effect.name}", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the process has no thread left: better late on this one than not at all
            self._run()

    def _run(self) -> None:
        try:
            self.effect.call(self._until)
        except BaseException as error:  # whatever it raises, the other effects and the report must not miss it
            log.exception("the stop effect %s failed", self.effect.name)
            self.error = described(error)
        self.latency_s = time.monotonic() - self._started
        self.over.set()


class _StillMoving(Exception):
    """The source was told to halt and is not at rest."""


def _standstill(source: MotionSource) -> Callable[[float], None]:
    def halt(until: float) -> None:
        source.halt()
        while source.is_moving():
            if time.monotonic() >= until:
                raise _StillMoving("told to halt, still moving")
            time.sleep(STANDSTILL_POLL_S)

    return halt


def _moves(source: MotionSource) -> bool:
    try:
        return source.is_moving()
    except Exception:  # a source that cannot say has to count as moving
        log.exception("a motion source could not say whether it moves")
        return True


def _wait(runs: list[_Run], until: float) -> None:
    for run in runs:
        run.over.wait(max(0.0, until - time.monotonic()))


def _report(reason: str, runs: list[_Run]) -> StopReport:
    reports: list[EffectReport] = []
    unconfirmed: list[str] = []
    for run in runs:
        over = run.over.is_set()
        error = run.error if over else None
        reports.append(EffectReport(name=run.effect.name, latency_s=run.latency_s if over else None, error=error))
        if run.effect.source is not None and (not over or error is not None):
            unconfirmed.append(run.effect.name)
    return StopReport(reason=reason, effects=tuple(reports), unconfirmed=tuple(unconfirmed))
