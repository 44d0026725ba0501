"""Cadence: a look every so often, at once when a conversation ends, and one more before it is over."""

import pytest

from edgevox.agents.memory import Cadence
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled
from edgevox.testing import FakeClock


def test_it_waits_two_minutes_while_somebody_talks() -> None:
    clock, waited = FakeClock(), list[float]()

    def pause(_: CancelScope, seconds: float) -> None:
        waited.append(seconds)
        clock.advance(seconds)

    assert Cadence(lambda: True, clock=clock, pause=pause).goes_on(CancelScope())
    assert sum(waited) == 120
    assert set(waited) == {1.0}


def test_the_end_of_a_conversation_ends_the_wait() -> None:
    clock, active = FakeClock(), [True]

    def pause(_: CancelScope, seconds: float) -> None:
        clock.advance(seconds)
        if clock.monotonic() >= 1005:
            active[0] = False

    assert Cadence(lambda: active[0], clock=clock, pause=pause).goes_on(CancelScope())
    assert clock.monotonic() == 1005


def test_it_is_over_after_two_looks_in_a_row_without_a_conversation() -> None:
    clock, active = FakeClock(), [False]

    def pause(_: CancelScope, seconds: float) -> None:
        clock.advance(seconds)

    cadence = Cadence(lambda: active[0], clock=clock, pause=pause)
    assert cadence.goes_on(CancelScope())
    active[0] = True
    assert cadence.goes_on(CancelScope())
    active[0] = False
    assert cadence.goes_on(CancelScope())
    assert not cadence.goes_on(CancelScope())


def test_a_stop_ends_the_wait() -> None:
    scope = CancelScope()
    with pytest.raises(Cancelled):
        Cadence(lambda: True, pause=lambda scope, _: scope.cancel()).goes_on(scope)
    with pytest.raises(Cancelled):
        Cadence(lambda: False).goes_on(scope)
