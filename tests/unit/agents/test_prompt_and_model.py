"""What the model is told first, the model that agents share, and what importing the package costs."""

import subprocess
import sys
from pathlib import Path

import pytest

from edgevox.agents import LLMAgent
from edgevox.agents.default_model import default_model, release_default_model
from edgevox.agents.prompt import clock_facts, language_name, system_prompt
from edgevox.agents.words import say, without_model
from edgevox.core.errors import ModelMissing


def test_the_prompt_says_who_speaks_how_and_in_which_language() -> None:
    prompt = system_prompt("home", "You are Casa.", "fr", has_tools=True)
    assert prompt.startswith("You are Casa.")
    assert prompt.endswith("Answer in French.")
    assert "markdown" in prompt


def test_an_agent_without_instructions_is_introduced_by_name() -> None:
    assert system_prompt("Rover", "  ", "en", has_tools=False).startswith("You are Rover,")


@pytest.mark.parametrize(
    ("code", "name"), [("vi", "Vietnamese"), ("pt-BR", "Portuguese"), ("de_AT", "German"), ("xx", "xx")]
)
def test_languages_have_english_names(code: str, name: str) -> None:
    assert language_name(code) == name


def test_the_clock_is_one_short_sentence() -> None:
    assert clock_facts().startswith("It is ")
    assert len(clock_facts()) < 60


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "vi", "xx"])
def test_the_answer_without_a_model_names_the_command_and_the_sentences(language: str) -> None:
    answer = without_model(["one", "two", "three"], language)
    assert "edgevox setup" in answer
    assert "“one”, “two”" in answer
    assert say("or", language).strip() in answer


def test_the_answer_without_a_model_copes_with_few_sentences() -> None:
    assert "“one”." in without_model(["one"], "en")
    assert "“" not in without_model([], "en")


@pytest.mark.slow
def test_without_model_files_the_shared_model_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    release_default_model()
    with pytest.raises(ModelMissing, match="edgevox setup"):
        default_model()
    result = LLMAgent("home").run("hello")
    assert "edgevox setup" in result.reply
    assert result.error
    release_default_model()


CHEAP = """
import sys
{statement}
heavy = "hassil textual rich onnxruntime llama_cpp sounddevice httpx numpy huggingface_hub openai".split()
print([name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(
    "statement",
    [
        "import edgevox.agents",
        "from edgevox.agents import LLMAgent, ToyWorld, SafetyMonitor, skill",
        "import edgevox.safety, edgevox.sims",
        "import edgevox.examples.agents.robot_scout",
    ],
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    script = CHEAP.format(statement=statement)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.strip() == "[]"
