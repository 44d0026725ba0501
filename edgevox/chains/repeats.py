"""Notices a model that goes round in circles within one turn.

Two questions: has exactly this been done already (then it is not done again), and has the same been tried over and over
with the same outcome (then the turn ends). Does not run tools.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from edgevox.core.tools import Effect, ToolCallResult

LIMIT = 3
"""The same call with the same outcome this many times ends the turn."""


class RepeatGuard:
    """Remembers the calls of one turn.

    Args:
        limit: how often the same may happen.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._done: dict[str, ToolCallResult] = {}
        self._seen: Counter[tuple[str, str]] = Counter()

    def already(self, name: str, arguments: Any, use_id: str) -> ToolCallResult | None:
        """Return what the same call came to earlier in the turn, if it worked and must not run twice."""
        known = self._done.get(exact_key(name, arguments))
        return replace(known, tool_use_id=use_id) if known is not None else None

    def note(self, result: ToolCallResult, arguments: Any, effect: Effect) -> bool:
        """Remember a call; returns whether the same has happened too often.

        Args:
            result: what it came to.
            arguments: as the model gave them.
            effect: what running the tool twice would do; what only reads may run again.
        """
        if result.ok and effect is not Effect.READ:
            self._done[exact_key(result.name, arguments)] = result
        outcome = result.to_block().text
        key = (loose_key(result.name, arguments), outcome)
        self._seen[key] += 1
        return self._seen[key] >= self._limit


def exact_key(name: str, arguments: Any) -> str:
    """Return a key that two calls share when they ask for the very same."""
    return f"{name} {json.dumps(_parsed(arguments), sort_keys=True, ensure_ascii=False, default=str)}"


def loose_key(name: str, arguments: Any) -> str:
    """Return a key that two calls share when they differ only in case, spacing, end punctuation or quoted numbers."""
    return f"{name.lower()} {json.dumps(_loose(_parsed(arguments)), sort_keys=True, default=str)}"


def _parsed(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments if arguments is not None else {}
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _loose(value: Any) -> Any:
    match value:
        case Mapping():
            return {key.lower(): _loose(each) for key, each in cast("Mapping[str, Any]", value).items()}
        case list():
            return [_loose(each) for each in cast("list[Any]", value)]
        case str():
            return re.sub(r"\s+", " ", value).strip(" .,;:!?'\"").lower()
        case bool() | None:
            return str(value).lower()
        case int() | float():
            return f"{value:g}"
        case _:
            return str(value)
