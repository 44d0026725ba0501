"""Sums up the conversation of an assistant while nobody waits for it.

After a turn it looks whether it is time; if so, a thread waits until the assistant is at rest and asks the model. The
person's next word ends that at once, and what was finished by then stays.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from edgevox.agents.compaction.compactor import Compaction, Compactor, Outcome
from edgevox.agents.compaction.plan import Budget
from edgevox.agents.idle import Idle
from edgevox.agents.summaries import window_of
from edgevox.context.visible import RESERVE, counter
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import FAULTS
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.ports import ChatModel
from edgevox.core.session import Session

log = logging.getLogger(__name__)

WAIT_S = 600.0
"""Seconds that a thread waits for the assistant to come to rest; after the next turn there is another."""


class BetweenTurns:
    """Looks after one assistant's conversation.

    Args:
        session: the conversation.
        model: returns who answers now, or `None`.
        agent: returns the agent that answers now; its tools take room too.
        idle: knows when the assistant is at rest.
        on_end: told what each look came to.
    """

    def __init__(
        self,
        session: Session,
        model: Callable[[], ChatModel | None],
        agent: Callable[[], Any],
        idle: Idle,
        on_end: Callable[[Compaction], object] = lambda _: None,
    ) -> None:
        self._session = session
        self._model = model
        self._agent = agent
        self._idle = idle
        self._on_end = on_end
        self._working = threading.Lock()
        self._life = CancelScope()

    def listen(self, bus: EventBus) -> Callable[[], None]:
        """Look after every turn that a bus tells of. Returns a function that ends it."""
        leave = bus.subscribe("text_end", self._turn_ended)

        def end() -> None:
            leave()
            self._life.cancel()

        return end

    def look(self) -> bool:
        """Begin to sum up if it is time and nobody does so already; returns whether a thread was started."""
        if len(self._session.messages) < 4 or not self._working.acquire(blocking=False):
            return False
        threading.Thread(target=self._work, name="compact", daemon=True).start()
        return True

    def _turn_ended(self, _: AgentEvent) -> None:
        self.look()

    def _work(self) -> None:
        try:
            scope = self._idle.wait(self._life, WAIT_S)
            if scope is not None:
                try:
                    self._on_end(self._sum_up(scope))
                finally:
                    self._idle.give_back(scope)
        except FAULTS:  # other people's model; the conversation goes on as it is
            log.warning("the conversation could not be summed up", exc_info=True)
        finally:
            self._working.release()

    def _sum_up(self, scope: CancelScope) -> Compaction:
        model = self._model()
        if model is None:
            return Compaction(outcome=Outcome.OK, used=0.0)
        compactor = Compactor(model, _budget(model, self._agent()))
        done = compactor.compact(self._session.messages, scope, apply=lambda made: self._idle.change(scope, made))
        level = logging.INFO if done.outcome is not Outcome.OK else logging.DEBUG
        log.log(level, "conversation: %s, %d messages summed up, %.0f %% used", done.outcome, done.summed_up,
                done.used * 100)  # fmt: skip
        return done


def _budget(model: ChatModel, agent: Any) -> Budget:
    """The room that the agent's own words, its tools and the answer leave to the conversation."""
    window, count = window_of(model), counter(model)
    registry = getattr(agent, "tools", None)
    schemas = getattr(registry, "openai_schemas", None)
    system = getattr(agent, "system", None)
    fixed = count(str(schemas())) if callable(schemas) else 0
    fixed += count(str(system() if callable(system) else getattr(agent, "instructions", "")))
    fixed += count(str(getattr(agent, "initial_messages", None) or ""))
    return Budget(window=window, reserved=min(fixed, window // 2) + min(RESERVE, window // 4))
