"""The app as a program, in a real terminal: whole while C libraries print, gone without a trace whatever happens."""

import os
import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edgevox.testing.terminal import PseudoTerminal

pytestmark = pytest.mark.slow

PROGRAM = """
import ctypes, os, subprocess, sys, threading, time
from pathlib import Path
from edgevox.assistant.logs import start_logging
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.tui import run_screen

libc = ctypes.CDLL(None)

class Noisy(ScriptedAssistant):
    def say(self, text):
        libc.puts(b"C LIBRARY " + text.encode() + b" \\xff\\xfe"); libc.fflush(None)
        os.write(2, b"ALSA lib pcm.c " + text.encode() + b"\\n")
        print("PYTHON PRINT", text)
        if text == "the keys":
            subprocess.run(["sh", "-c", "read line"], timeout=30)
            text = sys.stdin.readline() + "nobody else was given " + text
        super().say(text + " was said")

    def close(self):
        if {hangs}:
            threading.Event().wait(60)

start_logging("INFO", Path(sys.argv[1]))
code = run_screen(Noisy(greeting="I am casa."))
print("left with", code, flush=True)
"""


@contextmanager
def program(folder: Path, *, hangs: bool = False) -> Generator[PseudoTerminal]:
    source = PROGRAM.replace("{hangs}", str(hangs))
    with PseudoTerminal([sys.executable, "-c", source, str(folder)], columns=100, rows=30) as window:
        window.read_until("I am casa.", 30)
        yield window


def child_of(window: PseudoTerminal) -> int:
    return int(Path(f"/proc/{window.pid}/task/{window.pid}/children").read_text().split()[0])


def test_what_c_libraries_print_goes_to_the_log_and_not_to_the_screen(tmp_path: Path) -> None:
    with program(tmp_path) as window:
        window.type("/say hello\r")
        window.read_until("hello was said")
        window.type("\x11")
        window.read_until("left with 0")
        assert "C LIBRARY" not in window.output
        assert "ALSA" not in window.output
        log = (tmp_path / "edgevox.log").read_bytes()
        assert b"C LIBRARY hello \xff\xfe" in log
        assert b"ALSA lib pcm.c hello" in log
        assert b"PYTHON PRINT" in log
        assert "PYTHON PRINT" not in window.output
        assert (tmp_path / "edgevox.log").stat().st_mode & 0o077 == 0


def test_a_program_that_a_tool_starts_is_given_no_key(tmp_path: Path) -> None:
    with program(tmp_path) as window:
        window.type("/say the keys\r")
        window.read_until("nobody else was given the keys was said")
        window.type("/say hello\r")
        window.read_until("hello was said")


@pytest.mark.parametrize("hangs", [False, True])
def test_quit_is_quick_whatever_hangs_and_leaves_the_terminal_as_it_was(tmp_path: Path, hangs: bool) -> None:
    with program(tmp_path, hangs=hangs) as window:
        window.type("\x11")
        pressed = time.monotonic()
        window.read_until("left with 0")
        assert time.monotonic() - pressed < 2.5
        assert window.wait() == 0
        assert window.modes() == window.modes_before
        assert window.output.rindex("\x1b[?1049l") > window.output.rindex("\x1b[?1049h")
        assert window.output.rindex("\x1b[?25h") > window.output.rindex("\x1b[?25l")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds the child through /proc")
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL])
def test_a_crash_leaves_the_terminal_as_it_was_and_says_one_sentence(tmp_path: Path, number: signal.Signals) -> None:
    with program(tmp_path) as window:
        os.kill(child_of(window), number)
        window.read_until(f"left with {128 + number}")
        assert (
            f"edgevox was ended by {number.name}; what it said last is in {tmp_path / 'edgevox.log'}." in window.output
        )
        assert window.wait() == 0
        assert window.modes() == window.modes_before
        for mode in ("1049", "1003", "2004"):
            assert window.output.rindex(f"\x1b[?{mode}l") > window.output.rindex(f"\x1b[?{mode}h")


def test_a_terminate_signal_leaves_in_an_orderly_way(tmp_path: Path) -> None:
    with program(tmp_path) as window:
        os.kill(window.pid, signal.SIGTERM)
        window.read_until("left with 0")
        assert window.modes() == window.modes_before
