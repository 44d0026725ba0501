"""Where requests are assembled from messages: truncation by times shown, pairs, the budget of tokens.

One assembler serves one run. It reads each message once, keeps what it wrote, and knows when a rule will next change
something, so that a request costs the same however long the run is. What it hands out is a read-only window that later
requests do not change. Knows no endpoint.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import is_
from typing import Any, cast, overload

from edgevox.context.exchanges import Dialect, Written, asked_by, write_exchange
from edgevox.context.truncation import (
    DEFAULT_RULES,
    STRING_LIMIT,
    TOTAL_LIMIT,
    Rules,
    Schedule,
    cut_by,
    schedules_of,
    severities_at,
)
from edgevox.context.window import OVERHEAD, Count, guessed
from edgevox.core.messages import Message, Role, Severity, ToolResultBlock
from edgevox.core.transcript import Transcript

PAGE = 16
"""Exchanges that are written together; a window holds pages."""
LOW_WATER = 0.75
"""Share of the budget that is kept when the oldest exchanges leave, so that the beginning stays for a while."""


CHARACTERS_OF_A_TOKEN = 3
LEAST = 400
"""Characters that a light cut leaves of a result however small the budget is."""

_HARD = (Severity.STUB, Severity.REMOVE)
"""What every message feels; a light cut only a long one."""


class RequestWindow(Sequence[Mapping[str, Any]]):
    """The messages of one request in the OpenAI shape. Read-only; shares its parts with the requests before and after.

    Args:
        pages: the messages, in pieces.
        length: how many there are.
    """

    __slots__ = ("_length", "_pages")

    def __init__(self, pages: Sequence[tuple[Written, ...]], length: int) -> None:
        self._pages = tuple(pages)
        self._length = length

    def __len__(self) -> int:
        """Count the messages."""
        return self._length

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        """Yield the messages, oldest first."""
        return chain.from_iterable(self._pages)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        """Return one message, or a list of some."""
        if isinstance(index, slice):
            return list(self)[index]
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(index)
        for page in self._pages:
            if place < len(page):
                return page[place]
            place -= len(page)
        raise IndexError(index)

    def __eq__(self, other: object) -> bool:
        """Whether another sequence holds the same messages."""
        return isinstance(other, Sequence) and list(self) == list(cast("Sequence[object]", other))

    __hash__ = None  # pyright: ignore[reportAssignmentType] like a list, whose contents it compares

    def __repr__(self) -> str:
        """Say how long it is."""
        return f"<a request of {self._length} messages>"


@dataclass(slots=True)
class _Exchange:
    """Messages that belong together, and how they were last written."""

    messages: list[Message]
    firsts: list[int]
    """The request that each was first part of."""
    open: set[str]
    """Calls that still wait for their results."""
    schedules: list[tuple[Schedule, ...]] | None = None
    """When each message is cut how hard; `None` where none has rules of its own."""
    written: tuple[Written, ...] = ()
    tokens: int = 0
    dropped: bool = False
    """Left out for want of room."""

    @property
    def kept_always(self) -> bool:
        return self.messages[0].role is Role.SYSTEM


class RequestAssembler:
    """Assembles the requests of one run.

    Args:
        dialect: `native` for models that call tools in the OpenAI shape, `envelope` for replies of one JSON object.
        budget: tokens that the messages may take; `None` sets no bound.
        count: how many tokens a text has; a guess on the safe side when not given.
        default_rules: for results without rules of their own.
        string_limit: characters of a text under a light cut.
        total_limit: characters of a block under a light cut.
    """

    def __init__(
        self,
        dialect: Dialect = "envelope",
        *,
        budget: int | None = None,
        count: Count | None = None,
        default_rules: Rules = DEFAULT_RULES,
        string_limit: int = STRING_LIMIT,
        total_limit: int = TOTAL_LIMIT,
    ) -> None:
        self.budget = budget
        """Tokens that the messages may take; may be changed between requests."""
        self._dialect: Dialect = dialect
        self._count = count or guessed
        self._default = tuple(default_rules)
        self._limits = (string_limit, total_limit)
        """Characters of a text, and of a block, that a light cut leaves now."""
        self._light_by_default = all(rule.severity is Severity.LIGHT and rule.threshold <= 0 for rule in default_rules)
        self._number = 0
        """Requests made so far."""
        self._forget()

    def request(self, messages: Sequence[Message]) -> RequestWindow:
        """Return the next request and count every message that it carries as shown once more.

        Args:
            messages: the conversation, oldest first; the run's `Transcript`, or any sequence of which the beginning is
                mostly what it was. Never altered.
        """
        changed = self._read(messages)
        changed.update(self._tighten())
        changed.update(self._due.pop(self._number, ()))
        for index in changed:
            self._write(index)
        changed.update(self._make_room())
        self._number += 1
        self._turn_pages(changed)
        return RequestWindow(self._pages, self._length)

    def not_shown(self) -> None:
        """Take the last request back: no model has seen it."""
        self._number = max(self._number - 1, 0)

    def _forget(self) -> None:
        self._exchanges: list[_Exchange] = []
        self._pages: list[tuple[Written, ...]] = []
        self._length = 0
        self._placed = 0
        """Exchanges that are on a page."""
        self._tokens = 0
        self._counts = False
        """Whether tokens are counted: from the first request that has a budget."""
        self._due: dict[int, list[int]] = {}
        self._oldest = 0
        self._last_words: int | None = None
        self._source: Sequence[Message] | None = None
        self._edits = 0
        self._known: list[Message] = []

    def _read(self, messages: Sequence[Message]) -> set[int]:
        """Take in what is new; returns the exchanges that have changed."""
        firsts: dict[int, int] = {}
        if not self._continues(messages):
            firsts = {
                id(message): first
                for exchange in self._exchanges
                for message, first in zip(exchange.messages, exchange.firsts, strict=True)
            }
            before = self._known  # keeps the messages alive while their identities are compared
            self._forget()
            del before
        self._source = messages
        self._edits = messages.edits if isinstance(messages, Transcript) else 0
        changed: set[int] = set()
        for message in messages[len(self._known) :]:
            changed.add(self._take(message, firsts.get(id(message), self._number)))
            self._known.append(message)
        return changed

    def _continues(self, messages: Sequence[Message]) -> bool:
        known = len(self._known)
        if isinstance(messages, Transcript) and messages is self._source:
            return messages.edits == self._edits and len(messages) >= known
        return len(messages) >= known and all(map(is_, self._known, messages))

    def _take(self, message: Message, first: int) -> int:
        """Add a message to the exchange that waits for it, or begin another; returns which."""
        last = self._exchanges[-1] if self._exchanges else None
        if last is not None and last.open and message.role is Role.TOOL:
            last.messages.append(message)
            last.firsts.append(first)
            for block in message.content:
                last.open.discard(getattr(block, "tool_use_id", ""))
        else:
            last = _Exchange([message], [first], asked_by(message))
            self._exchanges.append(last)
        index = len(self._exchanges) - 1
        if message.role is Role.USER:
            if self._last_words is not None:  # which may have stayed where everything around it has left
                self._oldest = min(self._oldest, self._last_words)
            self._last_words = index
        if last.schedules is not None or self._has_rules(message):
            self._plan(last, index)
        return index

    def _has_rules(self, message: Message) -> bool:
        if message.truncation or (not self._light_by_default and message.role is Role.TOOL):
            return True
        return any(type(block) is ToolResultBlock and block.truncation for block in message.content)

    def _plan(self, exchange: _Exchange, index: int) -> None:
        """Note when rules will change how an exchange is written."""
        if exchange.schedules is None:
            exchange.schedules = []
        for place in range(len(exchange.schedules), len(exchange.messages)):
            schedules = schedules_of(exchange.messages[place], self._default)
            exchange.schedules.append(schedules)
            for schedule in schedules:
                for threshold, _ in schedule:
                    due = exchange.firsts[place] + threshold
                    if due > self._number:
                        self._due.setdefault(due, []).append(index)

    def _write(self, index: int) -> None:
        exchange = self._exchanges[index]
        if exchange.dropped:
            return
        severities = self._severities(exchange)
        hard = any(severity in _HARD for row in severities for severity in row)
        if not hard:
            exchange.written = write_exchange(exchange.messages, self._dialect)
        if hard or self._has_long(exchange.written):
            severities = severities or [severities_at(schedules_of(m, self._default), 0) for m in exchange.messages]
            string_limit, total_limit = self._limits
            left = cut_by(exchange.messages, severities, string_limit=string_limit, total_limit=total_limit)
            exchange.written = write_exchange(left, self._dialect) if left else ()
        if self._counts:
            self._weigh(exchange)

    def _severities(self, exchange: _Exchange) -> list[list[Severity | None]]:
        """How hard each block is cut now; empty where no message has rules of its own."""
        if exchange.schedules is None:
            return []
        return [
            severities_at(row, self._number - first)
            for first, row in zip(exchange.firsts, exchange.schedules, strict=True)
        ]

    def _has_long(self, written: tuple[Written, ...]) -> bool:
        return any(len(each["content"]) > min(self._limits) for each in written)

    def _tighten(self) -> list[int]:
        """Let one result take half of the room at most; returns the exchanges that are longer than that now."""
        if self.budget is None:
            return []
        room = max(LEAST, self.budget * CHARACTERS_OF_A_TOKEN // 2)
        if room >= max(self._limits):
            return []
        string_limit, total_limit = self._limits
        self._limits = (min(string_limit, room), min(total_limit, room))
        return [index for index, exchange in enumerate(self._exchanges) if self._has_long(exchange.written)]

    def _weigh(self, exchange: _Exchange) -> None:
        self._tokens -= exchange.tokens
        exchange.tokens = sum(self._cost(written) for written in exchange.written)
        self._tokens += exchange.tokens

    def _cost(self, written: Written) -> int:
        calls = written.get("tool_calls")
        return OVERHEAD + self._count(written["content"]) + (self._count(str(calls)) if calls else 0)

    def _make_room(self) -> set[int]:
        """Leave the oldest exchanges out while there are too many; returns them."""
        if self.budget is None:
            return set()
        if not self._counts:
            self._counts = True
            for exchange in self._exchanges:
                self._weigh(exchange)
        if self._tokens <= self.budget:
            return set()
        target = int(self.budget * LOW_WATER)
        gone: set[int] = set()
        for index in self._candidates():
            if self._tokens <= target:
                break
            exchange = self._exchanges[index]
            exchange.dropped, exchange.written = True, ()
            self._tokens -= exchange.tokens
            exchange.tokens = 0
            gone.add(index)
        return gone

    def _candidates(self) -> Iterator[int]:
        """Exchanges that may leave, oldest first: neither the system's words, nor the person's last, nor the last."""
        while self._oldest < len(self._exchanges) - 1:
            index = self._oldest
            exchange = self._exchanges[index]
            if not exchange.kept_always and not exchange.dropped and index != self._last_words:
                yield index
                if not exchange.dropped:
                    return
            self._oldest += 1

    def _turn_pages(self, changed: set[int]) -> None:
        """Bring the pages up to date; what is new alone is put behind what is there."""
        placed = self._placed
        self._placed = len(self._exchanges)
        if len(changed) == 1 and placed in changed and placed % PAGE:
            written = self._exchanges[placed].written
            self._pages[-1] += written
            self._length += len(written)
            return
        for page in {index // PAGE for index in changed}:
            self._turn_page(page)

    def _turn_page(self, page: int) -> None:
        """Put a page together again."""
        exchanges = self._exchanges[page * PAGE : (page + 1) * PAGE]
        written = tuple(chain.from_iterable(exchange.written for exchange in exchanges))
        if page < len(self._pages):
            self._length -= len(self._pages[page])
            self._pages[page] = written
        else:
            self._pages.append(written)
        self._length += len(written)
