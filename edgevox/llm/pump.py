"""Reads a model's stream on a thread of its own, so that a stop never waits for a model.

A model that hangs in its network or in its own code keeps that thread; the turn goes on without it.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edgevox.core.cancel import POLL_S, CancelScope
from edgevox.core.completion import deltas


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


def pumped(ask: Callable[[], Any], scope: CancelScope) -> Iterator[Mapping[str, Any]]:
    """Yield the chunks of an answer until it is over or the scope ends.

    Args:
        ask: asks the model; called on the reading thread.
        scope: its end stops the reading at once, and closes the stream at its next chunk.

    Raises:
        Exception: what the model raised.
    """
    pieces: queue.SimpleQueue[Mapping[str, Any] | _End] = queue.SimpleQueue()
    gone = threading.Event()
    threading.Thread(target=_read, args=(ask, pieces, gone), name="model-stream", daemon=True).start()
    try:
        while not scope.cancelled:
            try:
                piece = pieces.get(timeout=POLL_S)
            except queue.Empty:
                continue
            if isinstance(piece, _End):
                if piece.error is not None:
                    raise piece.error
                return
            yield piece
    finally:
        gone.set()


def _read(ask: Callable[[], Any], pieces: "queue.SimpleQueue[Mapping[str, Any] | _End]", gone: threading.Event) -> None:
    error: BaseException | None = None
    stream: Any = None
    try:
        stream = ask()
        for chunk in deltas(stream):
            pieces.put(chunk)
            if gone.is_set():
                break
    except BaseException as raised:
        error = raised
    finally:
        close = getattr(stream, "close", None)
        if callable(close):
            close()
        pieces.put(_End(error))
