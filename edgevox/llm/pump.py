"""Reads a model's stream so that a stop never waits for the model, whatever hangs in it."""

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from edgevox.core.cancel import CancelScope
from edgevox.core.completion import deltas
from edgevox.core.relay import relayed

Put = Callable[[Mapping[str, Any]], None]


def pumped(ask: Callable[[], Any], scope: CancelScope) -> Iterator[Mapping[str, Any]]:
    """Yield the chunks of an answer until it is over or the scope ends.

    Args:
        ask: asks the model; called on the reading thread.
        scope: its end stops the reading at once, and closes the stream at its next chunk.

    Raises:
        Exception: what the model raised.
    """
    gone = threading.Event()

    def read(put: Put) -> None:
        _read(ask, put, gone)

    try:
        yield from relayed(read, over=lambda: scope.cancelled, name="model-stream")
    finally:
        gone.set()


def _read(ask: Callable[[], Any], put: Put, gone: threading.Event) -> None:
    stream: Any = None
    try:
        stream = ask()
        for chunk in deltas(stream):
            put(chunk)
            if gone.is_set():
                break
    finally:
        close = getattr(stream, "close", None)
        if callable(close):
            close()
