"""`Compaction`: an agent of chains that sums up its own run before its window is full.

A default tool that looks before every question to the model. Where a person waits for the answer it acts only when the
request would no longer fit: the conversation between turns is summed up while nobody speaks
(`edgevox.agents.compaction.between_turns`).
"""

from typing import ClassVar

from edgevox.agents.capabilities.capability import Bound, Capability, Site, ToolLabel
from edgevox.agents.compaction.compactor import Compactor, Outcome
from edgevox.agents.compaction.plan import Budget
from edgevox.agents.summaries import chosen, window_of
from edgevox.chains.models import AgentMode
from edgevox.chains.models.truncation import NO_MESSAGE
from edgevox.core.cancel import CancelScope
from edgevox.core.messages import Message
from edgevox.core.ports import ChatModel
from edgevox.core.running import current_run
from edgevox.core.values import Empty
from edgevox.tools import Tool, tool

FULL = 0.97
"""Share of the room from which on a request is taken not to fit."""


class Window(Empty):
    """How full the window is. Never shown to the model."""

    outcome: Outcome
    used_percent: int
    summed_up: int = 0
    problem: str | None = None


class Compaction(Capability):
    """Keeps the messages of a run within the window of the agent's model.

    Args:
        threshold: share of the window from which on it sums up; `None` is 0.8 for an agent that nobody waits for, and
            0.97 for one that answers a person.
        reserved: tokens that are kept free for the prompt's fixed part and the answer; `None` is an eighth.
    """

    label = ToolLabel(name="compaction", title="Sum up long runs")
    required_attributes: ClassVar[tuple[str, ...]] = ("endpoint",)

    def __init__(self, threshold: float | None = None, *, reserved: int | None = None) -> None:
        self._threshold = threshold
        self._reserved = reserved

    def bind(self, site: Site) -> Bound:
        """Make the default tool (`Capability.bind`)."""
        mode = AgentMode(site.attributes.get("mode", AgentMode.STEERABLE))
        usual = FULL if mode is AgentMode.STEERABLE else 0.8
        threshold = self._threshold if self._threshold is not None else usual
        return Bound(default_tools=(_look(site.endpoint, threshold, self._reserved),))


class _Desk:
    """Sums up for one agent; begins anew when another model answers."""

    def __init__(self, endpoint: ChatModel, threshold: float, reserved: int | None) -> None:
        self._endpoint, self._threshold, self._reserved = endpoint, threshold, reserved
        self._made: tuple[ChatModel, Compactor] | None = None

    def compactor(self) -> Compactor:
        model = chosen(self._endpoint)
        if self._made is None or self._made[0] is not model:
            window = window_of(model)
            kept_free = self._reserved if self._reserved is not None else window // 8
            budget = Budget(window=window, reserved=kept_free, threshold=self._threshold, max_turns=None)
            self._made = model, Compactor(model, budget)
        return self._made[1]


def _look(endpoint: ChatModel, threshold: float, reserved: int | None) -> Tool:
    desk = _Desk(endpoint, threshold, reserved)

    @tool
    def compact(input: Empty, messages: list[Message]) -> Window:  # noqa: ARG001 - the form of a typed tool
        """Sum up the older part of the run when the window is nearly full."""
        run = current_run()
        scope = run.ctx.scope if run is not None else CancelScope()
        done = desk.compactor().compact(messages, scope)
        scope.check()
        return Window(
            outcome=done.outcome,
            used_percent=round(done.used * 100),
            summed_up=done.summed_up,
            problem=done.problem,
            truncation=NO_MESSAGE,
        )

    return compact
