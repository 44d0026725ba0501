"""Reads journals: which there are, who still writes one, what happened in it, and how it reads as a text.

A line that was torn by a crash, or damaged, is left out; the others count.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from edgevox.core.messages import Origin
from edgevox.tools.limits import bounded, cut

OPENED = "journal_opened"
LINE_LIMIT = 2000
"""Characters of what somebody said."""
RESULT_LIMIT = 600
"""Characters of what a tool was given, and of what it answered."""
_OWN = frozenset({Origin.DEFAULT, Origin.SKILL})
"""Tools that ran by themselves are no news."""


class JournalLine(BaseModel):
    """One event, as a journal keeps it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    seq: int
    """Grows by one with every line of the file."""
    at: float
    """Seconds since 1970, UTC."""
    kind: str
    agent: str = ""
    turn: int | None = None
    payload: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFile:
    """One journal on the disk."""

    path: Path
    conversation: str
    agent: str

    def is_active(self) -> bool:
        """Whether somebody writes it now, in whatever process. A writer that died does not count."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def lines(self, after: int = 0) -> list[JournalLine]:
        """Return the lines with a number above `after`."""
        return [line for line in read_journal(self.path) if line.seq > after]


def journals_in(folder: Path, agents: Iterable[str] | None = None) -> list[JournalFile]:
    """Return the journals below a folder, oldest first; files that are none are left out.

    Args:
        folder: need not exist.
        agents: whose journals count; `None` is everybody's.
    """
    wanted = frozenset(agents) if agents is not None else None
    found = (_opened(path) for path in sorted(folder.rglob("*.jsonl"), key=lambda path: path.name))
    return [each for each in found if each is not None and (wanted is None or each.agent in wanted)]


def read_journal(path: Path) -> list[JournalLine]:
    """Return the lines of a journal that can be read, in their order; none where there is no file."""
    try:
        content = path.read_bytes()
    except OSError:
        return []
    return [line for raw in content.split(b"\n") if (line := _line(raw)) is not None]


def told(lines: Sequence[JournalLine], agent: str) -> list[str]:
    """Return what happened as lines of text: what the person said, what tools did, what the agent answered.

    An answer that was broken off is left out; what the person said before it and what tools did stays.

    Args:
        lines: of a journal.
        agent: whose conversation it is; what it had other agents say is their business.
    """
    return [text for line in lines for text in _told(line, agent) if text]


def _told(line: JournalLine, agent: str) -> Iterator[str]:
    payload = _mapping(line.payload)
    if line.kind == "tool_call" and payload:
        if not payload.get("hidden") and payload.get("origin") not in _OWN:
            yield _call(payload)
    elif line.agent != agent:
        return
    elif line.kind == "agent_start" and isinstance(line.payload, str) and line.payload.strip():
        yield f"Person: {cut(line.payload, LINE_LIMIT)}"
    elif line.kind == "agent_end" and payload.get("reply") and not payload.get("preempted"):
        yield f"Assistant: {cut(str(payload['reply']), LINE_LIMIT)}"


def _call(call: dict[str, Any]) -> str:
    answer = call.get("result") if call.get("status") == "success" else call.get("error")
    asked = bounded(call.get("arguments") or {}, RESULT_LIMIT)
    return f"Tool {call.get('name')} {asked}: {call.get('status')}, {cut(str(answer), RESULT_LIMIT)}"


def _opened(path: Path) -> JournalFile | None:
    try:
        with path.open("rb") as file:
            first = _line(file.readline().strip())
    except OSError:
        return None
    if first is None or first.kind != OPENED:
        return None
    head = _mapping(first.payload)
    if not isinstance(head.get("conversation"), str) or not isinstance(head.get("agent"), str):
        return None
    return JournalFile(path=path, conversation=head["conversation"], agent=head["agent"])


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _line(raw: bytes) -> JournalLine | None:
    if not raw.strip():
        return None
    try:
        return JournalLine.model_validate_json(raw)
    except ValidationError:  # half a line of a crash or of a full disk
        return None
