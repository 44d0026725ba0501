"""The model of several agents that follow one of them: whoever that one is answered by now answers the others too."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from edgevox.agents.default_model import default_model
from edgevox.context.visible import held_by
from edgevox.core.ports import ChatModel


class ModelSlot:
    """A `ChatEndpoint` that stands for the model of one agent.

    Args:
        given: who answers until the agent is bound to somebody else; `None` is the process's default model.
    """

    def __init__(self, given: ChatModel | None = None) -> None:
        self._given = given
        self._leader: Any = None

    def follow(self, agent: Any) -> None:
        """Answer with whatever model an agent has (`agent.llm`) from now on."""
        self._leader = agent

    @property
    def chosen(self) -> ChatModel:
        """Who answers now.

        Raises:
            EdgeVoxError: nobody was given, and there is no model on this machine.
        """
        llm = getattr(self._leader, "llm", None)
        if llm is None or llm is self:
            return self._given if self._given is not None else default_model()
        return llm if isinstance(llm, ChatModel) else llm()

    @property
    def model_name(self) -> str:
        """What the model is called."""
        chosen: Any = self.chosen
        return str(getattr(chosen, "model_name", None) or getattr(chosen, "name", "") or type(chosen).__name__)

    @property
    def api_name(self) -> str:
        """Which provider it is."""
        return str(getattr(self.chosen, "api_name", "local"))

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit; `None` when nobody knows."""
        return held_by(self.chosen)

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stop_event: threading.Event | None = None,
        stream: bool = False,
        **options: Any,
    ) -> Any:
        """Have it answer (see `ChatModel.complete`)."""
        return self.chosen.complete(
            messages, tools=tools, tool_choice=tool_choice, stop_event=stop_event, stream=stream, **options
        )
