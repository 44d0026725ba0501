"""Notes on disk: they survive, they are never torn, and a file that is no notes is kept aside and said."""

import json
import threading
from pathlib import Path

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.errors import ConfigError
from edgevox.examples.agents.dev_notes import MOST_NOTES, NOTES, Notes
from edgevox.examples.agents.dev_toolbox import DEV_TOOLS
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("dev", tools=DEV_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def said(text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(language=language)).reply


def test_notes_are_there_after_a_restart(home_of_its_own: Path) -> None:
    said("note that the build is broken")
    file = home_of_its_own / "data" / "notes.json"
    assert json.loads(file.read_text()) == {"notes": ["the build is broken"]}
    assert Notes(lambda: file) == ["the build is broken"]
    assert file.stat().st_mode & 0o077 == 0


def test_notes_are_a_list(tmp_path: Path) -> None:
    notes = Notes(lambda: tmp_path / "notes.json")
    notes.append("a")
    notes.extend(["b", "c"])
    notes[0] = "A"
    del notes[1]
    assert (list(notes), notes[0], notes[-1:], len(notes)) == (["A", "c"], "A", ["c"], 2)
    assert notes != ["A"]
    assert repr(notes) == "Notes(['A', 'c'])"
    notes.clear()
    assert notes == []


@pytest.mark.parametrize(
    "content", [b"", b"not json", b"[1, 2]", b'{"notes": "text"}', b'{"notes": [1]}', b"\xff\xfe\x00", b"[" * 100_000]
)
def test_a_broken_file_is_kept_aside_and_said_once(home_of_its_own: Path, content: bytes) -> None:
    folder = home_of_its_own / "data"
    folder.mkdir(parents=True)
    (folder / "notes.json").write_bytes(content)
    reply = said("add a note buy milk")
    aside = next(folder.glob("notes.broken-*.json"))
    assert reply == f"The old notes could not be read; their file is kept as {aside.name}. Noted."
    assert aside.read_bytes() == content
    assert NOTES == ["buy milk"]
    assert said("add a note buy bread") == "Noted."


def test_a_broken_file_is_told_of_in_the_language(home_of_its_own: Path) -> None:
    folder = home_of_its_own / "data"
    folder.mkdir(parents=True)
    (folder / "notes.json").write_text("{")
    reply = said("lies meine Notizen", "de")
    assert reply.startswith("Die alten Notizen sind nicht lesbar; ihre Datei bleibt als notes.broken-")
    assert reply.endswith("Es gibt keine Notizen.")


def test_a_file_that_may_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "notes.json"
    folder.mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        len(Notes(lambda: folder))


def test_two_programs_that_write_at_once_lose_no_note(tmp_path: Path) -> None:
    programs = [Notes(lambda: tmp_path / "notes.json") for _ in range(3)]

    def write(who: int) -> None:
        for number in range(5):
            programs[who].add(f"{who}-{number}")

    threads = [threading.Thread(target=write, args=(who,)) for who in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10.0)
    assert sorted(programs[0]) == sorted(f"{who}-{n}" for who in range(3) for n in range(5))


def test_there_is_a_limit_and_it_is_said() -> None:
    NOTES.extend(["note"] * (MOST_NOTES - 1))
    assert said("add a note the last one") == "Noted."
    assert said("add a note one too many") == "Sorry, there are 500 notes already; delete some first."
    assert len(NOTES) == MOST_NOTES
