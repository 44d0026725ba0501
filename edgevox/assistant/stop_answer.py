"""What is said after a stop: that everything stands still, or that it is not known to.

A robot with mass needs a moment to come to rest. The words wait for it; the stop, which is over by then, did not.
"""

import threading
from collections.abc import Callable

from edgevox.assistant.news import Publish
from edgevox.assistant.words import words
from edgevox.core.clock import SYSTEM_CLOCK
from edgevox.safety import StopReport

ECHO_S = 2.0
"""A stop this soon after another is its echo: it stops again and is not answered again, seconds."""
REST_S = 0.5
"""How long something may take to come to rest before the halt counts as not confirmed, seconds."""
LOOK_S = 0.01


class StopAnswer:
    """Answers stops.

    Args:
        is_moving: whether anything moves.
        say: speaks.
        publish: to the bus.
        language: of the words.
    """

    def __init__(
        self,
        is_moving: Callable[[], bool],
        say: Callable[[str], object],
        publish: Publish,
        language: Callable[[], str],
    ) -> None:
        self._is_moving = is_moving
        self._say = say
        self._publish = publish
        self._language = language
        self._last = float("-inf")

    def give(self, report: StopReport) -> None:
        """Answer a stop; one whose halt is not known yet is answered when it is, without anybody waiting."""
        now, before = SYSTEM_CLOCK.monotonic(), self._last
        self._last = now
        aloud = now - before > ECHO_S
        if report.confirmed:
            self._tell("stopped", aloud=aloud)
            return
        threading.Thread(target=self._when_known, args=(aloud,), name="halt-watch", daemon=True).start()

    def _when_known(self, aloud: bool) -> None:
        until, rest = SYSTEM_CLOCK.monotonic() + REST_S, threading.Event()
        while self._is_moving():
            if SYSTEM_CLOCK.monotonic() >= until:
                self._publish("degraded", words("not_confirmed", self._language()))
                self._tell("not_confirmed", aloud=aloud)
                return
            rest.wait(LOOK_S)
        self._tell("stopped", aloud=aloud)

    def _tell(self, key: str, *, aloud: bool) -> None:
        if aloud:
            self._say(words(key, self._language()))
