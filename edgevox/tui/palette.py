"""The palette knows every command of the table."""

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from edgevox.assistant.commands import COMMANDS, Command

if TYPE_CHECKING:
    from edgevox.tui.app import EdgeVoxApp


class CommandProvider(Provider):
    """Finds commands by name and by what they do; one that needs a word is put into the input line."""

    async def discover(self) -> Hits:
        """Offer everything before anything is typed."""
        for command in COMMANDS.values():
            yield DiscoveryHit(_label(command), partial(self._choose, command), help=command.help)

    async def search(self, query: str) -> Hits:
        """Offer what resembles the query."""
        matcher = self.matcher(query)
        for command in COMMANDS.values():
            text = f"{_label(command)}  {command.help}"
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), partial(self._choose, command), help=command.help)

    def _choose(self, command: Command) -> None:
        app = cast("EdgeVoxApp", self.app)
        if command.argument:
            app.begin_line(f"/{command.name} ")
        else:
            app.enter(f"/{command.name}")


def _label(command: Command) -> str:
    """How the palette calls a command; without brackets, which the palette would read as markup."""
    return f"/{command.name} …" if command.argument else f"/{command.name}"
