"""A window on a MuJoCo world, in a process of its own: positions go in by a pipe, nothing comes back.

Knows MuJoCo's models and states; how a window is fed, `edgevox.sims.feed` knows.
"""

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from edgevox.sims.feed import CLOSES_WITHIN_S, WindowFeed

CHILD = (sys.executable, "-m", "edgevox.sims.mujoco.viewer")


class ViewerProcess(WindowFeed[list[float]]):
    """The window of one world.

    Args:
        model: XML of the model.
        command: the program that reads the pipe: one line with the model, then one with the positions per state, JSON.
        closes_within_s: seconds it has to end by itself when it is closed.
    """

    def __init__(self, model: str, command: Sequence[str] = CHILD, *, closes_within_s: float = CLOSES_WITHIN_S) -> None:
        super().__init__(command, _line, first=_line(model), closes_within_s=closes_within_s)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode()


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
