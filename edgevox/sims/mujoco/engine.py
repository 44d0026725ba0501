"""A MuJoCo model whose time passes on a thread of its own while something in it moves.

Knows how a model is loaded, stepped and shown; what its parts mean is for the world that uses it. `mujoco` is imported
when the model is loaded, and without a display physics runs all the same: nothing here needs OpenGL.
"""

import logging
import threading
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from edgevox.core.errors import ConfigError, LibraryMissing
from edgevox.sims.mujoco.viewer import ViewerProcess
from edgevox.sims.physics import PhysicsThread
from edgevox.sims.window import has_display

log = logging.getLogger(__name__)

PERIOD_S = 0.005
"""Seconds between two advances: a halt waits for no more."""

CHUNK = 10
"""Physics steps under one hold of the lock; a reader waits for no more."""

SETTLE_S = 4.0
"""Simulated seconds that things may go on rolling after the last goal before time stands still."""


class MujocoEngine:
    """One model and its time. Safe from any thread; hold `lock` to read or write `data`.

    Args:
        model: a file, or the name of a model that comes with the product.
        control: called before every physics step with the lock held; sets `data.ctrl`.
        is_active: whether time has to pass. It is asked without the lock.
        before: called before time passes, without the lock: for what takes long.
        time_scale: simulated seconds per second.
        threaded: `False` leaves time to the caller, who moves it with `advance`.
        name: of the thread.
        on_fault: called when a step raised: the goal has to end, and time need not pass any more.
    """

    model: Any
    data: Any
    mj: Any
    """The library."""

    def __init__(
        self,
        model: Path | str,
        *,
        control: Callable[[], None],
        is_active: Callable[[], bool],
        time_scale: float,
        threaded: bool,
        name: str,
        on_fault: Callable[[], None],
        before: Callable[[], None] | None = None,
    ) -> None:
        if not time_scale > 0:
            raise ValueError(f"time_scale must be above 0, not {time_scale}")
        self.lock = threading.RLock()
        self.is_open = False
        self.closed = False
        self._source = model
        self._control = control
        self._before = before
        self._on_fault = on_fault
        self._time_scale = time_scale
        self._physics = PhysicsThread(self._pass, is_active, name, period_s=PERIOD_S) if threaded else None
        self._viewer: ViewerProcess | None = None
        self._left_over_s = 0.0

    def open(self, prepare: Callable[[], None]) -> None:
        """Load the library and the model, and have `prepare` look through it. Twice is fine.

        Raises:
            LibraryMissing: `mujoco` is not installed.
            ConfigError: the model file cannot be read or is not a model.
        """
        with self.lock:
            if not self.is_open:
                self.mj = load_library()
                self.model = self._load()
                self.data = self.mj.MjData(self.model)
                prepare()
                self.is_open = True

    def show(self) -> None:
        """Show a window on the model where there is a display. Twice is fine."""
        with self.lock:
            if self._viewer is not None or self.closed:
                return
            if not has_display():
                log.info("no display here: the world has no window")
                return
            self._viewer = ViewerProcess(self._text())
            self.publish()

    def rewind(self) -> None:
        """Put everything where the model's first keyframe, or the model itself, has it."""
        with self.lock:
            if self.model.nkey:
                self.mj.mj_resetDataKeyframe(self.model, self.data, 0)
            else:
                self.mj.mj_resetData(self.model, self.data)
            self.mj.mj_forward(self.model, self.data)
            self.publish()

    def ensure(self) -> None:
        """Let time pass from now on; call it after something began to move."""
        if self._physics is not None and not self.closed:
            self._physics.ensure()

    def advance(self, seconds: float) -> None:
        """Let simulated seconds pass."""
        if self._before is not None:
            self._before()
        with self.lock:
            timestep = float(self.model.opt.timestep)
        steps, self._left_over_s = divmod(seconds + self._left_over_s, timestep)
        while steps > 0:
            with self.lock:
                for _ in range(int(min(steps, CHUNK))):
                    self._control()
                    self.mj.mj_step(self.model, self.data)
            steps -= CHUNK
        self.publish()

    def publish(self) -> None:
        """Show the window, if there is one, how things are now."""
        if self._viewer is not None:
            with self.lock:
                self._viewer.show([float(value) for value in self.data.qpos])

    def close(self) -> None:
        """End the thread and the window. Twice is fine; the state can still be read."""
        self.closed = True
        if self._physics is not None:
            self._physics.close()
        with self.lock:
            viewer, self._viewer = self._viewer, None
        if viewer is not None:
            viewer.close()

    def _pass(self, seconds: float) -> None:
        try:
            self.advance(seconds * self._time_scale)
        except Exception:  # whatever is wrong with a step, a goal must not run on for ever and the thread must end
            log.exception("the physics failed")
            self._on_fault()

    def _load(self) -> Any:
        try:
            return self.mj.MjModel.from_xml_string(self._text())
        except ValueError as error:
            reason = " ".join(str(error).split())
            raise ConfigError(f"{self._source} is not a MuJoCo model: {reason}") from error

    def _text(self) -> str:
        try:
            return model_text(self._source)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"The model {self._source} cannot be read: {error}.") from error


def load_library() -> Any:
    """Import `mujoco`.

    Raises:
        LibraryMissing: it is not installed, or does not load.
    """
    try:
        import mujoco

        library: Any = mujoco  # partly typed, and parts of it wrongly
        return library
    except (ImportError, OSError) as error:
        raise LibraryMissing(
            f"This world needs the library mujoco; install it with: pip install 'edgevox[sim-mujoco]' ({error})"
        ) from error


def model_text(model: Path | str) -> str:
    """Return the XML of a model: of a file, or of one that comes with the product, by its name."""
    if isinstance(model, Path):
        return model.read_text(encoding="utf-8")
    return resources.files("edgevox.sims").joinpath("models", f"{model}.xml").read_text(encoding="utf-8")


def need(names: Callable[[str], Any], name: str, what: str) -> int:
    """Return the number of a named part of a model.

    Args:
        names: `model.body`, `model.site`, …
        name: of the part.
        what: kind of the part, for the sentence.

    Raises:
        ConfigError: the model has no such part.
    """
    try:
        return int(names(name).id)
    except KeyError as error:
        raise ConfigError(f"The model has no {what} called {name!r}, which this world needs.") from error
