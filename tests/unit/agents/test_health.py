"""Dependencies are looked at within their time, never twice at once, and what is shown holds no key."""

import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from edgevox.agents.health import (
    Dependency,
    Executable,
    HealthFailure,
    HealthMonitor,
    HealthState,
    NetworkService,
    dependencies_of,
)
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import EndpointUnavailable
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.redaction import remember_secret


@dataclass
class Thing:
    """A dependency that answers as it is told."""

    id: str = "service:thing"
    kind: str = "network_service"
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    answer: Callable[[], Any] = lambda: None
    looks: int = 0
    most_at_once: int = 0
    _inside: int = 0

    def check(self) -> Any:
        self.looks += 1
        self._inside += 1
        self.most_at_once = max(self.most_at_once, self._inside)
        try:
            return self.answer()
        finally:
            self._inside -= 1


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.005)


def test_everything_is_pending_until_it_is_looked_at() -> None:
    ill = Thing(id="b", answer=lambda: HealthFailure(reason="missing", message="Install b."))
    monitor = HealthMonitor([Thing(id="a"), ill])
    assert [record.state for record in monitor.records()] == [HealthState.PENDING] * 2
    well, gone = monitor.look()
    assert (well.state, well.reason, well.message) == (HealthState.AVAILABLE, "", "")
    assert well.latency_ms is not None
    assert well.checked_at is not None
    assert (gone.state, gone.reason, gone.message) == (HealthState.UNAVAILABLE, "missing", "Install b.")
    assert gone.line.startswith("b: unavailable")


def test_a_look_that_raises_is_a_failure_in_words() -> None:
    def refused() -> None:
        raise EndpointUnavailable("The server is down: try later.")

    def broken() -> None:
        raise KeyError("x")

    first, second = HealthMonitor([Thing(id="a", answer=refused), Thing(id="b", answer=broken)]).look()
    assert (first.reason, first.message) == ("endpoint_unavailable", "The server is down: try later.")
    assert second.reason == "failed"
    assert "KeyError" in second.message


def test_a_look_that_hangs_counts_as_failed_and_is_not_repeated_until_it_ends() -> None:
    gate = threading.Event()
    stuck = Thing(id="stuck", answer=lambda: gate.wait(30) and None)
    monitor = HealthMonitor([stuck, Thing(id="b")], timeout_s=0.1, concurrency=1)
    began = time.monotonic()
    records = monitor.look()
    assert time.monotonic() - began < 5
    assert [record.state for record in records] == [HealthState.UNAVAILABLE, HealthState.AVAILABLE]
    assert records[0].reason == "timeout"
    monitor.look()
    assert stuck.looks == 1
    gate.set()
    until(lambda: monitor.look()[0].state is HealthState.AVAILABLE, "looked again")
    assert stuck.most_at_once == 1


def test_no_more_than_so_many_looks_happen_at_once() -> None:
    inside, most, lock = 0, 0, threading.Lock()

    def count() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.02)
        with lock:
            inside -= 1

    records = HealthMonitor([Thing(id=str(number), answer=count) for number in range(9)], concurrency=3).look()
    assert most <= 3
    assert all(record.state is HealthState.AVAILABLE for record in records)


def test_two_who_look_at_once_share_one_look() -> None:
    gate, entered = threading.Event(), threading.Event()

    def slow() -> None:
        entered.set()
        gate.wait(20)

    thing = Thing(answer=slow)
    monitor = HealthMonitor([thing])
    states: list[HealthState] = []
    threads = [threading.Thread(target=lambda: states.append(monitor.look()[0].state)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert entered.wait(20)
    gate.set()
    for thread in threads:
        thread.join(20)
    assert states == [HealthState.AVAILABLE] * 3
    assert thing.most_at_once == 1


def test_a_stop_ends_the_wait_at_once() -> None:
    gate, scope, entered = threading.Event(), CancelScope(), threading.Event()

    def slow() -> None:
        entered.set()
        gate.wait(30)

    monitor = HealthMonitor([Thing(answer=slow)])
    threading.Thread(target=lambda: entered.wait(20) and scope.cancel(), daemon=True).start()
    began = time.monotonic()
    assert monitor.look(scope)[0].state is HealthState.PENDING
    assert time.monotonic() - began < 5
    gate.set()


def test_changes_are_told_once_and_a_good_beginning_is_no_news() -> None:
    bus, told = EventBus(), list[str]()
    bus.subscribe("health_changed", lambda event: told.append(_told(event)))
    state: list[HealthFailure | None] = [None, HealthFailure(reason="gone", message="It is gone."), None]
    thing = Thing(answer=lambda: state[0])
    with HealthMonitor([thing, Thing(id="fine")], interval_s=0.01, bus=bus):
        until(lambda: thing.looks > 2, "several looks")
        state.pop(0)
        until(lambda: told, "told")
        state.pop(0)
        until(lambda: len(told) > 1, "told that it is back")
    assert told == ["service:thing unavailable", "service:thing available"]
    looks = thing.looks
    time.sleep(0.05)
    assert thing.looks <= looks + 1, "a closed monitor looks no more"


def _told(event: AgentEvent) -> str:
    return f"{event.payload.id} {event.payload.state}"


def test_a_monitor_without_anything_to_look_at_starts_no_thread() -> None:
    before = threading.active_count()
    with HealthMonitor(list):
        assert threading.active_count() == before


def test_only_known_fields_are_shown_and_no_key() -> None:
    remember_secret("HEALTH_CANARY_SECRET", "canary-in-health")
    metadata = {"host": "h?apikey=url-canary", "service": "canary-in-health", "password": "pw-canary", "port": 1}
    thing = Thing(metadata=metadata, answer=lambda: HealthFailure(reason="x", message="bad canary-in-health"))
    record = HealthMonitor([thing]).look()[0]
    assert record.metadata["port"] == "1"
    assert "canary" not in repr(record)
    assert "password" not in record.metadata


def test_programs_and_services_are_looked_at() -> None:
    assert Executable(sys.executable).check() is None
    missing = Executable("no-such-program-here").check()
    assert missing is not None
    assert missing.reason == "missing"
    with socket.create_server(("127.0.0.1", 0)) as server:
        service = NetworkService("127.0.0.1", server.getsockname()[1], "imap")
        assert service.check() is None
    gone = service.check()
    assert gone is not None
    assert gone.reason == "unreachable"
    assert "imap at 127.0.0.1" in gone.message


def test_what_an_agent_needs_is_found_through_its_tools_skills_and_agents() -> None:
    def needing(*things: Dependency) -> Any:
        return SimpleNamespace(external_dependencies=lambda: things)

    one, two, three, four = (Executable(name) for name in ("one", "two", "three", "four"))
    inner = SimpleNamespace(tools=[needing(three, one)], agents=[])
    agent = SimpleNamespace(tools=(needing(one),), skills=[SimpleNamespace(tools=[needing(two)])], agents={"i": inner})
    inner.agents = [agent]
    assert dependencies_of(agent, needing(four), None) == [one, two, three, four]


@pytest.mark.parametrize("wrong", [{"interval_s": 0}, {"timeout_s": -1}, {"concurrency": 0}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        HealthMonitor([], **wrong)
