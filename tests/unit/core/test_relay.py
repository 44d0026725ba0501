"""Reading what blocks, without being held by it."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from edgevox.core.relay import relayed


def test_pieces_come_in_order_and_the_end_is_told() -> None:
    def read(put: Callable[[int], None]) -> None:
        for number in range(100):
            put(number)

    ends: list[bool] = []

    def followed() -> Iterator[int]:
        ends.append((yield from relayed(read, over=lambda: False, name="reader")))

    assert list(followed()) == list(range(100))
    assert ends == [True]


def test_a_reader_that_hangs_holds_nobody() -> None:
    release, over = threading.Event(), threading.Event()

    def read(put: Callable[[str], None]) -> None:
        put("one")
        release.wait(10)

    stream = relayed(read, over=over.is_set, name="reader")
    assert next(stream) == "one"
    threading.Timer(0.05, over.set).start()
    began = time.monotonic()
    with pytest.raises(StopIteration) as ended:
        next(stream)
    assert time.monotonic() - began < 0.5
    assert ended.value.value is False
    release.set()


@pytest.mark.parametrize("fault", [ValueError("broken"), SystemExit(3)])
def test_what_the_reader_raises_is_raised_where_it_is_read(fault: BaseException) -> None:
    def read(put: Callable[[str], None]) -> None:
        put("one")
        raise fault

    stream = relayed(read, over=lambda: False, name="reader")
    assert next(stream) == "one"
    with pytest.raises(type(fault)):
        next(stream)
