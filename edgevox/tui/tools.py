"""What the agent does: a card for every tool call, from its start to its result."""

from collections.abc import Mapping
from typing import Any

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from edgevox.assistant.display import call_text, clean, duration, feedback_text, origin_text, outcome_text
from edgevox.core.messages import ToolUseBlock
from edgevox.core.tools import ToolCallResult

KEPT = 100
"""Cards that are kept."""


class ToolCard(Static):
    """One call: name and arguments, who caused it, how long it took, what came of it."""

    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        super().__init__(classes="card running")
        self._call = call_text(name, arguments)
        self._draw("⟳", "running")

    def progress(self, text: str) -> None:
        """Show how far it is."""
        self._draw("⟳", text)

    def finish(self, result: ToolCallResult) -> None:
        """Show what came of it."""
        self._call = call_text(result.name, result.arguments)
        self.remove_class("running")
        self.add_class("ok" if result.ok else "failed")
        took = duration(result.runtime_ms)
        facts = f"{origin_text(result.origin)} · {took}"
        self._draw("✓" if result.ok else "✗", facts, outcome_text(result, 300))

    def _draw(self, glyph: str, facts: str, outcome: str = "") -> None:
        self.update(
            Content.assemble(
                (f"{glyph} ", "bold"),
                clean(self._call),
                (f"\n  {clean(facts)}", "$foreground-muted"),
                f"\n  {clean(outcome)}" if outcome else "",
            )
        )


class ToolsPane(VerticalScroll):
    """The cards, newest at the bottom."""

    BORDER_TITLE = "Tools"

    def __init__(self) -> None:
        super().__init__(id="tools")
        self._begun: dict[str, ToolCard] = {}

    def on_mount(self) -> None:
        """Keep the newest card in sight."""
        self.anchor()

    @property
    def cards(self) -> list[ToolCard]:
        """What is shown, oldest first."""
        return list(self.query(ToolCard))

    def begin(self, use: ToolUseBlock) -> None:
        """Show a call that has begun."""
        self._begun[use.tool_use_id] = self._add(use.tool_name, use.input)

    def progress(self, news: Any) -> None:
        """Show how far a running action is."""
        card = self._begun.get(getattr(news, "tool_use_id", ""))
        if card is not None:
            card.progress(feedback_text(news))

    def finish(self, result: ToolCallResult) -> None:
        """Show what came of a call, on the card of its beginning if there is one."""
        card = self._begun.pop(result.tool_use_id, None) or self._add(result.name, result.arguments)
        card.finish(result)

    def _add(self, name: str, arguments: Mapping[str, Any]) -> ToolCard:
        card = ToolCard(name, arguments)
        self.mount(card)
        surplus = len(self.children) - KEPT
        if surplus > 0:
            self.remove_children(list(self.children)[:surplus])
        return card
