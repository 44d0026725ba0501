"""Reads keys or lines on a thread of its own, so that no drawing and no turn can delay what a person types."""

import contextlib
import os
import select
import threading
from collections.abc import Callable
from typing import Any, Self

from edgevox.assistant.terminal import typed_input
from edgevox.ui.keys import Key, KeyReader

ESCAPE_S = 0.05
"""How long the rest of a sequence may take after its escape, seconds."""
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


class Keyboard:
    """A terminal that hands over every key as it is pressed; signals such as Ctrl+C stay signals.

    Args:
        on_key: called for each key, on the keyboard's thread.
        on_end: called when the terminal is gone.
        descriptor: the terminal; standard input when not given.
    """

    def __init__(
        self, on_key: Callable[[Key], object], on_end: Callable[[], object], descriptor: int | None = None
    ) -> None:
        self._on_key = on_key
        self._on_end = on_end
        self._descriptor = typed_input().fileno() if descriptor is None else descriptor
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._modes: list[Any] | None = None

    def __enter__(self) -> Self:
        """Take the keyboard."""
        import termios

        self._modes = termios.tcgetattr(self._descriptor)
        self.take()
        self._thread.start()
        return self

    def take(self) -> None:
        """Have keys handed over one by one; again after the program slept and somebody else had the terminal."""
        import termios
        import tty

        tty.setcbreak(self._descriptor, termios.TCSADRAIN)
        self._write(_PASTE_ON)

    def __exit__(self, *_: object) -> None:
        """Give the keyboard back as it was."""
        import termios

        os.close(self._wake)
        self._thread.join(0.5)
        self._write(_PASTE_OFF)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._modes or [])

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._descriptor, data)

    def _read(self) -> None:
        keys = KeyReader()
        while (data := _next(self._descriptor, self._woken, ESCAPE_S if keys.waiting else None)) is not None:
            pressed = keys.feed(data) if data else keys.timeout()
            for key in pressed:
                self._on_key(key)
        self._on_end()


class Lines:
    """Standard input line by line: a pipe, a file, or a terminal that edits its lines itself.

    Args:
        on_line: called for each line, without its end, on the reading thread.
        on_end: called after the last one.
        descriptor: where the lines come from; standard input when not given.
    """

    def __init__(
        self, on_line: Callable[[str], object], on_end: Callable[[], object], descriptor: int | None = None
    ) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._descriptor = typed_input().fileno() if descriptor is None else descriptor
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._read, name="lines", daemon=True)

    def __enter__(self) -> Self:
        """Begin to read."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop reading."""
        os.close(self._wake)
        self._thread.join(0.5)

    def _read(self) -> None:
        rest = b""
        while (data := _next(self._descriptor, self._woken, None)) is not None:
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._on_line(line.decode(errors="replace").rstrip("\r"))
        if rest:
            self._on_line(rest.decode(errors="replace"))
        self._on_end()


def _next(descriptor: int, woken: int, timeout: float | None) -> bytes | None:
    """Wait for bytes: empty when none came in time, `None` when none will come or the reader is to end."""
    ready, _, _ = select.select([descriptor, woken], [], [], timeout)
    if woken in ready:
        os.close(woken)
        return None
    if not ready:
        return b""
    try:
        return os.read(descriptor, 4096) or None
    except OSError:
        return None
