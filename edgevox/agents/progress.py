"""How far a run has come: filled in while it goes on, so that a run that is cut off still knows what it did."""

from collections.abc import Callable
from dataclasses import dataclass, field

from edgevox.agents.handoff import Handoff
from edgevox.core.listeners import told
from edgevox.core.tools import ToolCallResult


@dataclass(slots=True, kw_only=True)
class Progress:
    """What one run has said and done so far."""

    said: list[str] = field(default_factory=list[str])
    """Pieces of the reply, as they were handed out."""
    tool_calls: list[ToolCallResult] = field(default_factory=list[ToolCallResult])
    model_calls: int = 0
    error: str | None = None
    preempted: bool = False
    """Whether the agent that took the turn was stopped or interrupted."""
    wish: Handoff | None = None
    """That another agent answers."""
    handed_off_to: str | None = None
    """The agent that answers in this one's place."""
    on_tool_call: Callable[[ToolCallResult], object] | None = None
    """Told each result as it comes."""
    _new_part: bool = False

    @property
    def reply(self) -> str:
        """The words so far."""
        return "".join(self.said).strip()

    def say(self, piece: str) -> str:
        """Note a piece of the reply and return it as it is to be handed out.

        Words before and after a tool call are two parts: a space keeps their sentences apart.
        """
        if self._new_part and self.said and not self.said[-1].endswith((" ", "\n")):
            piece = f" {piece.lstrip()}"
        self._new_part = False
        self.said.append(piece)
        return piece

    def begin_part(self) -> None:
        """Note that what is said next does not continue what was said before."""
        self._new_part = True

    def note(self, result: ToolCallResult) -> None:
        """Note the result of a tool call."""
        self.tool_calls.append(result)
        self.begin_part()
        self.tell(result)

    def tell(self, result: ToolCallResult) -> None:
        """Tell who wants to know; their fault is not the turn's."""
        if self.on_tool_call is not None:
            told(self.on_tool_call, result)
