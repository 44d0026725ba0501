"""The service of the host: private, of one protocol, and a client that hangs up ends its script."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from edgevox.agents.safe_scripts import ScriptReport, ScriptRunner, ScriptService, ScriptStatus
from edgevox.agents.safe_scripts.client import HostScripts
from edgevox.config.child_env import scrubbed_environment
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError

UntilFree = Callable[[Callable[[], ScriptReport]], ScriptReport]


@pytest.fixture
def path() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ev") as short:
        Path(short).chmod(0o700)
        yield Path(short) / "s.sock"


@pytest.fixture
def host(folder: Path, path: Path) -> Iterator[HostScripts]:
    with ScriptService(ScriptRunner(folder, timeout_s=20), path):
        yield HostScripts(path, timeout_s=20)


def test_scripts_are_listed_and_run_over_the_socket(host: HostScripts, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "hello.sh" in [entry.script for entry in host.list().scripts]
    report = host.run("hello.sh")
    assert (report.status, report.exit_code) == (ScriptStatus.SUCCESS, 0)
    assert "hello" in report.output
    assert host.run("../x.sh").status is ScriptStatus.REFUSED
    assert host.check() is None
    assert host.kind == "network_service"


def test_a_stop_hangs_up_and_the_service_ends_the_script(host: HostScripts, until_free: UntilFree) -> None:
    scope = CancelScope()
    threading.Timer(0.5, scope.cancel).start()
    began = time.monotonic()
    assert host.run("stubborn.sh", scope).status is ScriptStatus.CANCELLED
    assert time.monotonic() - began < 15, "not the 20 seconds of the script's own limit"
    assert until_free(lambda: host.run("hello.sh")).status is ScriptStatus.SUCCESS


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense\n", b"[1]\n", b'{"protocol": 1, "op": "list"}\n', b"x" * 10_000, b"\xff\xfe\n", b"[" * 4000 + b"\n",
        b"",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_hung_up_on_and_harms_nobody(host: HostScripts, path: Path, line: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(20)
        client.connect(str(path))
        client.sendall(line)
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100) == b""
    assert host.list().status is ScriptStatus.LISTED


@pytest.mark.parametrize("request_", [{"op": "run"}, {"op": "run", "script": 3}, {"op": "exec"}, {}])
def test_a_request_for_something_else_is_refused(host: HostScripts, path: Path, request_: dict[str, object]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(20)
        client.connect(str(path))
        client.sendall(json.dumps({"protocol": 2, **request_}).encode() + b"\n")
        answer = json.loads(client.makefile("rb").readline())
    assert (answer["protocol"], answer["status"]) == (2, "refused")
    assert host.list().status is ScriptStatus.LISTED


def test_a_service_that_is_not_there_is_one_sentence(path: Path) -> None:
    host = HostScripts(path, timeout_s=1)
    assert "edgevox scripts serve" in host.run("hello.sh").message
    failure = host.check()
    assert failure is not None
    assert failure.reason == "unreachable"


def test_a_service_that_answers_nonsense_is_one_sentence(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(path))
        server.listen()

        def answer() -> None:
            for reply in (b'{"protocol": 2, "status": "odd"}\n', b"<html>\n"):
                connection, _ = server.accept()
                with connection:
                    connection.recv(1000)
                    connection.sendall(reply)

        threading.Thread(target=answer, daemon=True).start()
        host = HostScripts(path, timeout_s=1)
        assert "of another version" in host.list().message
        assert "of another version" in host.list().message


def test_a_socket_that_is_taken_or_open_to_others_is_refused(folder: Path, path: Path) -> None:
    with ScriptService(ScriptRunner(folder), path), pytest.raises(ConfigError, match=r"served on .* already"):
        ScriptService(ScriptRunner(folder), path).open()
    assert not path.exists(), "it is removed at the end"
    path.write_text("a file")
    with pytest.raises(ConfigError, match="is no socket"):
        ScriptService(ScriptRunner(folder), path).open()
    path.unlink()
    path.parent.chmod(0o755)
    with pytest.raises(ConfigError, match="Others may enter"):
        ScriptService(ScriptRunner(folder), path).open()
    with pytest.raises(ConfigError, match="too long"):
        ScriptService(ScriptRunner(folder), path.parent / ("x" * 120))


def test_a_socket_that_a_dead_service_left_is_taken_over(folder: Path, path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    with ScriptService(ScriptRunner(folder), path):
        assert HostScripts(path, timeout_s=5).list().status is ScriptStatus.LISTED


def test_the_command_serves_until_it_is_told_to_end(folder: Path, path: Path) -> None:
    command = [sys.executable, "-m", "edgevox.cli.main", "scripts", "serve", str(folder), "--socket", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=scrubbed_environment(), text=True)
    assert process.stdout is not None
    with process, process.stdout:
        assert "are served on" in process.stdout.readline()
        assert HostScripts(path, timeout_s=20).run("hello.sh").status is ScriptStatus.SUCCESS
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(20) == 0
    assert not path.exists()
