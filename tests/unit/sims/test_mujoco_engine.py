"""What both MuJoCo worlds share: loading, models that are wrong, no display, a window that may hang, no thread left."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.core.errors import ConfigError
from edgevox.core.goals import GoalStatus
from edgevox.sims import MujocoArmEnvironment, MujocoMobileEnvironment
from edgevox.sims.mujoco.engine import MujocoEngine, model_text
from edgevox.sims.mujoco.viewer import ViewerProcess

pytest.importorskip("mujoco")

Make = Callable[..., MujocoArmEnvironment | MujocoMobileEnvironment]
BOTH = pytest.mark.parametrize("make", [MujocoArmEnvironment, MujocoMobileEnvironment])

WITHOUT_LIBRARY = """
import json, sys
from edgevox.core.errors import LibraryMissing
from edgevox.sims import MujocoArmEnvironment, MujocoMobileEnvironment
worlds = [MujocoArmEnvironment(), MujocoMobileEnvironment()]
loaded = [name for name in ("mujoco", "numpy.linalg.nothing") if name in sys.modules]
sys.modules["mujoco"] = None
said = []
for world in worlds:
    try:
        world.open()
    except LibraryMissing as error:
        said.append(str(error))
    said.append(world.apply_action("home").error)
    world.halt(); world.close(); assert not world.is_moving()
print(json.dumps({"loaded": loaded, "said": said}))
"""

KEEPS_LINES = """
import pathlib, sys
pathlib.Path(sys.argv[1]).write_text(sys.stdin.read())
"""


def test_making_a_world_loads_nothing_and_a_missing_library_is_one_sentence() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARY], capture_output=True, text=True, timeout=60, check=True
    )
    seen = json.loads(run.stdout)
    assert seen["loaded"] == []
    assert len(seen["said"]) == 4
    assert all("pip install 'edgevox[sim-mujoco]'" in sentence for sentence in seen["said"])


@BOTH
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a MuJoCo model"),
        ("<mujoco><worldbody>", "is not a MuJoCo model"),
        ("<robot/>", "which this world needs"),
        ("<mujoco/>", "which this world needs"),
    ],
)
def test_a_model_that_is_empty_or_wrong_is_one_sentence(make: Make, text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "world.xml"
    path.write_text(text)
    world = make(path, threaded=False)
    with pytest.raises(ConfigError, match=words):
        world.open()
    assert world.apply_action("home").status is GoalStatus.FAILED
    world.close()


@BOTH
def test_a_model_that_is_not_there_is_named(make: Make, tmp_path: Path) -> None:
    world = make(tmp_path / "none.xml", threaded=False)
    with pytest.raises(ConfigError, match=r"none\.xml"):
        world.open()


def test_an_arm_without_a_hand_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "handless.xml"
    path.write_text(model_text("tabletop").replace('name="hand"', 'name="paw"').replace('body1="hand"', 'body1="paw"'))
    with pytest.raises(ConfigError, match="no body called 'hand'"):
        MujocoArmEnvironment(path, threaded=False).open()


@BOTH
def test_without_a_display_the_physics_runs_and_there_is_no_window(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "MUJOCO_GL"):
        monkeypatch.delenv(name, raising=False)
    world = make(render=True, threaded=False)
    before = set(threading.enumerate())
    world.open()
    world.step(0.5)
    assert set(threading.enumerate()) == before
    world.close()


@BOTH
def test_fifty_worlds_leave_no_thread(make: Make) -> None:
    before = set(threading.enumerate())
    for _ in range(50):
        world = make()
        world.open()
        world.close()
    assert set(threading.enumerate()) <= before


def test_a_world_at_rest_has_no_thread() -> None:
    world = MujocoMobileEnvironment(time_scale=20.0)
    assert world.apply_action("navigate_to", x=0.6, y=0.0).poll(20.0) is GoalStatus.SUCCEEDED
    deadline = time.monotonic() + 5.0
    while any(thread.name == "mujoco-mobile" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the physics goes on although nothing moves"
        time.sleep(0.01)
    world.close()


def test_the_window_gets_the_model_and_then_positions(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    window = ViewerProcess("<mujoco/>", [sys.executable, "-c", KEEPS_LINES, str(path)])
    window.show([1.0, 2.0])
    deadline = time.monotonic() + 5.0
    while window.waiting and time.monotonic() < deadline:
        time.sleep(0.005)
    window.close()
    window.close()
    assert not window.alive
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines == ["<mujoco/>", [1.0, 2.0]]


def test_a_window_that_hangs_holds_nobody_up() -> None:
    window = ViewerProcess(
        "<mujoco/>" * 50_000, [sys.executable, "-c", "import time; time.sleep(60)"], closes_within_s=0.1
    )
    started = time.monotonic()
    for number in range(1000):
        window.show([float(number)] * 50)
    assert time.monotonic() - started < 1.0
    window.close()
    assert not window.alive


def test_a_window_that_the_person_closed_is_no_error() -> None:
    window = ViewerProcess("<mujoco/>", [sys.executable, "-c", ""])
    deadline = time.monotonic() + 10.0
    while window.alive and time.monotonic() < deadline:
        time.sleep(0.01)
    window.show([0.0])
    window.show([1.0])
    window.close()
    assert not window.alive


def test_the_window_dies_with_its_program() -> None:
    program = f"""
import os, sys
from edgevox.sims.mujoco.viewer import ViewerProcess
window = ViewerProcess("<mujoco/>", [sys.executable, "-c", "import sys; sys.stdin.read()"])
print(window.pid, flush=True)
os._exit({os.EX_SOFTWARE})
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    pid = int(run.stdout)
    deadline = time.monotonic() + 10.0
    while _lives(pid):
        assert time.monotonic() < deadline, "the window outlived its program"
        time.sleep(0.02)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_step_that_raises_ends_the_thread_and_is_told_once() -> None:
    faults: list[str] = []

    def breaks() -> None:
        raise RuntimeError("mine")

    engine = MujocoEngine(
        "flat",
        control=breaks,
        is_active=lambda: not faults,
        time_scale=1.0,
        threaded=True,
        name="mujoco-broken",
        on_fault=lambda: faults.append("told"),
    )
    engine.open(lambda: None)
    engine.ensure()
    deadline = time.monotonic() + 10.0
    while any(thread.name == "mujoco-broken" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the thread goes on"
        time.sleep(0.005)
    assert faults == ["told"]
    engine.close()
