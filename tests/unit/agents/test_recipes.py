"""The project agent: works below its folder, asks for leave outside, keeps its memory to itself, and remembers."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext
from edgevox.agents.capabilities import SafeScripts
from edgevox.agents.definition import AgentDefinition
from edgevox.agents.deploy import Deployed
from edgevox.agents.memory import MemoryFolders, recall
from edgevox.agents.memory.consolidation import read_memory
from edgevox.agents.recipes import project_agent, project_permissions
from edgevox.assistant.build import build_assistant
from edgevox.assistant.options import Options
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError, WorkflowInvalid
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ModelRequest, ScriptedModel
from edgevox.tools.files import Sandbox
from edgevox.tools.permissions import ActionVerdict, Operation


class Person:
    """Answers every question the same, and keeps the questions."""

    def __init__(self, approves: bool) -> None:
        self.approves, self.asked = approves, list[str]()

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request.question)
        return Approval(approved=self.approves)


def command(*tokens: tuple[str, str]) -> dict[str, Any]:
    return {"action": "run_file_command", "value": [list(token) for token in tokens]}


def patch(path: str, new: str) -> dict[str, Any]:
    return {"action": "patch_file", "path": path, "old_string": "", "new_string": new}


LOAD = {"action": "file_commands"}


def told(deployed: Deployed, task: str, person: Person | None = None) -> Any:
    ctx = AgentContext(permissions=deployed.permissions, approver=person)
    return deployed.agent.run(task, ctx)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "plan.txt").write_text("plant tulips\n")
    return folder


def test_it_reads_and_changes_what_is_below_its_folder_without_asking(root: Path) -> None:
    reading = command(("cat", "CMD"), ("plan.txt", "PTH"))
    endpoint = MockLLMEndpoint([LOAD, reading, patch("beds/north.txt", "tulips"), "Done."])
    person = Person(approves=False)
    with project_agent(root, endpoint=endpoint) as deployed:
        result = told(deployed, "plan the beds", person)
    assert result.reply == "Done."
    assert person.asked == []
    assert (root / "beds" / "north.txt").read_text() == "tulips"
    assert any("plant tulips" in str(call.result) for call in result.tool_calls)


@pytest.mark.parametrize("approves", [True, False])
def test_it_asks_before_it_writes_outside(root: Path, approves: bool) -> None:
    outside = root.parent / "notes.txt"
    person = Person(approves)
    endpoint = MockLLMEndpoint([patch(str(outside), "hello"), "Well."])
    with project_agent(root, endpoint=endpoint) as deployed:
        told(deployed, "write a note beside the garden", person)
    assert any(str(outside) in question for question in person.asked)
    assert outside.exists() is approves


def test_its_memory_and_what_looks_like_a_key_are_not_for_the_model(root: Path) -> None:
    engine = project_permissions(root)

    def read(path: Path | str) -> ActionVerdict:
        return engine.judge(Operation.READ, f"file:{path}")

    assert read(root / "plan.txt") is ActionVerdict.allow
    assert read(root / ".edgevox" / "logs" / "x.jsonl") is ActionVerdict.deny
    for name in (".env", ".env.encrypt", "keys/server.pem", ".ssh/config"):
        assert read(root / name) is ActionVerdict.deny
    assert read("/etc/hostname") is ActionVerdict.ask


def test_what_was_said_is_known_after_a_restart_without_any_model_call_in_between(root: Path) -> None:
    with project_agent(root, endpoint=MockLLMEndpoint(["Noted."])) as deployed:
        told(deployed, "the red bed is for strawberries")
    endpoint = MockLLMEndpoint(["Strawberries."])
    with project_agent(root, endpoint=endpoint) as deployed:
        assert told(deployed, "what is the red bed for?").reply == "Strawberries."
    shown = "\n".join(str(message["content"]) for message in endpoint.requests[0].messages)
    assert "Person: the red bed is for strawberries" in shown
    assert "Assistant: Noted." in shown


def test_the_librarian_makes_a_memory_of_earlier_conversations_while_nobody_speaks(root: Path) -> None:
    for bed in ("red", "blue", "white"):
        with project_agent(root, endpoint=MockLLMEndpoint(["Noted."])) as deployed:
            told(deployed, f"the {bed} bed is for strawberries")

    def answer(request: ModelRequest) -> str:
        return "Three beds of strawberries." if "list of facts" in request.last_user_text else "Hello."

    folder, wait = MemoryFolders.below(root).memory, threading.Event()
    with project_agent(root, endpoint=ScriptedModel(otherwise=answer)) as deployed:
        assert told(deployed, "hello").reply == "Hello."
        for _ in range(400):
            if list(folder.glob("*.md")):
                break
            wait.wait(0.05)
    assert read_memory(folder).text == "Three beds of strawberries."


def test_nothing_is_written_before_the_first_run_and_a_missing_folder_is_one_sentence(root: Path) -> None:
    project_agent(root, endpoint=MockLLMEndpoint()).close()
    assert [path.name for path in root.iterdir()] == ["plan.txt"]
    with pytest.raises(ConfigError, match="There is no folder"):
        project_agent(root / "nowhere")


def test_in_a_sandbox_it_changes_its_project_and_keeps_its_memory_where_the_sandbox_says(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, scope="garden", memory="notes/memory")
    (tmp_path / "projects" / "garden").mkdir(parents=True)
    (tmp_path / "projects" / "house").mkdir()
    endpoint = MockLLMEndpoint([patch("projects/garden/a.txt", "x"), patch("projects/house/a.txt", "x"), "Done."])
    deployed = project_agent(
        sandbox.project,
        endpoint=endpoint,
        permissions=sandbox.policy().engine("project"),
        folders=MemoryFolders.of(sandbox),
    )
    with deployed:
        assert told(deployed, "write both", Person(approves=True)).reply == "Done."
    assert (tmp_path / "projects" / "garden" / "a.txt").exists()
    assert not (tmp_path / "projects" / "house" / "a.txt").exists()
    assert list(sandbox.logs.rglob("*.jsonl"))
    assert MemoryFolders.of(sandbox).memory == sandbox.project / "notes" / "memory"


def test_scripts_that_a_person_trusts_can_be_added(root: Path) -> None:
    scripts = root.parent / "scripts"
    scripts.mkdir()
    (scripts / "water.sh").write_text("# Water the beds.\necho watered\n")
    endpoint = MockLLMEndpoint([{"action": "run_script", "script": "water.sh"}, "Done."])
    person = Person(approves=True)
    with project_agent(root, endpoint=endpoint, additional_capabilities=[SafeScripts(scripts)]) as deployed:
        result = told(deployed, "water the beds", person)
    assert any("watered" in str(call.result) for call in result.tool_calls)
    assert result.reply == "Done."


def test_capabilities_can_be_added_and_switched_off(root: Path) -> None:
    with project_agent(root, endpoint=MockLLMEndpoint(), selection={"file_editing": False}) as deployed:
        assert "patch_file" not in deployed.agent.graph.active
    with pytest.raises(WorkflowInvalid, match="no capability 'file_editor' to switch"):
        project_agent(root, selection={"file_editor": False})


def test_in_an_assistant_it_is_answered_by_the_persons_model_and_asks_on_the_screen(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    outside = root.parent / "notes.txt"
    model = ScriptedModel(json.dumps(patch(str(outside), "hello")), "I wrote it.", otherwise="Notes.")
    with project_agent(root) as deployed:
        definition = AgentDefinition(name="Project", agent=deployed.agent, permissions=deployed.permissions)
        assistant = build_assistant(definition, Options(text_mode=True), model=model)
        assistant.start()
        try:
            handle = assistant.submit("write a note beside the garden")
            outcome, asked = None, list[str]()
            while outcome is None and len(asked) < 400:
                question = assistant.question
                asked.append(question.question if question is not None else "")
                assistant.answer(True)
                outcome = handle.wait(0.05)
        finally:
            assistant.close()
    assert any(str(outside) in question for question in asked)
    assert outcome is not None
    assert outcome.reply == "I wrote it."
    assert outside.read_text() == "hello"
    known = recall(MemoryFolders.below(root), ["project"])
    assert "Person: write a note beside the garden" in known
    assert "Assistant: I wrote it." in known


def test_in_a_persons_home_nothing_is_changed_without_asking(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(root))
    for folder in (root, root.parent):
        engine = project_permissions(folder)
        verdicts = [engine.judge(what, f"file:{folder}/notes.txt") for what in (Operation.READ, Operation.CREATE)]
        assert verdicts == [ActionVerdict.allow, ActionVerdict.ask]
    below = root / "project"
    below.mkdir()
    assert project_permissions(below).judge(Operation.CREATE, f"file:{below}/notes.txt") is ActionVerdict.allow
