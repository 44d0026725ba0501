# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false, reportUnknownParameterType=false
# ir-sim and PyYAML are untyped.
"""The only module that touches ir-sim: it makes its environment, steps it and reads it.

No figure, no window, no keyboard and no log lines of ir-sim's are ever made here: drawing is `edgevox.sims.window`'s.
Knows neither goals nor plans. Not safe from several threads by itself; `IrSimEnvironment` sees to that. ir-sim binds
the environment at work to module-level names, so that two worlds take turns, one step each.
"""

import contextlib
import itertools
import math
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgevox.core.errors import ConfigError, LibraryMissing, described
from edgevox.sims.follower import Limits, Placed
from edgevox.sims.irsim.world_file import WorldFile
from edgevox.sims.maneuvers import CarShape
from edgevox.sims.scene import LidarScan, Wall

SILENT = 100
"""Above every level of ir-sim's logger, which writes to the terminal."""

BEAMS = 72
"""Of a scan as it is passed on: a full turn, whatever the scanner covers."""

_TURNS = threading.RLock()


@dataclass(frozen=True, slots=True)
class Body:
    """What the robot is."""

    kind: str
    """The name of its kinematics."""
    shape: CarShape
    limits: Limits
    wheelbase: float
    """Metres; 0 for what has none."""


class IrSimEngine:
    """One running ir-sim.

    Args:
        world: what to run.
        draws_here: whether this process shows a window of matplotlib's itself.

    Raises:
        LibraryMissing: ir-sim is not installed.
        ConfigError: ir-sim refuses the world; the sentence names the file and its reason.
    """

    def __init__(self, world: WorldFile, *, draws_here: bool = False) -> None:
        irsim = load_irsim(draws_here=draws_here)
        with _TURNS, _as_file(world) as path:
            try:
                self._env: Any = irsim.make(str(path), headless=True, log_level=SILENT)
                self._env.logger.close()
                self._env.refresh()
            except Exception as error:  # ir-sim raises whatever a wrong value leads to; the file is a person's
                reason = described(error).rstrip(".")
                raise ConfigError(f"ir-sim cannot use the world file {world.path}: {reason}.") from error
        self._robot: Any = self._env.robot_list[0]
        self._still: Any = [0.0] * int(self._robot.vel_shape[0])
        self._last_free: Any = self._robot.state.copy()
        self.body = _body_of(self._robot)
        if self._touched():
            raise ConfigError(f"The robot in the world file {world.path} stands in an obstacle; move its state.")

    @property
    def placed(self) -> Placed:
        """Where the robot is: x, y in metres and the heading in radians."""
        state = self._robot.state
        return float(state[0, 0]), float(state[1, 0]), float(state[2, 0])

    @property
    def restless(self) -> bool:
        """Whether something besides the robot moves by itself."""
        return any(not thing.static for thing in self._env.objects if thing is not self._robot)

    def step(self, command: tuple[float, ...] | None) -> str | None:
        """Let one step pass.

        Args:
            command: of the robot, as its kinematics read it; `None` is zero.

        Returns:
            What the robot ran into, or `None`. It stands where it was before, free to drive elsewhere.
        """
        action = list(self._still) if command is None else [*command, *self._still][: len(self._still)]
        with _TURNS:
            before = self._touched()
            self._robot.stop_flag = False  # ir-sim holds what touches something for good; it may drive away from it
            self._env.step(action)
            nearer = {name for name, distance in self._touched().items() if distance < before.get(name, math.inf)}
            hit = min(nearer, default=None)
            if hit is None:
                self._last_free = self._robot.state.copy()
            else:
                self._robot.set_state(self._last_free)
                self.rest()
                self._env.refresh()
        return hit

    def rest(self) -> None:
        """Set the robot's velocity to zero without letting time pass."""
        self._robot.set_velocity(self._still)

    def reset(self) -> None:
        """Put everything back to where it was first."""
        with _TURNS:
            self._env.reset()
            self.rest()
            self._last_free = self._robot.state.copy()

    def outlines(self) -> tuple[Wall, ...]:
        """The edges of everything but the robot, where it is now."""
        things = [thing for thing in self._env.objects if thing is not self._robot]
        return tuple(wall for thing in things for wall in _edges(thing.geometry))

    def scan(self) -> LidarScan | None:
        """What the robot's laser scanner sees, as a full turn; `None` without a scanner."""
        if self._robot.lidar is None:
            return None
        return full_turn(self._robot.lidar.get_scan())

    def close(self) -> None:
        """Let ir-sim clean up. Twice is fine."""
        with _TURNS:
            self._env.end(ending_time=0)

    def _touched(self) -> dict[str, float]:
        """What the robot touches, and how far its middle is from each, metres."""
        if not self._robot.collision_flag or self._env.world_param.collision_mode == "contact":
            return {}
        middle = self._robot.geometry.centroid
        things = [thing for thing in self._robot.collision_obj if not thing.unobstructed]
        return {str(thing.name): round(float(thing.geometry.distance(middle)), 6) for thing in things}


def load_irsim(*, draws_here: bool = False) -> Any:
    """Import ir-sim without letting it choose a screen.

    ir-sim asks matplotlib for Tk when it is imported, from whatever thread that is. The choice of a back end is kept as
    it is, or made Agg when nobody draws in this process.

    Args:
        draws_here: whether somebody will, so that matplotlib's own choice is left open for the main thread.

    Raises:
        LibraryMissing: it is not installed, or does not load.
    """
    with _TURNS:
        if sys.modules.get("irsim") is not None:
            return sys.modules["irsim"]
        try:
            import matplotlib as mpl

            choose = mpl.use
            if not draws_here and "matplotlib.pyplot" not in sys.modules:
                choose("Agg")
            mpl.use = _keep
            try:
                import irsim
            finally:
                mpl.use = choose
        except ImportError as error:
            raise LibraryMissing("This world needs ir-sim: pip install 'edgevox[sim]'") from error
        return irsim


def _keep(*_: object, **__: object) -> None:
    """Stand for `matplotlib.use` while ir-sim is imported."""


def full_turn(scan: dict[str, Any]) -> LidarScan:
    """Return ir-sim's scan as a full turn that begins straight ahead; where the scanner does not look, nothing is seen.

    Args:
        scan: with `angle_min` and `angle_increment` in radians, `ranges` and `range_max` in metres.
    """
    ranges, farthest = scan["ranges"], float(scan["range_max"])
    first, step = float(scan["angle_min"]), float(scan["angle_increment"])

    def seen(beam: int) -> float:
        angle = math.remainder(beam * 2 * math.pi / BEAMS, 2 * math.pi)
        index = round((angle - first) / step) if step > 0 else (0 if beam == 0 else -1)
        return min(farthest, float(ranges[index])) if 0 <= index < len(ranges) else farthest

    return LidarScan(ranges=tuple(seen(beam) for beam in range(BEAMS)), max_range_m=farthest)


@contextlib.contextmanager
def _as_file(world: WorldFile) -> Any:
    """The world as a file for ir-sim, which reads nothing else; gone when ir-sim has read it."""
    import yaml

    with tempfile.TemporaryDirectory(prefix="edgevox-world-") as folder:
        path = Path(folder) / f"{world.path.stem}.yaml"
        path.write_text(yaml.safe_dump(world.content), encoding="utf-8")
        yield path


def _body_of(robot: Any) -> Body:
    xs, ys = robot.original_vertices if robot.shape != "circle" else ([0.0], [0.0])
    middle = float(min(xs) + max(xs)) / 2 if robot.shape != "circle" else float(robot.gf.original_centroid[0, 0])
    around = max(math.hypot(x - middle, y) for x, y in zip(xs, ys, strict=True))
    radius = float(robot.radius) if robot.shape == "circle" else float(around)
    kind = str(robot.kf.name)
    speed, second = float(robot.vel_max[0, 0]), float(robot.vel_max[1, 0])
    if kind.startswith("omni"):
        speed = min(speed, second)
    wheelbase = float(robot.wheelbase or 1.0) if kind == "acker" else 0.0
    if kind != "acker":  # it can turn about its own origin, which may not be its middle
        radius, middle = radius + abs(middle), 0.0
        return Body(kind, CarShape(0.0, radius), Limits(speed=speed, turn=second), wheelbase)
    # A plan turns less sharply than the wheels can: what is left corrects.
    turning = wheelbase / math.tan(min(second, 1.4) * 0.85)
    return Body(kind, CarShape(turning, radius, middle), Limits(speed=speed, turn=second), wheelbase)


def _edges(geometry: Any) -> list[Wall]:
    """The outline of a shape as straight pieces; shapes made of several have several."""
    parts = getattr(geometry, "geoms", None)
    if parts is not None:
        return [wall for part in parts for wall in _edges(part)]
    ring = getattr(geometry, "exterior", None)
    points = [(float(x), float(y)) for x, y, *_ in (ring if ring is not None else geometry).coords]
    if len(points) == 1:
        points *= 2
    return [Wall(start=a, end=b) for a, b in itertools.pairwise(points)]
