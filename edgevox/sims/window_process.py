# pyright: reportUnknownMemberType=false
# matplotlib's stubs leave parts of pyplot untyped.
"""The window's own process: reads scenes from standard input and draws the latest, until the input ends.

Started by `edgevox.sims.window`; nothing else imports it. With `--png FILE` it keeps a picture up to date instead, for
machines without a display.
"""

import argparse
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.sims.drawing import draw
from edgevox.sims.scene import Scene
from edgevox.sims.window import NO_TOOLKIT, scene_from_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REFRESH_S = 0.05
"""Seconds that the person's clicks wait at most."""

SIZE_IN = (7.0, 7.0)
"""Of the window, inches."""


class LatestScene:
    """Reads the pipe on a thread of its own and keeps the last scene; older ones are dropped."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._scene: Scene | None = None
        self._over = False

    def read(self) -> None:
        """Read until the pipe ends."""
        for line in sys.stdin.buffer:
            scene = scene_from_line(line)
            with self._changed:
                self._scene = scene
                self._changed.notify()
        with self._changed:
            self._over = True
            self._changed.notify()

    def take(self, timeout: float) -> tuple[Scene | None, bool]:
        """Wait for a scene and return it, and whether the pipe has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._scene is not None or self._over, timeout)
            scene, self._scene = self._scene, None
            return scene, self._over


def main() -> None:
    """Be the window."""
    parser = argparse.ArgumentParser(prog="edgevox.sims.window_process")
    parser.add_argument("--png", type=Path)
    parser.add_argument("title")
    arguments = parser.parse_args()
    latest = LatestScene()
    threading.Thread(target=latest.read, name="scenes", daemon=True).start()
    if arguments.png is not None:
        keep_picture(latest.take, arguments.png)
    else:
        show_window(latest.take, arguments.title)


def keep_picture(take: Callable[[float], tuple[Scene | None, bool]], path: Path) -> None:
    """Write every scene that is taken to a PNG; a reader sees a whole picture, never a part."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE_IN)
    FigureCanvasAgg(figure)
    over = False
    while not over:
        scene, over = take(60.0)
        if scene is not None:
            draw_on(figure, scene)
            unfinished = path.with_name(f".{path.name}.{os.getpid()}")
            figure.savefig(unfinished, format="png")
            unfinished.replace(path)


def show_window(take: Callable[[float], tuple[Scene | None, bool]], title: str) -> None:
    """Show every scene that is taken, until the pipe ends or the person closes the window."""
    import matplotlib.pyplot as plt

    if plt.get_backend().lower() == "agg":
        sys.exit(NO_TOOLKIT)
    figure = plt.figure(title, figsize=SIZE_IN)
    plt.show(block=False)
    over = False
    while not over and plt.fignum_exists(figure.number):
        scene, over = take(0.0)
        if scene is not None:
            draw_on(figure, scene)
            figure.canvas.draw_idle()
        figure.canvas.start_event_loop(REFRESH_S)


def draw_on(figure: "Figure", scene: Scene) -> None:
    """Draw a scene on the only axes of a figure."""
    draw(figure.axes[0] if figure.axes else figure.add_subplot(), scene)


if __name__ == "__main__":
    main()
