"""`edgevox permissions`: rules, verdicts and remembered answers on the terminal."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from edgevox.cli.main import main
from edgevox.config.paths import settings_file
from edgevox.examples.agents.dev_files import notes_folder
from edgevox.tools.permissions import Grant, GrantBook, Operation
from edgevox.tools.permissions.grants import grants_file


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(text: str) -> None:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text(text, "utf-8")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["permissions", *words])
    printed = capsys.readouterr()
    return code, (printed.out + printed.err).strip()


def test_rules_and_answers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    write('[permissions]\ndeny = ["device:door/**"]\nask = ["switch device:light/*"]\n')
    GrantBook(grants_file()).add(
        Grant(operation=Operation.SWITCH, resource="device:light/a", principal="Home", granted=datetime.now(UTC))
    )
    code, told = shown(capsys, "list")
    assert code == 0
    assert told.splitlines() == [
        "deny   device:door/** (you)",
        "ask    switch device:light/* (you)",
        "allow  switch device:** (agent)",
        "deny   everything else",
        "You have said yes to:",
        " 1  switch device:light/a by Home, always",
    ]
    assert shown(capsys, "revoke", "2") == (0, "There is no answer 2; /permissions lists them.")
    assert shown(capsys, "revoke", "1") == (0, "Taken back: switch device:light/a by Home, always")
    assert GrantBook(grants_file()).grants() == []


def test_rules_about_files_are_listed_with_the_folder_that_they_are_below(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    write('[permissions]\ndeny = ["read ./private/**"]\n')
    rows = shown(capsys, "list", "--agent", "dev")[1].splitlines()
    assert rows[0] == f"deny   read file:{here}/private/** (you)"
    assert f"ask    delete file:{notes_folder()}/** (agent)" in rows


def test_a_relative_rule_of_the_person_is_below_the_working_folder_whatever_the_agent_calls_home(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    wanted = ("test", "read", str(here / "private" / "a.txt"), "--agent", "dev")
    assert shown(capsys, *wanted)[1].startswith("ask:")
    write('[permissions]\ndeny = ["read private/**"]\n')
    assert shown(capsys, *wanted)[1].startswith("deny: a rule of your settings")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["switch", "device:thermostat"], 0, "allow: a rule of the agent (switch device:**)"),
        (["switch", "device:light/kitchen"], 0, "ask: a rule of your settings (switch device:light/*)"),
        (["SWITCH", "device:door/front_door"], 1, "deny: a rule of your settings (device:door/**)"),
        (["read", "device:light/kitchen"], 1, "deny: no rule speaks of it"),
        (["read", "~/notes/../x"], 1, "deny: no rule speaks of it"),
        (["switch", "device:../x"], 1, "deny: no rule can speak of such a name"),
        (["move", "motion:base", "--agent", "robot-scout"], 0, "allow: a rule of the agent (move motion:base)"),
        (["swich", "device:x"], 2, "edgevox permissions: There is no operation 'swich', only read, "),
    ],
)
def test_one_operation_is_judged(capsys: pytest.CaptureFixture[str], words: list[str], code: int, told: str) -> None:
    write('[permissions]\ndeny = ["device:door/**"]\nask = ["switch device:light/*"]\n')
    ended, printed = shown(capsys, "test", *words)
    assert (ended, printed[: len(told)]) == (code, told)


def test_a_rule_that_cannot_be_used_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    write('[permissions]\ndeny = ["raed x"]\n')
    code, told = shown(capsys, "list")
    assert code == 1
    assert "permissions.deny" in told
    assert "no operation 'raed'" in told
    assert "Traceback" not in told
