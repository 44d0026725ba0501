"""A terminal for tests: a program runs in it as it would in a person's, keys go in, and what it drew comes out."""

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]")
_SHELL = """
import fcntl, os, signal, subprocess, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, lambda *_: None)
program = subprocess.Popen(sys.argv[2:])
report = os.fdopen(int(sys.argv[1]), "w")
print(program.pid, file=report, flush=True)
code = program.wait()
print(code if code >= 0 else 128 - code, file=report, flush=True)
while True:
    signal.pause()
"""
"""Leads the session as a person's shell does: it reports the program's number and its exit code, and stays."""


class PseudoTerminal:
    """One window with one program in it.

    Args:
        command: the program and its arguments.
        columns: width in cells.
        rows: height in cells.
        env: variables beside those of this process.
    """

    def __init__(
        self, command: Sequence[str], *, columns: int = 80, rows: int = 24, env: Mapping[str, str] | None = None
    ) -> None:
        self._ours, self._theirs = os.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes_before = self.modes()
        """The terminal's modes before the program ran."""
        self.output = ""
        """Everything that was drawn up to now, escape sequences included."""
        variables = {**os.environ, "TERM": "xterm-256color", **(env or {})}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            variables.pop(name, None)
        read, write = os.pipe()
        self._shell = subprocess.Popen(
            [sys.executable, "-S", "-c", _SHELL, str(write), *command],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            pass_fds=(write,),
            env=variables,
        )
        os.close(write)
        self._report = os.fdopen(read)
        self.pid = int(self._report.readline())
        """The program's process."""

    def modes(self) -> list[Any]:
        """Return the modes of the terminal now."""
        return termios.tcgetattr(self._theirs)

    @property
    def descriptor(self) -> int:
        """The terminal as the program has it, for what a shell would do to it."""
        return self._theirs

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def read_until(self, text: str, timeout: float = 10.0) -> str:
        """Wait until `text` has been drawn and return everything up to now.

        Raises:
            AssertionError: it was not drawn in time.
        """
        if not self.drawn_within(text, timeout):
            raise AssertionError(f"{text!r} was never drawn; up to now: {self.output!r}")
        return self.output

    def drawn_within(self, text: str, timeout: float) -> bool:
        """Wait at most `timeout` seconds until `text` has been drawn, and return whether it was."""
        deadline = time.monotonic() + timeout
        while text not in self.output and text not in self.text:
            if not self._read(deadline) and time.monotonic() >= deadline:
                return False
        return True

    @property
    def text(self) -> str:
        """What was drawn up to now without its colours and movements."""
        return _ESCAPES.sub("", self.output)

    def forget(self) -> None:
        """Forget what was drawn up to now."""
        self.output = ""

    def wait(self, timeout: float = 10.0) -> int:
        """Wait for the end of the program, take what it still draws, and return its exit code."""
        deadline = time.monotonic() + timeout
        while not select.select([self._report], [], [], 0)[0]:
            if time.monotonic() >= deadline:
                raise AssertionError(f"the program did not end; up to now: {self.output!r}")
            self._read(time.monotonic() + 0.05)
        while self._read(time.monotonic() + 0.05):
            pass
        return int(self._report.readline())

    def close(self) -> None:
        """End the program and close the window."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._shell.kill()
        self._shell.wait()
        self._report.close()
        os.close(self._ours)
        os.close(self._theirs)

    def __enter__(self) -> Self:
        """Use the terminal for one program."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            self.output += os.read(self._ours, 65536).decode(errors="replace")
        except OSError:  # the last program with the window open has left
            return False
        return True
