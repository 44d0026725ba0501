"""`edgevox models` as a person and as a script uses it."""

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.cli import models
from edgevox.config.catalogue import catalogue
from edgevox.config.models import find, resolve
from edgevox.config.paths import models_dir
from edgevox.testing import Behaviour, ModelServer, gguf_file

DATA = gguf_file(60_000)


@pytest.fixture(autouse=True)
def server(two_models: ModelServer) -> ModelServer:
    """Give every test a home of its own."""
    return two_models


@pytest.fixture
def edgevox(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run `edgevox …` and return its exit code, its output and its complaints."""

    def run(*words: str) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser("edgevox")
        models.add_parser(parser.add_subparsers())
        args = parser.parse_args(["models", *words])
        code: int = args.run(args)
        out, err = capsys.readouterr()
        return code, out, err

    return run


Run = Callable[..., tuple[int, str, str]]


def rows(out: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(out)["models"]}


def test_the_list_shows_every_model_its_size_licence_and_state(edgevox: Run) -> None:
    code, out, _ = edgevox("list")
    assert code == 0
    for entry in catalogue().values():
        line = next(line for line in out.splitlines() if line.startswith(f"{entry.name} "))
        assert entry.licence in line
        assert "missing" in line or "here" in line
    assert str(models_dir()) in out
    assert "Set tiny: silero-vad, whisper-tiny.en, piper-en-joe" in out


def test_the_list_is_there_for_scripts_too(edgevox: Run) -> None:
    code, out, _ = edgevox("list", "--json", "--use", "stt")
    assert code == 0
    assert {row["use"] for row in rows(out).values()} == {"stt"}
    assert rows(out)["whisper-base"]["state"] == "missing"
    assert rows(out)["whisper-tiny.en"]["sets"]


def test_get_downloads_shows_progress_and_says_where(edgevox: Run) -> None:
    code, out, err = edgevox("get", "one")
    assert code == 0
    assert out == f"one: {models_dir() / 'one'}\n"
    assert "one: downloading" in err
    assert "one: done" in err
    assert resolve("one").path().read_bytes() == DATA


def test_get_asks_the_network_nothing_when_all_is_here(edgevox: Run, server: ModelServer) -> None:
    edgevox("get", "one")
    asked = len(server.requests)
    assert edgevox("get", "one")[0] == 0
    assert len(server.requests) == asked


@pytest.mark.parametrize("damage", [DATA[:100], bytes(reversed(DATA)), DATA[:-1] + bytes([DATA[-1] ^ 1])])
def test_get_mends_what_is_damaged_even_where_only_the_digest_tells(edgevox: Run, damage: bytes) -> None:
    edgevox("get", "one")
    (models_dir() / "one" / "model.gguf").write_bytes(damage)
    assert edgevox("get", "one")[0] == 0
    assert resolve("one").path().read_bytes() == DATA


def test_get_goes_on_with_the_others_and_fails_at_the_end(edgevox: Run, server: ModelServer) -> None:
    server.behave("/files/one", Behaviour(kind="status", status=404, times=None))
    code, out, err = edgevox("get", "one", "two", "--json")
    assert code == 1
    answer = json.loads(out)
    assert list(answer["models"]) == ["two"]
    assert "no longer has the file" in answer["faults"]["one"]
    assert "Traceback" not in err


@pytest.mark.parametrize("spec", ["hf:a/b", "no-such-model", "http://localhost/v1#m"])
def test_a_bad_spec_is_a_usage_error_and_nothing_is_downloaded(edgevox: Run, server: ModelServer, spec: str) -> None:
    code, out, err = edgevox("get", "one", spec)
    assert code == 2
    assert out == ""
    assert err.startswith("edgevox models: ")
    assert err.count("\n") == 1
    assert server.requests == []


def test_an_interruption_ends_the_download_in_words_and_the_next_one_goes_on(server: ModelServer, edgevox: Run) -> None:
    server.behave("/files/one", Behaviour(kind="stall", after=30_000))
    command = [sys.executable, "-m", "edgevox.cli.main", "models", "get", "one"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    part = models_dir() / ".downloads" / "one"
    deadline = time.monotonic() + 30
    while not any(path.stat().st_size >= 30_000 for path in part.glob("*.part")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "The same command goes on where this one ended." in err
    assert "Traceback" not in err
    assert edgevox("get", "one")[0] == 0
    assert [asked for asked in server.ranges("/files/one") if asked] == ["bytes=30000-"]


def test_a_file_that_cannot_be_written_to_its_end_is_one_sentence_and_the_next_try_goes_on(
    edgevox: Run, server: ModelServer
) -> None:
    command = [sys.executable, "-m", "edgevox.cli.main", "models", "get", "one"]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 60 && exec "$@"', "sh", *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    complaint = done.stderr.splitlines()[-1]
    assert complaint.startswith("edgevox models: ")
    assert "could not be written" in complaint
    assert "Traceback" not in done.stderr
    assert edgevox("get", "one")[0] == 0
    assert any(server.ranges("/files/one"))


def test_verify_reads_every_byte(edgevox: Run) -> None:
    edgevox("get", "one", "two")
    assert edgevox("verify", "one", "two")[:2] == (0, "one: every byte is right\ntwo: every byte is right\n")
    (models_dir() / "two" / "model.gguf").write_bytes(DATA[:-1] + bytes([DATA[-1] ^ 1]))
    code, out, _ = edgevox("verify", "one", "two")
    assert code == 1
    assert "one: every byte is right" in out
    assert "two/model.gguf has other content" in out
    assert "`edgevox models get two`" in out
    faults = json.loads(edgevox("verify", "two", "--json")[1])["faults"]
    assert list(faults) == ["two"]


def test_verify_of_a_missing_model_says_how_to_get_it(edgevox: Run) -> None:
    code, out, _ = edgevox("verify", "one")
    assert code == 1
    assert "`edgevox models get one`" in out


def test_remove_needs_a_yes(edgevox: Run) -> None:
    edgevox("get", "one")
    code, _, err = edgevox("remove", "one")
    assert code == 1
    assert "--yes" in err
    assert find("one") is not None
    code, out, _ = edgevox("remove", "one", "--yes")
    assert code == 0
    assert "one: removed" in out
    assert find("one") is None
    assert edgevox("remove", "one", "--yes")[0] == 1


def test_remove_clears_what_an_unfinished_download_left(edgevox: Run, server: ModelServer) -> None:
    server.behave("/files/one", Behaviour(kind="cut", after=30_000), Behaviour(kind="status", status=404))
    assert edgevox("get", "one")[0] == 1
    left = [path for path in (models_dir() / ".downloads" / "one").iterdir() if path.stat().st_size]
    assert left
    freed = json.loads(edgevox("remove", "one", "--yes", "--json")[1])["freed"]
    assert freed["one"] >= 30_000
    assert not any(path.exists() for path in left)


def test_remove_of_an_unknown_name_removes_nothing(edgevox: Run) -> None:
    edgevox("get", "one")
    code, _, err = edgevox("remove", "one", "../../etc", "--yes")
    assert code == 2
    assert "nothing was removed" in err
    assert find("one") is not None


def test_without_a_command_the_help_is_shown(edgevox: Run) -> None:
    code, out, _ = edgevox()
    assert code == 2
    assert "verify" in out
