"""The top line: who answers, what it is doing, and which engines it uses."""

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from edgevox.assistant.display import meter, state_of


class StatusLine(Widget):
    """State as glyph and word, sound level, models. What does not fit is left out from the right, whole."""

    state: reactive[str] = reactive("idle")
    level: reactive[float] = reactive(0.0)
    """Between 0 and 1."""
    agent: reactive[str] = reactive("")
    engines: reactive[tuple[str, ...]] = reactive(())
    """Language model, recogniser, voice; only those there are."""
    warning: reactive[str] = reactive("")
    """A word for what does not work; empty when everything does."""

    def render(self) -> Content:
        """Draw the line for the width there is."""
        width = self.size.width
        state = state_of(self.state)
        middle = f"{state.glyph} {state.word}"
        if self.state in ("listening", "hearing"):
            middle += f" {meter(self.level)}"
        left = f"edgevox · {self.agent}" if width >= 60 else self.agent
        room = width - cell_len(middle) - 4
        left = _cut(left, min(room, max(8, width // 3)))
        right = self._right(width - cell_len(left) - cell_len(middle) - 6)
        right = f"  {right}" if right else ""
        gap = " " * max(1, width - cell_len(left) - cell_len(middle) - cell_len(right) - 2)
        return Content.assemble(f" {left}", gap, (middle, f"bold ${_colour(self.state)}"), (right, "dim"))

    def _right(self, room: int) -> str:
        parts = [*([f"▲ {self.warning}"] if self.warning else []), *self.engines]
        while parts and cell_len(" ─ ".join(parts)) > room:
            parts.pop()
        return " ─ ".join(parts)


def _cut(text: str, room: int) -> str:
    return text if cell_len(text) <= room else text[: max(0, room - 1)] + "…"


def _colour(state: str) -> str:
    loud = {"stopped": "error", "degraded": "warning", "muted": "warning", "asking": "warning"}
    return loud.get(state, "success" if state in ("listening", "hearing") else "accent")
