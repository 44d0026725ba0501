"""A download that is killed, again and again, leaves one unfinished file at most and goes on from it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.config.catalogue import catalogue
from edgevox.config.models import fetch
from edgevox.config.paths import models_dir
from edgevox.testing import Behaviour, ModelServer, gguf_file

pytestmark = pytest.mark.slow

Adder = Callable[..., None]

SCRIPT = "import sys; from edgevox.config.models import fetch; fetch(sys.argv[1])"


def start(spec: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SCRIPT, spec], env=dict(os.environ))


def size_of(folder: Path, pattern: str = "*") -> int:
    total = 0
    for path in folder.rglob(pattern):
        try:
            total += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
        except FileNotFoundError:
            continue
    return total


def kill_when(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not reached():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline, "it did not get that far"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def test_killed_three_times_it_goes_on_each_time_and_leaves_nothing(server: ModelServer, add_models: Adder) -> None:
    data = gguf_file(1_500_000)
    add_models(server.add_split_model("m", {"model.gguf": data}, packages=2))
    largest = max(package.size for source in catalogue()["m"].sources for package in getattr(source, "packages", ()))
    server.behave("/files/", Behaviour(kind="crawl", pause_s=0.02, times=None))
    work = models_dir() / ".downloads"
    for round_number in range(1, 4):
        goal = round_number * 300_000
        kill_when(start("m"), lambda goal=goal: size_of(work) > goal)
        parts = list(work.rglob("*.part"))
        assert len(parts) <= 1
        assert size_of(work, "*.part") + size_of(work, "*.whl") <= largest
        assert not (models_dir() / "m").exists()
    assert fetch("m").path().read_bytes() == data
    assert size_of(work) == 0
    resumed = [int(asked[6:-1]) for asked in server.ranges("/files/") if asked]
    assert len(resumed) >= 2
    assert resumed[0] > 200_000, "the bytes of the first attempt were used"


def test_a_killed_download_from_the_hub_leaves_one_file_at_most_and_says_that_it_starts_over(
    server: ModelServer, tmp_path: Path
) -> None:
    data = gguf_file(2_000_000)
    server.add_hub_file("a/b", "c.gguf", data)
    server.behave("c.gguf", Behaviour(kind="crawl", pause_s=0.03, times=6))
    blobs = tmp_path / "hf" / "hub" / "models--a--b" / "blobs"
    for _ in range(3):
        kill_when(start("hf:a/b:c.gguf"), lambda: size_of(blobs, "*.incomplete") > 100_000)
        assert len(list(blobs.glob("*.incomplete"))) == 1
        assert size_of(blobs, "*.incomplete") < len(data)
    wait_until_quiet(blobs)
    notes: list[str] = []
    found = fetch("hf:a/b:c.gguf", progress=lambda progress: notes.append(progress.note) if progress.note else None)
    assert found.path().read_bytes() == data
    assert list(blobs.glob("*.incomplete")) == []
    assert len(notes) == 1
    assert "starts over" in notes[0]


def wait_until_quiet(folder: Path) -> None:
    """Wait until nobody writes any more: the worker notices its parent's death on its own."""
    before = -1
    while (now := size_of(folder)) != before:
        before = now
        time.sleep(0.3)


def test_the_worker_does_not_outlive_its_parent(server: ModelServer, tmp_path: Path) -> None:
    data = gguf_file(3_000_000)
    server.add_hub_file("a/b", "c.gguf", data)
    server.behave("c.gguf", Behaviour(kind="crawl", pause_s=0.03, times=None))
    blobs = tmp_path / "hf" / "hub" / "models--a--b" / "blobs"
    kill_when(start("hf:a/b:c.gguf"), lambda: size_of(blobs, "*.incomplete") > 100_000)
    wait_until_quiet(blobs)
    assert size_of(blobs) < len(data)
