"""Journals: one line for every event, written beside the run, readable whatever happened to the last line."""

import json
import stat
import threading
from pathlib import Path

from edgevox.agents import AgentContext, LLMAgent
from edgevox.agents.memory import RunJournal, journals_in, read_journal
from edgevox.agents.memory.journal_files import told
from edgevox.agents.protocol import AgentResult
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.tools import ToolCallResult
from edgevox.testing import FakeClock, ScriptedModel, call
from edgevox.tools import tool


@tool
def look(room: str) -> dict[str, str]:
    """Look into a room."""
    return {"room": room, "seen": "a cat"}


def test_a_conversation_becomes_lines_that_read_as_it_went(tmp_path: Path) -> None:
    ctx, journal = AgentContext(), RunJournal(tmp_path, "ada", clock=FakeClock())
    journal.listen(ctx.bus)
    model = ScriptedModel(call("look", room="kitchen"), "There is a cat.", "You are welcome.")
    agent = LLMAgent("ada", tools=[look], llm=model)
    agent.run("what is in the kitchen?", ctx)
    agent.run("thank you", ctx)
    journal.close()
    (found,) = journals_in(tmp_path)
    assert (found.agent, found.conversation, found.path) == ("ada", journal.conversation, journal.path)
    assert told(found.lines(), "ada") == [
        "Person: what is in the kitchen?",
        "Tool look {'room': 'kitchen'}: success, {'room': 'kitchen', 'seen': 'a cat'}",
        "Assistant: There is a cat.",
        "Person: thank you",
        "Assistant: You are welcome.",
    ]
    numbers = [line.seq for line in found.lines()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert found.path.parent == tmp_path / "2030" / "01" / "01"
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600


def test_half_a_line_of_a_crash_and_damaged_lines_are_left_out(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("agent_start", "ada", "hello"))
    bus.publish(AgentEvent("agent_start", "ada", "are you there?"))
    journal.close()
    assert journal.path is not None
    whole = journal.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in range(len(whole) - 2, len(whole) - len(lines[-1]), -7):
        journal.path.write_bytes(whole[:cut])
        assert len(read_journal(journal.path)) == len(lines) - 1
    journal.path.write_bytes(lines[0] + b"\xff\x00 not a line\n" + b"".join(lines[2:]))
    assert [line.seq for line in read_journal(journal.path)] == [1, 3, 4]
    journal.path.write_bytes(b"")
    assert read_journal(journal.path) == []
    assert journals_in(tmp_path) == []


def test_a_journal_is_active_while_it_is_written_and_nobody_has_to_say_that_it_ended(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada")
    journal.listen(bus)
    assert journals_in(tmp_path) == []
    bus.publish(AgentEvent("agent_start", "ada", "hello"))
    assert journal.flush()
    (found,) = journals_in(tmp_path)
    assert found.is_active()
    journal.close()
    journal.close()
    assert not found.is_active()


def test_what_passes_quickly_and_the_agents_that_look_after_it_are_not_written(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada", without=["librarian"])
    journal.listen(bus)
    bus.publish(AgentEvent("text_delta", "ada", "hel"))
    bus.publish(AgentEvent("agent_start", "librarian", "sweep"))
    journal.flush()
    assert journal.path is None
    assert list(tmp_path.iterdir()) == []


def test_a_run_waits_neither_for_the_disk_nor_for_a_payload_that_cannot_be_read(tmp_path: Path) -> None:
    class Broken:
        def __str__(self) -> str:
            raise RuntimeError("no words")

    blocked = tmp_path / "logs"
    blocked.write_text("a file where a folder should be")
    bus, journal = EventBus(), RunJournal(blocked, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("agent_message", "ada", Broken()))
    assert journal.flush()
    blocked.unlink()
    bus.publish(AgentEvent("agent_message", "ada", Broken()))
    assert journal.flush()
    assert journal.path is not None
    assert read_journal(journal.path)[-1].payload == "[Broken]"
    journal.close()


def test_payloads_are_bounded_and_objects_in_memory_stay_there(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("tool_call", "ada", ToolCallResult(name="look", result="x" * 100_000, value=object())))
    bus.publish(AgentEvent("agent_end", "ada", AgentResult("done", "ada", tool_calls=(ToolCallResult(name="look"),))))
    journal.close()
    assert journal.path is not None
    assert journal.path.stat().st_size < 20_000
    kept = [json.loads(line)["payload"] for line in journal.path.read_text().splitlines()[1:3]]
    assert "value" not in kept[0]
    assert kept[1]["reply"] == "done"
    assert "tool_calls" not in kept[1]


def test_events_of_many_threads_are_all_there_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada")
    journal.listen(bus)

    def publish(name: int) -> None:
        for number in range(100):
            bus.publish(AgentEvent("agent_message", "ada", f"{name}-{number}"))

    threads = [threading.Thread(target=publish, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.close()
    assert journal.path is not None
    lines = read_journal(journal.path)
    assert len({line.payload for line in lines if line.kind == "agent_message"}) == 400
    assert [line.seq for line in lines] == sorted(line.seq for line in lines)


def test_an_answer_that_was_broken_off_is_no_news_but_what_the_person_said_is(tmp_path: Path) -> None:
    bus, journal = EventBus(), RunJournal(tmp_path, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("agent_start", "ada", "my name is Ann"))
    bus.publish(AgentEvent("agent_start", "scout", "look around"))
    bus.publish(AgentEvent("agent_end", "scout", AgentResult("nothing there", "scout")))
    bus.publish(AgentEvent("agent_end", "ada", AgentResult("Nice to m", "ada", preempted=True)))
    journal.close()
    (found,) = journals_in(tmp_path, ["ada"])
    assert told(found.lines(), "ada") == ["Person: my name is Ann"]
    assert journals_in(tmp_path, ["scout"]) == []
