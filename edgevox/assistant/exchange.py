"""Exchanging the language model while a conversation runs: no turn is lost.

A turn that runs keeps the model that it began with; that one is let go when the turn is over.
"""

import logging
import threading
from typing import Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.ports import ChatModel
from edgevox.pipeline.outcome import TurnHandle

log = logging.getLogger(__name__)

PATIENCE_S = 300.0
"""Longest turn that is waited for, seconds."""


def bound(agent: Any, model: ChatModel | None) -> ChatModel:
    """Have an agent answer with another model from its next turn on, and return the model.

    Args:
        agent: who answers.
        model: what it shall answer with.

    Raises:
        EdgeVoxError: there is none, the agent uses none, or what it needs is missing; nothing was exchanged.
    """
    bind = getattr(agent, "bind_llm", None)
    if model is None or bind is None:
        raise EdgeVoxError(f"{agent.name} does not use a language model, so there is none to switch.")
    materialize = getattr(model, "materialize", None)
    if materialize is not None:
        materialize()
    bind(model)
    return model


def retire(model: Any, turn: TurnHandle | None) -> None:
    """Let a model go once the turn that may still use it is over.

    Args:
        model: what was exchanged; `None` is fine.
        turn: the latest turn; `None` when there has been none.
    """
    if turn is None or turn.done:
        close_quietly(model)
        return

    def later() -> None:
        turn.wait(PATIENCE_S)
        close_quietly(model)

    threading.Thread(target=later, name="retire-model", daemon=True).start()


def close_quietly(part: Any) -> None:
    """Close what can be closed; a fault there is noted and keeps nobody from going on."""
    close = getattr(part, "close", None)
    if close is None:
        return
    try:
        close()
    except Exception:  # closing must go on with the next part
        log.exception("closing %s failed", type(part).__name__)
