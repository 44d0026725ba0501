"""Keeps the terminal usable whatever dies: the front end runs as a child, and its parent tidies up after it.

Knows processes, signals and terminal modes. Knows nothing of what the child does. Imports the standard library only,
so that it costs nothing and can be run as a script.
"""

import atexit
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

GRACE_S = 1.8
"""How long a front end that has ended, or was told to, may take to leave the process, seconds."""

RESET = (
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l"  # mouse
    "\x1b[?2004l\x1b[?1004l\x1b[?2048l\x1b[?2026l"  # bracketed paste, focus, size reports, held frames
    "\x1b[<u\x1b[?7h"  # kitty keyboard, line wrap
    "\x1b[?1049l\x1b[0m\x1b[?25h"  # alternate screen, colours, cursor
)
"""Undoes every mode that a front end may have left on."""

_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT) if os.name == "posix" else ()


def supervise(front_end: Callable[[], int], *, log: Path | None = None) -> int:
    """Run a front end so that the terminal is restored whatever happens to it.

    Where the process has no other thread it forks: the child runs the front end, the parent waits, forwards signals,
    and kills a child that does not leave. Where threads run already they would be lost in a fork, so the front end runs
    here and a small process watches over it. Without a terminal it just runs.

    Args:
        front_end: returns an exit code and handles its own errors.
        log: the file that a person is pointed to after a crash.

    Returns:
        The exit code of the front end, or 128 + the number of the signal that killed it.
    """
    if _Supervisor.is_child or not _has_terminal() or threading.current_thread() is not threading.main_thread():
        return front_end()
    if threading.active_count() > 1:
        with _watched(log):
            return front_end()
    return _Supervisor(log).run(front_end)


class TerminalModes:
    """The modes of the terminal as they were, and the way back to them.

    Args:
        descriptor: an open descriptor of the terminal.
    """

    def __init__(self, descriptor: int) -> None:
        import termios

        self._descriptor = descriptor
        self._attributes: list[Any] = termios.tcgetattr(descriptor)

    def restore(self, sentence: str = "") -> None:
        """Put the modes back and say one sentence; a terminal that is gone is not an error."""
        import termios

        with contextlib.suppress(OSError, termios.error, ValueError):
            previous = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            try:
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._attributes)
                words = f"\r\n{sentence}\r\n" if sentence else ""
                os.write(self._descriptor, (RESET + words).encode())
            finally:
                signal.signal(signal.SIGTTOU, previous)


class _Supervisor:
    """The parent's side of one run."""

    is_child = False
    """Whether this process is the child already: one supervisor is enough."""

    def __init__(self, log: Path | None) -> None:
        self._log = log
        self._child = 0
        self._deadline: float | None = None
        self._code: int | None = None

    def run(self, front_end: Callable[[], int]) -> int:
        modes = TerminalModes(sys.stdout.fileno())
        sys.stdout.flush()
        sys.stderr.flush()
        alive_read, alive_write = os.pipe()
        result_read, result_write = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(alive_write)
            os.close(result_read)
            _be_the_child(front_end, alive_read, result_write)
        os.close(alive_read)
        os.close(result_write)
        try:
            with _signals(self._on_signal) as woken:
                status = self._wait(result_read, woken)
        finally:
            os.close(alive_write)
            os.close(result_read)
        return self._conclude(status, modes)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        if number in _FORWARDED:
            self._deadline = self._deadline or time.monotonic() + GRACE_S
            _send(self._child, number)

    def _wait(self, result: int, woken: int) -> int:
        """Wait for the child's end; one that has said its code, or was told to end, has `GRACE_S` left."""
        watched = [woken, result]
        while True:
            ended, status = os.waitpid(self._child, os.WNOHANG | os.WUNTRACED)
            if ended and not os.WIFSTOPPED(status):
                self._read_code(result)
                return status
            if ended:
                _sleep_with(self._child)
            left = None if self._deadline is None else self._deadline - time.monotonic()
            if left is not None and left <= 0:
                _send(self._child, signal.SIGKILL)
                left = 0.05
            ready, _, _ = select.select(watched, [], [], left)
            if woken in ready:
                os.read(woken, 512)
            if result in ready:
                self._read_code(result)
                watched = [woken]

    def _read_code(self, result: int) -> None:
        if self._code is None and select.select([result], [], [], 0)[0]:
            said = os.read(result, 1)
            self._code = said[0] if said else None
            if said:
                self._deadline = self._deadline or time.monotonic() + GRACE_S

    def _conclude(self, status: int, modes: TerminalModes) -> int:
        if self._code is not None:
            modes.restore() if os.WIFSIGNALED(status) else None
            return self._code
        told_to = self._deadline is not None
        modes.restore("" if told_to else _obituary(status, self._log))
        return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) or 1


def _be_the_child(front_end: Callable[[], int], alive: int, result: int) -> NoReturn:
    """Run the front end, say its code and leave without waiting for threads that hang."""
    _Supervisor.is_child = True
    threading.Thread(target=_leave_with_parent, args=(alive,), name="parent-watch", daemon=True).start()
    try:
        code = front_end()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:  # the child must not return into its parent's program
        sys.excepthook(*sys.exc_info())  # pyright: ignore[reportArgumentType] # there is one
        code = 1
    with contextlib.suppress(OSError):
        os.write(result, bytes([code & 0xFF]))
    with contextlib.suppress(Exception):
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage] # what a normal exit would run; it may hang, this process may not
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code & 0xFF)


def _leave_with_parent(alive: int) -> None:
    """End this process in an orderly way when the supervisor is gone."""
    with contextlib.suppress(OSError):
        os.read(alive, 1)
    _send(os.getpid(), signal.SIGTERM)


def _sleep_with(child: int) -> None:
    """Sleep because the child was put to sleep (Ctrl+Z), and wake it when the shell wakes us."""
    os.kill(os.getpid(), signal.SIGSTOP)
    _send(child, signal.SIGCONT)


def _send(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


@contextlib.contextmanager
def _signals(handler: Callable[[int, FrameType | None], None]) -> Generator[int]:
    """Take over the signals of a supervisor; yields a descriptor that becomes readable when one came."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    previous = {number: signal.signal(number, handler) for number in (*_FORWARDED, signal.SIGCHLD)}
    previous[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    wakeup = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, known in previous.items():
            signal.signal(number, known)
        os.close(woken)
        os.close(wake)


def _obituary(status: int | None, log: Path | None) -> str:
    where = f"; what it said last is in {log}" if log else ""
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"edgevox was ended by {signal.Signals(number).name}{where}."
    return f"edgevox ended unexpectedly{where}."


def _has_terminal() -> bool:
    try:
        return os.name == "posix" and os.isatty(sys.stdin.fileno()) and os.isatty(sys.stdout.fileno())
    except (AttributeError, ValueError, OSError):
        return False


@contextlib.contextmanager
def _watched(log: Path | None) -> Generator[None]:
    """Have a small process wait for this one's end and restore the terminal unless it was an orderly one."""
    told, tell = os.pipe()
    ready, say_ready = os.pipe()
    command = [sys.executable, "-I", "-S", __file__, str(told), str(say_ready), str(log or "")]
    watcher = subprocess.Popen(command, pass_fds=(told, say_ready), env=_scrubbed_environment())
    os.close(told)
    os.close(say_ready)
    os.read(ready, 1)
    os.close(ready)
    try:
        yield
        os.write(tell, b".")
    finally:
        os.close(tell)
        with contextlib.suppress(subprocess.TimeoutExpired):
            watcher.wait(GRACE_S)


def _scrubbed_environment() -> dict[str, str]:
    from edgevox.config.child_env import scrubbed_environment  # not at the top: this module is a script too

    return scrubbed_environment()


def _watch(told: int, ready: int, log: str) -> None:
    """Be the small process: end quietly when told that all is well, restore the terminal otherwise."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    modes = TerminalModes(sys.stdout.fileno())
    os.close(ready)
    if not os.read(told, 1):
        modes.restore(_obituary(None, Path(log) if log else None))


if __name__ == "__main__":
    _watch(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
