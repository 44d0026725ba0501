"""The bottom line: how long the last turn took, and the keys. The keys come from the table of commands."""

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from edgevox.assistant.commands import COMMANDS, key_label

SHOWN = {"stop": "STOP", "quit": "quit", "help": "help", "mute": "mute"}
"""Commands whose keys are shown, the most needed first, and the word beside each."""


class Foot(Widget):
    """Times at the left, keys at the right; the keys that do not fit are left out, the stop key last of all."""

    times: reactive[str] = reactive("")

    def render(self) -> Content:
        """Draw the line for the width there is."""
        width = self.size.width - 2
        keys = [(key_label(COMMANDS[name].key), word) for name, word in SHOWN.items()]
        keys[2:2] = [("^P", "palette"), ("F5", "tools")]
        while len(keys) > 1 and _width(keys) > width:
            keys.pop()
        room = width - _width(keys) - 2
        times = self.times if cell_len(self.times) <= room else self.times.partition(" (")[0]
        if cell_len(times) > room:
            times = ""
        gap = " " * max(1, width - cell_len(times) - _width(keys))
        return Content.assemble(" ", (times, "dim"), gap, *_keys(keys))


def _width(keys: list[tuple[str, str]]) -> int:
    return sum(cell_len(key) + cell_len(word) + 1 for key, word in keys) + 2 * (len(keys) - 1)


def _keys(keys: list[tuple[str, str]]) -> list[Content]:
    parts: list[Content] = []
    for index, (key, word) in enumerate(keys):
        parts.append(Content.assemble("  " if index else "", (key, "bold $accent"), f" {word}"))
    return parts
