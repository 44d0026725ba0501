"""Keeps a screen whole while C libraries print: their output goes to the log, the front end keeps the terminal.

Libraries below Python write to the descriptors 1 and 2. While a front end runs these lead to the log file, and Python's
own streams, which Rich and Textual write to, lead to copies of the terminal's descriptors made before.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def guarded_terminal(log: Path | None) -> Generator[None]:
    """Lead what is printed below Python to the log file while the context lasts.

    Args:
        log: the file; `None` throws the output away.
    """
    streams = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    try:
        kept = [(number, os.dup(number)) for number in (1, 2)]
    except OSError:
        yield
        return
    for stream in streams:
        if stream is not None:
            stream.flush()
    sink = os.open(log or os.devnull, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    screens = [_text(os.dup(copy)) for _, copy in kept]
    try:
        for number, _ in kept:
            os.dup2(sink, number)
        sys.stdout, sys.stderr = screens
        sys.__stdout__, sys.__stderr__ = screens  # type: ignore[misc] # the names Textual reads its terminal from
        yield
    finally:
        sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__ = streams  # type: ignore[misc]
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)
        os.close(sink)
        for screen in screens:
            with suppress(OSError):
                screen.close()


def _text(descriptor: int) -> TextIO:
    return os.fdopen(descriptor, "w", encoding="utf-8", errors="replace")
