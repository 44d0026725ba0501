"""A long conversation on a real small model: what matters survives its summary, and the next word ends that at once."""

import threading
import time

import pytest

from edgevox.agents.compaction.between_turns import BetweenTurns
from edgevox.agents.compaction.compactor import Compaction, Outcome
from edgevox.agents.idle import Idle
from edgevox.config.models import find
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.messages import Message, Role
from edgevox.core.session import Session
from edgevox.llm import LLM

pytestmark = [pytest.mark.models, pytest.mark.timeout(900)]

MODEL = "qwen2.5-coder-1.5b-instruct"
FACTS = {
    "Ann": "My name is Ann and I live in Oslo.",
    "Tom": "My cat is called Tom, he is 7 years old.",
    "strawberries": "The red bed is for strawberries.",
    "peanuts": "I am allergic to peanuts.",
    "Friday": "My sister Eva visits on Friday at 6.",
    "555 1234": "Please call the plumber tomorrow, the number is 555 1234.",
}
SMALL_TALK = "The garden looks fine today and the weather is mild with a light wind from the west. "


def conversation() -> Session:
    session = Session()
    said = [*FACTS.values(), *(f"And what about item {number}? Tell me something about it." for number in range(14))]
    for words in said:
        session.add(Message.text(words))
        session.add(Message.text(f"I noted that. {SMALL_TALK * 2}", Role.ASSISTANT))
    return session


def test_facts_survive_and_the_next_word_ends_it() -> None:
    files = find(MODEL)
    if files is None:
        pytest.skip(f"the model {MODEL} is not on this machine (edgevox models get {MODEL})")
    model = LLM(files.path("model.gguf"), temperature=0.0, n_ctx=2048)
    model.load()
    session, bus, idle = conversation(), EventBus(), Idle(settle_s=0.1)
    ends: list[Compaction] = []
    ended = threading.Event()

    def note(done: Compaction) -> None:
        ends.append(done)
        ended.set()

    idle.listen(bus)
    BetweenTurns(session, lambda: model, lambda: None, idle, note).listen(bus)
    try:
        bus.publish(AgentEvent("text_end"))
        time.sleep(4)
        spoken = time.perf_counter()
        bus.publish(AgentEvent("heard"))
        assert ended.wait(5)
        assert time.perf_counter() - spoken < 1.0
        assert ends[0].outcome is Outcome.CANCELLED
        assert len(session.messages) == 40
        ended.clear()
        bus.publish(AgentEvent("text_end"))
        assert ended.wait(600)
    finally:
        model.close()
    assert ends[1].outcome is Outcome.COMPACTED
    assert len(session.messages) < 20
    summary = session.messages[0].plain
    assert sum(fact in summary for fact in FACTS) >= 5, summary
