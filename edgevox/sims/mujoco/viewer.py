"""A window on a MuJoCo world, in a process of its own: positions go in by a pipe, nothing comes back.

The window's process ends when the pipe does, so it never outlives the program, however that ends. A window that is
closed, or cannot be opened, changes nothing for the physics.
"""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

CHILD = (sys.executable, "-m", "edgevox.sims.mujoco.viewer")
CLOSES_WITHIN_S = 2.0


class ViewerProcess:
    """The window of one world. Showing never blocks: a slow window sees the latest state and misses others.

    Args:
        model: XML of the model.
        command: the program that reads the pipe: one line with the model, then one with the positions per state, JSON.
        closes_within_s: seconds it has to end by itself when it is closed.
    """

    def __init__(self, model: str, command: Sequence[str] = CHILD, *, closes_within_s: float = CLOSES_WITHIN_S) -> None:
        self._closes_within_s = closes_within_s
        # A session of its own: Ctrl+C in the terminal is for the robot, not for its window.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._changed = threading.Condition()
        self._latest: list[float] | None = None
        self._over = False
        self._writer = threading.Thread(target=self._write, args=(model,), name="mujoco-viewer", daemon=True)
        self._writer.start()

    @property
    def alive(self) -> bool:
        """Whether the window's process runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The window's process."""
        return self._process.pid

    @property
    def waiting(self) -> bool:
        """Whether a state waits to be taken to the window."""
        return self._latest is not None

    def show(self, positions: list[float]) -> None:
        """Show this state."""
        with self._changed:
            self._latest = positions
            self._changed.notify()

    def close(self) -> None:
        """Close the window and wait for its process. Twice is fine."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._writer.join(self._closes_within_s)
        try:
            self._process.wait(self._closes_within_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._writer.join(CLOSES_WITHIN_S)

    def _write(self, model: str) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with pipe:
                pipe.write(json.dumps(model) + "\n")
                while (state := self._next()) is not None:
                    pipe.write(json.dumps(state) + "\n")
                    pipe.flush()
        except OSError:  # the person closed the window
            log.info("the window of the world is closed")

    def _next(self) -> list[float] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._latest is not None)
            state, self._latest = self._latest, None
            return None if self._over else state


def main() -> None:
    """Be the window: read the model and its states from the pipe until that ends or the window is closed."""
    mj: Any = import_module("mujoco")
    viewer: Any = import_module("mujoco.viewer")
    model = mj.MjModel.from_xml_string(json.loads(sys.stdin.readline()))
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    with viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as window:
        for line in sys.stdin:
            if not window.is_running():
                return
            data.qpos[:] = json.loads(line)
            mj.mj_forward(model, data)
            window.sync()


if __name__ == "__main__":
    main()
