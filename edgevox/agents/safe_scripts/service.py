"""The service of the host: runs scripts for agents that live in a box without the host's programs.

Listens on a Unix socket that its owner alone may use, in a folder that its owner alone may enter. Knows
connections; running is the runner's. A client that hangs up ends its script.
"""

import logging
import os
import socket
import stat
import struct
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from edgevox.agents.safe_scripts.protocol import (
    MOST_REQUEST_BYTES,
    Garbled,
    Lines,
    checked_path,
    default_socket,
    send,
)
from edgevox.agents.safe_scripts.report import ScriptReport, ScriptStatus
from edgevox.agents.safe_scripts.runner import ScriptRunner
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import ConfigError

log = logging.getLogger(__name__)

REQUEST_S = 5.0
"""How long a client may take to say what it wants."""
CLIENTS = 8
WATCH_S = 0.1


class ScriptService:
    """Serves the scripts of a folder on a Unix socket.

    Args:
        runner: the folder and its limits.
        path: of the socket; its folder is made when it is missing.

    Raises:
        ConfigError: the path cannot be used.
    """

    def __init__(self, runner: ScriptRunner, path: Path | str | None = None) -> None:
        self.path = checked_path(path if path is not None else default_socket())
        self._runner = runner
        self._scope = CancelScope()
        self._slots = threading.BoundedSemaphore(CLIENTS)
        self._server: socket.socket | None = None

    def open(self) -> None:
        """Take the socket.

        Raises:
            ConfigError: another service has it, or it cannot be made.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _require_private(self.path.parent)
            self._clear_stale()
            server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            server.bind(str(self.path))
            self.path.chmod(0o600)
            server.listen(CLIENTS)
            server.settimeout(WATCH_S)
        except OSError as error:
            raise ConfigError(
                f"The socket {self.path} cannot be made ({error.strerror or 'error'}): choose another path."
            ) from error
        self._server = server

    def serve(self, scope: CancelScope | None = None) -> None:
        """Answer clients until the scope ends or the service is closed.

        Raises:
            ConfigError: see `open`.
        """
        if self._server is None:
            self.open()
        server = self._server
        forget = scope.on_cancel(self._scope.cancel) if scope is not None else lambda: None
        try:
            while server is not None and not self._scope.cancelled:
                self._accept(server)
        finally:
            forget()
            self.close()

    def close(self) -> None:
        """Answer no more, end what runs, and remove the socket. Twice is fine."""
        self._scope.cancel(CancelReason.SHUTDOWN)
        server, self._server = self._server, None
        if server is not None:
            server.close()
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Take the socket and answer on a thread."""
        self.open()
        threading.Thread(target=self.serve, name="scripts", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close."""
        self.close()

    def _accept(self, server: socket.socket) -> None:
        try:
            connection, _ = server.accept()
        except TimeoutError:
            return
        except OSError:  # it was closed
            self._scope.cancel(CancelReason.SHUTDOWN)
            return
        if not self._slots.acquire(blocking=False):
            connection.close()
            return
        threading.Thread(target=self._answer, args=(connection,), name="scripts-client", daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(REQUEST_S)
                if not _is_ours(connection):
                    return
                lines = Lines(connection, MOST_REQUEST_BYTES)
                while (request := lines.next()) is not None and not self._scope.cancelled:
                    report = self._carried_out(request, connection)
                    connection.settimeout(REQUEST_S)
                    send(connection, report.model_dump(mode="json"))
        except Garbled as error:
            log.warning("a client of the scripts was not understood: %s", error)
        except OSError as error:
            log.debug("a client of the scripts has gone: %s", error)
        finally:
            self._slots.release()

    def _carried_out(self, request: dict[str, Any], connection: socket.socket) -> ScriptReport:
        match request:
            case {"op": "list"}:
                return self._runner.list()
            case {"op": "run", "script": str(script)}:
                with _Watched(connection, self._scope) as scope:
                    return self._runner.run(script, scope)
            case _:
                return ScriptReport(status=ScriptStatus.REFUSED, message="The request is none: ask to list or to run.")

    def _clear_stale(self) -> None:
        """Remove a socket that nobody listens on."""
        try:
            mode = self.path.lstat().st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(mode):
            raise ConfigError(f"{self.path} exists and is no socket: choose another path.")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(1.0)
            try:
                probe.connect(str(self.path))
            except (ConnectionRefusedError, FileNotFoundError):
                self.path.unlink(missing_ok=True)
                return
        raise ConfigError(f"Scripts are served on {self.path} already: end that service first.")


class _Watched:
    """A scope that ends when a client hangs up while its script runs."""

    def __init__(self, connection: socket.socket, parent: CancelScope) -> None:
        self._connection = connection
        self._scope = parent.child()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="scripts-watch", daemon=True)

    def __enter__(self) -> CancelScope:
        self._connection.settimeout(WATCH_S)
        self._thread.start()
        return self._scope

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._scope.close()

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                gone = not self._connection.recv(1, socket.MSG_PEEK)
            except TimeoutError:
                continue
            except OSError:
                gone = True
            if gone:
                self._scope.cancel(CancelReason.USER)
                return
            self._over.wait(WATCH_S)  # it has sent its next request already


def _require_private(folder: Path) -> None:
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise ConfigError(f"Others may enter {folder}: choose a folder of your own for the socket, with chmod 700.")


def _is_ours(connection: socket.socket) -> bool:
    """Whether the client is the same user, where the system tells; elsewhere the modes of folder and socket must do."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return user in (os.getuid(), 0)
