import threading
import time

from edgevox.core.frames import EndFrame, Frame, PartialSpeechFrame, TextFrame
from edgevox.pipeline.queues import FrameQueue


def texts(queue: FrameQueue[Frame]) -> list[str]:
    return [entry.text for entry in queue.clear() if isinstance(entry, TextFrame)]


def test_a_full_queue_drops_its_oldest_entry_and_says_which() -> None:
    queue: FrameQueue[Frame] = FrameQueue(2)
    first = TextFrame(text="a")
    assert queue.put(first) is None
    queue.put(TextFrame(text="b"))
    assert queue.put(TextFrame(text="c")) is first
    assert queue.dropped == 1
    assert texts(queue) == ["b", "c"]


def test_of_a_coalesced_type_only_the_newest_waits() -> None:
    queue: FrameQueue[Frame] = FrameQueue(8, coalesce=(PartialSpeechFrame,))
    old, new = PartialSpeechFrame(samples=None, speech_s=0.2), PartialSpeechFrame(samples=None, speech_s=0.4)  # type: ignore[arg-type]
    for entry in (old, TextFrame(text="a"), new):
        queue.put(entry)
    assert [type(entry) for entry in queue.clear()] == [TextFrame, PartialSpeechFrame]


def test_closing_wakes_the_consumer_and_refuses_more() -> None:
    queue: FrameQueue[Frame] = FrameQueue(2)
    consumer = threading.Thread(target=lambda: list(queue))
    consumer.start()
    time.sleep(0.02)
    queue.close()
    consumer.join(2.0)
    assert not consumer.is_alive()
    late = EndFrame()
    assert queue.put(late) is late


def test_an_empty_queue_gives_up_in_time() -> None:
    assert FrameQueue[Frame](1).get(timeout=0.01) is None
