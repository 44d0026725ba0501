"""Goes on after a model's answer was broken off or refused: the person is asked, and the answer begins a new cycle."""

from dataclasses import dataclass
from typing import Any

from edgevox.chains.asking_people import NO_REPLY
from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.scheduler import Interrupted, Runner
from edgevox.chains.state import RunState
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message, Origin
from edgevox.tools import Tool

BROKEN_OFF = "The person broke the last answer off."
GO_ON = "You broke in. What should I do instead?"
MEND = "The model did not answer: {error} Mend that and answer, and I will go on."


@dataclass(frozen=True, slots=True)
class Recovery:
    """Asks the person of one run (`scheduler.Recover`).

    Args:
        state: of the run.
        runner: runs the tool that asks.
        tool: asks the person.
        asks: whether it may.
    """

    state: RunState
    runner: Runner
    tool: Tool
    asks: bool

    def __call__(self, trouble: BaseException) -> Outcome:
        """Ask, and return what the next cycle begins with; raises the trouble where nobody answers."""
        if not self.asks:
            raise trouble
        question = MEND.format(error=trouble)
        if isinstance(trouble, Interrupted):
            self.state.keep(Message.text(BROKEN_OFF, kind=MessageKind.INTERRUPTED_GENERATION))
            question = GO_ON
        asked = self.runner.run(Step(tool=self.tool, arguments=self._arguments(question), origin=Origin.DEFAULT))
        if asked.failed or getattr(asked.value, "value", None) == NO_REPLY:
            raise trouble
        return asked

    def _arguments(self, question: str) -> dict[str, Any]:
        """The question, in the field that holds the tool's text."""
        fields = self.tool.input_model.model_fields if self.tool.input_model is not None else {}
        texts = [name for name, field in fields.items() if field.annotation is str]
        return {texts[0]: question} if texts else {}
