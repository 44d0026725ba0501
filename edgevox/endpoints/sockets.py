"""Hangs up on a server at once, from another thread.

Closing an HTTP client leaves a thread that waits in `recv` where it is, and the server generating. Shutting the socket
down ends both.
"""

import contextlib
import socket
import threading
from collections.abc import Mapping
from typing import Any, Protocol

_CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")


class _Stream(Protocol):
    def get_extra_info(self, info: str) -> Any: ...


class _Request(Protocol):
    extensions: dict[str, Any]


class HangUp:
    """Remembers the sockets that the requests of one client open."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._done = False

    def watch(self, request: _Request) -> None:
        """Be told what connections a request makes; for the `request` event hook of a client."""
        request.extensions = {**request.extensions, "trace": self._traced}

    def __call__(self) -> None:
        """Shut every connection down, those that are still to come as well. Twice is fine."""
        with self._lock:
            self._done = True
            open_now, self._sockets = self._sockets, []
        for each in open_now:
            _shut(each)

    def _traced(self, event: str, info: Mapping[str, Any]) -> None:
        if event not in _CONNECTED:
            return
        stream: _Stream = info["return_value"]
        opened = stream.get_extra_info("socket")
        if opened is None:
            return
        with self._lock:
            if not self._done:
                self._sockets = [*(each for each in self._sockets if each.fileno() >= 0), opened]
                return
        _shut(opened)


def _shut(opened: socket.socket) -> None:
    with contextlib.suppress(OSError):
        opened.shutdown(socket.SHUT_RDWR)
