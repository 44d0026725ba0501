"""Motions of an arm, one after the other: follow a path of joint angles, move the fingers, grip, let go.

A motion is stepped before every physics step and says when it is over; it raises `MoveFailed` when it cannot go on.
Knows the table top it moves in; does not know why.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from edgevox.sims.mujoco.kinematics import Vector
from edgevox.sims.mujoco.table_terms import OPEN_M, MoveFailed, spoken
from edgevox.sims.mujoco.tabletop import TableTop, Thing

SPEED_RAD_S = 1.4
"""Of the fastest joint."""

RAMP_S = 0.35
"""To reach that speed and to come to rest again."""

ARRIVED_RAD = 0.02
PATIENCE_S = 0.8
"""How long a motion may take longer than planned before something must be in the way."""

FINGERS_S = 0.5
GRIP_S = 1.2

LOOK_EVERY = 5
"""Physics steps between two looks at what the arm presses against."""

PRESSES = 6
"""Looks in a row that make a touch a collision."""


class Move(Protocol):
    """One motion."""

    phase: str
    """What it is called in reports."""

    def seconds(self, table: TableTop) -> float:
        """Return how long it takes, about."""
        ...

    def begin(self, table: TableTop) -> None:
        """Start from how things are now."""
        ...

    def step(self, table: TableTop, dt: float) -> bool:
        """Go on for `dt` seconds; returns whether it is over.

        Raises:
            MoveFailed: it cannot go on.
        """
        ...


class Follow:
    """Goes through joint angles at a bounded speed, with soft start and end.

    Args:
        path: joint angles, without those at the start.
        phase: what it is called.
    """

    def __init__(self, path: Sequence[Vector], phase: str) -> None:
        self.phase = phase
        self._path = list(path)
        self._ends: list[float] = []
        self._elapsed = 0.0

    def seconds(self, table: TableTop) -> float:
        """Length over speed, and the ramps."""
        return _lengths([table.targets(), *self._path])[-1] / SPEED_RAD_S + RAMP_S

    def begin(self, table: TableTop) -> None:
        """Start from where the drives hold the arm."""
        self._points = [table.targets(), *self._path]
        self._ends = _lengths(self._points)
        self._elapsed = 0.0

    def step(self, table: TableTop, dt: float) -> bool:
        """Set the drives to the next point of the path."""
        self._elapsed += dt
        table.drive_to(self._at(_travelled(self._elapsed, self._ends[-1])))
        late = self._elapsed - _duration(self._ends[-1])
        if late < 0:
            return False
        if float(np.abs(table.joints() - self._points[-1]).max()) < ARRIVED_RAD:
            return True
        if late > PATIENCE_S:
            raise MoveFailed("the arm could not get there: something holds it")
        return False

    def _at(self, length: float) -> Vector:
        for index, end in enumerate(self._ends[1:], start=1):
            if length <= end:
                begin = self._ends[index - 1]
                share = (length - begin) / max(end - begin, 1e-9)
                return self._points[index - 1] + (self._points[index] - self._points[index - 1]) * share
        return self._points[-1]


class Fingers:
    """Opens or closes the fingers.

    Args:
        opening: of each finger, metres.
        phase: what it is called.
    """

    def __init__(self, opening: float, phase: str) -> None:
        self.phase = phase
        self._opening = opening
        self._left_s = FINGERS_S

    def seconds(self, table: TableTop) -> float:  # noqa: ARG002, it does not depend on where the arm is
        """Always the same."""
        return FINGERS_S

    def begin(self, table: TableTop) -> None:
        """Send the fingers off; opening lets go of what is held."""
        if self._opening > 0:
            table.release()
        table.move_fingers(self._opening)
        self._left_s = FINGERS_S

    def step(self, table: TableTop, dt: float) -> bool:
        """Wait; whatever both fingers have closed on is held."""
        self._left_s -= dt
        if self._left_s > 0:
            return False
        thing = table.between_fingers() if self._opening == 0 else None
        if thing is not None and table.holding is None:
            table.weld(thing)
        return True


class Grip:
    """Closes the fingers on a thing until both touch it.

    Args:
        thing: to hold.
    """

    phase = "gripping"

    def __init__(self, thing: Thing) -> None:
        self._thing = thing
        self._elapsed = 0.0

    def seconds(self, table: TableTop) -> float:  # noqa: ARG002, it does not depend on where the arm is
        """About as long as opening."""
        return FINGERS_S

    def begin(self, table: TableTop) -> None:
        """Close."""
        table.move_fingers(0.0)
        self._elapsed = 0.0

    def step(self, table: TableTop, dt: float) -> bool:
        """Wait for both fingers to touch it, then a little for the grip to be firm."""
        self._elapsed += dt
        touched = table.between_fingers()
        if touched is not None and touched.name == self._thing.name and self._elapsed > FINGERS_S / 2:
            table.weld(self._thing)
            return True
        if self._elapsed > GRIP_S:
            raise MoveFailed(f"the {spoken(self._thing.name)} slipped out of the fingers")
        return False


@dataclass(slots=True, eq=False)
class Programme:
    """The motions of one goal.

    Args:
        label: what the goal is called.
        moves: in order.
        result: what the goal returns.
        ignoring: names of what may be pressed against.
        carries: the thing that has to be in the gripper at the end of every motion; `None` when nothing has to.
    """

    label: str
    moves: Sequence[Move]
    result: Mapping[str, object]
    ignoring: frozenset[str] = frozenset()
    carries: str | None = None
    needs_thing_at: tuple[Thing, float, float] | None = None
    """A thing that has to lie near x, y at the end."""
    _index: int = -1
    _spent_s: float = 0.0
    _total_s: float = 0.0
    _steps: int = 0
    _presses: int = 0

    def step(self, table: TableTop, dt: float) -> bool:
        """Go on for `dt` seconds; returns whether everything is done.

        Raises:
            MoveFailed: it cannot go on.
        """
        if self._index < 0:
            self._total_s = sum(move.seconds(table) for move in self.moves)
            self._next(table)
        self._spent_s += dt
        self._steps += 1
        if self._steps % LOOK_EVERY == 0:
            self._look(table)
        if self._index < len(self.moves) and self.moves[self._index].step(table, dt):
            self._next(table)
        if self._index < len(self.moves) or not table.arm_is_still():
            return False
        self._check_end(table)
        return True

    def progress(self) -> dict[str, object]:
        """How far it is."""
        phase = self.moves[min(max(self._index, 0), len(self.moves) - 1)].phase
        share = min(0.99, self._spent_s / self._total_s) if self._total_s else 0.0
        return {"progress": round(share, 2), "phase": phase}

    def _next(self, table: TableTop) -> None:
        self._index += 1
        if self._index < len(self.moves):
            self.moves[self._index].begin(table)

    def _look(self, table: TableTop) -> None:
        held = table.holding
        if table.has_slipped():
            table.release()
            raise MoveFailed(f"dropped the {spoken(held or 'thing')}")
        pressed = table.pushed(self.ignoring)
        self._presses = self._presses + 1 if pressed is not None else 0
        if pressed is not None and self._presses >= PRESSES:
            raise MoveFailed(f"collision: the arm ran into the {spoken(pressed)}")

    def _check_end(self, table: TableTop) -> None:
        if self.carries is not None and table.holding != self.carries:
            raise MoveFailed(f"dropped the {spoken(self.carries)}")
        if self.needs_thing_at is not None:
            thing, x, y = self.needs_thing_at
            there = table.position(thing)
            if math.dist((float(there[0]), float(there[1])), (x, y)) > 0.12 or float(there[2]) < -0.05:
                raise MoveFailed(f"the {spoken(thing.name)} did not stay where it was put")


def opening_fingers() -> Fingers:
    """Return the motion that opens the gripper."""
    return Fingers(OPEN_M, "opening")


def _lengths(points: Sequence[Vector]) -> list[float]:
    """How far each point is along the path, in radians of the fastest joint."""
    ends = [0.0]
    for before, after in itertools.pairwise(points):
        ends.append(ends[-1] + float(np.abs(after - before).max()))
    return ends


def _duration(length: float) -> float:
    """Seconds for a length: a trapezoid of speed, or a triangle where it is short."""
    ramp_length = SPEED_RAD_S * RAMP_S
    if length < ramp_length:
        return 2 * math.sqrt(length * RAMP_S / SPEED_RAD_S)
    return length / SPEED_RAD_S + RAMP_S


def _travelled(elapsed: float, length: float) -> float:
    """How far along the path one is after some seconds."""
    duration = _duration(length)
    if elapsed >= duration:
        return length
    acceleration = SPEED_RAD_S / RAMP_S
    ramp = min(RAMP_S, duration / 2)
    if elapsed < ramp:
        return 0.5 * acceleration * elapsed**2
    if elapsed > duration - ramp:
        return length - 0.5 * acceleration * (duration - elapsed) ** 2
    return 0.5 * acceleration * ramp**2 + acceleration * ramp * (elapsed - ramp)
