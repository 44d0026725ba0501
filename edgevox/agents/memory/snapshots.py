"""`Snapshots`: short accounts of what happened in a conversation since the last one.

Reads journals and writes texts, each published once under a name that nobody else has; each says which lines of the
journal it covers. Whoever sums up is given.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from edgevox.agents.memory.folders import MemoryFolders, newest, next_path, parted, publish, with_provenance
from edgevox.agents.memory.journal_files import JournalFile, JournalLine, journals_in, told
from edgevox.agents.summaries import CONVERSATION, Summariser
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.ports import ChatModel

log = logging.getLogger(__name__)

TOKENS = 20_000
"""Tokens of news in a conversation that is still going on before a snapshot is made."""
LETTERS = 8_000
"""Characters of a snapshot."""
_LETTERS_PER_TOKEN = 4
_LONGER = 1.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """What no snapshot of a conversation covers yet."""

    journal: JournalFile
    lines: tuple[str, ...]
    """As text."""
    through: int
    """Number of the last line of the journal that is among them."""
    active: bool


class Snapshots:
    """Makes the snapshots that are due.

    Args:
        folders: where journals and snapshots lie.
        agents: whose conversations count; `None` is everybody's.
        tokens: news of a running conversation before it is worth a snapshot; one that is over is worth it with any.
        letters: characters of a snapshot.
        clock: gives snapshots their names.
    """

    def __init__(
        self,
        folders: MemoryFolders,
        agents: Iterable[str] | None = None,
        *,
        tokens: int = TOKENS,
        letters: int = LETTERS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._folders = folders
        self._agents = frozenset(agents) if agents is not None else None
        self._tokens = tokens
        self._letters = letters
        self._clock = clock

    def journals(self) -> list[JournalFile]:
        """Return the journals of the conversations that count, oldest first."""
        return journals_in(self._folders.logs, self._agents)

    def any_active(self) -> bool:
        """Whether one of these conversations is going on."""
        return any(journal.is_active() for journal in self.journals())

    def uncovered(self) -> Iterator[Uncovered]:
        """Yield what no snapshot covers, conversation by conversation, oldest first."""
        for journal in self.journals():
            active = journal.is_active()
            lines = journal.lines(after=covered_through(self._folders.snapshots / journal.conversation))
            if active:
                lines = _finished(lines, journal.agent)
            text = told(lines, journal.agent)
            if text:
                yield Uncovered(journal=journal, lines=tuple(text), through=lines[-1].seq, active=active)

    def take(self, model: ChatModel, scope: CancelScope) -> list[Path]:
        """Make every snapshot that is due and return the files.

        Args:
            model: who sums up.
            scope: its end ends the work; snapshots that are made stay.

        Raises:
            Cancelled: the scope ended.
            LanguageModelError: the model could not answer.
            DiskFull, ConfigError: a snapshot could not be written.
        """
        made: list[Path] = []
        summariser = Summariser(model, CONVERSATION)
        for news in self.uncovered():
            if news.active and sum(map(summariser.count, news.lines)) < self._tokens:
                continue
            path = self._make(news, summariser, scope)
            if path is not None:
                made.append(path)
        return made

    def _make(self, news: Uncovered, summariser: Summariser, scope: CancelScope) -> Path | None:
        text = summariser.whole(news.lines, self._letters // _LETTERS_PER_TOKEN, scope)
        folder = self._folders.snapshots / news.journal.conversation
        provenance = {
            "agent": news.journal.agent,
            "conversation": news.journal.conversation,
            "journal": news.journal.path.name,
            "through": news.through,
        }
        content = with_provenance(text[: int(self._letters * _LONGER)], provenance)
        while covered_through(folder) < news.through:  # unless somebody else was faster
            scope.check()
            path = next_path(folder, self._clock.now())
            if publish(path, content):
                log.info("a snapshot of %s was made: %s", news.journal.agent, path)
                return path
        return None


def covered_through(folder: Path) -> int:
    """Return the number of the last line that the snapshots of a conversation cover; 0 where there is none."""
    latest = newest(folder)
    if latest is None:
        return 0
    through = parted(latest.read_text(encoding="utf-8", errors="replace"))[1].get("through", 0)
    return through if isinstance(through, int) else 0


def _finished(lines: list[JournalLine], agent: str) -> list[JournalLine]:
    """The lines up to the end of the last turn that is over; what is going on now is for the next snapshot."""
    ends = [index for index, line in enumerate(lines) if line.kind == "agent_end" and line.agent == agent]
    return lines[: ends[-1] + 1] if ends else []
