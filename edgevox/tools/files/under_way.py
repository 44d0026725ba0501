"""Calls that pass along the links of a chain: a step carries a number, what belongs to it is kept here."""

import itertools
import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from edgevox.core.errors import ToolFailure
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext

_MOST = 64
"""Calls that are kept; those that were cancelled are forgotten when others come."""
T = TypeVar("T")


class UnderWay(Generic[T]):
    """What belongs to the calls under way, by their numbers. Safe from any thread.

    Args:
        first: the tool that begins a call, for the sentence.
    """

    def __init__(self, first: str) -> None:
        self._first = first
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._calls: OrderedDict[int, T] = OrderedDict()

    def add(self, call: T) -> int:
        """Keep a call and return its number."""
        with self._lock:
            number = next(self._numbers)
            self._calls[number] = call
            if len(self._calls) > _MOST:
                self._calls.popitem(last=False)
            return number

    def get(self, number: int) -> T:
        """Return a call.

        Raises:
            ToolFailure: it is over, or was never begun.
        """
        with self._lock:
            if number not in self._calls:
                raise ToolFailure(f"There is no such call under way: begin with {self._first}.", error_code="over")
            return self._calls[number]

    def take(self, number: int) -> T:
        """Return a call and forget it.

        Raises:
            ToolFailure: as `get`.
        """
        call = self.get(number)
        with self._lock:
            self._calls.pop(number, None)
        return call


def context() -> AgentContext:
    """The context of the run that the calling link belongs to; an empty one outside any, with nobody to ask."""
    running = current_run()
    return running.ctx if running is not None else AgentContext()
