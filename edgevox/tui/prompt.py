"""The input line: words for the agent, or a command; with a history and completion."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from edgevox.assistant.display import one_line

Complete = Callable[[str], list[str]]

PLACEHOLDER = "type, or just talk · / for commands"
HISTORY = 500
"""Lines that are remembered."""


class _Commands(Suggester):
    """Offers the rest of a command that has been begun."""

    def __init__(self, complete: Complete) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """Return the first line that the beginning may become."""
        return next((line for line in self._complete(value) if line != value), None)


class Prompt(Input):
    """One line, sent with return."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", "line before", show=False),
        Binding("down", "recall(1)", "line after", show=False),
        Binding("tab", "complete", "complete", show=False),
    ]

    class Entered(Message):
        """The person sent a line."""

        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    def __init__(self, complete: Complete) -> None:
        super().__init__(placeholder=PLACEHOLDER, suggester=_Commands(complete), id="prompt", compact=True)
        self._complete = complete
        self._history: list[str] = []
        self._place = 0
        self._draft = ""
        self._choices: list[str] = []
        self._chosen = ""

    def begin(self, line: str) -> None:
        """Put the beginning of a line there, for the person to finish."""
        self.value = line
        self.cursor_position = len(line)
        self.focus()

    def wait_for_answer(self, question: str) -> None:
        """Say that the next line, typed or spoken, answers a question; an empty one ends that."""
        self.placeholder = f"your answer: {one_line(question, 60)}" if question else PLACEHOLDER

    async def action_submit(self) -> None:
        """Send the line and remember it."""
        line = self.value.strip()
        self.value = ""
        if not line:
            return
        if not self._history or self._history[-1] != line:
            self._history = [*self._history[-HISTORY:], line]
        self._place = len(self._history)
        self.post_message(self.Entered(line))

    def action_recall(self, step: int) -> None:
        """Go to an earlier line, or back to the one that was being written."""
        place = self._place + step
        if not 0 <= place <= len(self._history):
            return
        if self._place == len(self._history):
            self._draft = self.value
        self._place = place
        self.value = self._draft if place == len(self._history) else self._history[place]
        self.cursor_position = len(self.value)

    def action_complete(self) -> None:
        """Complete a command; again for the next choice. With nothing to complete, go to the next pane."""
        if not self._choices or self.value != self._chosen:
            self._choices = self._complete(self.value)
        if not self._choices:
            self.screen.focus_next()
            return
        self._chosen, *others = self._choices
        self._choices = [*others, self._chosen]
        self.value = self._chosen
        self.cursor_position = len(self.value)
