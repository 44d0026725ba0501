import threading

from edgevox.core.events import SAFETY_PREEMPT, AgentEvent, EventBus


class MemoryJournal:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def append(self, event: AgentEvent) -> int:
        self.log.append(f"commit {event.kind}")
        return len(self.log)


def test_subscribers_get_their_kind_and_all_get_everything() -> None:
    bus = EventBus()
    calls: list[str] = []
    everything: list[str] = []
    bus.subscribe("tool_call", lambda event: calls.append(event.kind))
    bus.subscribe_all(lambda event: everything.append(event.kind))
    bus.publish(AgentEvent("tool_call", "casa"))
    bus.publish(AgentEvent("handoff", "casa"))
    assert calls == ["tool_call"]
    assert everything == ["tool_call", "handoff"]


def test_bus_raising_subscriber_isolated() -> None:
    bus = EventBus()
    seen: list[str] = []

    def fails(_: AgentEvent) -> None:
        raise RuntimeError("broken sink")

    bus.subscribe_all(fails)
    bus.subscribe_all(lambda event: seen.append(event.kind))
    bus.publish(AgentEvent("heard"))
    assert seen == ["heard"]


def test_unsubscribing_works_by_function_and_by_the_returned_call() -> None:
    bus = EventBus()
    seen: list[str] = []

    def sink(event: AgentEvent) -> None:
        seen.append(event.kind)

    leave = bus.subscribe("heard", sink)
    leave()
    bus.subscribe_all(sink)
    bus.unsubscribe(sink)
    bus.publish(AgentEvent("heard"))
    assert seen == []


def test_a_durable_event_is_committed_before_it_is_published() -> None:
    log: list[str] = []
    bus = EventBus(MemoryJournal(log))
    bus.subscribe_all(lambda event: log.append(f"see {event.kind} {event.rev}"))
    bus.publish(AgentEvent("heard"))
    assert log == ["commit heard", "see heard 1"]


def test_a_transient_event_never_touches_the_journal() -> None:
    log: list[str] = []
    bus = EventBus(MemoryJournal(log))
    bus.publish(AgentEvent("audio_level"))
    assert log == []


def test_a_stop_is_published_before_it_is_journalled() -> None:
    log: list[str] = []
    bus = EventBus(MemoryJournal(log))
    bus.subscribe(SAFETY_PREEMPT, lambda _: log.append("seen"))
    event = bus.publish(AgentEvent(SAFETY_PREEMPT))
    assert log == ["seen", f"commit {SAFETY_PREEMPT}"]
    assert event.rev == 2


def test_a_full_queue_drops_the_oldest_transient_first() -> None:
    bus = EventBus()
    queue = bus.subscribe_queue(maxsize=3)
    for kind in ("heard", "audio_level", "tool_call", "handoff"):
        bus.publish(AgentEvent(kind))
    assert [event.kind for event in queue.drain()] == ["heard", "tool_call", "handoff"]
    assert (queue.dropped, queue.missed) == (1, 0)


def test_a_queue_full_of_durable_events_counts_what_it_missed() -> None:
    bus = EventBus()
    queue = bus.subscribe_queue(maxsize=2)
    for kind in ("heard", "tool_call", "handoff"):
        bus.publish(AgentEvent(kind))
    assert [event.kind for event in queue.drain()] == ["tool_call", "handoff"]
    assert queue.missed == 1


def test_an_unsubscribed_queue_wakes_its_reader() -> None:
    bus = EventBus()
    queue = bus.subscribe_queue()
    read: list[list[str]] = []
    reader = threading.Thread(target=lambda: read.append([event.kind for event in queue]))
    reader.start()
    bus.publish(AgentEvent("heard"))
    bus.unsubscribe(queue)
    reader.join(2.0)
    assert not reader.is_alive()
    assert read in ([["heard"]], [[]])


def test_an_empty_queue_gives_up_in_time() -> None:
    assert EventBus().subscribe_queue().get(timeout=0.01) is None
