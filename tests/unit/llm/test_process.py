"""The child process of a local model: starting, stopping, crashing, being replaced."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgevox.core.errors import LanguageModelError, LibraryMissing, ModelCrashed, ModelMissing
from edgevox.llm.engine import EngineOptions, GenerationRequest
from edgevox.llm.process import ChildEngine
from edgevox.testing import gguf_file

Make = Callable[..., ChildEngine]


@pytest.fixture
def make(toy_worker: Path) -> Iterator[Make]:
    made: list[ChildEngine] = []

    def build(path: str = "toy", free_s: float = 0.3) -> ChildEngine:
        engine = ChildEngine(EngineOptions(path=path), command=(sys.executable, str(toy_worker)), free_s=free_s)
        made.append(engine)
        return engine

    yield build
    for engine in made:
        engine.close()


def say(engine: ChildEngine, prompt: str, stop: threading.Event | None = None) -> tuple[str, str]:
    pieces: list[str] = []
    done = engine.generate(GenerationRequest(prompt=prompt), pieces.append, stop or threading.Event())
    return " ".join(pieces), done.finish


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except OSError:
        return False
    return True


def test_a_child_generates_counts_and_ends_with_its_engine(make: Make) -> None:
    engine = make()
    info = engine.open()
    assert info.process_id is not None
    assert info.process_id != os.getpid()
    assert say(engine, "one two") == ("one two", "stop")
    assert engine.count(["a b c", ""]) == [3, 0]
    engine.close()
    engine.close()
    assert not is_running(info.process_id)


def test_what_a_child_prints_goes_to_a_private_log(
    make: Make, own_home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make().open()
    log = own_home / "logs" / "llm-worker.log"
    assert b"chatter on stdout\xff\nchatter on stderr\n" in log.read_bytes()
    assert log.stat().st_mode & 0o077 == 0
    assert capfd.readouterr() == ("", "")


def test_without_a_place_for_logs_a_child_still_runs(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "file"))
    assert say(make(), "hello") == ("hello", "stop")


def test_a_stop_ends_a_generation_and_the_child_lives_on(make: Make) -> None:
    engine = make()
    engine.open()
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert say(engine, "one wait two", stop) == ("one", "cancelled")
    assert time.monotonic() - began < 0.35
    assert say(engine, "three") == ("three", "stop")
    assert engine.starts == 1


def test_a_child_that_does_not_stop_in_time_is_replaced(make: Make) -> None:
    engine = make(free_s=0.1)
    first = engine.open().process_id
    assert first is not None
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert say(engine, "one deaf two", stop)[1] == "cancelled"
    assert time.monotonic() - began < 0.5
    assert not is_running(first)
    assert say(engine, "three") == ("three", "stop")
    assert engine.starts == 2


def test_a_crash_is_one_sentence_and_the_next_request_starts_another_child(make: Make) -> None:
    engine = make()
    with pytest.raises(ModelCrashed, match=r"^The language model stopped unexpectedly; please ask me again\.$"):
        say(engine, "one crash two")
    assert say(engine, "three") == ("three", "stop")
    assert engine.starts == 2


def test_a_child_killed_between_requests_is_replaced_without_a_word(make: Make) -> None:
    engine = make()
    process_id = engine.open().process_id
    assert process_id is not None
    os.kill(process_id, signal.SIGKILL)
    deadline = time.monotonic() + 2
    while engine.starts == 1 and time.monotonic() < deadline:
        time.sleep(0.02)
        try:
            assert say(engine, "three") == ("three", "stop")
        except ModelCrashed:
            continue
    assert engine.starts == 2


def test_a_stop_while_the_model_loads_does_not_wait_for_it(make: Make) -> None:
    engine = make("slow")
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    assert say(engine, "one", stop) == ("", "cancelled")
    assert time.monotonic() - began < 0.5
    assert say(engine, "two") == ("two", "stop")
    assert engine.starts == 1


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("missing", ModelMissing, "there is no model here"),
        ("die", LanguageModelError, "exit code 3"),
        ("illegal", LibraryMissing, "pip install"),
    ],
)
def test_a_model_that_cannot_be_loaded_says_why_every_time(
    make: Make, path: str, error: type[Exception], words: str
) -> None:
    engine = make(path)
    for _ in range(2):
        with pytest.raises(error, match=words):
            engine.open()
    assert engine.starts == 2


@pytest.mark.parametrize("in_process", [True, False])
def test_a_llama_cpp_that_does_not_load_is_one_sentence_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process: bool
) -> None:
    (tmp_path / "llama_cpp.py").write_text("raise OSError('wrong ELF class')")
    (tmp_path / "model.gguf").write_bytes(gguf_file())
    script = (
        "from edgevox.llm import LLM\n"
        "from edgevox.core.errors import LibraryMissing\n"
        f"model = LLM({str(tmp_path / 'model.gguf')!r}, in_process={in_process})\n"
        "try:\n    model.chat('hello')\n"
        "except LibraryMissing as error:\n    print(error)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert "pip install 'edgevox[llm]'" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_a_child_ends_when_its_parent_does(toy_worker: Path, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys\n"
        "from edgevox.llm.engine import EngineOptions\n"
        "from edgevox.llm.process import ChildEngine\n"
        f"engine = ChildEngine(EngineOptions(path='toy'), command=(sys.executable, {str(toy_worker)!r}))\n"
        "print(engine.open().process_id, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=30, check=True)
    process_id = int(done.stdout)
    deadline = time.monotonic() + 3
    while is_running(process_id) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(process_id)
