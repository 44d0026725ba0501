"""The audit log: one private line for every call, never a fault, never more than its bound."""

import json
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext, AuditLog, EventBus, LLMAgent
from edgevox.agents.audit import audit_file, read_audit
from edgevox.core.tools import ToolCallResult
from edgevox.testing import ScriptedModel, call
from edgevox.tools import tool


@tool(secret_fields=["pin"], phrases=["unlock with {pin}"])
def unlock(pin: str) -> str:
    """Unlock the door."""
    if pin == "0000":
        raise ValueError("0000 is not the pin")
    return "the door is open"


def test_a_call_is_one_line_that_says_who_what_and_how_it_went(tmp_path: Path) -> None:
    ctx = AgentContext()
    leave = AuditLog(folder=tmp_path).listen(ctx.bus)
    model = ScriptedModel(call("unlock", pin="4711"), "It is open.")
    LLMAgent("porter", tools=[unlock], llm=model).run("let me in", ctx)
    leave()
    LLMAgent("porter", tools=[unlock], llm=ScriptedModel(call("unlock", pin="1"), "Open.")).run("again", ctx)
    (line,) = audit_file(tmp_path).read_text().splitlines()
    kept = json.loads(line)
    assert kept["arguments"] == {"pin": "•••"}
    assert (kept["who"], kept["tool"], kept["status"], kept["origin"]) == ("porter", "unlock", "success", "model")
    assert kept["call"].startswith("call_")
    assert kept["ms"] >= 0
    assert "4711" not in line
    assert "door is open" not in line


def test_a_failure_is_kept_with_its_code_and_without_its_secret(tmp_path: Path) -> None:
    agent = LLMAgent("porter", tools=[unlock], hooks=[AuditLog("porter", folder=tmp_path)])
    agent.run("unlock with 0000", AgentContext())
    (entry,) = read_audit(10, tmp_path)
    assert (entry.who, entry.status, entry.error_code, entry.origin) == ("porter", "error", "failed", "phrase")
    assert entry.error == "••• is not the pin"


def test_the_file_is_its_owners_alone_even_if_it_was_not(tmp_path: Path) -> None:
    audit, folder = AuditLog(folder=tmp_path / "logs"), tmp_path / "logs"
    audit.note("a", ToolCallResult(name="look"))
    assert stat.S_IMODE(audit_file(folder).stat().st_mode) == 0o600
    audit_file(folder).chmod(0o644)
    audit.note("a", ToolCallResult(name="look"))
    assert stat.S_IMODE(audit_file(folder).stat().st_mode) == 0o600


def test_the_size_is_bounded_and_the_latest_calls_are_there(tmp_path: Path) -> None:
    audit = AuditLog(folder=tmp_path, max_bytes=2000)
    for number in range(200):
        audit.note("a", ToolCallResult(name=f"tool_{number}"))
    sizes = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert set(sizes) == {"audit.jsonl", "audit.jsonl.1"}
    assert max(sizes.values()) <= 2000
    entries = read_audit(8, tmp_path)
    assert [entry.tool for entry in entries] == [f"tool_{number}" for number in range(192, 200)]


def test_five_megabytes_of_arguments_are_a_short_line(tmp_path: Path) -> None:
    AuditLog(folder=tmp_path).note(
        "a", ToolCallResult(name="say", arguments={"text": "x" * 5_000_000}, error="y" * 9999)
    )
    assert audit_file(tmp_path).stat().st_size < 3000


def test_what_cannot_be_written_fails_nobody_and_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")
    audit = AuditLog(folder=tmp_path / "logs")
    agent = LLMAgent("porter", tools=[unlock], hooks=[audit])
    for _ in range(3):
        assert agent.run("unlock with 4711", AgentContext()).reply == "the door is open"
    assert [record.message for record in caplog.records if "audit log" in record.message] == [
        next(record.message for record in caplog.records if "audit log" in record.message)
    ]


def test_a_link_that_somebody_laid_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("")
    (tmp_path / "logs").mkdir()
    audit_file(tmp_path / "logs").symlink_to(victim)
    AuditLog(folder=tmp_path / "logs").note("a", ToolCallResult(name="look"))
    assert victim.read_text() == ""


@pytest.mark.parametrize("line", ["", "{", "[1]", '{"tool": "look"}', '{"at": "yesterday", "who": "a", "tool": "b"}'])
def test_a_line_that_is_none_is_left_out(tmp_path: Path, line: str) -> None:
    AuditLog(folder=tmp_path).note("a", ToolCallResult(name="look"))
    with audit_file(tmp_path).open("a") as file:
        file.write(line + "\n")
    assert [entry.tool for entry in read_audit(10, tmp_path)] == ["look"]


def test_nothing_is_read_where_nothing_was_written(tmp_path: Path) -> None:
    assert read_audit(10, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_many_threads_write_whole_lines(tmp_path: Path) -> None:
    audits = [AuditLog(folder=tmp_path) for _ in range(4)]  # as several programs would

    def write(audit: AuditLog) -> None:
        for _ in range(50):
            audit.note("a", ToolCallResult(name="look", arguments={"at": "x" * 300}))

    threads = [threading.Thread(target=write, args=(audit,)) for audit in audits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(read_audit(1000, tmp_path)) == 200


def test_without_a_folder_it_is_the_log_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    bus = EventBus()
    AuditLog().listen(bus)
    LLMAgent("porter", tools=[unlock]).run("unlock with 4711", AgentContext(bus=bus))
    assert (tmp_path / "logs" / "audit.jsonl").exists()
    assert [file.name for file in tmp_path.iterdir()] == ["logs"]


def test_an_odd_payload_on_the_bus_is_passed_over(tmp_path: Path) -> None:
    ctx: Any = AgentContext()
    AuditLog(folder=tmp_path).listen(ctx.bus)
    ctx.emit("tool_call", "odd", "not a result")
    assert read_audit(10, tmp_path) == []
