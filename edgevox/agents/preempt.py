"""Makes sure that a stop in the middle of a run is on the bus, once.

Whoever stops publishes `safety_preempt` (an application does, with its report). A run that was stopped by an event
alone has nobody to do so; then the run itself does.
"""

import threading

from edgevox.core.cancel import CancelReason
from edgevox.core.events import SAFETY_PREEMPT
from edgevox.core.session import AgentContext

WAIT_S = 0.1
"""How long a stopped run waits for the one who stopped it to say so, seconds."""


class PreemptNews:
    """Watches the bus of one run.

    Args:
        ctx: of the run.
    """

    def __init__(self, ctx: AgentContext) -> None:
        self._ctx = ctx
        self._told = threading.Event()
        self._forget = ctx.bus.subscribe(SAFETY_PREEMPT, lambda _: self._told.set())

    def settle(self, agent_name: str) -> None:
        """End the watch; publish the stop if the run was stopped and nobody has said so."""
        if self._ctx.scope.reason == CancelReason.STOP and not self._told.wait(WAIT_S):
            self._ctx.emit(SAFETY_PREEMPT, agent_name, str(CancelReason.STOP))
        self._forget()
