"""One line of input that can be edited, with a history and completion. Pure: draws nothing and reads nothing."""

import re
from collections.abc import Callable

from edgevox.ui.keys import Key

HISTORY = 500
"""Lines that are remembered."""
_BREAKS = re.compile(r"[\r\n\t]+")
_WORD = re.compile(r"\w+\W*$")


class LineEditor:
    """The line, where the cursor is in it, and the lines before.

    Args:
        complete: returns the lines that a beginning may become, best first.
    """

    def __init__(self, complete: Callable[[str], list[str]] = lambda _: []) -> None:
        self.text = ""
        self.cursor = 0
        """Index of the character under the cursor."""
        self._complete = complete
        self._history: list[str] = []
        self._place = 0
        self._draft = ""
        self._choices: list[str] = []

    def feed(self, key: Key) -> bool:
        """Apply one key; returns whether it meant anything to the line."""
        if key.name != "tab":
            self._choices = []
        if key.name in ("text", "paste"):
            self._insert(_BREAKS.sub(" ", key.text))
            return True
        action = self._actions().get(key.name)
        if action is not None:
            action()
        return action is not None

    def take(self) -> str:
        """Return the line, remember it and begin an empty one."""
        line = self.text.strip()
        if line and (not self._history or self._history[-1] != line):
            self._history = [*self._history[-HISTORY:], line]
        self._place = len(self._history)
        self._set("")
        return line

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "backspace": lambda: self._delete(self.cursor - 1, self.cursor),
            "delete": lambda: self._delete(self.cursor, self.cursor + 1),
            "left": lambda: self._move(self.cursor - 1),
            "right": lambda: self._move(self.cursor + 1),
            "ctrl+b": lambda: self._move(self.cursor - 1),
            "ctrl+f": lambda: self._move(self.cursor + 1),
            "home": lambda: self._move(0),
            "end": lambda: self._move(len(self.text)),
            "ctrl+a": lambda: self._move(0),
            "ctrl+e": lambda: self._move(len(self.text)),
            "ctrl+left": lambda: self._move(self._word_start()),
            "ctrl+right": lambda: self._move(self._word_end()),
            "ctrl+u": lambda: self._delete(0, self.cursor),
            "ctrl+k": lambda: self._delete(self.cursor, len(self.text)),
            "ctrl+w": lambda: self._delete(self._word_start(), self.cursor),
            "up": lambda: self._recall(-1),
            "down": lambda: self._recall(1),
            "tab": self._cycle,
        }

    def _set(self, text: str) -> None:
        self.text = text
        self.cursor = len(text)

    def _insert(self, text: str) -> None:
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def _delete(self, start: int, end: int) -> None:
        start, end = max(0, start), min(len(self.text), end)
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start

    def _move(self, place: int) -> None:
        self.cursor = max(0, min(len(self.text), place))

    def _word_start(self) -> int:
        before = self.text[: self.cursor]
        found = _WORD.search(before)
        return found.start() if found else 0

    def _word_end(self) -> int:
        found = re.compile(r"\W*\w+").match(self.text, self.cursor)
        return found.end() if found else len(self.text)

    def _recall(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._history):
            return
        if self._place == len(self._history):
            self._draft = self.text
        self._place = place
        self._set(self._draft if place == len(self._history) else self._history[place])

    def _cycle(self) -> None:
        if not self._choices:
            self._choices = self._complete(self.text)
        if self._choices:
            choice, *others = self._choices
            self._choices = [*others, choice]
            self._set(choice)
