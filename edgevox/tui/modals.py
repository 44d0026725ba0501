"""What lies over the screen for a moment: a question that waits for yes or no, and the help."""

import time
from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from edgevox.assistant.commands import help_rows
from edgevox.assistant.display import call_text, clean
from edgevox.core.answers import Answer
from edgevox.core.ports import ApprovalRequest

PAUSE_S = 0.4
"""A key so soon after the question, or after another key, belongs to words that were being typed, seconds."""


_ANSWERS: Mapping[str, Answer] = {
    "yes": Answer(True),
    "no": Answer(False),
    "conversation": Answer(True, "conversation"),
    "always": Answer(True, "always"),
}
"""What the buttons mean, by their identifiers."""


class QuestionScreen(ModalScreen[Answer]):
    """A question about something that needs a person's yes. By key, button or voice; the stop key is no.

    Where a yes may hold for longer, there are answers for the conversation and for always. Single keys answer only
    after a pause, so that words that were being typed when the question came do not.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "reply('yes')", "yes"),
        Binding("n", "reply('no')", "no"),
        Binding("c", "reply('conversation')", "for this conversation"),
        Binding("a", "reply('always')", "always"),
    ]

    def __init__(self, request: ApprovalRequest) -> None:
        super().__init__()
        self.request = request
        self._last_key = time.monotonic()
        self._paused = False
        """Whether the last key came after a pause."""

    def compose(self) -> ComposeResult:
        """Show the question, what would run, and the answers."""
        request = self.request
        with Vertical(id="question"):
            yield Static(Content(f"? {clean(request.question)}"), classes="words")
            if request.tool_name:
                yield Static(Content(call_text(request.tool_name, request.arguments)), classes="call")
            with Horizontal(classes="answers"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True, variant="primary")
            if request.scopes:
                with Horizontal(classes="answers longer"):
                    yield Button("This conversation (c)", id="conversation", compact=True)
                    yield Button("Always (a)", id="always", compact=True)

    def on_mount(self) -> None:
        """Stand on the answer that does nothing."""
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer with the button."""
        self.dismiss(_ANSWERS[event.button.id or "no"])

    def on_key(self) -> None:
        """Note whether somebody types; a key comes here before it acts."""
        now = time.monotonic()
        self._paused, self._last_key = now - self._last_key >= PAUSE_S, now

    def action_reply(self, answer: str) -> None:
        """Answer with a key, unless it is part of a word or not among the answers."""
        chosen = _ANSWERS[answer]
        if self._paused and (chosen.remember == "once" or chosen.remember in self.request.scopes):
            self.dismiss(chosen)


class HelpScreen(ModalScreen[None]):
    """Every command and key, made from the table of commands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "dismiss", "close"),
        Binding("q", "dismiss", "close"),
    ]

    def compose(self) -> ComposeResult:
        """Lay the table out."""
        with VerticalScroll(id="help"):
            yield Static(Content("Type to talk to the agent. A line that begins with / is a command."), classes="words")
            for usage, key, text in [*help_rows(), *_OTHER_KEYS]:
                with Horizontal(classes="row"):
                    yield Static(Content(usage), classes="usage")
                    yield Static(Content(key), classes="key")
                    yield Static(Content(text), classes="text")

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#help").focus()


_OTHER_KEYS = (
    ("", "^P", "palette: every command by name"),
    ("", "F5", "show or hide the tools"),
    ("", "F6", "choose the endpoint that answers"),
    ("", "Tab", "complete a command, or go to the next pane"),
    ("", "↑ ↓", "lines typed before"),
)
