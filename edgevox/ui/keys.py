"""Bytes of a terminal to keys. Knows escape sequences and pasted text; does nothing with either."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

PASTE_BEGIN, PASTE_END = "\x1b[200~", "\x1b[201~"

_SEQUENCES = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    "\x1b[H": "home", "\x1b[F": "end", "\x1bOH": "home", "\x1bOF": "end", "\x1b[1~": "home", "\x1b[4~": "end",
    "\x1b[3~": "delete", "\x1b[1;5C": "ctrl+right", "\x1b[1;5D": "ctrl+left",
    "\x1bf": "ctrl+right", "\x1bb": "ctrl+left",
    "\x1bOP": "f1", "\x1bOQ": "f2", "\x1bOR": "f3", "\x1bOS": "f4",
    "\x1b[11~": "f1", "\x1b[12~": "f2", "\x1b[13~": "f3", "\x1b[14~": "f4",
    "\x1b[[A": "f1", "\x1b[[B": "f2", "\x1b[[C": "f3", "\x1b[[D": "f4",
}  # fmt: skip
_CONTROLS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace"}


@dataclass(frozen=True, slots=True)
class Key:
    """One key, by Textual's name for it, or text that was typed or pasted."""

    name: str
    text: str = ""
    """What to insert, for the names `text` and `paste`."""


class KeyReader:
    """Turns what is read from a terminal into keys, however the bytes are cut."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._rest = ""

    @property
    def waiting(self) -> bool:
        """Whether an escape has been read of which nobody knows yet if it begins a sequence."""
        return bool(self._rest) and not self._rest.startswith(PASTE_BEGIN)

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are complete now."""
        self._rest += self._decode(data)
        return list(self._take(final=False))

    def timeout(self) -> list[Key]:
        """Return what a sequence that did not go on turns out to be: the escape key, above all."""
        return list(self._take(final=True))

    def _take(self, *, final: bool) -> Iterator[Key]:
        while self._rest:
            key, length = self._next(final=final)
            if key is None:
                return
            self._rest = self._rest[length:]
            if key.name:
                yield key

    def _next(self, *, final: bool) -> tuple[Key | None, int]:
        rest = self._rest
        if rest.startswith(PASTE_BEGIN):
            end = rest.find(PASTE_END)
            if end < 0:
                return None, 0
            return Key("paste", rest[len(PASTE_BEGIN) : end]), end + len(PASTE_END)
        if rest[0] == "\x1b":
            return self._escape(final=final)
        if rest[0] in _CONTROLS:
            return Key(_CONTROLS[rest[0]]), 1
        if rest[0] < " ":
            return Key(f"ctrl+{chr(ord(rest[0]) + 96)}"), 1
        return Key("text", rest[0]), 1

    def _escape(self, *, final: bool) -> tuple[Key | None, int]:
        rest = self._rest
        for sequence, name in _SEQUENCES.items():
            if rest.startswith(sequence):
                return Key(name), len(sequence)
        length = _sequence_length(rest)
        if length:
            return Key(""), length
        if final or (len(rest) > 1 and rest[1] not in "[O"):
            return Key("escape"), 1
        return None, 0


def _sequence_length(text: str) -> int:
    """Length of a control sequence that nobody here knows; 0 when it is not complete, or none."""
    if not text.startswith("\x1b["):
        return 0
    for index, char in enumerate(text[2:], start=3):
        if "@" <= char <= "~":
            return index
    return 0
