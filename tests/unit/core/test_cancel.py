import threading
import time

import pytest

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import Cancelled


def test_cancelling_a_parent_reaches_every_child() -> None:
    parent = CancelScope()
    child = parent.child()
    grandchild = child.child()
    parent.cancel(CancelReason.STOP)
    assert child.cancelled
    assert grandchild.cancelled
    assert grandchild.reason == CancelReason.STOP


def test_a_child_never_cancels_its_parent() -> None:
    parent = CancelScope()
    parent.child().cancel()
    assert not parent.cancelled


def test_the_first_reason_stays() -> None:
    scope = CancelScope()
    assert scope.cancel(CancelReason.BARGE_IN)
    assert not scope.cancel(CancelReason.STOP)
    assert scope.reason == CancelReason.BARGE_IN


def test_setting_the_event_cancels_the_scope() -> None:
    scope = CancelScope()
    told: list[str] = []
    scope.on_cancel(told.append)
    scope.event.set()
    assert scope.cancelled
    assert told == [CancelReason.STOP]


def test_an_event_of_the_callers_cancels_the_scope_and_its_children() -> None:
    event = threading.Event()
    scope = CancelScope(event=event)
    child = scope.child()
    assert not child.cancelled
    event.set()
    assert child.cancelled
    assert child.event.is_set()


def test_cancelling_sets_the_callers_event() -> None:
    event = threading.Event()
    CancelScope(event=event).cancel()
    assert event.is_set()


def test_a_callback_added_too_late_is_called_at_once() -> None:
    scope = CancelScope()
    scope.cancel(CancelReason.TIMEOUT)
    told: list[str] = []
    scope.on_cancel(told.append)
    assert told == [CancelReason.TIMEOUT]


def test_a_forgotten_callback_is_not_called() -> None:
    scope = CancelScope()
    told: list[str] = []
    forget = scope.on_cancel(told.append)
    forget()
    forget()
    scope.cancel()
    assert told == []


def test_a_failing_callback_keeps_nobody_from_hearing_of_the_stop() -> None:
    scope = CancelScope()
    told: list[str] = []

    def fails(_: str) -> None:
        raise RuntimeError("broken listener")

    scope.on_cancel(fails)
    scope.on_cancel(told.append)
    scope.cancel()
    assert told == [CancelReason.USER]


def test_a_closed_child_is_not_told_any_more() -> None:
    parent = CancelScope()
    with parent.child() as child:
        pass
    parent.cancel()
    assert not child.cancelled


def test_check_raises_what_no_broad_except_swallows() -> None:
    scope = CancelScope()
    scope.check()
    scope.cancel()
    with pytest.raises(Cancelled):
        scope.check()
    assert not issubclass(Cancelled, Exception)


@pytest.mark.parametrize("foreign", [False, True])
def test_a_wait_ends_with_the_scope(foreign: bool) -> None:
    scope = CancelScope(event=threading.Event() if foreign else None)
    threading.Timer(0.03, scope.cancel).start()
    started = time.monotonic()
    assert scope.wait(5.0)
    assert time.monotonic() - started < 1.0


@pytest.mark.parametrize("foreign", [False, True])
def test_a_wait_ends_with_its_time(foreign: bool) -> None:
    assert not CancelScope(event=threading.Event() if foreign else None).wait(0.01)


def test_a_cancelled_scope_stays_cancelled() -> None:
    scope = CancelScope()
    scope.cancel()
    with pytest.raises(RuntimeError, match="stays cancelled"):
        scope.event.clear()


def test_generations_grow_and_children_share_theirs() -> None:
    first, second = CancelScope(), CancelScope()
    assert second.generation > first.generation
    assert first.child().generation == first.generation


def test_many_threads_cancel_once() -> None:
    scope = CancelScope()
    told: list[str] = []
    scope.on_cancel(told.append)
    wins: list[bool] = []
    threads = [threading.Thread(target=lambda: wins.append(scope.cancel())) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wins.count(True) == 1
    assert told == [CancelReason.USER]
