"""A window on a world in a process of its own: scenes go in by a pipe, nothing comes back.

The window never holds up the world: a slow one sees the latest scene and misses others. It ends with the pipe, so it
never outlives the program, however that ends; and a person who closes it changes nothing else. Knows neither worlds nor
how a scene is drawn (`edgevox.sims.window_process` is the other end).
"""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from pydantic import TypeAdapter

from edgevox.core.errors import ConfigError
from edgevox.sims.scene import Scene

log = logging.getLogger(__name__)

_SCENES = TypeAdapter(Scene)

CHILD = (sys.executable, "-m", "edgevox.sims.window_process")

CLOSES_WITHIN_S = 2.0
"""Seconds that a window has to close before it is ended."""

NO_TOOLKIT = 3
"""Exit code of a window that has a display and nothing to draw on it with."""

PICTURE_WITHIN_S = 10.0
"""Seconds that the last picture has to be written."""


class SceneView(Protocol):
    """What shows scenes."""

    def show(self, scene: Scene) -> None:
        """Show this scene now or soon. Never waits for the person."""
        ...

    def close(self) -> None:
        """Close it. Twice is fine."""
        ...


def has_display() -> bool:
    """Whether a window can be shown here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_view(where: Literal["process"] | Path, title: str) -> SceneView | None:
    """Open a window in a process of its own, or begin to write a picture.

    Args:
        where: `process` for a window, the path of a PNG file for a picture that is kept up to date.
        title: of the window.

    Returns:
        The view; `None` where there is no display, which is no error.

    Raises:
        ConfigError: the folder of the picture is not there.
    """
    if isinstance(where, Path):
        if not where.absolute().parent.is_dir():
            raise ConfigError(
                f"There is no folder {where.absolute().parent} for the picture {where.name}; make it first."
            )
        return WindowProcess([*CHILD, "--png", str(where), title], closes_within_s=PICTURE_WITHIN_S)
    if not has_display():
        log.info("no display here: the world has no window")
        return None
    return WindowProcess([*CHILD, title])


class WindowProcess:
    """The window of one world.

    Args:
        command: the program that reads scenes, one JSON line each.
        closes_within_s: seconds it has to end by itself when it is closed.
    """

    def __init__(self, command: Sequence[str], *, closes_within_s: float = CLOSES_WITHIN_S) -> None:
        self._closes_within_s = closes_within_s
        # A session of its own: Ctrl+C in the terminal is for the robot, not for its window.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._changed = threading.Condition()
        self._latest: Scene | None = None
        self._over = False
        self._feeder = threading.Thread(target=self._feed, name="window feeder", daemon=True)
        self._feeder.start()

    @property
    def pid(self) -> int:
        """The window's process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the window is there."""
        return self._process.poll() is None

    def show(self, scene: Scene) -> None:
        """Show this scene soon; one that still waits is dropped."""
        with self._changed:
            self._latest = scene
            self._changed.notify()

    def close(self) -> None:
        """Close the window and wait for its process. Twice is fine."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._feeder.join(self._closes_within_s)
        try:
            self._process.wait(self._closes_within_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._feeder.join(self._closes_within_s)

    def _feed(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with pipe:
                while (scene := self._next()) is not None:
                    pipe.write(_SCENES.dump_json(scene) + b"\n")
                    pipe.flush()
        except OSError:  # the person closed the window
            if self._process.wait() == NO_TOOLKIT:
                log.warning("the world has no window: Python has no toolkit that opens one; install tkinter or PyQt")
            else:
                log.info("the window of the world is closed")

    def _next(self) -> Scene | None:
        """Wait for a scene; `None` at the end. The last scene is still passed on."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._latest is not None)
            scene, self._latest = self._latest, None
            return scene


def scene_from_line(line: bytes | str) -> Scene:
    """Return the scene that a line of the pipe holds.

    Raises:
        ValueError: it does not hold one.
    """
    return _SCENES.validate_json(line)
