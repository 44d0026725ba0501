"""Endpoints in a running assistant: named at the start, listed, exchanged while a turn runs, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.agents.definition import AgentDefinition
from edgevox.assistant import Assistant
from edgevox.assistant.build import build_assistant
from edgevox.assistant.commands import complete, run_command
from edgevox.assistant.options import Options, model_spec
from edgevox.assistant.parts import PartsFactory
from edgevox.config.paths import config_dir, settings_file
from edgevox.config.settings import Settings
from edgevox.core.errors import UsageError
from edgevox.core.messages import Role
from edgevox.endpoints import LLMEndpoint
from edgevox.endpoints.recognizer import EndpointRecognizer
from edgevox.testing import ChatServer

CATALOGUE = """{"schema_version": 1, "providers": {
  "one": {"base_url": "%s", "models": {
    "chat": {"model_id": "scripted", "endpoint_type": "llm", "max_context_tokens": 4096}}},
  "two": {"base_url": "%s", "models": {
    "chat": {"model_id": "scripted", "endpoint_type": "llm", "max_context_tokens": 4096},
    "ears": {"model_id": "whisper", "endpoint_type": "transcription"}}},
  "paid": {"base_url": "%s", "api_key_env": "PAID_API_KEY_SECRET", "models": {
    "chat": {"model_id": "scripted", "endpoint_type": "llm", "max_context_tokens": 4096}}}}}"""
CASA = AgentDefinition(name="casa", description="Talks.")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("PAID_API_KEY_SECRET", raising=False)
    config_dir().mkdir(parents=True, exist_ok=True)
    return tmp_path


@pytest.fixture
def servers() -> Iterator[tuple[ChatServer, ChatServer]]:
    """Two servers, in the person's own catalogue."""
    slow = " ".join(f"word{n}" for n in range(60))
    with ChatServer("From one.", slow, token_delay_s=0.01) as one, ChatServer("From two.", "Again two.") as two:
        (config_dir() / "endpoints.json").write_text(CATALOGUE % (one.url, two.url, two.url), encoding="utf-8")
        yield one, two


@pytest.fixture
def assistant(servers: tuple[ChatServer, ChatServer]) -> Iterator[Assistant]:
    made = build_assistant(CASA, Options(text_mode=True, model="one.chat"))
    made.start()
    yield made
    made.close()


def reply(assistant: Assistant, text: str) -> str:
    outcome = assistant.submit(text).wait(20)
    assert outcome is not None
    assert outcome.error is None
    return outcome.reply


def test_a_turn_that_runs_keeps_its_endpoint_and_the_next_one_has_the_new(
    assistant: Assistant, servers: tuple[ChatServer, ChatServer]
) -> None:
    one, two = servers
    assert reply(assistant, "hello") == "From one."
    running = assistant.submit("go on at length")
    assert run_command(assistant, "/endpoint two.chat") == "two.chat answers now."
    outcome = running.wait(20)
    assert outcome is not None
    assert outcome.error is None
    assert outcome.reply.endswith("word59")
    assert reply(assistant, "and now") == "From two."
    assert (len(one.bodies), len(two.bodies)) == (2, 1)
    said = [message.plain for message in assistant.session.messages if message.role is Role.USER]
    assert said == ["hello", "go on at length", "and now"]
    shown = [message["content"] for message in two.bodies[0]["messages"]]
    assert "hello" in shown
    assert "From one." in shown


def test_the_list_marks_the_one_in_use_and_says_what_others_lack(assistant: Assistant) -> None:
    rows = run_command(assistant, "/endpoints").splitlines()
    assert any(row.startswith("▸ one.chat") for row in rows)
    assert any("paid.chat" in row and row.endswith("no key") for row in rows)
    assert not any("ears" in row for row in rows)
    asked = run_command(assistant, "/endpoints probe")
    assert "answers in" in asked
    assert run_command(assistant, "/endpoints nope").startswith("/endpoints takes probe")


def test_the_endpoint_in_use_tells_what_it_has_taken(assistant: Assistant) -> None:
    reply(assistant, "hello")
    told = run_command(assistant, "/endpoint")
    assert told.startswith("scripted at 127.0.0.1:")
    assert "1 questions" in told


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/endpoint nope", "There is no endpoint nope"),
        ("/endpoint one.caht", "did you mean one.chat"),
        ("/endpoint paid.chat", "edgevox secrets set PAID_API_KEY_SECRET"),
        ("/endpoint two.ears", "writes down what is said"),
        ("/endpoint local", "There is no language model on this machine"),
        ("/endpoint lm_studio.qwen3_4b", "cannot be reached"),
    ],
)
def test_an_endpoint_that_cannot_be_had_leaves_the_old_one(assistant: Assistant, line: str, words: str) -> None:
    if "lm_studio" in line:
        gone = (CATALOGUE % (("http://127.0.0.1:9/v1",) * 3)).replace('"two"', '"lm_studio"')
        gone = gone.replace('"chat"', '"qwen3_4b"')
        (config_dir() / "endpoints.json").write_text(gone, encoding="utf-8")
    assert words in run_command(assistant, line)
    assert isinstance(assistant.model, LLMEndpoint)
    assert assistant.model.api_name == "one"
    assert reply(assistant, "hello") == "From one."


def test_names_are_completed(assistant: Assistant) -> None:
    assert complete(assistant, "/endpoint tw") == ["/endpoint two.chat"]
    assert complete(assistant, "/endpoint loc")[0] == "/endpoint local"


@pytest.mark.parametrize("spec", ["one.chat", "two#other", "ollama.qwen3_4b", "openrouter.z_ai__glm_5_3"])
@pytest.mark.usefixtures("servers")
def test_the_command_line_takes_names_of_endpoints(spec: str) -> None:
    assert model_spec(spec) == spec
    with pytest.raises(UsageError, match=r"did you mean one\.chat"):
        model_spec("one.cha")
    with pytest.raises(UsageError, match="no model called"):
        model_spec("three.chat")


@pytest.mark.usefixtures("servers")
def test_settings_may_name_endpoints_for_answers_and_for_hearing() -> None:
    settings_file().write_text('[llm]\nmodel = "two#special"\n', encoding="utf-8")
    made = build_assistant(CASA, Options(text_mode=True))
    assert isinstance(made.model, LLMEndpoint)
    assert made.model.model_name == "special"
    made.close()
    for name in ("two.ears", "endpoint:two.ears"):
        parts = PartsFactory(Settings.model_validate({"stt": {"model": name}}))
        assert isinstance(parts.recognizer("en"), EndpointRecognizer)
    with pytest.raises(UsageError, match="name a transcription model"):
        PartsFactory(Settings.model_validate({"stt": {"model": "two.chat"}})).recognizer("en")


def test_tools_reach_every_endpoint_by_name(assistant: Assistant) -> None:
    context = assistant.contexts.endpoints
    assert isinstance(context["two.chat"], LLMEndpoint)
    assert context["two.chat"] is context["two.chat"]
