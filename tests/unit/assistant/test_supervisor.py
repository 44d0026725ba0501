"""Whatever happens to the front end, the terminal is as it was, one sentence says what happened, and it is quick."""

import os
import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from edgevox.assistant.supervisor import RESET, supervise
from edgevox.testing.terminal import PseudoTerminal

PROGRAM = """
import os, signal, sys, threading, time, tty
from pathlib import Path
from edgevox.assistant.supervisor import supervise

def front_end():
    tty.setraw(0)
    sys.stdout.write("\\x1b[?1049h\\x1b[?1003h\\x1b[?25l" + f"ready {{os.getpid()}}.")
    sys.stdout.flush()
    {body}

{before}
code = supervise(front_end, log=Path("/var/log/x.log"))
print(f"code={{code}} once", flush=True)
"""


@contextmanager
def program(body: str, before: str = "") -> Generator[PseudoTerminal]:
    source = PROGRAM.format(body=body, before=before)
    with PseudoTerminal([sys.executable, "-c", source]) as terminal:
        terminal.read_until("ready ")
        terminal.read_until(".")
        yield terminal


@pytest.mark.parametrize(
    ("body", "name", "code"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV", 128 + signal.SIGSEGV),
        ("os.abort()", "SIGABRT", 128 + signal.SIGABRT),
        ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", 128 + signal.SIGKILL),
    ],
)
def test_a_front_end_that_dies_leaves_the_terminal_as_it_was(body: str, name: str, code: int) -> None:
    with program(body) as terminal:
        terminal.wait()
        assert f"code={code} once" in terminal.output
        assert f"edgevox was ended by {name}; what it said last is in /var/log/x.log." in terminal.output
        assert RESET in terminal.output
        assert terminal.modes() == terminal.modes_before


def test_a_library_that_leaves_the_process_is_noticed() -> None:
    with program("os._exit(0)") as terminal:
        terminal.wait()
        assert "edgevox ended unexpectedly" in terminal.output
        assert "code=1 once" in terminal.output
        assert terminal.modes() == terminal.modes_before


def test_an_orderly_end_says_nothing_and_keeps_its_code() -> None:
    with program("tty.setcbreak(0); return 3") as terminal:
        terminal.wait()
        assert "code=3 once" in terminal.output
        assert "edgevox" not in terminal.output


def test_a_front_end_that_has_ended_but_hangs_is_gone_within_two_seconds() -> None:
    body = "import atexit; threading.Thread(target=time.sleep, args=(60,)).start(); atexit.register(time.sleep, 60)"
    body += "; return 0"
    with program(body) as terminal:
        started = time.monotonic()
        terminal.wait()
        assert time.monotonic() - started < 2.5
        assert "code=0 once" in terminal.output
        assert terminal.modes() == terminal.modes_before


def test_a_signal_reaches_the_front_end_and_one_that_ignores_it_is_killed() -> None:
    with program(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    ) as terminal:
        terminal.read_until("deaf")
        os.kill(terminal.pid, signal.SIGTERM)
        started = time.monotonic()
        terminal.wait()
        assert time.monotonic() - started < 2.5
        assert f"code={128 + signal.SIGKILL} once" in terminal.output
        assert terminal.modes() == terminal.modes_before


def test_a_front_end_without_its_supervisor_ends_in_an_orderly_way() -> None:
    with program(
        "signal.signal(signal.SIGTERM, lambda *_: (print('orderly', flush=True), os._exit(0)));"
        " print('armed', flush=True); time.sleep(60)"
    ) as terminal:
        terminal.read_until("armed")
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.read_until("orderly")


def test_threads_that_run_already_are_kept_and_the_terminal_is_restored_all_the_same() -> None:
    before = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    with program("print('threads', threading.active_count(), flush=True); os.abort()", before) as terminal:
        terminal.read_until("threads 2")
        terminal.read_until("edgevox ended unexpectedly")
        terminal.wait()
        assert terminal.modes() == terminal.modes_before


def test_the_watcher_of_an_orderly_end_says_nothing() -> None:
    before = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    with program("tty.setcbreak(0); return 5", before) as terminal:
        terminal.wait()
        assert "code=5 once" in terminal.output
        assert "unexpectedly" not in terminal.output


def test_without_a_terminal_the_front_end_just_runs(capfd: pytest.CaptureFixture[str]) -> None:
    assert supervise(lambda: os.getpid() & 0xFF) == os.getpid() & 0xFF
