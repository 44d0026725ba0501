"""No program that edgevox starts gets to see a key."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from edgevox.config.child_env import scrubbed_environment
from edgevox.core.redaction import expect_secret, remember_secret

SECRETS = {
    "CANARY_ONE_SECRET": "canary-1-value",
    "OPENROUTER_API_KEY": "canary-2-value",
    "EDGEVOX_ENV_PASSWORD": "canary-3-value",
    "ROBOZ_ENV_PASSWORD": "canary-4-value",
    "MY_CATALOGUE_NAME": "canary-5-value",
    "COPY_OF_ONE": "x canary-1-value x",
    "HF_TOKEN": "canary-6-value",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("INNOCENT", "kept")
    expect_secret("MY_CATALOGUE_NAME")
    remember_secret("CANARY_ONE_SECRET", "canary-1-value")


def leaks(environment: dict[str, str]) -> set[str]:
    return {name for name, value in environment.items() if "canary-" in value}


def test_what_a_child_gets_is_everything_but_the_secrets() -> None:
    scrubbed = scrubbed_environment({"ADDED": "1"})
    assert leaks(scrubbed) == set()
    assert (scrubbed["INNOCENT"], scrubbed["ADDED"], scrubbed["PATH"]) == ("kept", "1", os.environ["PATH"])
    assert leaks(scrubbed_environment(keep=("HF_TOKEN",))) == {"HF_TOKEN"}
    assert set(scrubbed_environment(only=("PATH", "HF_TOKEN"))) == {"PATH"}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str] | None]:
    """The environments that processes were started with, which really start."""
    environments: list[dict[str, str] | None] = []
    start = subprocess.Popen.__init__

    def watched(self: "subprocess.Popen[bytes]", *args: object, **options: object) -> None:
        given = options.get("env")
        environments.append(dict(given) if isinstance(given, dict) else None)  # pyright: ignore[reportUnknownArgumentType]
        start(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(subprocess.Popen, "__init__", watched)
    return environments


def only_one(seen: list[dict[str, str] | None]) -> dict[str, str]:
    (environment,) = seen
    assert environment is not None, "the child inherited everything"
    return environment


def test_the_process_of_a_language_model(seen: list[dict[str, str] | None]) -> None:
    from edgevox.core.errors import EdgeVoxError
    from edgevox.llm.engine import EngineOptions
    from edgevox.llm.process import ChildEngine

    engine = ChildEngine(EngineOptions(path="none.gguf"), command=[sys.executable, "-c", "pass"])
    with contextlib.suppress(EdgeVoxError):
        engine.open()
    engine.close()
    assert leaks(only_one(seen)) == set()


def test_the_process_that_looks_for_devices(seen: list[dict[str, str] | None]) -> None:
    from edgevox.audio.probe import probe_devices

    probe_devices(timeout=30, command=[sys.executable, "-c", "print('{}')"])
    assert leaks(only_one(seen)) == set()


def test_the_process_that_loads_libraries(seen: list[dict[str, str] | None]) -> None:
    from edgevox.cli.checks.loading import why_not_loaded

    why_not_loaded(["json"])
    assert leaks(only_one(seen)) == set()


def test_the_window_of_a_simulator(seen: list[dict[str, str] | None], tmp_path: Path) -> None:
    from edgevox.sims.feed import WindowFeed

    where = tmp_path / "env.json"
    code = f"import json, os, sys; json.dump(dict(os.environ), open({str(where)!r}, 'w')); sys.stdin.read()"
    window = WindowFeed[str]([sys.executable, "-c", code], str.encode)
    deadline = time.monotonic() + 30
    while not (where.exists() and where.stat().st_size) and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    window.close()
    assert leaks(only_one(seen)) == set()
    assert leaks(json.loads(where.read_text())) == set()


def test_the_process_that_downloads_gets_the_one_token_that_it_needs(
    seen: list[dict[str, str] | None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from edgevox.config.hub_fetch import fetch_from_hub
    from edgevox.core.cancel import CancelScope
    from edgevox.core.errors import Cancelled
    from edgevox.testing import ModelServer

    scope = CancelScope()

    def end_it_once_it_runs() -> None:
        while not seen:
            threading.Event().wait(0.01)
        scope.cancel()

    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with ModelServer() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        threading.Thread(target=end_it_once_it_runs, daemon=True).start()
        with pytest.raises(Cancelled):
            fetch_from_hub(
                "a/b", "c.gguf", None, expected=None, scope=scope,
                on_bytes=lambda _done, _total: None, on_note=lambda _: None,
            )  # fmt: skip
    assert leaks(only_one(seen)) == {"HF_TOKEN"}


def test_the_process_that_watches_the_terminal(seen: list[dict[str, str] | None]) -> None:
    from edgevox.assistant import supervisor

    watched = getattr(supervisor, "_watched")  # noqa: B009 - it is the only way in without a terminal
    with contextlib.suppress(OSError), watched(None):  # without a terminal it has nothing to watch, and ends
        pass
    assert leaks(only_one(seen)) == set()
