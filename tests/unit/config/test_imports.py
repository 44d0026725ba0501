"""What knowing settings and models costs at start-up: no network library, no hub, no terminal."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "httpx", "huggingface_hub", "rich", "textual", "numpy", "pydantic_settings", "tomlkit", "onnxruntime", "llama_cpp",
    "sounddevice", "ctranslate2",
)  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """Run code in a fresh interpreter and return which heavy libraries it loaded."""
    probe = f"{code}\nimport json, sys\nprint(json.dumps(sorted(set(sys.modules) & set({HEAVY!r}))))"
    answer = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    return set(json.loads(answer.stdout))


@pytest.mark.parametrize(
    "code",
    [
        "import edgevox.config.settings as s; s.load_settings()",
        "import edgevox.config.models as m; m.find('whisper-base'); m.missing('tiny'); m.sets()",
        "import edgevox.cli.models, edgevox.cli.setup",
    ],
    ids=["settings", "models", "commands"],
)
def test_looking_at_this_machine_loads_nothing_heavy(code: str) -> None:
    assert loaded_by(code) == set()


def test_a_variable_brings_in_the_library_that_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_STT__MODEL", "whisper-base")
    code = "import edgevox.config.settings as s; assert s.load_settings().stt.model == 'whisper-base'"
    assert loaded_by(code) == {"pydantic_settings"}
