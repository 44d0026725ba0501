"""Messages between the two processes of a local model: JSON, each with its length before it, over one socket."""

import contextlib
import json
import socket
import struct
import threading
from typing import Any, cast

_LENGTH = struct.Struct("!I")
LIMIT = 64 * 1024 * 1024
"""Bytes of the longest message: what is longer is no message of ours."""


class Channel:
    """One end. Sending is safe from any thread; one thread receives.

    Args:
        end: a connected socket, which the channel owns from now on.
    """

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()

    def send(self, message: dict[str, Any]) -> bool:
        """Send a message; returns False when the other end is gone."""
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        try:
            with self._sending:
                self._end.sendall(_LENGTH.pack(len(data)) + data)
        except OSError:
            return False
        return True

    def receive(self) -> dict[str, Any] | None:
        """Wait for the next message; `None` when the other end is gone or talks nonsense."""
        head = self._exactly(_LENGTH.size)
        if head is None:
            return None
        (length,) = _LENGTH.unpack(head)
        body = self._exactly(length) if length <= LIMIT else None
        if body is None:
            return None
        try:
            message = json.loads(body.decode("utf-8", "surrogatepass"))
        except ValueError:
            return None
        return cast("dict[str, Any]", message) if isinstance(message, dict) else None

    def close(self) -> None:
        """Hang up; wakes whoever waits at either end. Closing twice is fine."""
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _exactly(self, size: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < size:
            try:
                part = self._end.recv(size - len(parts))
            except OSError:
                return None
            if not part:
                return None
            parts += part
        return bytes(parts)
