"""Work for the main thread: who may pump, what comes back, and that a stop ends every wait."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

import pytest

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled
from edgevox.core.mainthread import MainThreadScheduler


@pytest.fixture
def scheduler() -> Iterator[MainThreadScheduler]:
    made = MainThreadScheduler()
    yield made
    made.close()


def elsewhere(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def pump_until(scheduler: MainThreadScheduler, true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        scheduler.pump(0.05)


def test_work_runs_on_the_main_thread_and_its_result_comes_back(scheduler: MainThreadScheduler) -> None:
    got: list[object] = []
    thread = elsewhere(lambda: got.append(scheduler.call(threading.current_thread)))
    pump_until(scheduler, lambda: bool(got))
    thread.join()
    assert got == [threading.main_thread()]


def test_on_the_main_thread_a_call_runs_at_once(scheduler: MainThreadScheduler) -> None:
    assert scheduler.call(lambda: 7) == 7


def test_work_runs_in_the_order_it_was_submitted(scheduler: MainThreadScheduler) -> None:
    ran: list[int] = []
    for number in range(5):
        scheduler.submit(lambda number=number: ran.append(number))
    assert scheduler.pump() == 5
    assert ran == [0, 1, 2, 3, 4]
    assert scheduler.pump() == 0


def test_an_error_is_the_submitters_and_does_not_stop_the_rest(scheduler: MainThreadScheduler) -> None:
    bad = scheduler.submit(lambda: 1 / 0)
    good = scheduler.submit(lambda: "fine")
    scheduler.pump()
    assert good.result() == "fine"
    with pytest.raises(ZeroDivisionError):
        bad.result()


def test_an_interrupt_of_the_person_reaches_who_pumps(scheduler: MainThreadScheduler) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    scheduler.submit(interrupted)
    with pytest.raises(KeyboardInterrupt):
        scheduler.pump()


def test_only_the_main_thread_pumps(scheduler: MainThreadScheduler) -> None:
    refused: list[BaseException] = []

    def pump() -> None:
        try:
            scheduler.pump()
        except RuntimeError as error:
            refused.append(error)

    elsewhere(pump).join()
    assert len(refused) == 1


def test_what_work_submits_waits_for_the_next_pump(scheduler: MainThreadScheduler) -> None:
    def again() -> None:
        scheduler.submit(again)

    again()
    assert scheduler.pump() == 1
    assert scheduler.pump() == 1


def test_a_pump_waits_for_the_first_but_not_longer_than_it_was_told(scheduler: MainThreadScheduler) -> None:
    began = time.monotonic()
    assert scheduler.pump(0.05) == 0
    assert time.monotonic() - began >= 0.04
    thread = elsewhere(lambda: scheduler.submit(lambda: None))
    assert scheduler.pump(10.0) == 1
    thread.join()


def test_a_stop_ends_a_waiting_pump_at_once(scheduler: MainThreadScheduler) -> None:
    scope = CancelScope()
    threading.Timer(0.05, scope.cancel).start()
    began = time.monotonic()
    assert scheduler.pump(30.0, scope=scope) == 0
    assert time.monotonic() - began < 10


def test_nothing_runs_after_the_end_of_the_scope_and_nothing_is_lost(scheduler: MainThreadScheduler) -> None:
    scope = CancelScope()
    scheduler.submit(scope.cancel)
    later = scheduler.submit(lambda: "later")
    assert scheduler.pump(scope=scope) == 1
    assert not later.done()
    scheduler.pump()
    assert later.result() == "later"


def test_work_of_a_turn_that_is_over_is_not_run(scheduler: MainThreadScheduler) -> None:
    scope = CancelScope()
    ran: list[int] = []
    future = scheduler.submit(lambda: ran.append(1), scope=scope)
    scope.cancel()
    assert scheduler.pump() == 0
    assert future.cancelled()
    assert ran == []


def test_a_stop_ends_the_wait_for_a_result(scheduler: MainThreadScheduler) -> None:
    scope = CancelScope()
    ended: list[BaseException] = []

    def waiting() -> None:
        try:
            scheduler.call(lambda: None, scope=scope)
        except Cancelled as cancelled:
            ended.append(cancelled)

    thread = elsewhere(waiting)
    scope.cancel()
    thread.join(10)
    assert len(ended) == 1


def test_it_runs_until_the_scope_ends(scheduler: MainThreadScheduler) -> None:
    scope = CancelScope()
    ran: list[int] = []
    thread = elsewhere(lambda: (scheduler.call(lambda: ran.append(1)), scope.cancel()))
    scheduler.run(scope)
    thread.join()
    assert ran == [1]


def test_of_several_pictures_that_wait_only_one_is_drawn(scheduler: MainThreadScheduler) -> None:
    drawn: list[int] = []
    assert scheduler.submit_latest("window", lambda: drawn.append(1))
    assert not scheduler.submit_latest("window", lambda: drawn.append(2))
    assert scheduler.submit_latest("other", lambda: drawn.append(3))
    scheduler.pump()
    assert drawn == [1, 3]
    assert scheduler.submit_latest("window", lambda: drawn.append(4))


def test_closing_cancels_what_waits_and_takes_no_more(scheduler: MainThreadScheduler) -> None:
    waiting = scheduler.submit(lambda: None)
    scheduler.close()
    scheduler.close()
    with pytest.raises(CancelledError):
        waiting.result(0)
    with pytest.raises(RuntimeError, match="closed"):
        scheduler.submit(lambda: None)
    assert not scheduler.submit_latest("window", lambda: None)
    assert scheduler.pump(30.0) == 0


def test_closing_ends_the_wait_of_a_caller(scheduler: MainThreadScheduler) -> None:
    ended: list[BaseException] = []
    waits = threading.Event()

    def waiting() -> None:
        try:
            waits.set()
            scheduler.call(lambda: None)
        except RuntimeError as error:
            ended.append(error)

    thread = elsewhere(waiting)
    waits.wait(10)
    scheduler.close()
    thread.join(10)
    assert len(ended) == 1
