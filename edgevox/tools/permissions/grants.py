"""What a person has said yes to, how long it holds, and the file that keeps what holds for good.

Judging reads memory alone; the file is read when the book is opened or refreshed and written when a lasting yes is
added or revoked. A file that cannot be read grants nothing.
"""

import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.tools.permissions.model import GrantScope, Operation, Requirement

log = logging.getLogger(__name__)

FILE_NAME = "permissions.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One yes that is remembered."""

    operation: Operation
    resource: str
    """As the engine reads it: normalised."""
    principal: str = ""
    """The agent it was given to."""
    scope: GrantScope = GrantScope.ALWAYS
    granted: datetime
    expires: datetime | None = None
    turn: int | None = None
    """For a yes that holds for one turn: which."""

    def covers(self, wanted: Requirement, principal: str, now: datetime, turn: int | None) -> bool:
        """Whether the yes was for this."""
        same = (self.operation, self.resource, self.principal) == (wanted.operation, wanted.resource, principal)
        return same and not self.over(now) and (self.scope is not GrantScope.TURN or self.turn == turn)

    def over(self, now: datetime) -> bool:
        """Whether its day has come."""
        return self.expires is not None and now >= self.expires


_GRANTS = TypeAdapter(tuple[Grant, ...])


class GrantBook:
    """The remembered answers of one person. Safe from any thread.

    Args:
        path: the file of what holds for good; `None` keeps nothing beyond this program.
        clock: tells the day.
    """

    def __init__(self, path: Path | None = None, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._passing: list[Grant] = []
        self._lasting: list[Grant] = []
        self._seen: tuple[int, int] | None = None
        self._complained = False
        self.refresh()

    def grants(self) -> list[Grant]:
        """What holds now: the lasting first, each in the order in which they were given."""
        now = self._clock.now()
        with self._lock:
            return [grant for grant in (*self._lasting, *self._passing) if not grant.over(now)]

    def covers(self, wanted: Requirement, principal: str, turn: int | None = None) -> Grant | None:
        """The yes that holds for this, or `None`. Never touches the disk."""
        now = self._clock.now()
        with self._lock:
            known = itertools.chain(self._passing, self._lasting)
            return next((grant for grant in known if grant.covers(wanted, principal, now, turn)), None)

    def add(self, grant: Grant) -> None:
        """Remember a yes; one that holds for good is written to the file.

        Raises:
            EdgeVoxError: the file cannot be written; the yes then holds for this program alone.
        """
        if grant.scope is GrantScope.ONCE:
            return
        if grant.scope is GrantScope.ALWAYS:
            self._change(lambda lasting: [*(g for g in lasting if not _same(g, grant)), grant])
            return
        with self._lock:
            self._passing = [g for g in self._passing if g.scope is not GrantScope.TURN or g.turn == grant.turn]
            self._passing.append(grant)

    def revoke(self, grant: Grant) -> bool:
        """Take a yes back; returns whether it held.

        Raises:
            EdgeVoxError: the file cannot be written.
        """
        with self._lock:
            held = grant in self._passing or grant in self._lasting
            self._passing = [g for g in self._passing if g != grant]
        self.refresh()
        if grant.scope is GrantScope.ALWAYS:
            self._change(lambda lasting: [g for g in lasting if g != grant])
        return held

    def end_conversation(self) -> None:
        """Forget what held for a conversation or a turn."""
        with self._lock:
            self._passing.clear()

    def refresh(self) -> None:
        """Read the file again if another program has changed it."""
        if self._path is None:
            return
        try:
            seen = _state_of(self._path)
            if seen == self._seen:
                return
            lasting = [g for g in _GRANTS.validate_json(self._path.read_bytes()) if g.scope is GrantScope.ALWAYS]
        except FileNotFoundError:
            seen, lasting = None, []
        except (OSError, ValidationError) as error:
            if not self._complained:
                self._complained = True
                log.warning("%s cannot be read, so it grants nothing: %s", self._path, error)
            seen, lasting = None, []
        with self._lock:
            self._seen, self._lasting = seen, lasting

    def _change(self, change: Callable[[list[Grant]], list[Grant]]) -> None:
        """Change what holds for good, in the file first; judging does not wait for the disk."""
        with self._writing:
            self.refresh()
            now = self._clock.now()
            kept = [grant for grant in change(list(self._lasting)) if not grant.over(now)]
            seen = self._written(kept)
            with self._lock:
                self._lasting, self._seen = kept, seen

    def _written(self, grants: list[Grant]) -> tuple[int, int] | None:
        if self._path is None:
            return None
        from edgevox.config.files import write_atomic

        write_atomic(self._path, _GRANTS.dump_json(tuple(grants), indent=2) + b"\n", mode=0o600)
        return _state_of(self._path)


def _state_of(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_ino


def _same(one: Grant, other: Grant) -> bool:
    return replace(one, granted=other.granted, expires=other.expires) == other


def grants_file() -> Path:
    """Return the file that keeps lasting answers, in the person's settings folder. It may not exist."""
    from edgevox.config.paths import config_dir

    return config_dir() / FILE_NAME
