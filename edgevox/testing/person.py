"""A person behind a channel (`core.ports.UserChannel`): answers from a list and remembers what was said."""

from edgevox.core.cancel import CancelScope


class ScriptedPerson:
    """Answers questions in order, and none when the list is over.

    Args:
        answers: the words; `None` is no answer in time.
    """

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        """What is still to be answered."""
        self.heard: list[str] = []
        """Every question and every word that was told, in order."""
        self.limits: list[float | None] = []
        """How many seconds each question gave."""

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        """Hear a question and answer it; a run that has ended gets no answer."""
        self.heard.append(message)
        self.limits.append(timeout_s)
        if scope.cancelled or not self.answers:
            return None
        return self.answers.pop(0)

    def notify(self, message: str) -> None:
        """Hear something."""
        self.heard.append(message)
