"""Reads what blocks on a thread of its own, so that whoever waits for it can leave at once.

A reader that hangs in its network or in its own code keeps that thread; the one who waited goes on without it.
"""

import queue
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

from edgevox.core.cancel import POLL_S

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


def relayed(
    read: Callable[[Callable[[T], None]], object], *, over: Callable[[], bool], name: str
) -> Generator[T, None, bool]:
    """Yield what a reader hands over until it has ended or nobody wants more.

    Args:
        read: called on the reading thread with the function that hands a piece over; it ends when it returns.
        over: whether nobody wants more; looked at every few milliseconds.
        name: of the thread.

    Returns:
        Whether the reader came to its end.

    Raises:
        BaseException: what the reader raised.
    """
    pieces: queue.SimpleQueue[T | _End] = queue.SimpleQueue()

    def run() -> None:
        error: BaseException | None = None
        try:
            read(pieces.put)
        except BaseException as raised:  # handed to the one who waits
            error = raised
        pieces.put(_End(error))

    threading.Thread(target=run, name=name, daemon=True).start()
    while not over():
        try:
            piece = pieces.get(timeout=POLL_S)
        except queue.Empty:
            continue
        if not isinstance(piece, _End):
            yield piece
        elif piece.error is not None:
            raise piece.error
        else:
            return True
    return False
