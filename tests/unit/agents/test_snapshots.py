"""Snapshots: what happened in a conversation, summed up when it is over or long, each line once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.agents.memory import MemoryFolders, RunJournal, Snapshots
from edgevox.agents.memory.folders import newest, next_path, parted, publish, stamp, with_provenance
from edgevox.agents.memory.snapshots import covered_through
from edgevox.agents.protocol import AgentResult
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled
from edgevox.core.events import AgentEvent, EventBus
from edgevox.testing import FakeClock, ModelRequest, ScriptedModel


class Talk:
    """A conversation that is written down."""

    def __init__(self, folders: MemoryFolders, clock: FakeClock, agent: str = "ada") -> None:
        self.bus, self.agent = EventBus(), agent
        self.journal = RunJournal(folders.logs, agent, clock=clock)
        self.journal.listen(self.bus)

    def turn(self, said: str, reply: str = "Well.") -> None:
        self.bus.publish(AgentEvent("agent_start", self.agent, said))
        self.bus.publish(AgentEvent("agent_end", self.agent, AgentResult(reply, self.agent)))
        assert self.journal.flush()

    def end(self) -> None:
        self.journal.close()


@pytest.fixture
def folders(tmp_path: Path) -> MemoryFolders:
    return MemoryFolders.below(tmp_path)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def talk(folders: MemoryFolders, clock: FakeClock) -> Callable[..., Talk]:
    def begin(agent: str = "ada") -> Talk:
        return Talk(folders, clock, agent)

    return begin


def notes(text: str = "Ann has a cat.") -> ScriptedModel:
    return ScriptedModel(otherwise=text, context_size=4000)


def test_a_conversation_that_is_over_gets_one_snapshot_and_no_second(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    spoken, model = talk(), notes()
    spoken.turn("I have a cat")
    spoken.end()
    snapshots = Snapshots(folders, clock=clock)
    (path,) = snapshots.take(model, CancelScope())
    text, provenance = parted(path.read_text())
    assert text == "Ann has a cat."
    assert provenance["conversation"] == path.parent.name == spoken.journal.conversation
    assert provenance["through"] == 4
    assert "I have a cat" in model.requests[0].last_user_text
    assert snapshots.take(model, CancelScope()) == []
    assert len(model.requests) == 1


def test_a_running_conversation_is_worth_one_when_it_is_long_and_never_its_unfinished_turn(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    spoken, model = talk(), notes()
    snapshots = Snapshots(folders, tokens=60, clock=clock)
    spoken.turn("I have a cat")
    assert snapshots.take(model, CancelScope()) == []
    for number in range(10):
        spoken.turn(f"and that is sentence number {number}")
    spoken.bus.publish(AgentEvent("agent_start", "ada", "a question that is being answered"))
    spoken.journal.flush()
    (first,) = snapshots.take(model, CancelScope())
    assert "being answered" not in model.requests[0].last_user_text
    spoken.bus.publish(AgentEvent("agent_end", "ada", AgentResult("So.", "ada")))
    spoken.end()
    clock.advance(60)
    (second,) = snapshots.take(model, CancelScope())
    assert first.name < second.name
    assert "being answered" in model.requests[1].last_user_text
    assert "sentence number 1" not in model.requests[1].last_user_text


def test_only_the_agents_that_count_are_looked_at(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    ours, other = talk(), talk("scout")
    ours.turn("hello")
    other.turn("beep")
    snapshots = Snapshots(folders, ["ada"], clock=clock)
    assert snapshots.any_active()
    ours.end()
    assert not snapshots.any_active()
    (path,) = snapshots.take(notes(), CancelScope())
    assert path.parent.name == ours.journal.conversation
    other.end()


def test_a_snapshot_that_somebody_else_has_made_meanwhile_is_not_made_twice(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    spoken = talk()
    spoken.turn("hello")
    spoken.end()

    def competitor(_: ModelRequest) -> str:
        assert Snapshots(folders, clock=clock).take(notes("theirs"), CancelScope())
        return "ours"

    assert Snapshots(folders, clock=clock).take(ScriptedModel(competitor), CancelScope()) == []
    folder = folders.snapshots / spoken.journal.conversation
    assert [path.read_text().splitlines()[0] for path in folder.iterdir()] == ["theirs"]


def test_a_long_conversation_is_read_in_pieces_and_the_snapshot_is_bounded(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    spoken = talk()
    for number in range(40):
        spoken.turn(f"sentence {number} " + "word " * 20)
    spoken.end()
    model = ScriptedModel(otherwise="note " * 600, context_size=500)
    (path,) = Snapshots(folders, letters=400, clock=clock).take(model, CancelScope())
    assert len(path.read_text()) < 1000
    read = [sum(model.count_tokens(str(m["content"])) for m in request.messages) for request in model.requests]
    assert max(read) < 500
    assert len(read) > 3


def test_a_stop_ends_it_and_leaves_nothing_half_made(
    folders: MemoryFolders, clock: FakeClock, talk: Callable[..., Talk]
) -> None:
    spoken, scope = talk(), CancelScope()
    spoken.turn("hello")
    spoken.end()

    def stopped(_: ModelRequest) -> str:
        scope.cancel()
        return "late"

    with pytest.raises(Cancelled):
        Snapshots(folders, clock=clock).take(ScriptedModel(stopped), scope)
    assert not folders.snapshots.exists()


def test_a_file_is_published_once_and_whole(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "texts" / f"{stamp(clock.now())}.md"
    assert publish(path, "first")
    assert not publish(path, "second")
    assert path.read_text() == "first"
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert next_path(path.parent, clock.now()).name > path.name
    clock.advance(-500)
    assert next_path(path.parent, clock.now()).name > path.name


def test_provenance_comes_back_and_what_somebody_edited_counts_as_none(tmp_path: Path) -> None:
    text = with_provenance("a --> b", {"through": 3, "odd": "<!-- --> ünï"})
    assert parted(text) == ("a --> b", {"through": 3, "odd": "<!-- --> ünï"})
    (tmp_path / "20300101T000000000000Z.md").write_text("by hand\n<!-- edgevox {broken -->")
    assert newest(tmp_path) is not None
    assert covered_through(tmp_path) == 0


def test_folders_may_not_lie_within_each_other(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lies in that for logs"):
        MemoryFolders(logs=tmp_path, snapshots=tmp_path / "snapshots", memory=tmp_path.parent / "memory")
