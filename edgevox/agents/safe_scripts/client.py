"""The scripts of the host, asked for over its socket."""

import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from edgevox.agents.dependencies import DependencyKind, HealthFailure
from edgevox.agents.safe_scripts.protocol import MOST_REPLY_BYTES, Garbled, Lines, checked_path, send
from edgevox.agents.safe_scripts.report import ScriptReport, ScriptStatus
from edgevox.core.cancel import CancelScope

CONNECT_S = 5.0
POLL_S = 0.05
LEEWAY_S = 10.0
"""Beyond the time of a script, for the answer."""


class HostScripts:
    """The scripts that a service of the host runs (`edgevox scripts serve`).

    Args:
        path: of the socket.
        timeout_s: the longest that an answer may take, seconds.

    Raises:
        ConfigError: the path cannot be used.
    """

    kind = DependencyKind.NETWORK_SERVICE

    def __init__(self, path: Path | str, *, timeout_s: float) -> None:
        self._path = checked_path(path)
        self._timeout_s = timeout_s

    def list(self) -> ScriptReport:
        """Say which scripts there are."""
        return self._ask({"op": "list"}, CancelScope(), CONNECT_S)

    def run(self, script: str, scope: CancelScope | None = None) -> ScriptReport:
        """Have one run; the end of the scope hangs up, and the service ends the script."""
        around = scope if scope is not None else CancelScope()
        return self._ask({"op": "run", "script": script}, around, self._timeout_s + LEEWAY_S)

    @property
    def id(self) -> str:
        """`service:` and the path of the socket."""
        return f"service:{self._path}"

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What it is."""
        return {"service": "scripts"}

    def check(self) -> HealthFailure | None:
        """Look whether the service answers."""
        report = self.list()
        if report.status is ScriptStatus.LISTED:
            return None
        return HealthFailure(reason="unreachable", message=report.message)

    def _ask(self, request: dict[str, Any], scope: CancelScope, limit_s: float) -> ScriptReport:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(CONNECT_S)
                connection.connect(str(self._path))
                send(connection, request)
                connection.settimeout(POLL_S)
                return self._answer(Lines(connection, MOST_REPLY_BYTES), scope, time.monotonic() + limit_s)
        except OSError:
            return _failed("The service that runs scripts does not answer: start it with edgevox scripts serve DIR.")
        except (Garbled, ValidationError):
            return _failed("The service that runs scripts is of another version: start it again.")

    def _answer(self, lines: Lines, scope: CancelScope, deadline: float) -> ScriptReport:
        while not scope.cancelled:
            if time.monotonic() > deadline:
                return ScriptReport(status=ScriptStatus.TIMEOUT, message="The service that runs scripts took too long.")
            try:
                answer = lines.next()
            except TimeoutError:
                continue
            if answer is None:
                return _failed("The service that runs scripts hung up: it may have been ended.")
            return ScriptReport.model_validate(answer)
        return ScriptReport(status=ScriptStatus.CANCELLED, message="The script was ended by a stop.")


def _failed(message: str) -> ScriptReport:
    return ScriptReport(status=ScriptStatus.FAILED, message=message)
