"""A window on a world in a process of its own: scenes go in by a pipe, nothing comes back.

Knows neither worlds nor how a scene is drawn (`edgevox.sims.window_process` is the other end).
"""

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from pydantic import TypeAdapter

from edgevox.core.errors import ConfigError
from edgevox.sims.feed import CLOSES_WITHIN_S, WindowFeed
from edgevox.sims.scene import Scene

log = logging.getLogger(__name__)

_SCENES = TypeAdapter(Scene)

CHILD = (sys.executable, "-m", "edgevox.sims.window_process")

NO_TOOLKIT = 3
"""Exit code of a window that has a display and nothing to draw on it with."""

PICTURE_WITHIN_S = 10.0
"""Seconds that the last picture has to be written."""


class SceneView(Protocol):
    """What shows scenes."""

    def show(self, scene: Scene, /) -> None:
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


class WindowProcess(WindowFeed[Scene]):
    """The window of one world.

    Args:
        command: the program that reads scenes, one JSON line each.
        closes_within_s: seconds it has to end by itself when it is closed.
    """

    def __init__(self, command: Sequence[str], *, closes_within_s: float = CLOSES_WITHIN_S) -> None:
        super().__init__(command, _SCENES.dump_json, closes_within_s=closes_within_s, on_gone=_say_why)


def _say_why(code: int) -> None:
    if code == NO_TOOLKIT:
        log.warning("the world has no window: Python has no toolkit that opens one; install tkinter or PyQt")


def scene_from_line(line: bytes | str) -> Scene:
    """Return the scene that a line of the pipe holds.

    Raises:
        ValueError: it does not hold one.
    """
    return _SCENES.validate_json(line)
