"""`AuditLog`: one line for every tool call and every decision of permissions, in a file that only its owner may read.

Knows who called what, with which arguments (secrets covered), what came of it and how long it took. Never keeps what a
tool returned or what was said, and never fails a call: what cannot be written is lost, and the log says so once.
"""

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from edgevox.agents.hooks import Hooks
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.redaction import redacted, redacted_value
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools.limits import bounded, cut
from edgevox.tools.permissions.engine import DECIDED, DecisionRecord

log = logging.getLogger(__name__)

FILE = "audit.jsonl"
MAX_BYTES = 1_000_000
"""Size at which the file becomes the one before, and a new one begins; so twice this is kept at most."""
PERMISSION = "permission"
"""What stands for the tool where a line is about a decision of permissions."""
ARGUMENTS_LIMIT = 1000
ERROR_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One call, as the log keeps it."""

    at: datetime
    """When it ended, UTC."""
    who: str
    """The agent; empty where nobody said."""
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status: str = ""
    error_code: str | None = None
    error: str | None = None
    ms: int = 0
    origin: str = ""
    """Who caused it: a model, a phrase, a chain, …"""
    call: str = ""
    """Identifier of the call."""


ENTRIES = TypeAdapter(AuditEntry)
"""Reads and writes the lines."""


class AuditLog(Hooks):
    """Writes a line for every tool call: as a hook of one agent, or for all agents of a bus (`listen`).

    Args:
        who: the agent it is a hook of; a bus says that itself.
        folder: where the file lies; edgevox's log folder when not given. Nothing is made before the first line.
        max_bytes: size of one of the two files that are kept.
    """

    priority = 1000
    """Last to see a result on its way out: what it notes is what was used."""

    def __init__(self, who: str = "", *, folder: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        self._who = who
        self._folder = folder
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._complained = False

    def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> None:  # noqa: ARG002 - the hook's signature
        """Note a call (`Hooks.after_tool`)."""
        self.note(self._who, result)

    def listen(self, bus: EventBus) -> Callable[[], None]:
        """Note every call and every decision of permissions that is published on a bus, whichever agent made it.

        Returns a function that ends it.
        """
        endings = (bus.subscribe("tool_call", self._hear), bus.subscribe(DECIDED, self._hear_decision))

        def end() -> None:
            for each in endings:
                each()

        return end

    def note(self, who: str, result: ToolCallResult) -> None:
        """Write one line. Never raises."""
        self._note(lambda: _entry_of(who, result))

    def _note(self, make: Callable[[], AuditEntry]) -> None:
        try:
            line = ENTRIES.dump_json(make(), exclude_none=True) + b"\n"
            with self._lock:
                self._write(line)
        except Exception as error:  # an audit that fails must not fail what it audits
            if not self._complained:
                self._complained = True
                log.warning("the audit log cannot be written: %s", error)

    def _hear(self, event: AgentEvent) -> None:
        if isinstance(event.payload, ToolCallResult):
            self.note(event.agent_name, event.payload)

    def _hear_decision(self, event: AgentEvent) -> None:
        if isinstance(event.payload, DecisionRecord):
            record = event.payload
            self._note(lambda: _entry_of_decision(record))

    def _write(self, line: bytes) -> None:
        path = audit_file(self._folder)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = _opened(path)
        try:
            if os.fstat(descriptor).st_size + len(line) > self._max_bytes:
                os.close(descriptor)
                descriptor = -1
                path.replace(_before(path))
                descriptor = _opened(path)
            os.write(descriptor, line)
        finally:
            if descriptor >= 0:
                os.close(descriptor)


def audit_file(folder: Path | None = None) -> Path:
    """Return the file that the lines go to; the one before it has `.1` at its end. It may not exist yet.

    Raises:
        OSError: the log folder cannot be made.
    """
    from edgevox.config.paths import log_dir

    return (folder if folder is not None else log_dir()) / FILE


def read_audit(last: int, folder: Path | None = None) -> list[AuditEntry]:
    """Return the last so many calls, oldest first. Lines that cannot be read are left out.

    Raises:
        OSError: a file is there and cannot be read.
    """
    path = audit_file(folder)
    files = (file for file in (_before(path), path) if file.exists())
    lines = chain.from_iterable(file.read_text(encoding="utf-8", errors="replace").splitlines() for file in files)
    return list(deque((entry for entry in map(_entry, lines) if entry is not None), maxlen=max(0, last)))


def _before(path: Path) -> Path:
    return path.with_name(f"{path.name}.1")


def _opened(path: Path) -> int:
    """Open the file to append to it; one that others may read is made private first."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    if os.fstat(descriptor).st_mode & 0o077:
        os.fchmod(descriptor, 0o600)
    return descriptor


def _entry_of(who: str, result: ToolCallResult) -> AuditEntry:
    return AuditEntry(
        at=datetime.now(UTC),
        who=who,
        tool=cut(result.name, ERROR_LIMIT),
        arguments=_shown(result.arguments),
        status=str(result.status),
        error_code=result.error_code,
        error=cut(redacted(result.error), ERROR_LIMIT) if result.error else None,
        ms=result.runtime_ms,
        origin=str(result.origin),
        call=result.tool_use_id,
    )


def _entry_of_decision(record: DecisionRecord) -> AuditEntry:
    decision = record.decision
    wanted = [decision.denied] if decision.denied is not None else record.requirements
    asked = decision.history[-1] if decision.history else None
    return AuditEntry(
        at=datetime.now(UTC),
        who=record.principal,
        tool=PERMISSION,
        arguments=_shown({"wanted": [f"{each.operation} {each.resource}" for each in wanted]}),
        status="allowed" if decision.allowed else "denied",
        error_code=decision.reason,
        origin=asked.by if asked is not None else "rule",
    )


def _shown(arguments: Mapping[str, Any]) -> dict[str, Any]:
    kept: Any = bounded(redacted_value(arguments), ARGUMENTS_LIMIT)
    return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {"…": kept}


def _entry(line: str) -> AuditEntry | None:
    try:
        return ENTRIES.validate_json(line)
    except ValidationError:  # half a line of a full disk, or not ours
        return None
