"""What a chain agent understands without a model: the phrases that its tools bring.

The grammar is loaded when the first phrase is compiled, and by its path: phrases and chains are neighbours that do not
know each other.
"""

import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from edgevox.chains.sentences import sentence
from edgevox.core.tools import ToolCallResult
from edgevox.core.values import Stop, Value
from edgevox.tools import Tool


class SpokenTools:
    """The phrases of some tools, compiled per language when they are first needed.

    Args:
        tools: that may be asked for; those without phrases take no part.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = [tool for tool in tools if tool.phrases]
        self._matchers: dict[str, Any] = {}
        self._lock = threading.Lock()

    def match(self, text: str, language: str) -> list[tuple[Tool, dict[str, Any]]]:
        """Return the tools and arguments that a text asks for, one after the other; none when it asks for none."""
        if not self._tools:
            return []
        found = self._matcher(language).match(text)
        tools = {tool.name: tool for tool in self._tools}
        calls = [(tools[each.tool_name], dict(each.arguments)) for each in found.chain] if found is not None else []
        return [] if any(_is_change(value) for _, given in calls for value in given.values()) else calls

    def examples(self, language: str, limit: int) -> list[str]:
        """Sentences that are understood."""
        return self._matcher(language).examples(limit=limit) if self._tools else []

    def warm(self, language: str) -> None:
        """Do now what the first match would do."""
        if self._tools:
            self._matcher(language).warm()

    def _matcher(self, language: str) -> Any:
        with self._lock:
            if language not in self._matchers:
                make = import_module("edgevox.intents").PhraseMatcher
                self._matchers[language] = make(self._tools, language=language)
            return self._matchers[language]


def _is_change(value: Any) -> bool:
    """Whether a value depends on what holds now (*two degrees warmer*), which only an agent with a memory can tell."""
    return isinstance(value, import_module("edgevox.intents").Change)


def reply_to(tool: Tool | None, result: ToolCallResult | None, value: Any, language: str) -> str:
    """Say what a chain came to: the reply template of its last tool, the words of its last value, or *done*.

    Args:
        tool: that ran last.
        result: of its call.
        value: what it returned.
        language: two-letter code.
    """
    if isinstance(value, Stop) and words_of(value):
        return words_of(value)
    if tool is not None and result is not None and (tool.says or not result.ok):
        render = import_module("edgevox.intents").render_reply
        written: str | None = render(tool, result.arguments, result, language)
        if written:
            return written
    return words_of(value) or sentence("done", language)


def words_of(value: Any) -> str:
    """The words in a value; none where it holds something else than one text or number."""
    if not isinstance(value, Value):
        return ""
    held = getattr(value, "value", None)
    return str(held).strip() if isinstance(held, str | int) and not isinstance(held, bool) else ""
