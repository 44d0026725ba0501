"""Ways to the person of a run (`core.ports.UserChannel`): a terminal, a program that embeds the agent, nobody.

Knows how a text gets to a person and an answer back. Who may ask, the mode of the agent decides; the assistant brings
a channel of its own that shows, speaks and listens.
"""

from typing import Protocol, TextIO

from edgevox.chains.typed_lines import TypedLines
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import UserInputUnavailable
from edgevox.tools.workers import POOL, Waited

NOBODY_THERE = "This run may not ask a person; decide without one."
"""What is said to whoever asks in a run without a person."""


class CliChannel:
    """Asks in the terminal: the text is printed, the next line that is typed is the answer.

    Args:
        source: where lines come from; standard input when not given.
        output: where texts go; standard output when not given.
    """

    def __init__(self, source: TextIO | None = None, output: TextIO | None = None) -> None:
        self._lines = TypedLines(source)
        self._output = output

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Print the question and read a line; `None` when none came in time or the scope ended.

        Raises:
            UserInputUnavailable: standard input has ended or cannot be read.
        """
        self.notify(message)
        try:
            return self._lines.read(timeout_s, scope)
        except EOFError as error:
            raise UserInputUnavailable("Nobody can answer here: standard input has ended.") from error
        except (OSError, ValueError, AttributeError, UnicodeError) as error:
            raise UserInputUnavailable(f"Nobody can answer here: standard input cannot be read ({error}).") from error

    def notify(self, message: str) -> None:
        """Print a text."""
        print(message, file=self._output, flush=True)


class Host(Protocol):
    """A program that embeds an agent and talks to the person itself."""

    def request_input(self, message: str, timeout: float | None) -> str | None:
        """Put a question and return the person's words; `None` when none came within `timeout` seconds."""
        ...

    def notify(self, message: str) -> object:
        """Show a text."""
        ...


class HostChannel:
    """Asks through the program that embeds the agent. A host that hangs is left behind when the time is over.

    Args:
        host: has `request_input(message, timeout)` and `notify(message)`.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Have the host ask; `None` when no answer came in time or the scope ended.

        Raises:
            Exception: what the host raised.
        """
        job = POOL.submit(lambda: self._host.request_input(message, timeout_s), "asking through the host")
        if job.wait(scope, timeout_s) is not Waited.DONE:
            return None
        if job.error is not None:
            raise job.error
        return None if job.value is None else str(job.value)

    def notify(self, message: str) -> None:
        """Have the host show a text."""
        self._host.notify(message)


class NobodyChannel:
    """Nobody is there: whoever asks or tells learns so at once."""

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:  # noqa: ARG002
        """Refuse. Raises `UserInputUnavailable`."""
        raise UserInputUnavailable(NOBODY_THERE)

    def notify(self, message: str) -> None:  # noqa: ARG002
        """Refuse. Raises `UserInputUnavailable`."""
        raise UserInputUnavailable(NOBODY_THERE)
