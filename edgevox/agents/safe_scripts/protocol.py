"""The words that the service of the host and its clients exchange: one JSON object a line, over a Unix socket."""

import json
import os
import socket
from pathlib import Path
from typing import Any, cast

from edgevox.core.errors import ConfigError

PROTOCOL = 2
MOST_REQUEST_BYTES = 4096
MOST_REPLY_BYTES = 1_000_000
MOST_PATH_BYTES = 100
"""A socket's path has room for about so many on every system."""


class Garbled(Exception):
    """The other end says what nobody understands."""


def default_socket() -> Path:
    """Return where the service listens when nobody says otherwise. Nothing is made."""
    from edgevox.config.paths import data_dir

    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return (Path(runtime) / "edgevox" if runtime else data_dir() / "run") / "scripts.sock"


def checked_path(path: Path | str) -> Path:
    """Return an absolute path that a socket can have.

    Raises:
        ConfigError: it is too long.
    """
    absolute = Path(path).expanduser().absolute()
    if len(os.fsencode(absolute)) > MOST_PATH_BYTES:
        raise ConfigError(f"The path of the socket is too long for this system: {absolute}; choose one below /tmp.")
    return absolute


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    """Send one line."""
    connection.sendall(json.dumps({"protocol": PROTOCOL, **message}).encode() + b"\n")


class Lines:
    """Reads lines from a connection, each as an object.

    Args:
        connection: with the time limit that holds for one read.
        most: bytes of a line.
    """

    def __init__(self, connection: socket.socket, most: int) -> None:
        self._connection = connection
        self._most = most
        self._kept = bytearray()

    def next(self) -> dict[str, Any] | None:
        """Return the next object; `None` when the other end has closed.

        Raises:
            Garbled: it is no object of this protocol.
            TimeoutError: nothing came in time; asking again goes on where this ended.
            OSError: the connection is broken.
        """
        while b"\n" not in self._kept:
            if len(self._kept) > self._most:
                raise Garbled("a line is too long")
            piece = self._connection.recv(65536)
            if not piece:
                return None
            self._kept += piece
        line, _, self._kept = self._kept.partition(b"\n")
        return _read(bytes(line))


def _read(line: bytes) -> dict[str, Any]:
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Garbled("a line is no JSON") from error
    if not isinstance(message, dict):
        raise Garbled("a line is no object")
    fields = cast("dict[str, Any]", message)
    if fields.get("protocol") != PROTOCOL:
        raise Garbled(f"this is protocol {PROTOCOL}, not {fields.get('protocol')!r:.20}")
    return fields
