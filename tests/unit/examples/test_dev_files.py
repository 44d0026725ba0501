"""The files of the dev agent: its own folder freely, the current folder on asking, nothing else."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.config.paths import HOME_VARIABLE, config_dir
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.examples.agents.dev_files import DEV_FILES, dev_permissions, file_name_in, notes_folder
from edgevox.llm import ToolCallResult, ToolRegistry
from edgevox.testing import ScriptedModel
from edgevox.tools.permissions import ActionVerdict, Operation

AGENT = LLMAgent("Dev", skills=DEV_FILES, llm=ScriptedModel(otherwise="MODEL"))
REGISTRY = ToolRegistry(*DEV_FILES)


class Person:
    def __init__(self, approves: bool) -> None:
        self.approves = approves
        self.asked: list[str] = []
        self.questions: list[str] = []

    def ask(self, request: ApprovalRequest, scope: Any) -> Approval:
        self.asked.append(f"{request.operation} {request.resource}")
        self.questions.append(request.question)
        return Approval(approved=self.approves)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file in it; edgevox's own folders are elsewhere."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "readme.txt").write_text("read me\n")
    monkeypatch.chdir(folder)
    return folder


def said(text: str, person: Person | None = None, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(approver=person, language=language)).reply


def dispatch(name: str, person: Person | None = None, **arguments: Any) -> ToolCallResult:
    return REGISTRY.dispatch(name, arguments, AgentContext(approver=person))


def test_its_own_folder_needs_no_question_but_for_what_would_be_lost() -> None:
    nobody = Person(approves=False)
    assert said("list my files", nobody) == "There are no files there."
    assert said("create a file shopping.txt with milk and eggs", nobody) == "I wrote shopping.txt."
    assert said("read the file shopping.txt", nobody) == "milk and eggs"
    assert said("read the file shopping dot txt", nobody) == "milk and eggs"
    assert said("which files contain MILK", nobody) == "Found: shopping.txt:1:milk and eggs"
    assert said("which files contain beer", nobody) == "No file contains beer."
    assert said("list my files", nobody) == "The files are: shopping.txt."
    assert nobody.asked == []
    assert "Sorry" in said("write bread into the file shopping.txt", nobody)
    assert "Sorry" in said("delete the file shopping.txt", nobody)
    file = notes_folder() / "shopping.txt"
    assert nobody.asked == [f"delete file:{file}"] * 2
    assert nobody.questions == [f"May I write over {file}?", f"May I delete {file}?"]
    assert file.read_text() == "milk and eggs\n"
    assert stat.S_IMODE(notes_folder().stat().st_mode) == 0o700


def test_with_a_yes_a_file_is_written_over_added_to_and_thrown_away() -> None:
    person = Person(approves=True)
    assert dispatch("write_file", path="a.txt", text="one").ok
    assert dispatch("write_file", person, path="a.txt", text="two", append=True).ok
    assert dispatch("read_file", path="a.txt").result == "one\ntwo"
    assert dispatch("write_file", person, path="a.txt", text="three").ok
    assert dispatch("read_file", path="a.txt").result == "three"
    assert dispatch("trash_file", person, path="a.txt").ok
    assert not (notes_folder() / "a.txt").exists()
    assert len(person.asked) == 3


def test_the_current_folder_is_asked_for(here: Path) -> None:
    person = Person(approves=True)
    assert said("read the file ./readme.txt", person) == "read me"
    assert said("list the files in this folder", person) == "The files are: readme.txt."
    assert dispatch("read_file", person, path=str(here / "readme.txt")).ok
    assert dispatch("write_file", person, path="./sub/new.txt", text="new").ok
    assert (here / "sub" / "new.txt").read_text() == "new\n"
    assert person.asked[0] == f"read file:{here}/readme.txt"
    for approver in (Person(approves=False), None):
        assert not dispatch("read_file", approver, path="./readme.txt").ok
        assert not dispatch("write_file", approver, path="./other.txt", text="x").ok
    assert not (here / "other.txt").exists()


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "./../secret.txt", "~/secret.txt", "sub/../../../secret.txt", "\0", "a\0b"]
)
def test_everything_else_is_out_of_reach_without_a_question(here: Path, path: str) -> None:
    (here.parent / "secret.txt").write_text("secret")
    person = Person(approves=True)
    for name, more in [("read_file", {}), ("write_file", {"text": "x"}), ("trash_file", {})]:
        result = dispatch(name, person, path=path, **more)
        assert not result.ok
        assert "secret\n" not in str(result.error)
    assert person.asked == []
    assert (here.parent / "secret.txt").read_text() == "secret"


def test_a_denial_is_the_same_whether_or_not_the_file_is_there(here: Path) -> None:
    (here.parent / "there.txt").write_text("x")
    told = [dispatch("read_file", path=f"../../{name}.txt").error for name in ("there", "gone")]
    assert str(told[0]).replace("there", "gone") == told[1]


def test_settings_and_keys_are_out_of_reach_even_below_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(here))
    config_dir().mkdir(parents=True)
    (config_dir() / "keys.env").write_text("KEY=1")
    person = Person(approves=True)
    assert not dispatch("read_file", person, path="./config/keys.env").ok
    assert not dispatch("write_file", person, path="./config/settings.toml", text="x").ok
    assert person.asked == []


def test_a_link_out_of_the_folder_leads_nowhere(here: Path) -> None:
    dispatch("write_file", path="a.txt", text="x")
    (here.parent / "secret.txt").write_text("secret")
    (notes_folder() / "link.txt").symlink_to(here.parent / "secret.txt")
    result = dispatch("read_file", Person(approves=True), path="link.txt")
    assert not result.ok
    assert "secret" not in str(result.error).replace("secret.txt", "")


def test_what_the_agent_may_touch_is_what_it_declares(here: Path) -> None:
    engine = dev_permissions()
    verdicts: dict[str, Callable[[Operation], ActionVerdict]] = {
        name: lambda operation, path=path: engine.judge(operation, f"file:{path}")
        for name, path in {"own": "a.txt", "here": f"{here}/a.txt", "else": "/etc/passwd"}.items()
    }
    assert [verdicts[name](Operation.READ).value for name in verdicts] == ["allow", "ask", "deny"]
    assert [verdicts[name](Operation.DELETE).value for name in verdicts] == ["ask", "ask", "deny"]


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("shopping dot txt", "en", "shopping.txt"),
        ("docs slash plan dot md", "en", "docs/plan.md"),
        ("einkauf Punkt txt", "de", "einkauf.txt"),
        ("courses point txt", "fr", "courses.txt"),
        ("compra punto txt", "es", "compra.txt"),
        ("./readme.txt", "en", "./readme.txt"),
        ("my list", "en", "my list"),
        ("my first.draft list.txt", "en", "my first.draft list.txt"),
        ("einkauf.txt vor", "de", None),
        (" ", "en", None),
    ],
)
def test_a_name_is_said_or_typed(text: str, language: str, name: str | None) -> None:
    assert file_name_in(text, language) == name


def test_every_decision_about_a_file_is_published(here: Path) -> None:
    told: list[tuple[bool, list[str]]] = []
    ctx = AgentContext(approver=Person(approves=True))
    ctx.bus.subscribe(
        "permission_decided",
        lambda event: told.append(
            (event.payload.decision.allowed, [str(each.operation) for each in event.payload.requirements])
        ),
    )
    REGISTRY.dispatch("write_file", {"path": "a.txt", "text": "x"}, ctx)
    REGISTRY.dispatch("read_file", {"path": "./readme.txt"}, ctx)
    REGISTRY.dispatch("read_file", {"path": str(here.parent / "x")}, ctx)
    assert (True, ["create"]) in told
    assert told[-2:] == [(True, ["read"]), (False, ["read"])]
