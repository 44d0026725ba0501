"""Keeps a screen whole while C libraries print, and the keys for the front end while other programs read.

Libraries below Python, and the programs that tools start, write to the descriptors 1 and 2 and read from 0. While a
front end runs these lead to the log file and to nothing, so that no key (Esc, a typed stop) goes to anybody else. The
streams that Rich and Textual use lead to copies of the terminal's descriptors made before.
"""

import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def guarded_terminal(log: Path | None) -> Generator[None]:
    """Lead what is printed below Python to the log file, and keep the keyboard, while the context lasts.

    Args:
        log: the file; `None` throws the output away.
    """
    with _kept_keyboard(), _kept_screen(log):
        yield


def typed_input() -> TextIO:
    """Return the stream that a person types on: of the guarded terminal, or standard input where none is guarded."""
    if isinstance(sys.stdin, _Nothing) and sys.__stdin__ is not None:
        return sys.__stdin__
    return sys.stdin


class _Nothing(io.StringIO):
    """Standard input of a tool while a front end reads the keyboard: at its end."""

    def fileno(self) -> int:
        return 0


@contextmanager
def _kept_keyboard() -> Generator[None]:
    try:
        kept = os.dup(0)
    except OSError:
        yield
        return
    streams = (sys.stdin, sys.__stdin__)
    silence = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(silence, 0)
        sys.stdin = _Nothing()
        sys.__stdin__ = os.fdopen(kept, encoding="utf-8", errors="replace", closefd=False)  # type: ignore[misc] # the name Textual reads its keys from
        yield
    finally:
        sys.stdin, sys.__stdin__ = streams  # type: ignore[misc]
        os.dup2(kept, 0)
        os.close(kept)
        os.close(silence)


@contextmanager
def _kept_screen(log: Path | None) -> Generator[None]:
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
