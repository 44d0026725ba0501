"""The list of a run's messages: grows at its end, and tells when it was changed anywhere else.

A list like any other, which tools may change in place. Who has read it up to some point can go on from there as long as
`edits` is the same. Knows nothing of what the messages say.
"""

from collections.abc import Callable, Iterable
from typing import Any, Self, SupportsIndex, overload

from edgevox.core.messages import Message


class Transcript(list[Message]):
    """Messages, oldest first.

    Args:
        messages: what was said before.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        super().__init__(messages)
        self.edits = 0
        """Grows with every change but an append."""

    @overload
    def __setitem__(self, key: SupportsIndex, value: Message, /) -> None: ...
    @overload
    def __setitem__(self, key: slice, value: Iterable[Message], /) -> None: ...
    def __setitem__(self, key: Any, value: Any, /) -> None:
        """Put another message, or others, in a place."""
        self.edits += 1
        super().__setitem__(key, value)

    def __delitem__(self, key: SupportsIndex | slice, /) -> None:
        """Take messages out."""
        self.edits += 1
        super().__delitem__(key)

    def __imul__(self, times: SupportsIndex, /) -> Self:
        """Repeat the messages."""
        self.edits += 1
        return super().__imul__(times)

    def insert(self, index: SupportsIndex, message: Message, /) -> None:
        """Put a message before another."""
        self.edits += 1
        super().insert(index, message)

    def pop(self, index: SupportsIndex = -1, /) -> Message:
        """Take a message out and return it."""
        self.edits += 1
        return super().pop(index)

    def remove(self, message: Message, /) -> None:
        """Take the first message out that equals this one."""
        self.edits += 1
        super().remove(message)

    def clear(self) -> None:
        """Take all messages out."""
        self.edits += 1
        super().clear()

    def reverse(self) -> None:
        """Turn the order round."""
        self.edits += 1
        super().reverse()

    def sort(self, *, key: Callable[[Message], Any] | None = None, reverse: bool = False) -> None:
        """Bring the messages into another order."""
        self.edits += 1
        super().sort(key=key, reverse=reverse)  # pyright: ignore[reportArgumentType] messages without a key fail as ever
