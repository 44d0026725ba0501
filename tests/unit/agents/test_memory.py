"""Memory: made of the last one and the snapshots since, with what it was made of, and recalled without a model."""

from datetime import timedelta
from pathlib import Path

import pytest

from edgevox.agents.memory import Consolidation, MemoryFolders, RunJournal, recall
from edgevox.agents.memory.consolidation import TITLE, read_memory
from edgevox.agents.memory.folders import next_path, publish, with_provenance
from edgevox.agents.protocol import AgentResult
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled
from edgevox.core.events import AgentEvent, EventBus
from edgevox.testing import FakeClock, ModelRequest, ScriptedModel


@pytest.fixture
def folders(tmp_path: Path) -> MemoryFolders:
    return MemoryFolders.below(tmp_path)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def snapshot(folders: MemoryFolders, clock: FakeClock, text: str, conversation: str = "c1") -> Path:
    path = next_path(folders.snapshots / conversation, clock.now())
    assert publish(path, with_provenance(text, {"through": 1}))
    clock.advance(1)
    return path


def test_three_snapshots_an_old_one_or_an_end_make_a_memory_due(folders: MemoryFolders, clock: FakeClock) -> None:
    made = Consolidation(folders, clock=clock)
    assert not made.is_due(anybody_active=False)
    snapshot(folders, clock, "Ann has a cat.")
    assert made.is_due(anybody_active=False)
    assert not made.is_due(anybody_active=True)
    clock.advance(timedelta(hours=25).total_seconds())
    assert made.is_due(anybody_active=True)
    snapshot(folders, clock, "two", "c2")
    snapshot(folders, clock, "three", "c3")
    assert Consolidation(folders, age=timedelta(days=9), clock=clock).is_due(anybody_active=True)


def test_a_memory_folds_the_last_one_and_names_its_sources(folders: MemoryFolders, clock: FakeClock) -> None:
    made, model = Consolidation(folders, clock=clock), ScriptedModel("Ann has a cat.", "Ann has a cat and a dog.")
    snapshot(folders, clock, "They talked about the cat.")
    first = made.consolidate(model, CancelScope())
    assert first is not None
    assert first.read_text().startswith(f"{TITLE}\n\nAnn has a cat.")
    assert made.pending() == []
    assert made.consolidate(model, CancelScope()) is None
    snapshot(folders, clock, "They talked about the dog.", "c2")
    second = made.consolidate(model, CancelScope())
    memory = read_memory(folders.memory)
    assert memory.path == second != first
    assert memory.text == "Ann has a cat and a dog."
    assert len(memory.covered) == 2
    asked = model.requests[1].last_user_text
    assert "Facts so far:\nAnn has a cat." in asked
    assert "edgevox" not in asked
    assert "about the dog" in asked
    assert "about the cat" not in asked


def test_snapshots_that_are_gone_are_no_sources_any_more(folders: MemoryFolders, clock: FakeClock) -> None:
    made, model = Consolidation(folders, clock=clock), ScriptedModel(otherwise="A cat.")
    old = snapshot(folders, clock, "one")
    made.consolidate(model, CancelScope())
    old.unlink()
    snapshot(folders, clock, "two")
    made.consolidate(model, CancelScope())
    assert len(read_memory(folders.memory).covered) == 1


def test_a_memory_that_somebody_else_makes_meanwhile_wins(folders: MemoryFolders, clock: FakeClock) -> None:
    snapshot(folders, clock, "one")

    def competitor(_: ModelRequest) -> str:
        assert Consolidation(folders, clock=clock).consolidate(ScriptedModel("theirs"), CancelScope())
        return "ours"

    assert Consolidation(folders, clock=clock).consolidate(ScriptedModel(competitor), CancelScope()) is None
    assert read_memory(folders.memory).text == "theirs"


def test_a_stop_leaves_the_memory_that_was(folders: MemoryFolders, clock: FakeClock) -> None:
    snapshot(folders, clock, "one")
    scope = CancelScope()

    def stopped(_: ModelRequest) -> str:
        scope.cancel()
        return "late"

    with pytest.raises(Cancelled):
        Consolidation(folders, clock=clock).consolidate(ScriptedModel(stopped), scope)
    assert read_memory(folders.memory).path is None


def test_a_memory_is_bounded(folders: MemoryFolders, clock: FakeClock) -> None:
    snapshot(folders, clock, "word " * 3000)
    model = ScriptedModel(otherwise="note " * 900, context_size=8000)
    path = Consolidation(folders, letters=1000, clock=clock).consolidate(model, CancelScope())
    assert path is not None
    assert len(path.read_text()) < 1400


def test_recall_gives_memory_later_notes_and_what_was_said_last_without_a_model(
    folders: MemoryFolders, clock: FakeClock
) -> None:
    assert recall(folders) == ""
    snapshot(folders, clock, "They talked about the cat.")
    Consolidation(folders, clock=clock).consolidate(ScriptedModel("Ann has a cat."), CancelScope())
    snapshot(folders, clock, "Ann wants a dog.", "c2")
    bus, journal = EventBus(), RunJournal(folders.logs, "ada", clock=clock)
    journal.listen(bus)
    bus.publish(AgentEvent("agent_start", "ada", "the dog shall be called Rex"))
    bus.publish(AgentEvent("agent_end", "ada", AgentResult("A fine name.", "ada")))
    journal.close()
    assert recall(folders, ["ada"]) == (
        "What is remembered:\nAnn has a cat.\n\nLater notes:\nAnn wants a dog.\n\n"
        "What was said last:\nPerson: the dog shall be called Rex\nAssistant: A fine name."
    )
    assert "Rex" not in recall(folders, ["somebody else"])


def test_recall_is_bounded_and_keeps_what_was_said_last(folders: MemoryFolders, clock: FakeClock) -> None:
    bus, journal = EventBus(), RunJournal(folders.logs, "ada", clock=clock)
    journal.listen(bus)
    for number in range(200):
        bus.publish(AgentEvent("agent_start", "ada", f"sentence {number} of many"))
    journal.close()
    text = recall(folders, letters=500)
    assert len(text) < 600
    assert text.endswith("sentence 199 of many")
