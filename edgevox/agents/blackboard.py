"""`Blackboard`: what agents note for each other, typed, and requests that whoever can volunteers for.

Safe from any thread; nothing here waits longer than it is told to, and a watcher's fault is its own. Knows no agent:
who bids for a request, and who is best, is `edgevox.agents.pool`'s business.
"""

import copy
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from edgevox.agents.requests import BoardRequest, Requests
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import FAULTS, AgentError
from edgevox.tools.wording import nearest

log = logging.getLogger(__name__)

HISTORY = 200
"""Notes, and finished requests, that a board remembers."""


class BoardError(AgentError):
    """A board does not know the key, or the value does not fit it."""

    code = "board_invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One value that somebody wrote."""

    key: str
    value: Any
    by: str = ""
    """Who wrote it; empty where nobody said."""
    seq: int = 0
    """Grows by one with every note of the board."""
    ts: float = 0.0
    """Seconds since 1970, UTC."""


Watcher = Callable[[Note], object]


@dataclass(slots=True, eq=False)
class _Watch:
    key: str | None
    watcher: Watcher


@dataclass(slots=True)
class _Slot:
    kind: TypeAdapter[Any]
    named: str
    note: Note | None = None


class Blackboard:
    """Values by key, each of the type its key was declared with, and requests that are claimed exactly once.

    What is written is checked and copied, and what is read is a copy: no reader sees a value change under its hands.

    Args:
        types: key to the type of its values, as pydantic takes it.
        history: notes, and finished requests, that are remembered; older ones are forgotten.
        clock: when a claim runs out.

    Raises:
        BoardError: something in `types` is not a type.
    """

    def __init__(
        self, types: Mapping[str, Any] | None = None, *, history: int = HISTORY, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        if history < 1:
            raise BoardError(f"history must be at least 1 note, not {history}.")
        self._clock = clock
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}
        self._notes: deque[Note] = deque(maxlen=history)
        self._watches: list[_Watch] = []
        self._seq = 0
        self.requests = Requests(history=history, clock=clock)
        """What somebody asked for and whoever can may answer."""
        for key, kind in (types or {}).items():
            self.declare(key, kind)

    # -- values -----------------------------------------------------------------------------------------------------

    def declare(self, key: str, kind: Any) -> None:
        """Add a key with the type of its values; the same again is fine.

        Raises:
            BoardError: it is not a type, or the key has another one already.
        """
        if not isinstance(key, str) or isinstance(kind, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BoardError(
                f'A board keeps a type by the name of its key, {{"visits": int}}, not {{{key!r}: {kind!r}}}.'
            )
        named = kind.__name__ if isinstance(kind, type) else str(kind)
        try:
            slot = _Slot(TypeAdapter(kind), named)
        except Exception as error:  # pydantic raises many kinds for what is no type
            raise BoardError(f"The board cannot keep values of {named:.80} for '{key}': give a type.") from error
        with self._lock:
            known = self._slots.setdefault(key, slot)
        if known.named != named:
            raise BoardError(f"'{key}' holds {known.named} on this board, so it cannot hold {named}.")

    def keys(self) -> list[str]:
        """The keys, in the order in which they were declared."""
        with self._lock:
            return list(self._slots)

    def set(self, key: str, value: Any, by: str = "") -> Note:
        """Write a value and tell the watchers, on this thread, one after the other.

        Args:
            key: declared before.
            value: of the key's type, or what pydantic makes it of.
            by: who writes.

        Raises:
            BoardError: the board does not know the key, or the value does not fit it.
        """
        slot = self._slot(key)
        checked = self._checked(key, slot, value)
        with self._lock:
            self._seq += 1
            note = Note(key=key, value=checked, by=by, seq=self._seq, ts=self._clock.now().timestamp())
            slot.note = note
            self._notes.append(note)
            watchers = [watch.watcher for watch in self._watches if watch.key in (None, key)]
        for watcher in watchers:
            _tell(watcher, _copied(note))
        return _copied(note)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key; `default` while nobody has written one.

        Raises:
            BoardError: the board does not know the key.
        """
        note = self._slot(key).note
        return copy.deepcopy(note.value) if note is not None else default

    def snapshot(self) -> dict[str, Any]:
        """Every value at one moment, by key; keys that nobody has written are left out."""
        with self._lock:
            notes = [slot.note for slot in self._slots.values() if slot.note is not None]
        return {note.key: copy.deepcopy(note.value) for note in notes}

    def history(self, key: str | None = None) -> list[Note]:
        """The notes that are remembered, oldest first; of one key, or of all."""
        with self._lock:
            notes = list(self._notes)
        return [_copied(note) for note in notes if key in (None, note.key)]

    def watch(self, key: str | None, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher(note)` for every value of a key that is written from now on; of every key for `None`.

        Returns:
            A function that ends it; twice is fine.

        Raises:
            BoardError: the board does not know the key.
        """
        if key is not None:
            self._slot(key)
        watch = _Watch(key, watcher)
        with self._lock:
            self._watches.append(watch)
        return lambda: self._unwatch(watch)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _unwatch(self, watch: _Watch) -> None:
        with self._lock:
            if watch in self._watches:
                self._watches.remove(watch)

    def _slot(self, key: str) -> _Slot:
        with self._lock:
            slot, known = self._slots.get(key), list(self._slots)
        if slot is None:
            listed = f"it knows {', '.join(known)}" if known else "it knows none yet"
            raise BoardError(f"The board has no key '{key}'{nearest(key, known)}; {listed}.")
        return slot

    def _checked(self, key: str, slot: _Slot, value: Any) -> Any:
        try:
            return copy.deepcopy(slot.kind.validate_python(value))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in (key, *first["loc"]))
            raise BoardError(f"'{where}' must be {slot.named}: {first['msg']}.") from error
        except Exception as error:  # locks, sockets, open files: nothing that two agents could share
            raise BoardError(f"A {type(value).__name__} cannot be shared as '{key}': it cannot be copied.") from error


def _copied(note: Note) -> Note:
    return Note(key=note.key, value=copy.deepcopy(note.value), by=note.by, seq=note.seq, ts=note.ts)


def _tell(watcher: Watcher, note: Note) -> None:
    try:
        watcher(note)
    except FAULTS:  # one watcher's fault must keep neither the others nor the writer from going on
        log.exception("a watcher of %s failed", note.key)


__all__ = ["HISTORY", "Blackboard", "BoardError", "BoardRequest", "Note"]
