"""The dev agent's own assistant, on a real server of another project, then on the model of this machine, and back.

The server is llama-cpp-python's, started from its package; the catalogue is a person's own file.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.assistant import Assistant
from edgevox.assistant.build import build_assistant
from edgevox.assistant.commands import run_command
from edgevox.assistant.options import Options
from edgevox.config.models import find
from edgevox.config.paths import config_dir
from edgevox.core.completion import LlmCall, collect
from edgevox.core.errors import ContextOverflow
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Role
from edgevox.endpoints import EndpointDirectory, LLMEndpoint
from edgevox.examples.agents.dev_toolbox import APP
from edgevox.pipeline.outcome import TurnOutcome

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

MODEL = "smollm2-135m-instruct"
CONTEXT = 4096
QUESTIONS = (
    "Say one sentence about rivers.",
    "And one sentence about trees, please.",
    "And one about mountains.",
)


@pytest.fixture(scope="module")
def gguf() -> Path:
    files = find(MODEL)
    if files is None:
        pytest.skip(f"the model {MODEL} is not on this machine (edgevox models get {MODEL})")
    return files.path("model.gguf")


@pytest.fixture(scope="module")
def server(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that holds the small model."""
    pytest.importorskip("llama_cpp.server.app")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", "--model", str(gguf), "--model_alias", "served",
             "--port", str(port), "--n_ctx", str(CONTEXT), "--n_threads", "2"],
            stdout=written, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            _wait_for(port, process, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(errors="replace")
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')}")


@pytest.fixture
def catalogue(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A person's own catalogue with the server in it; returns the name of its model."""
    if "EDGEVOX_MODELS" not in os.environ:
        from edgevox.config.paths import models_dir

        monkeypatch.setenv("EDGEVOX_MODELS", str(models_dir()))
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    entry = {"model_id": "served", "endpoint_type": "llm", "max_context_tokens": CONTEXT, "temperature": 0.0}
    data = {"schema_version": 1, "providers": {"here": {"base_url": server, "models": {"small": entry}}}}
    config_dir().mkdir(parents=True)
    (config_dir() / "endpoints.json").write_text(json.dumps(data), encoding="utf-8")
    (config_dir() / "settings.toml").write_text(f'[llm]\nmodel = "{MODEL}"\nmax_tokens = 24\n', encoding="utf-8")
    return "here.small"


@pytest.fixture
def dev(catalogue: str) -> Iterator[Assistant]:
    """The dev agent's assistant, on the server."""
    assistant = build_assistant(APP.definition(), Options(text_mode=True, model=catalogue))
    assistant.start()
    yield assistant
    assistant.close()


def told(outcome: TurnOutcome | None) -> str:
    assert outcome is not None
    assert outcome.error is None
    assert outcome.cancelled is None
    assert outcome.reply
    return outcome.reply


def test_the_model_is_exchanged_in_mid_conversation_and_back_and_no_turn_is_lost(
    dev: Assistant, catalogue: str
) -> None:
    calls: list[str] = []

    def note(event: AgentEvent) -> None:
        assert isinstance(event.payload, LlmCall)
        calls.append(event.payload.model)

    dev.bus.subscribe("llm_call", note)
    replies = [told(dev.submit(QUESTIONS[0]).wait(180))]
    assert set(calls) == {"served"}

    running = dev.submit(QUESTIONS[1])  # the server answers this one, although another model is chosen meanwhile
    assert run_command(dev, "/endpoint local").startswith("The model on this machine answers now")
    replies.append(told(running.wait(180)))

    calls.clear()
    replies.append(told(dev.submit(QUESTIONS[2]).wait(180)))
    assert "served" not in calls
    assert calls

    assert run_command(dev, f"/endpoint {catalogue}") == f"{catalogue} answers now."
    calls.clear()
    replies.append(told(dev.submit("Thank you. One about the sea?").wait(180)))
    assert set(calls) == {"served"}
    assert "questions" in run_command(dev, "/endpoint")

    said = [message.plain for message in dev.session.messages if message.role is Role.USER]
    assert said == [*QUESTIONS, "Thank you. One about the sea?"]
    answered = [m.plain for m in dev.session.messages if m.role is Role.ASSISTANT and m.plain]
    assert all(any(reply.startswith(each[:20]) for each in answered) for reply in replies)


def test_the_lists_say_that_the_server_answers(dev: Assistant, catalogue: str) -> None:
    rows = run_command(dev, "/endpoints probe").splitlines()
    assert any(row.startswith(f"▸ {catalogue}") and "answers in" in row for row in rows)
    assert any("local.smollm2_135m_instruct" in row and "not here" not in row for row in rows)


def test_a_conversation_that_is_too_long_for_the_server_is_told_as_such(catalogue: str) -> None:
    endpoint = EndpointDirectory().find(catalogue)
    assert isinstance(endpoint, LLMEndpoint)
    with pytest.raises(ContextOverflow):
        endpoint.complete([{"role": "user", "content": "many words about trees and rivers " * 1500}])
    assert collect(endpoint.complete([{"role": "user", "content": "Hello."}], max_tokens=5)).text
