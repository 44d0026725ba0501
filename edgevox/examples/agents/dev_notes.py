"""The notes of the dev agent: kept in a file, so that they are there tomorrow.

Knows one list of short texts and its file. A file that cannot be read is kept aside and said, never overwritten.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Generator, Iterable, MutableSequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, cast, overload

from pydantic import Field

from edgevox.config.files import write_atomic
from edgevox.config.locks import FileLock
from edgevox.config.paths import data_dir
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError
from edgevox.core.session import AgentContext
from edgevox.examples.agents.dev_note_words import (
    ADD_PHRASES,
    DELETE_PHRASES,
    DELETE_QUESTIONS,
    LIST_PHRASES,
    SEARCH_PHRASES,
    about_notes,
)
from edgevox.examples.agents.sayings import RESULT, language_of
from edgevox.tools import tool

MOST_NOTES = 500
LONGEST_NOTE = 1000
"""Characters."""

BUSY_S = 2.0
"""How long another process may hold the file, seconds."""


class Notes(MutableSequence[str]):
    """A list of texts, oldest first, that lives in a file. Safe from any thread and between processes.

    Every change is on the disk when the call returns; every look reads what is there now.

    Args:
        path: says where the file is; asked at every use.
    """

    def __init__(self, path: Callable[[], Path]) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._kept_aside: Path | None = None

    def take_kept_aside(self) -> Path | None:
        """Where a file was put that could not be read, once."""
        with self._lock:
            found, self._kept_aside = self._kept_aside, None
            return found

    def add(self, text: str, *, most: int = MOST_NOTES) -> int | None:
        """Keep a text; returns its number from 1, `None` when there are `most` already."""
        with self._changing() as texts:
            if len(texts) >= most:
                return None
            texts.append(text)
            return len(texts)

    def take(self, number: int) -> str | None:
        """Remove a text by its number from 1; returns it, `None` when there is none."""
        with self._changing() as texts:
            return texts.pop(number - 1) if 1 <= number <= len(texts) else None

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return one text, or some."""
        return self._read()[index]

    @overload
    def __setitem__(self, index: int, value: str) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[str]) -> None: ...
    def __setitem__(self, index: Any, value: Any) -> None:
        """Write over a text."""
        with self._changing() as texts:
            texts[index] = value

    def __delitem__(self, index: int | slice) -> None:
        """Remove a text."""
        with self._changing() as texts:
            del texts[index]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._read())

    def insert(self, index: int, value: str) -> None:
        """Put a text before another one."""
        with self._changing() as texts:
            texts.insert(index, value)

    def clear(self) -> None:
        """Remove all."""
        with self._changing() as texts:
            texts.clear()

    def __eq__(self, other: object) -> bool:
        """Compare with any list of texts."""
        return isinstance(other, list | tuple | Notes) and self._read() == list(cast("Iterable[Any]", other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the texts."""
        return f"Notes({self._read()!r})"

    @contextlib.contextmanager
    def _changing(self) -> Generator[list[str]]:
        """Read, let the body change the list, write if it did; no other process in between.

        Raises:
            ConfigError: the file is busy, or cannot be read or written.
        """
        with self._lock:
            lock = FileLock(self._path().with_suffix(".lock"), CancelScope())
            deadline = time.monotonic() + BUSY_S
            while not lock.try_acquire():
                if time.monotonic() > deadline:
                    raise ConfigError("The notes are in use by another program: try again in a moment.")
                time.sleep(0.02)
            try:
                texts = self._read()
                before = list(texts)
                yield texts
                if texts != before:
                    write_atomic(self._path(), json.dumps({"notes": texts}, ensure_ascii=False, indent=1) + "\n")
            finally:
                lock.release()

    def _read(self) -> list[str]:
        with self._lock:
            path = self._path()
            try:
                raw = path.read_bytes()
            except FileNotFoundError:
                return []
            except OSError as error:
                raise ConfigError(f"{path} cannot be read ({error.strerror}): check the file's permissions.") from error
            texts = _texts_in(raw)
            if texts is None:
                self._keep_aside(path)
            return texts or []

    def _keep_aside(self, path: Path) -> None:
        """Rename a file that holds no notes, so that nothing writes over it."""
        stamp = f"{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}"
        aside = path.with_name(f"{path.stem}.broken-{stamp}{path.suffix}")
        try:
            path.rename(aside)
        except FileNotFoundError:  # another process did it just now
            return
        except OSError as error:
            raise ConfigError(f"{path} holds no notes and cannot be moved ({error.strerror}): move it away.") from error
        self._kept_aside = aside


def _texts_in(raw: bytes) -> list[str] | None:
    """Read the file's content; `None` when that is no list of notes."""
    try:
        notes = json.loads(raw)["notes"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    whole = isinstance(notes, list) and all(isinstance(text, str) for text in cast("list[object]", notes))
    return cast("list[str]", notes) if whole else None


NOTES = Notes(lambda: data_dir() / "notes.json")
"""The notes, oldest first."""


@tool(phrases=ADD_PHRASES, says=RESULT)
def add_note(
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE)], ctx: AgentContext | None = None
) -> str:
    """Keep a note.

    Args:
        text: what to remember
        ctx: of the run
    """
    language = language_of(ctx)
    number = NOTES.add(" ".join(text.split()))
    if number is None:
        raise ValueError(about_notes("full", language, most=MOST_NOTES))
    return _with_news(about_notes("noted", language, number=number), language)


@tool(phrases=LIST_PHRASES, says=RESULT, effect="read")
def list_notes(ctx: AgentContext | None = None) -> str:
    """Read the notes."""
    language = language_of(ctx)
    texts = NOTES[:]
    if not texts:
        return _with_news(about_notes("none", language), language)
    counted = about_notes("one" if len(texts) == 1 else "many", language, count=len(texts))
    return f"{counted} {_listed(enumerate(texts, 1))}"


@tool(phrases=SEARCH_PHRASES, says=RESULT, effect="read")
def search_notes(query: Annotated[str, Field(min_length=1)], ctx: AgentContext | None = None) -> str:
    """Find notes that contain a text.

    Args:
        query: the text to look for
        ctx: of the run
    """
    language = language_of(ctx)
    wanted = query.casefold()
    found = [(number, text) for number, text in enumerate(NOTES[:], 1) if wanted in text.casefold()]
    if not found:
        return _with_news(about_notes("not_found", language, query=query), language)
    return f"{about_notes('found', language, count=len(found))} {_listed(found)}"


@tool(phrases=DELETE_PHRASES, says=RESULT, confirm=DELETE_QUESTIONS)
def delete_note(number: Annotated[int, Field(ge=1, le=MOST_NOTES)], ctx: AgentContext | None = None) -> str:
    """Delete one note. The person is asked first.

    Args:
        number: as `list_notes` counts them, from 1
        ctx: of the run
    """
    language = language_of(ctx)
    if NOTES.take(number) is None:
        raise ValueError(about_notes("no_such", language, number=number, count=len(NOTES)))
    return about_notes("deleted", language, number=number)


def _listed(notes: Iterable[tuple[int, str]]) -> str:
    return "; ".join(f"{number}: {text.rstrip('.')}" for number, text in notes) + "."


def _with_news(said: str, language: str) -> str:
    """Say first that an older file was kept aside, if one was."""
    aside = NOTES.take_kept_aside()
    return f"{about_notes('aside', language, file=aside.name)} {said}" if aside is not None else said
