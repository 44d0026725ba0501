"""Where the plain front ends write: lines that stay, and below them what changes.

`LiveScreen` keeps a prompt and a status line at the bottom of a terminal while lines scroll above it; `PlainScreen`
writes to a pipe or a dumb terminal. Both show text as it is: markup means nothing and control characters do nothing.
Knows nothing of assistants.
"""

import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Protocol

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.live import Live
from rich.text import Text

from edgevox.assistant.display import clean

TAIL_ROWS = 3
"""Rows of an unfinished line that are drawn again with every piece; what is above them stays."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The input line as it is drawn."""

    text: str = ""
    cursor: int = 0
    mark: str = "› "


class Screen(Protocol):
    """What a conversation needs of the place it is written to."""

    def line(self, text: str, style: str = "") -> None:
        """Write one or more lines that stay."""
        ...

    def stream(self, piece: str, style: str = "") -> None:
        """Write a piece of a line that goes on."""
        ...

    def end_stream(self) -> None:
        """End the line that was being streamed."""
        ...

    def set_status(self, text: str) -> None:
        """Replace the status line; empty for none."""
        ...

    def set_prompt(self, prompt: Prompt) -> None:
        """Replace the input line."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was. Closing twice is fine."""
        ...


class PlainScreen:
    """Writes in order and never takes back: for pipes, files and dumb terminals.

    Args:
        file: where to; the process's standard output when not given.
    """

    def __init__(self, file: IO[str] | None = None) -> None:
        self._console = Console(file=file, highlight=False, markup=False, emoji=False, soft_wrap=True, no_color=True)
        self._lock = threading.Lock()
        self._open = False

    def line(self, text: str, style: str = "") -> None:  # noqa: ARG002 # a pipe has no colours
        """Write lines."""
        self.end_stream()
        self._write(clean(text) + "\n")

    def stream(self, piece: str, style: str = "") -> None:  # noqa: ARG002 # a pipe has no colours
        """Write a piece at once."""
        self._open = True
        self._write(clean(piece))

    def end_stream(self) -> None:
        """End the line, if one is open."""
        if self._open:
            self._open = False
            self._write("\n")

    def set_status(self, text: str) -> None:
        """Show nothing: a pipe has no status line."""

    def set_prompt(self, prompt: Prompt) -> None:
        """Show nothing: what is typed, the terminal shows itself."""

    def close(self) -> None:
        """End the line that is open."""
        self.end_stream()

    def _write(self, text: str) -> None:
        with self._lock:
            try:
                self._console.file.write(text)
                self._console.file.flush()
            except (BrokenPipeError, ValueError):  # the reader has left; the conversation ends by itself
                return


class LiveScreen:
    """Keeps the unfinished line, the status and the prompt at the bottom of the terminal.

    Args:
        console: the terminal.
        prompt: whether there is an input line.
    """

    def __init__(self, console: Console | None = None, *, prompt: bool = True) -> None:
        self._measures = console is None
        self._console = console or Console(highlight=False, markup=False, emoji=False)
        self._lock = threading.RLock()
        self._tail = Text()
        self._status = ""
        self._prompt = Prompt() if prompt else None
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._live.start()
        self._draw()

    def line(self, text: str, style: str = "") -> None:
        """Write lines above the prompt."""
        with self._lock:
            self._fit()
            self.end_stream()
            self._console.print(Text(clean(text), style=style))

    def stream(self, piece: str, style: str = "") -> None:
        """Add a piece to the unfinished line; rows that are full move up and stay."""
        with self._lock:
            self._fit()
            self._tail.append(clean(piece), style=style)
            *done, self._tail = list(self._tail.split("\n", allow_blank=True)) or [Text()]
            for row in done:
                self._console.print(row)
            rows = list(self._tail.wrap(self._console, self._console.width))
            if len(rows) > TAIL_ROWS:
                self._console.print(Text("\n").join(rows[:-1]))
                self._tail = rows[-1]
            self._draw()

    def end_stream(self) -> None:
        """Let the unfinished line stay as it is."""
        with self._lock:
            if self._tail.plain:
                done, self._tail = self._tail, Text()
                self._draw()
                self._console.print(done)

    def set_status(self, text: str) -> None:
        """Redraw the status line if it is another."""
        with self._lock:
            if text != self._status:
                self._status = text
                self._draw()

    def set_prompt(self, prompt: Prompt) -> None:
        """Redraw the input line."""
        with self._lock:
            self._prompt = prompt
            self._draw()

    def close(self) -> None:
        """Take prompt and status away and give the cursor back."""
        with self._lock:
            self.end_stream()
            self._live.update(Text(""), refresh=False)
            self._live.stop()

    def _fit(self) -> None:
        """Take the size of the terminal that is written to: Rich looks at descriptors that are the log's by now."""
        if not self._measures:
            return
        with suppress(OSError, ValueError):
            columns, rows = os.get_terminal_size(self._console.file.fileno())
            if columns and rows:
                self._console.size = ConsoleDimensions(columns, rows)

    def _draw(self) -> None:
        self._fit()
        parts: list[RenderableType] = []
        if self._tail.plain:
            parts.append(self._tail)
        if self._status:
            parts.append(Text(self._status, style="dim", no_wrap=True, overflow="ellipsis"))
        if self._prompt is not None:
            parts.append(_prompt_line(self._prompt, self._console.width))
        self._live.update(Group(*parts), refresh=True)


def _prompt_line(prompt: Prompt, width: int) -> Text:
    """Draw as much of the input as fits, with the cursor in sight."""
    before, after = clean(prompt.text[: prompt.cursor]), clean(prompt.text[prompt.cursor :])
    room = max(4, width - cell_len(prompt.mark) - 2)
    while cell_len(before) > room:
        before = before[1:]
    line = Text(prompt.mark, style="bold", no_wrap=True, overflow="crop")
    line.append(before, style="not bold")
    line.append(after[:1] or " ", style="reverse not bold")
    line.append(after[1:], style="not bold")
    line.truncate(max(1, width - 1), overflow="ellipsis")
    return line
