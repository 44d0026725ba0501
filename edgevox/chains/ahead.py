"""Tells what a model says while it is still writing it: plain words, and the words that it gives to `say`.

Reads the pieces of one reply at a time. What has been told is not told again when the reply is whole. A reply of any
other form is none of its business.
"""

import json
import re
from collections.abc import Callable

from edgevox.core.errors import FAULTS
from edgevox.speech.splitter import SentenceSplitter

_STRING = r'"(?:[^"\\]|\\.)*"'
_REASON = rf'(?:"rationale"\s*:\s*{_STRING}\s*,\s*)?'
_BEFORE = rf'\s*\{{\s*{_REASON}"action"\s*:\s*"%s"\s*,\s*{_REASON}'
_VALUE = r'"value"\s*:\s*"'
_WORDS = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_HALF_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\u?[0-9a-fA-F]{0,3})?$")
"""An escape that is not complete, or the first half of a pair without the second."""


_NO_WORDS = tuple('{[<`"')
"""How a reply begins that is not plain words, or not yet."""
_BEGINNING = 4000
"""Characters within which the words of an action have to begin, and an escape has to make sense."""
_MAY_BE_ACTION = re.compile(r"[{<]")
"""What an action may begin with, within words."""


class WordsAhead:
    """Passes plain words on as they come, up to the first brace or tag: an action may follow it.

    Args:
        tell: takes the pieces.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell
        self._told = ""
        self._over = False

    def begin(self) -> None:
        """A reply begins."""
        self._told, self._over = "", False

    def feed(self, piece: str) -> None:
        """Take a piece of the reply."""
        if not self._told:
            piece = piece.lstrip()
            self._over = self._over or piece.startswith(_NO_WORDS)
        end = _MAY_BE_ACTION.search(piece)
        words = piece[: end.start()] if end is not None else piece
        if self._over or not words:
            self._over = self._over or end is not None
            return
        self._over = end is not None
        self._told += words
        self._tell(words)

    def rest(self, words: str) -> str:
        """Return what of the words has not been told yet; the reply is over."""
        told = self._told.rstrip()
        if not told:
            return words
        return words[len(self._told) :] if words.startswith(told) else ""


class SayAhead:
    """Follows the replies of one run.

    Args:
        action: name of the tool whose words are told.
        tell: shows or speaks a sentence.
        language: two-letter code of the words.
    """

    def __init__(self, action: str, tell: Callable[[str], object], language: str = "en") -> None:
        self._reply = re.compile(_BEFORE % re.escape(action) + _VALUE, re.DOTALL)
        self._tell = tell
        self._splitter = SentenceSplitter(language)
        self._text = ""
        """What has come and not been read."""
        self._within = False
        """Whether the words have begun."""
        self._over = False
        self._read = 0
        """Characters of the words that have been read."""
        self._told = 0
        """Sentences that have been told."""
        self._silent = False

    def begin(self) -> None:
        """A reply begins."""
        self._splitter.finish()
        self._text, self._within, self._over, self._read, self._told = "", False, False, 0, 0

    def feed(self, piece: str) -> None:
        """Take a piece of the reply, and tell the sentences that are complete."""
        if self._silent or self._over:
            return
        self._text += piece
        if not self._within:
            found = self._reply.match(self._text)
            if found is None:
                self._over = len(self._text) > _BEGINNING
                return
            self._within, self._text = True, self._text[found.end() :]
        for sentence in self._splitter.feed(self._new_words()):
            self._say(sentence)

    def _new_words(self) -> str:
        """Read the words that are complete by now."""
        match = _WORDS.match(self._text)
        raw = match[0] if match is not None else ""
        whole = _HALF_ESCAPE.sub("", raw)
        words = _decoded(whole)
        if words is None:
            self._over = len(self._text) > _BEGINNING
            return ""
        self._over = self._text[len(raw) :].startswith('"')
        self._text = self._text[len(whole) :]
        self._read += len(words)
        return words

    def rest(self, words: str) -> str:
        """Return what of the words has not been told yet; the reply is over.

        Args:
            words: all that the tool was asked to say.
        """
        left = [*self._splitter.feed(words[self._read :]), *self._splitter.finish()]
        return " ".join(left) if self._told and not self._silent else words

    def _say(self, sentence: str) -> None:
        self._told += 1
        try:
            self._tell(sentence)
        except FAULTS:  # nobody is there, or the channel is broken: the tool itself will be told so
            self._silent = True


def _decoded(whole: str) -> str | None:
    """A part of a JSON text as words; `None` where it ends, or is, no such part."""
    try:
        return json.loads(f'"{whole}"', strict=False)
    except ValueError:
        return None
