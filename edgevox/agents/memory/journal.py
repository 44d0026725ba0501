"""`RunJournal`: one line for every event of a conversation, appended by a thread of its own.

Watches the bus and never keeps a run waiting: what the thread cannot keep up with is counted, not waited for. A line is
whole or it is the last: whoever reads knows what to do with half of one.
"""

import fcntl
import logging
import os
import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from edgevox.agents.memory.folders import stamp
from edgevox.agents.memory.journal_files import OPENED, JournalLine
from edgevox.agents.protocol import AgentResult
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import FAULTS
from edgevox.core.events import AgentEvent, EventBus, EventQueue
from edgevox.core.messages import Severity
from edgevox.core.redaction import redacted_value
from edgevox.core.tools import ToolCallResult
from edgevox.tools.limits import bounded

log = logging.getLogger(__name__)

CLOSED, LOST = "journal_closed", "journal_lost"
PAYLOAD_LIMIT = 8000
"""Characters of what one event carries."""
QUEUE = 2000
_TWICE = frozenset({"tool_use", "tool_result", "text_start", "text_end"})
"""Kinds that say what `tool_call` and the ends of turns say too."""
_FLUSH = "journal_flush"


class RunJournal:
    """Writes the journal of one conversation. The file is made with the first event and locked while it is written.

    Args:
        folder: below which it lies, by day.
        agent: whose conversation it is.
        without: agents whose events are left out: those that look after the journal.
        clock: tells when things happened, and gives the file its name.
        conversation: identifier; a new one when not given.
    """

    def __init__(
        self,
        folder: Path,
        agent: str,
        *,
        without: Iterable[str] = (),
        clock: Clock = SYSTEM_CLOCK,
        conversation: str | None = None,
    ) -> None:
        self.agent = agent
        self.conversation = conversation if conversation is not None else uuid.uuid4().hex
        self.path: Path | None = None
        """The file, once there is one."""
        self._folder = folder
        self._without = frozenset(without)
        self._clock = clock
        self._seq = 0
        self._descriptor = -1
        self._complained = False
        self._torn = False
        """Whether the last write came to an end in the middle of a line."""
        self._inbox = EventQueue(QUEUE)
        self._writer: threading.Thread | None = None
        self._leave: list[Callable[[], None]] = []
        self._writing = threading.Lock()

    def listen(self, bus: EventBus) -> Callable[[], None]:
        """Write down what a bus tells but for transient events and what is told twice. Returns a function that ends it.

        The thread that writes begins with the first event.
        """
        self._leave.append(bus.subscribe_all(self._hear))
        return self.close

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until everything told so far is in the file; returns whether it is."""
        if self._writer is None:
            return True
        mark = threading.Event()
        self._inbox.put(AgentEvent(_FLUSH, payload=mark))
        return mark.wait(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Write what is left and a last line, and let the file go; closing twice is fine."""
        while self._leave:
            self._leave.pop()()
        self._inbox.close()
        if self._writer is not None:
            self._writer.join(timeout)
        with self._writing:
            if self._descriptor >= 0:
                self._append([self._line(AgentEvent(CLOSED, self.agent, ts=self._clock.now().timestamp()))])
                os.close(self._descriptor)
                self._descriptor = -1

    def _hear(self, event: AgentEvent) -> None:
        if not self._wanted(event):
            return
        self._inbox.put(event)
        if self._writer is None:
            with self._writing:
                if self._writer is None:
                    self._writer = threading.Thread(target=self._write_all, name="journal", daemon=True)
                    self._writer.start()

    def _write_all(self) -> None:
        inbox, missed = self._inbox, 0
        for event in inbox:
            batch = [event, *inbox.drain()]
            if inbox.missed > missed:
                batch.insert(0, AgentEvent(LOST, self.agent, {"events": inbox.missed - missed}))
                missed = inbox.missed
            self._write(batch)

    def _write(self, batch: list[AgentEvent]) -> None:
        kept = [each for each in batch if each.kind != _FLUSH]
        try:
            with self._writing:
                if kept:
                    if self._descriptor < 0:
                        self._open()
                    self._append([self._line(event) for event in kept])
        except FAULTS as error:  # a full disk, or a payload that cannot be read: the run goes on without its journal
            if not self._complained:
                self._complained = True
                log.warning("the journal of %s cannot be written: %s", self.agent, error)
        finally:
            for event in batch:
                if event.kind == _FLUSH:
                    event.payload.set()

    def _wanted(self, event: AgentEvent) -> bool:
        return not event.transient and event.kind not in _TWICE and event.agent_name not in self._without

    def _open(self) -> None:
        now = self._clock.now()
        folder = self._folder / f"{now:%Y}" / f"{now:%m}" / f"{now:%d}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = folder / f"{stamp(now)}-{self.conversation[:12]}.jsonl"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
        self._descriptor = os.open(self.path, flags, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        head = {"version": 1, "conversation": self.conversation, "agent": self.agent}
        self._append([self._line(AgentEvent(OPENED, self.agent, head, ts=now.timestamp()))])

    def _append(self, lines: list[JournalLine]) -> None:
        content = b"".join(line.model_dump_json(exclude_none=True).encode() + b"\n" for line in lines)
        if self._torn:
            content = b"\n" + content
        self._torn = True
        self._torn = os.write(self._descriptor, content) < len(content)

    def _line(self, event: AgentEvent) -> JournalLine:
        self._seq += 1
        payload = redacted_value(bounded(_plain(event.payload), PAYLOAD_LIMIT))
        return JournalLine(
            seq=self._seq, at=event.ts, kind=event.kind, agent=event.agent_name, turn=event.turn, payload=payload
        )


def _plain(payload: Any) -> Any:
    """What of a payload is worth keeping: what a tool returned as an object is not, and a result's calls are known."""
    match payload:
        case ToolCallResult():
            hidden = any(rule.threshold == 0 and rule.severity is Severity.REMOVE for rule in payload.truncation)
            return {
                **_fields(payload, without=("value", "truncation")),
                "status": str(payload.status),
                "hidden": hidden,
            }
        case AgentResult():
            return _fields(payload, without=("tool_calls",))
        case _:
            return payload


def _fields(payload: Any, without: tuple[str, ...]) -> dict[str, Any]:
    return {each.name: getattr(payload, each.name) for each in fields(payload) if each.name not in without}
