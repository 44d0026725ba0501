"""What of a message a model still sees after it has seen it a number of times.

Pure functions over messages and their rules. A rule's threshold counts the requests that carried the message, not what
was said after it. A request for a tool and its result stay or go together. The stored messages are never altered.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any, cast

from edgevox.core.messages import (
    Content,
    ErrorBlock,
    Message,
    Role,
    Severity,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    Truncation,
)

STRING_LIMIT = 40_000
"""Characters of one text under a light cut."""
TOTAL_LIMIT = 40_000
"""Characters of one block under a light cut, all its texts together."""

DEFAULT_RULES = (Truncation(threshold=0, severity=Severity.LIGHT),)
"""What holds for the result of a tool that says nothing else."""

Rules = Sequence[Truncation]
Schedule = tuple[tuple[int, Severity], ...]
"""From how many times on a block is cut how hard."""

_HARDNESS = {Severity.LIGHT: 0, Severity.STUB: 1, Severity.REMOVE: 2}
_MORE = "…"
_NOTE = 16
"""Characters that the note on what was left out takes."""


def severity_for(shown: int, rules: Rules) -> Severity | None:
    """Return how hard a message is cut that was shown `shown` times; `None` is not at all.

    Of the rules whose threshold is reached the one with the largest threshold holds, of equal ones the harder; a
    threshold of -1 is never reached.
    """
    reached = [rule for rule in rules if 0 <= rule.threshold <= shown]
    if not reached:
        return None
    return max(reached, key=lambda rule: (rule.threshold, _HARDNESS[rule.severity])).severity


def schedule_of(rules: Rules) -> Schedule:
    """Return when a message is cut how hard, thresholds ascending.

    Nothing follows a removal: what is not shown is not counted any further.
    """
    return _schedule(tuple([(rule.threshold, rule.severity) for rule in rules]))


@lru_cache(maxsize=256)
def _schedule(steps: Schedule) -> Schedule:
    rules = [Truncation(threshold=threshold, severity=severity) for threshold, severity in steps]
    planned: list[tuple[int, Severity]] = []
    for threshold in sorted({threshold for threshold, _ in steps if threshold >= 0}):
        severity = severity_for(threshold, rules)
        if severity is not None:
            planned.append((threshold, severity))
        if severity is Severity.REMOVE:
            break
    return tuple(planned)


def schedules_of(message: Message, default: Rules = DEFAULT_RULES) -> tuple[Schedule, ...]:
    """Return the schedule of each block of a message: by the message's own rules and those of a result.

    Args:
        message: system messages are never cut.
        default: for results without rules.
    """
    if message.role is Role.SYSTEM:
        return ((),) * len(message.content)
    own = message.truncation
    return tuple(
        schedule_of((*own, *block.truncation) or default) if type(block) is ToolResultBlock else schedule_of(own)
        for block in message.content
    )


def severities_at(schedules: Sequence[Schedule], shown: int) -> list[Severity | None]:
    """Return how hard each block of a message is cut that was shown `shown` times."""
    return [next((then for threshold, then in reversed(each) if threshold <= shown), None) for each in schedules]


def cut_exchange(
    messages: Sequence[Message],
    shown: Sequence[int],
    *,
    default: Rules = DEFAULT_RULES,
    string_limit: int = STRING_LIMIT,
    total_limit: int = TOTAL_LIMIT,
) -> list[Message]:
    """Return what is left of messages that belong together: requests and the results that answer them.

    Args:
        messages: a request's message and its results, or one message alone.
        shown: how many requests have carried each of them before.
        default: for results without rules.
        string_limit: characters of a text under a light cut.
        total_limit: characters of a block under a light cut.

    Returns:
        New messages where something was cut, the same ones where not; none where nothing is left. System messages are
        never cut. Cutting again at the same counts changes nothing.
    """
    schedules = [schedules_of(message, default) for message in messages]
    severities = [severities_at(row, times) for row, times in zip(schedules, shown, strict=True)]
    return cut_by(messages, severities, string_limit=string_limit, total_limit=total_limit)


def cut_by(
    messages: Sequence[Message],
    severities: Sequence[Sequence[Severity | None]],
    *,
    string_limit: int = STRING_LIMIT,
    total_limit: int = TOTAL_LIMIT,
) -> list[Message]:
    """Return what is left of messages that belong together when each block is cut as hard as `severities` says."""
    gone = _gone(messages, severities)
    kept: list[Message] = []
    for message, row in zip(messages, severities, strict=True):
        blocks = [
            block if severity is None else cut_block(block, severity, string_limit, total_limit)
            for block, severity in zip(message.content, row, strict=True)
            if severity is not Severity.REMOVE and not (gone and _use_id(block) in gone)
        ]
        if len(blocks) == len(message.content) and all(map(is_, blocks, message.content)):
            kept.append(message)
        elif blocks:
            kept.append(message.model_copy(update={"content": tuple(blocks)}))
    return kept


def cut_block(
    block: Content, severity: Severity | None, string_limit: int = STRING_LIMIT, total_limit: int = TOTAL_LIMIT
) -> Content:
    """Return a block after a light cut or as a stub; the same one where nothing is to be cut."""
    if severity is None or severity is Severity.REMOVE:
        return block
    update = _stub(block) if severity is Severity.STUB else _light(block, string_limit, total_limit)
    changed = {name: value for name, value in update.items() if value is not getattr(block, name)}
    return block.model_copy(update=changed) if changed else block


def _stub(block: Content) -> dict[str, Any]:
    match block:
        case ToolResultBlock():
            return {"payload": {"status": str(block.status), "truncated": True}}
        case ToolUseBlock():
            return {"input": {}, "raw_request": None}
        case TextBlock():
            return {"text": _MORE}
        case ErrorBlock():
            return {"message": _MORE}
        case _:
            return {}


def _light(block: Content, string_limit: int, total_limit: int) -> dict[str, Any]:
    match block:
        case ToolResultBlock():
            return {"payload": cut_payload(block.payload, string_limit, total_limit)}
        case ToolUseBlock():
            raw = block.raw_request and cut_text(block.raw_request, string_limit)
            return {"input": cut_payload(block.input, string_limit, total_limit), "raw_request": raw}
        case TextBlock():
            return {"text": cut_text(block.text, string_limit)}
        case ErrorBlock():
            return {"message": cut_text(block.message, string_limit)}
        case _:
            return {}


def cut_text(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters and the sign that there was more."""
    return text if len(text) <= limit else text[:limit] + _MORE


def cut_payload(payload: Any, string_limit: int = STRING_LIMIT, total_limit: int = TOTAL_LIMIT) -> Any:
    """Return JSON-compatible data in which no text, nor all of it together, is longer than allowed.

    Entries that do not fit are left out, with a note of how many. Letters stay as they are; nothing is escaped.
    """
    if isinstance(payload, str):
        return cut_text(payload, min(string_limit, total_limit))
    size = _size(payload)
    if size <= min(string_limit, total_limit):
        return payload
    if size <= total_limit:
        return _Cutter(string_limit, math.inf).cut(payload)
    room = total_limit
    while room > 0:
        cut = _Cutter(string_limit, room).cut(payload)
        over = _size(cut) - total_limit
        if over <= 0:
            return cut
        room -= over + _NOTE
    return _MORE


def _size(payload: Any) -> int:
    return len(json.dumps(payload, ensure_ascii=False, default=str))


class _Cutter:
    """Cuts one payload; `left` is what remains of the characters."""

    def __init__(self, string_limit: int, total_limit: float) -> None:
        self._string_limit = string_limit
        self._left = total_limit

    def cut(self, part: Any) -> Any:
        if isinstance(part, str):
            text = cut_text(part, int(max(0, min(self._string_limit, self._left))))
            self._left -= len(text) + 4
            return text
        if isinstance(part, Mapping):
            return self._mapping(cast("Mapping[str, Any]", part))
        if isinstance(part, list | tuple):
            return self._list(cast("Sequence[Any]", part))
        self._left -= len(str(part)) + 2
        return part

    def _mapping(self, part: Mapping[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, value in part.items():
            if self._left <= 0:
                kept[_MORE] = f"{len(part) - len(kept)} more"
                break
            self._left -= len(key) + 4
            kept[key] = self.cut(value)
        return kept

    def _list(self, part: Sequence[Any]) -> list[Any]:
        kept: list[Any] = []
        for value in part:
            if self._left <= 0:
                kept.append(f"{_MORE} {len(part) - len(kept)} more")
                break
            kept.append(self.cut(value))
        return kept


def _gone(messages: Sequence[Message], severities: Sequence[Sequence[Severity | None]]) -> set[str]:
    """The calls of which one half is removed, and so the other."""
    return {
        use_id
        for message, row in zip(messages, severities, strict=True)
        for block, severity in zip(message.content, row, strict=True)
        if severity is Severity.REMOVE and (use_id := _use_id(block)) is not None
    }


def _use_id(block: Content) -> str | None:
    return getattr(block, "tool_use_id", None)
