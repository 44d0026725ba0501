"""The window's process: it gets the latest scene, holds up nobody, and never outlives the program."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from edgevox.core.errors import ConfigError
from edgevox.sims import Scene, ToyWorld
from edgevox.sims.window import CHILD, WindowProcess, has_display, open_view, scene_from_line

pytestmark = pytest.mark.slow

READER = "import sys; lines = list(sys.stdin); open(sys.argv[1], 'w').write(lines[-1]); sys.exit(len(lines) > 40)"
PNG = b"\x89PNG"

needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")


def reached(true: Callable[[], bool], timeout: float = 20.0) -> bool:
    deadline = time.monotonic() + timeout
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return true()


def scene() -> Scene:
    world = ToyWorld(threaded=False)
    world.apply_action("navigate_to", room="kitchen")
    world.step(1.0)
    return world.scene()


def test_a_scene_comes_through_the_pipe_as_it_was(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    window = WindowProcess([sys.executable, "-c", READER, str(heard)])
    shown = scene()
    window.show(shown)
    window.close()
    assert scene_from_line(heard.read_text()) == shown


def test_a_slow_window_misses_scenes_and_holds_up_nobody() -> None:
    deaf = WindowProcess([sys.executable, "-c", "import time; time.sleep(60)"], closes_within_s=0.2)
    shown, began = scene(), time.monotonic()
    for _ in range(2000):
        deaf.show(shown)
    assert time.monotonic() - began < 2.0
    deaf.close()
    assert not deaf.alive


def test_a_window_that_the_person_closed_changes_nothing() -> None:
    window = WindowProcess([sys.executable, "-c", "pass"])
    assert reached(lambda: not window.alive)
    for _ in range(5):
        window.show(scene())
    window.close()
    window.close()


def test_a_window_ends_with_the_program_however_that_ends() -> None:
    code = """
import sys, time
from edgevox.sims.window import WindowProcess
window = WindowProcess([sys.executable, "-c", "import sys; list(sys.stdin)"])
print(window.pid, flush=True)
time.sleep(60)
"""
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    window = int(program.stdout.readline())
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
    assert reached(lambda: not alive(window))


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked after does not."""
    state = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_in_the_terminal_is_not_the_windows() -> None:
    window = WindowProcess([sys.executable, "-c", "import sys; list(sys.stdin)"])
    assert os.getpgid(window.pid) != os.getpgid(0)
    window.close()


def test_a_window_that_nothing_can_draw_says_so_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    window = WindowProcess([sys.executable, "-c", "raise SystemExit(3)"])
    assert reached(lambda: not window.alive)
    window.show(scene())
    assert reached(lambda: "install tkinter" in caplog.text)
    window.close()


def test_a_picture_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"There is no folder .*nowhere for the picture world\.png"):
        open_view(tmp_path / "nowhere" / "world.png", "toy")


@needs_matplotlib
def test_a_picture_is_kept_up_to_date_where_there_is_no_display(tmp_path: Path) -> None:
    picture = tmp_path / "world.png"
    view = open_view(picture, "toy")
    assert view is not None
    view.show(scene())
    assert reached(picture.exists)
    first = picture.read_bytes()
    view.show(ToyWorld().scene())
    view.close()
    second = picture.read_bytes()
    assert first.startswith(PNG)
    assert second.startswith(PNG)
    assert first != second
    assert [path.name for path in tmp_path.iterdir()] == ["world.png"]


def test_without_a_display_there_is_no_window_and_no_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform in ("darwin", "win32"):
        pytest.skip("there is always a display here")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    assert open_view("process", "toy") is None


@pytest.fixture
def display() -> Iterator[str]:
    """A display that nobody sees."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    command = [server, "-displayfd", str(write), "-screen", "0", "900x800x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    if not number:
        process.wait()
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    process.terminate()
    process.wait()


@needs_matplotlib
def test_a_real_window_opens_on_a_display_and_closes_with_the_world(display: str) -> None:
    if find_spec("_tkinter") is None:
        pytest.skip("Python has no tkinter here")
    window = WindowProcess(["env", f"DISPLAY={display}", *CHILD, "toy"])
    window.show(scene())
    assert not reached(lambda: not window.alive, 2.0), "the window closed by itself"
    window.close()
    assert not window.alive
