"""`edgevox audit`: the last calls on the terminal, as rows or as JSON."""

import json
from pathlib import Path

import pytest

from edgevox.agents import AuditLog
from edgevox.cli.main import main
from edgevox.core.messages import ResultStatus
from edgevox.core.tools import ToolCallResult


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    return tmp_path


def test_without_a_call_it_says_where_they_will_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit"]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "audit.jsonl" in shown.err


def test_the_last_calls_are_rows_oldest_first(capsys: pytest.CaptureFixture[str]) -> None:
    audit = AuditLog("scout")
    for room in ("kitchen", "office", "bedroom"):
        audit.note("scout", ToolCallResult(name="navigate_to", arguments={"room": room}, runtime_ms=1200))
    odd = {"text": "\x1b[2Jgone"}
    failed = ToolCallResult(name="say", arguments=odd, status=ResultStatus.ERROR, error="no voice", error_code="failed")
    audit.note("scout", failed)
    assert main(["audit", "--last", "3"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("  ", 1)[1] for row in rows[:2]] == [
        "scout  navigate_to(room=office)  success, 1200 ms, by model",
        "scout  navigate_to(room=bedroom)  success, 1200 ms, by model",
    ]
    assert rows[2].endswith("say(text= [2Jgone)  error (failed), 0 ms, by model  no voice")
    assert "\x1b" not in rows[2]


def test_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    AuditLog().note("scout", ToolCallResult(name="look"))
    assert main(["audit", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["tool"] == "look"


def test_a_number_that_is_none_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--last", "0"]) == 2
    assert capsys.readouterr().err.strip() == "edgevox audit: --last must be at least 1, not 0."


def test_a_log_that_cannot_be_read_is_one_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "logs").mkdir()
    (home / "logs" / "audit.jsonl").mkdir()
    assert main(["audit"]) == 1
    assert "The audit log cannot be read" in capsys.readouterr().err
