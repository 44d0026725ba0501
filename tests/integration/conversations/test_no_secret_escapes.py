"""A key that the process holds, and one in an address, through every layer: nothing that leaves shows them."""

import dataclasses
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AuditLog
from edgevox.assistant.display import outcome_text, tool_line
from edgevox.assistant.logs import log_file, start_logging
from edgevox.cli.main import main
from edgevox.core.errors import EdgeVoxError
from edgevox.core.events import AgentEvent
from edgevox.core.tools import ToolCallResult
from edgevox.endpoints import LLMEndpoint
from edgevox.llm import tool
from edgevox.testing import Conversation, ScriptedModel, call, calls

KEY = "held-canary-0123456789"
IN_URL = "https://api.example.org/v1?city=Oslo&apikey=url-canary-42"
CANARIES = ("held-canary-0123456789", "url-canary-42")


@dataclasses.dataclass
class Account:
    """What Rich would print, attributes and all, in a traceback with locals."""

    api_key: str


@tool
def fetch(url: str) -> str:
    """Fetch a page."""
    account = Account(api_key=os.environ["HELD_CANARY_SECRET"])
    raise RuntimeError(f"GET {url} with {account!r} failed: Authorization: Bearer {account.api_key}")


@tool
def show_environment() -> dict[str, str]:
    """Show the environment."""
    return {"HELD_CANARY_SECRET": os.environ["HELD_CANARY_SECRET"], "note": IN_URL}


class Leaky:
    """A model whose client fails with its key in the sentence."""

    name = "leaky"

    def complete(self, *_: Any, **__: Any) -> Any:
        """Fail."""
        raise EdgeVoxError(f"401 for {IN_URL} with key {KEY}")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.setenv("HELD_CANARY_SECRET", KEY)
    start_logging("DEBUG", tmp_path / "logs")
    yield tmp_path
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    logging.captureWarnings(capture=False)


def found_in(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text]


def files_with_a_canary(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and found_in(path.read_text(errors="replace"))]


def shown(events: list[AgentEvent]) -> str:
    """Everything that the payloads of events hold, as their readers would print it."""
    return "\n".join(repr(event.payload) for event in events if event.kind not in ("tool_use", "heard"))


def test_no_layer_shows_a_key_that_a_tool_or_a_model_let_slip(home: Path) -> None:
    model = ScriptedModel(calls(call("fetch", url=IN_URL)), calls(call("show_environment")), "Done.")
    with Conversation(tools=[fetch, show_environment], model=model) as talk:
        AuditLog().listen(talk.assistant.bus)
        outcome = talk.say("look it up")
    assert [result.ok for result in outcome.tool_calls] == [False, True]
    for result in outcome.tool_calls:
        assert found_in(tool_line(result) + outcome_text(result)) == []
    assert KEY not in shown(talk.events)
    assert KEY not in repr(outcome)
    assert KEY not in json.dumps([request.messages for request in model.requests]), (
        "no provider gets to see another's key"
    )
    assert files_with_a_canary(home) == []
    log = log_file()
    assert log is not None
    assert "fetch failed" in log.read_text(), "the fault itself is in the log"


def test_a_model_that_fails_with_its_key_in_the_sentence_shows_neither(home: Path) -> None:
    with Conversation(model=Leaky()) as talk:
        outcome = talk.say("hello")
    assert found_in(f"{outcome!r}{shown(talk.events)}") == []
    assert files_with_a_canary(home) == []


def test_the_audit_log_and_its_command_show_an_address_without_its_key(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    AuditLog("web").note("web", ToolCallResult(name="fetch", arguments={"url": IN_URL, "password": "url-canary-42"}))
    assert main(["audit"]) == 0
    assert main(["audit", "--json"]) == 0
    printed = capsys.readouterr().out
    assert "city=Oslo" in printed
    assert found_in(printed) == []
    assert files_with_a_canary(home) == []


def test_an_endpoint_never_shows_its_key() -> None:
    endpoint = LLMEndpoint("https://user:url-canary-42@host/v1", "m", KEY)
    assert found_in(f"{endpoint!r} {endpoint} {endpoint.name} {endpoint.provider!r} {endpoint.metadata}") == []


def test_settings_that_hold_a_key_by_mistake_are_complained_about_without_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text(
        f'[llm]\nmodel = 3\nkey = "{KEY}"\nurl = "{IN_URL}"\n"{IN_URL}" = 1\n'
    )
    assert main(["doctor", "settings"]) == 0
    assert main(["doctor", "settings", "--json"]) == 0
    printed = capsys.readouterr()
    assert "settings.toml" in printed.out
    assert found_in(printed.out + printed.err) == []


def test_what_ends_the_program_or_a_thread_of_it_is_printed_without_a_key(home: Path) -> None:
    code = (
        "import os, threading\n"
        "from edgevox.assistant.logs import start_logging\n"
        "start_logging()\n"
        "def fail():\n"
        f"    raise RuntimeError('GET {IN_URL} with ' + os.environ['HELD_CANARY_SECRET'])\n"
        "thread = threading.Thread(target=fail, name='worker')\n"
        "thread.start(); thread.join()\n"
        "fail()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert (
        done.stderr.count("RuntimeError: GET https://api.example.org/v1?city=Oslo&apikey=[hidden] with [hidden]") == 2
    )
    assert "Exception in thread worker" in done.stderr
    assert found_in(done.stdout + done.stderr) == []
    assert files_with_a_canary(home / "logs") == []


def test_a_command_line_s_complaint_shows_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "get", IN_URL]) != 0
    assert main([IN_URL]) != 0
    assert main(["doctor", IN_URL]) != 0
    printed = capsys.readouterr()
    assert found_in(printed.out + printed.err) == []
