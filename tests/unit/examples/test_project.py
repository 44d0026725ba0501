"""The project agent as a program: for a folder, from a script, in the list of agents."""

from pathlib import Path

import pytest

from edgevox.agents.registry import AgentRegistry
from edgevox.examples.chains.project import app, main
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere"), "--text-mode"]) == 1
    assert capsys.readouterr().err == (
        f"There is no folder {tmp_path / 'nowhere'}: make it first, or name the folder of your project.\n"
    )


def test_an_option_that_is_none_is_a_mistake_of_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--no-such-option"]) == 2
    assert "--no-such-option" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_in_the_list_it_works_on_the_folder_in_which_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    definition = AgentRegistry.discover().get("project").definition()
    engine = definition.permissions
    assert isinstance(engine, PermissionEngine)
    assert engine.judge(Operation.CREATE, f"file:{tmp_path / 'a.txt'}") is ActionVerdict.allow
    assert engine.judge(Operation.CREATE, f"file:{tmp_path.parent / 'a.txt'}") is ActionVerdict.ask
    assert app(tmp_path).name == "Project"
    assert list(tmp_path.iterdir()) == []
