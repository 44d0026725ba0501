"""Runs scripts of a folder: one at a time, with a bare environment, bounded in time and output, ended by a stop.

Knows processes. A stop is answered at once; what the script started gets a moment to end by itself and is then killed,
whether or not anybody still waits. Until that is over the runner is busy.
"""

import contextlib
import os
import re
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from edgevox.agents.safe_scripts.folder import Refused, entries, opened
from edgevox.agents.safe_scripts.report import ScriptReport, ScriptStatus
from edgevox.config.child_env import scrubbed_environment
from edgevox.core.cancel import CancelScope
from edgevox.core.redaction import redacted

TIMEOUT_S = 300.0
OUTPUT_BYTES = 64 * 1024
GRACE_S = 2.0
"""Between asking a script to end and killing it."""
POLL_S = 0.02

PASSED = ("HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""Variables that a script gets, beside a PATH of the system's folders."""
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_NEVER = re.compile(
    r"PATH|BASH.*|ENV|SHELLOPTS|IFS|PS[0-4]|CDPATH|GLOBIGNORE|PROMPT_COMMAND|LD_.*|DYLD_.*|PYTHON.*|PERL.*|RUBY.*|GIT_.*"
)
"""Variables that change what a shell, or a program that a script starts, runs."""


@dataclass(slots=True)
class _Run:
    """One script under way."""

    process: "subprocess.Popen[bytes]"
    pipe: int
    limit: int
    output: bytearray = field(default_factory=bytearray)
    closed: bool = False
    """Whether nobody can write into the pipe any more."""

    def read(self, wait_s: float) -> bool:
        """Read what comes within some seconds; whether anything came."""
        if self.closed or not select.select([self.pipe], [], [], wait_s)[0]:
            return False
        piece = os.read(self.pipe, 65536)
        self.closed = not piece
        self.output += piece[: self.limit + 1 - len(self.output)]
        return not self.closed

    @property
    def over_limit(self) -> bool:
        return len(self.output) > self.limit

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the script and to all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    @property
    def text(self) -> str:
        return redacted(bytes(self.output[: self.limit]).decode("utf-8", "backslashreplace"))


class ScriptRunner:
    """Runs the scripts of one folder. Safe from any thread; a second script is refused while one runs.

    Args:
        folder: where they are. Keep it where agents cannot write.
        timeout_s: seconds after which a script is ended.
        output_bytes: what it may print, errors included; more ends it.
        environment: names of further variables that scripts get.

    Raises:
        ValueError: a number or a name of a variable cannot be used.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        timeout_s: float = TIMEOUT_S,
        output_bytes: int = OUTPUT_BYTES,
        environment: Iterable[str] = (),
    ) -> None:
        if timeout_s <= 0 or output_bytes < 1:
            raise ValueError("Scripts need a time and an output above zero.")
        self.folder = Path(folder).expanduser().absolute()
        self.timeout_s = timeout_s
        self._output_bytes = output_bytes
        self._environment = _checked(environment)
        self._busy = threading.Lock()

    def list(self) -> ScriptReport:
        """Say which scripts there are."""
        try:
            return ScriptReport(status=ScriptStatus.LISTED, scripts=entries(self.folder))
        except Refused as error:
            return ScriptReport(status=ScriptStatus.REFUSED, message=str(error))

    def run(self, script: str, scope: CancelScope | None = None) -> ScriptReport:
        """Run one script to its end, or to the end of the scope, of its time or of its output.

        Args:
            script: its path below the folder, as the list has it.
            scope: its end ends the script; the report comes at once.
        """
        around = scope if scope is not None else CancelScope()
        if not self._busy.acquire(blocking=False):
            return ScriptReport(status=ScriptStatus.BUSY, message="Another script runs: try again when it is over.")
        handed_on = False
        try:
            with opened(self.folder, script) as descriptor:
                run = self._start(descriptor)
            report = self._followed(run, script, around)
            handed_on = True
            _end(run, self._busy.release)
            return report
        except Refused as error:
            return ScriptReport(status=ScriptStatus.REFUSED, message=str(error))
        except OSError as error:
            message = f"The script could not be started ({error.strerror or type(error).__name__}): is bash installed?"
            return ScriptReport(status=ScriptStatus.FAILED, script=script, message=message)
        finally:
            if not handed_on:
                self._busy.release()

    def _start(self, descriptor: int) -> _Run:
        read, write = os.pipe()
        try:
            process = subprocess.Popen(
                ["bash", "--noprofile", "--norc", f"/dev/fd/{descriptor}"],
                stdin=subprocess.DEVNULL,
                stdout=write,
                stderr=write,
                cwd=self.folder,
                env=self._variables(),
                pass_fds=(descriptor,),
                start_new_session=True,
            )
        except BaseException:
            os.close(read)
            raise
        finally:
            os.close(write)
        return _Run(process=process, pipe=read, limit=self._output_bytes)

    def _variables(self) -> dict[str, str]:
        names = (*PASSED, *self._environment)
        return scrubbed_environment(
            {"PATH": SYSTEM_PATH, "TERM": "dumb"}, keep=self._environment, only=frozenset(names)
        )

    def _followed(self, run: _Run, script: str, scope: CancelScope) -> ScriptReport:
        deadline = time.monotonic() + self.timeout_s
        while run.process.poll() is None or run.read(0):
            if scope.cancelled:
                return _report(run, script, ScriptStatus.CANCELLED, "The script was ended by a stop.")
            if run.over_limit:
                words = f"The script printed more than {run.limit} bytes and was ended."
                return _report(run, script, ScriptStatus.OUTPUT_LIMIT, words)
            if time.monotonic() > deadline:
                words = f"The script did not end within {self.timeout_s:g} seconds and was ended."
                return _report(run, script, ScriptStatus.TIMEOUT, words)
            if run.closed:
                time.sleep(POLL_S)
            else:
                run.read(POLL_S)
        code = run.process.returncode
        if run.over_limit:
            words = f"The script printed more than {run.limit} bytes."
            return _report(run, script, ScriptStatus.OUTPUT_LIMIT, words)
        if code == 0:
            return _report(run, script, ScriptStatus.SUCCESS, "")
        return _report(run, script, ScriptStatus.FAILED, f"The script ended with code {code}.")


def _report(run: _Run, script: str, status: ScriptStatus, message: str) -> ScriptReport:
    code = run.process.poll()
    return ScriptReport(status=status, script=script, message=message, exit_code=code, output=run.text)


def _end(run: _Run, then: Callable[[], object]) -> None:
    """See to it that nothing of a script is left, without letting anybody wait for it."""
    if run.process.poll() is not None:
        run.signal(signal.SIGKILL)  # what it left behind
        os.close(run.pipe)
        then()
        return
    run.signal(signal.SIGTERM)
    threading.Thread(target=_reap, args=(run, then), name="script-end", daemon=True).start()


def _reap(run: _Run, then: Callable[[], object]) -> None:
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.process.wait(GRACE_S)
        run.signal(signal.SIGKILL)
        run.process.wait()
    finally:
        os.close(run.pipe)
        then()


def _checked(names: Iterable[str]) -> tuple[str, ...]:
    given = tuple(names)
    for name in given:
        if _NEVER.fullmatch(name) or not name.isidentifier():
            raise ValueError(f"Scripts cannot be given the variable {name!r}: it changes what runs, or is none.")
    return given
