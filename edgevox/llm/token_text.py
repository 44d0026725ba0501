"""Tokens to text: characters that are split over tokens, and texts that end an answer.

Holds back only what may still become something else.
"""

import codecs
from collections.abc import Sequence


class TokenText:
    """Collects the bytes of an answer and gives out text that is certain.

    Args:
        stop: texts that end the answer and are not part of it.
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = tuple(text for text in stop if text)
        self._held = ""
        self.ended = False
        """Whether one of the ending texts has come."""

    def feed(self, data: bytes) -> str:
        """Take the bytes of a token and return what can be said now."""
        return self._out(self._decoder.decode(data))

    def finish(self) -> str:
        """Return what was held back, when nothing more will come."""
        text = self._out(self._decoder.decode(b"", final=True))
        if not self.ended:
            text, self._held = text + self._held, ""
        return text

    def _out(self, text: str) -> str:
        if self.ended:
            return ""
        self._held += text
        found = [at for each in self._stop if (at := self._held.find(each)) >= 0]
        if found:
            self.ended = True
            return self._held[: min(found)]
        keep = self._tail()
        said = self._held[: len(self._held) - keep]
        self._held = self._held[len(said) :]
        return said

    def _tail(self) -> int:
        """How many characters at the end may be the beginning of an ending text."""
        longest = max((len(each) for each in self._stop), default=1) - 1
        for length in range(min(longest, len(self._held)), 0, -1):
            if any(each.startswith(self._held[-length:]) for each in self._stop):
                return length
        return 0
