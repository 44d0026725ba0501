"""`VoiceBot`: a voice loop around a few tools, for programs that have an entry point of their own."""

from collections.abc import Sequence
from typing import Any

from edgevox.assistant.options import Options
from edgevox.examples.agents.framework import AgentApp


class VoiceBot(AgentApp):
    """Talk and listen with one status line.

    Args:
        tools: functions for the agent.
        name: what the agent is called.
        declared: everything else an `AgentApp` takes: `agent`, `deps`, `stop_words`, `greeting`, …
    """

    OPTIONS = Options(simple_ui=True)

    def __init__(self, tools: Sequence[Any] = (), *, name: str = "edgevox", **declared: Any) -> None:
        super().__init__(name, tools=tools, **declared)

    def run(self, argv: Sequence[str] | None = (), *, prog: str | None = None) -> int:
        """Talk until the person leaves; the process's own arguments are left alone.

        Args:
            argv: arguments to read instead of the bot's own choice of front end.
            prog: name of the program in complaints about them.

        Returns:
            The exit code.
        """
        return super().run(argv, prog=prog) if argv else self.run_with(self.OPTIONS)
