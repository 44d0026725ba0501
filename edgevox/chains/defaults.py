"""A default tool as a root: it is given what came before it, and what it returns begins a chain."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.scheduler import Runner
from edgevox.core.messages import Origin
from edgevox.tools import Tool


@dataclass(frozen=True, slots=True)
class DefaultRoot:
    """Runs one default tool.

    Args:
        tool: the tool.
        runner: carries it out.
    """

    tool: Tool
    runner: Runner

    def turn(self, last: Outcome) -> Generator[str, None, Sequence[Outcome]]:
        """Run the tool on the last value (`scheduler.Root.turn`)."""
        yield from ()
        source = last.tool.name if last.tool is not None else ""
        return [self.runner.run(Step(tool=self.tool, value=last.value, origin=Origin.DEFAULT, source=source))]
