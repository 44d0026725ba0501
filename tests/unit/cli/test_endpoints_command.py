"""`edgevox endpoints`, and what the doctor says about them."""

import json
from pathlib import Path

import pytest

from edgevox.cli.checks.endpoints import judge_endpoints
from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.cli.main import main
from edgevox.config.paths import config_dir
from edgevox.config.settings import Settings
from edgevox.endpoints import EndpointDirectory
from edgevox.endpoints.states import probe
from edgevox.testing import ChatServer

CATALOGUE = """{"schema_version": 1, "providers": {
  "mine": {"base_url": "%s", "models": {
    "small": {"model_id": "scripted", "endpoint_type": "llm", "max_context_tokens": 4096},
    "absent": {"model_id": "other", "endpoint_type": "llm", "max_context_tokens": 4096}}},
  "paid": {"base_url": "%s", "api_key_env": "PAID_API_KEY_SECRET", "models": {
    "ears": {"model_id": "scripted", "endpoint_type": "transcription"}}}}}"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the person's own catalogue is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.delenv("PAID_API_KEY_SECRET", raising=False)
    config_dir().mkdir(parents=True)
    return config_dir() / "endpoints.json"


def run(*words: str) -> int:
    return main(["endpoints", *words])


def test_the_list_names_every_endpoint_and_what_it_lacks(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ChatServer() as server:
        own.write_text(CATALOGUE % (server.url, server.url), encoding="utf-8")
        assert run("list") == 0
        assert server.headers == []
    shown = capsys.readouterr().out
    rows = {line.split()[0]: line for line in shown.splitlines()}
    assert "unasked" in rows["mine.small"]
    assert "4,096 tokens" in rows["mine.small"]
    assert "no key" in rows["paid.ears"]
    assert "transcription" in rows["paid.ears"]
    assert "openrouter.z_ai__glm_5_3" in rows
    assert "edgevox secrets set PAID_API_KEY_SECRET" in shown


def test_probing_asks_each_provider_once_and_says_which_models_answer(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAID_API_KEY_SECRET", "key-for-tests-123")
    with ChatServer() as server:
        own.write_text(CATALOGUE % (server.url, server.url), encoding="utf-8")
        assert run("probe", "mine", "paid.ears", "--json") == 0
    states = {state["name"]: state for state in json.loads(capsys.readouterr().out)}
    assert {name: state["reach"] for name, state in states.items()} == {
        "mine.small": "answers",
        "mine.absent": "no model",
        "paid.ears": "answers",
    }
    assert states["mine.small"]["took_ms"] > 0
    assert "key-for-tests" not in str(states)


def test_probing_what_is_down_ends_with_one(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ChatServer() as server:
        own.write_text(CATALOGUE % (server.url, server.url), encoding="utf-8")
    assert run("probe", "mine.small") == 1
    shown = capsys.readouterr().out
    assert "down" in shown
    assert "cannot be reached" in shown


@pytest.mark.parametrize("name", ["nope", "mine.smal", "mine2.small"])
def test_an_unknown_name_is_a_usage_error(own: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(CATALOGUE % ("http://localhost:1/v1", "http://localhost:1/v1"), encoding="utf-8")
    assert run("list", name) == 2
    assert name.partition(".")[0] in capsys.readouterr().err


def test_checking_tells_every_mistake_and_an_old_module(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check") == 1
    assert "There is no catalogue here" in capsys.readouterr().err
    assert run("init") == 0
    assert run("generate") == 0
    assert run("check") == 0
    assert "without a mistake" in capsys.readouterr().out
    path = Path("model_catalogue/models.json")
    path.write_text(path.read_text(encoding="utf-8").replace("glm-5.3", "glm-6"), encoding="utf-8")
    assert run("check") == 1
    assert "is not up to date" in capsys.readouterr().err
    own.write_text('{"schema_version": 1, "providers": {"a": {"models": {}}, "class": {"base_url": "x"}}}')
    assert run("check", "--path", str(own)) == 1
    assert capsys.readouterr().err.count(str(own)) == 4


def test_a_broken_catalogue_of_ones_own_is_told_and_the_shipped_ones_are_there(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own.write_text("{", encoding="utf-8")
    assert run("list") == 1
    told = capsys.readouterr()
    assert str(own) in told.err
    assert "groq.llama_3_1_8b_instant" in told.out


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    assert "probe" in capsys.readouterr().out


def examined(directory: EndpointDirectory, settings: Settings) -> dict[str, Finding]:
    found = judge_endpoints(Patient(settings=settings), directory, lambda endpoints: probe(endpoints, only_here=True))
    return {finding.name: finding for finding in found}


def test_the_doctor_looks_at_what_the_settings_name_and_at_servers_here(own: Path) -> None:
    with ChatServer() as server:
        own.write_text(CATALOGUE % (server.url, server.url), encoding="utf-8")
        settings = Settings.model_validate({"llm": {"model": "mine.small"}, "stt": {"model": "paid.ears"}})
        found = examined(EndpointDirectory(own), settings)
    assert found["catalogue"].state is State.OK
    assert found["llm.model"].state is State.OK
    assert (found["stt.model"].state, found["stt.model"].fix) == (
        State.PROBLEM,
        "edgevox secrets set PAID_API_KEY_SECRET",
    )
    assert "mine" in found["servers"].detail
    assert "none for" in found["keys"].detail
    assert "paid" in found["keys"].detail


def test_the_doctor_tells_of_a_broken_catalogue_and_a_misspelt_name(own: Path) -> None:
    own.write_text("{", encoding="utf-8")
    broken = Settings.model_validate({"llm": {"model": "ollama.qwen3_4"}})
    found = examined(EndpointDirectory(own), broken)
    assert found["catalogue"].state is State.PROBLEM
    assert "did you mean" in found["llm.model"].detail
