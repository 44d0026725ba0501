"""The board: typed values, watchers, requests that are claimed once."""

import threading
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from edgevox.agents import Blackboard
from edgevox.agents.blackboard import BoardError, Note
from edgevox.agents.requests import BoardRequest, RequestStatus
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import AgentError
from edgevox.testing import FakeClock


class Pose(BaseModel):
    x: float
    y: float


def board(**more: Any) -> Blackboard:
    types: dict[str, Any] = {"battery": int, "pose": Pose, "rooms": list[str], "mode": Literal["eco", "fast"]}
    return Blackboard(types, **more)


def test_a_value_is_checked_and_made_what_its_key_was_declared_as() -> None:
    one = board()
    one.set("battery", "80", by="base")
    one.set("pose", {"x": 1, "y": 2})
    assert one.get("battery") == 80
    assert one.get("pose") == Pose(x=1.0, y=2.0)
    assert one.snapshot() == {"battery": 80, "pose": Pose(x=1.0, y=2.0)}
    assert one.keys() == ["battery", "pose", "rooms", "mode"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("battery", "full", "'battery' must be int"),
        ("mode", "slow", "'mode' must be"),
        ("pose", {"x": 1}, r"'pose.y' must be Pose: Field required"),
        ("batery", 1, "no key 'batery'; did you mean 'battery'"),
    ],
)
def test_what_does_not_fit_is_one_sentence_and_changes_nothing(key: str, value: Any, words: str) -> None:
    one = board()
    with pytest.raises(BoardError, match=words):
        one.set(key, value)
    assert one.snapshot() == {}


def test_a_key_keeps_its_type() -> None:
    one = Blackboard()
    one.declare("cups", int)
    one.declare("cups", int)
    with pytest.raises(BoardError, match="'cups' holds int on this board"):
        one.declare("cups", str)
    with pytest.raises(BoardError, match="give a type"):
        one.declare("odd", threading.Lock())
    with pytest.raises(BoardError, match="at least 1"):
        Blackboard(history=0)


def test_nobody_changes_a_value_under_somebody_elses_hands() -> None:
    one, rooms = board(), ["kitchen"]
    one.set("rooms", rooms)
    rooms.append("office")
    one.get("rooms").append("bedroom")
    one.snapshot()["rooms"].append("hall")
    one.history("rooms")[0].value.append("cellar")
    assert one.get("rooms") == ["kitchen"]


def test_what_cannot_be_copied_cannot_be_shared() -> None:
    one = Blackboard({"anything": Any})
    with pytest.raises(BoardError, match="cannot be shared as 'anything'"):
        one.set("anything", threading.Lock())


def test_a_key_that_nobody_has_written_has_the_readers_default() -> None:
    assert board().get("battery", 100) == 100
    with pytest.raises(BoardError, match="no key"):
        board().get("colour")


def test_watchers_see_their_key_in_order_until_they_leave() -> None:
    one, seen, every = board(), list[Note](), list[str]()
    leave = one.watch("battery", seen.append)
    one.watch(None, lambda note: every.append(note.key))
    one.set("battery", 80, by="base")
    one.set("mode", "eco")
    one.set("battery", 79)
    leave()
    leave()
    one.set("battery", 78)
    assert [(note.value, note.by, note.seq) for note in seen] == [(80, "base", 1), (79, "", 3)]
    assert every == ["battery", "mode", "battery", "battery"]
    with pytest.raises(BoardError):
        one.watch("colour", seen.append)


def test_a_watcher_that_raises_is_alone_with_it_and_one_may_write_itself() -> None:
    one, seen = board(), list[Any]()

    def fails(note: Note) -> None:
        raise RuntimeError("watcher")

    def reacts(note: Note) -> None:
        if note.value < 20:
            one.set("mode", "eco", by="watcher")

    one.watch("battery", fails)
    one.watch("battery", reacts)
    one.watch("mode", lambda note: seen.append(note.value))
    one.set("battery", 10)
    assert seen == ["eco"]


def test_the_history_is_bounded() -> None:
    one = board(history=3)
    for value in range(10):
        one.set("battery", value)
    assert [note.value for note in one.history()] == [7, 8, 9]
    assert one.history("mode") == []


def test_many_threads_write_and_every_note_has_a_place_of_its_own() -> None:
    one = board(history=1000)

    def write() -> None:
        for value in range(50):
            one.set("battery", value)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [note.seq for note in one.history()] == list(range(1, 201))


def test_of_all_who_try_one_gets_the_request() -> None:
    requests = board().requests
    request = requests.post("fetch a cup", "person")
    winners, ready = list[str](), threading.Barrier(8)

    def volunteer(name: str) -> None:
        ready.wait(5)
        if requests.claim(request.request_id, name):
            winners.append(name)

    threads = [threading.Thread(target=volunteer, args=(f"agent {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(winners) == 1
    assert requests.get(request.request_id) == requests.all()[0]
    assert requests.all()[0].claimed_by == winners[0]


def test_only_who_has_claimed_it_answers_and_only_once() -> None:
    requests, seen = board().requests, list[tuple[str, str | None]]()
    leave = requests.listen(lambda request: seen.append((request.status, request.claimed_by)))
    name = requests.post("weather?", topics=["Weather"]).request_id
    assert requests.claim(name, "skye")
    assert not requests.answer(name, "sparky", "lights are on")
    assert requests.answer(name, "skye", "sunny")
    assert not requests.answer(name, "skye", "rainy")
    assert not requests.claim(name, "sparky")
    leave()
    leave()
    requests.post("more")
    assert seen == [("open", None), ("claimed", "skye"), ("answered", "skye")]
    answered = requests.get(name)
    assert answered is not None
    assert (answered.result, answered.topics) == ("sunny", frozenset({"weather"}))


def test_a_released_request_and_one_whose_claim_ran_out_are_open_again() -> None:
    clock = FakeClock()
    requests = Blackboard(clock=clock).requests
    name = requests.post("fetch a cup").request_id
    assert requests.claim(name, "one", seconds=10)
    assert requests.release(name, "one")
    assert not requests.release(name, "one")
    assert requests.claim(name, "two", seconds=10)
    clock.advance(10.5)
    assert not requests.answer(name, "two", "too late")
    assert [request.tried for request in requests.open()] == [("one", "two")]
    assert requests.claim(name, "three")
    with pytest.raises(AgentError, match="more than 0 seconds"):
        requests.claim(name, "four", seconds=0)


def test_waiting_ends_with_the_answer_the_scope_or_the_time() -> None:
    requests = board().requests
    name = requests.post("weather?").request_id
    assert requests.claim(name, "skye")
    threading.Timer(0.05, lambda: requests.answer(name, "skye", "sunny")).start()
    done = requests.wait(name, seconds=5)
    assert done is not None
    assert done.result == "sunny"
    other = requests.post("light?").request_id
    assert requests.claim(other, "sparky")
    scope = CancelScope()
    threading.Timer(0.05, scope.cancel).start()
    left = requests.wait(other, scope, seconds=5)
    assert left is not None
    assert left.status is RequestStatus.CLAIMED
    assert requests.wait("r99", seconds=1) is None
    brief = requests.wait(other, seconds=0.05)
    assert brief == left


def test_a_withdrawn_request_is_over() -> None:
    requests = board().requests
    name = requests.post("never mind").request_id
    assert requests.withdraw(name)
    assert not requests.withdraw(name)
    assert not requests.claim(name, "skye")
    assert requests.open() == []
    assert not requests.claim("r99", "skye")
    assert not requests.withdraw("r99")


def test_finished_requests_are_forgotten_and_open_ones_are_bounded() -> None:
    requests = Blackboard(history=3).requests
    for number in range(10):
        name = requests.post(f"question {number}").request_id
        requests.claim(name, "a")
        requests.answer(name, "a", number)
    assert len(requests.all()) <= 3
    while len(requests.all()) < 6:
        requests.post("still open")
    with pytest.raises(AgentError, match="6 requests are open on the board"):
        requests.post("one more")


def test_a_listener_that_raises_is_alone_with_it() -> None:
    requests, seen = board().requests, list[BoardRequest]()

    def fails(request: BoardRequest) -> None:
        raise RuntimeError("listener")

    requests.listen(fails)
    requests.listen(seen.append)
    requests.post("still heard")
    assert [request.text for request in seen] == ["still heard"]
