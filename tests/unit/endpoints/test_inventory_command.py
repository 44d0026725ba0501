"""Beginning a catalogue and writing its module: what is written, what is never written over, what is said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edgevox.endpoints import inventory
from edgevox.endpoints.__main__ import main
from edgevox.endpoints.generate import MARKER, module_text
from edgevox.endpoints.models_file import parse_catalogue, read_catalogue
from edgevox.endpoints.project import BUNDLED

FILES = ("good.py", "bad.py", "mine.py")
SMALL = """{"schema_version": 1, "providers": {
  "list": {"base_url": "http://localhost:1/v1", "models": {
    "chat": {"model_id": "quoted \\"é\\" \\\\ name", "endpoint_type": "llm", "max_context_tokens": 10},
    "ears": {"model_id": "w", "endpoint_type": "transcription"}}},
  "globals": {"engine": "edgevox", "models": {"here": {"model_id": "tiny", "endpoint_type": "llm",
    "max_context_tokens": 10}}}}}"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    return tmp_path


def run(*words: str) -> int:
    return main(["inventory", *words])


@pytest.mark.parametrize(
    ("layout", "place"),
    [
        (["src/My_app"], "src/My_app/model_catalogue/models.json"),
        (["My_app"], "My_app/model_catalogue/models.json"),
        (["src/My_app", "My_app"], "src/My_app/model_catalogue/models.json"),
        ([], "model_catalogue/models.json"),
    ],
)
def test_the_catalogue_lies_in_the_package_of_the_project(project: Path, layout: list[str], place: str) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "My-._app"\n', encoding="utf-8")
    for package in layout:
        (project / package).mkdir(parents=True)
        (project / package / "__init__.py").touch()
    assert run("init") == 0
    assert (project / place).read_bytes() == BUNDLED.read_bytes()
    assert (project / place).with_name("__init__.py").read_bytes() == b""
    assert run("generate") == 0
    assert (project / place).with_name("providers.py").is_file()


def test_beginning_twice_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("init") == 0
    path = project / "model_catalogue" / "models.json"
    path.write_text("mine", encoding="utf-8")
    assert run("init") == 1
    assert path.read_text(encoding="utf-8") == "mine"
    said = capsys.readouterr()
    assert "is there already" in said.err
    assert "Traceback" not in said.err


def test_a_beginning_that_fails_makes_nothing(project: Path) -> None:
    assert run("init", "--path", "nowhere/models.json") == 1
    assert list(project.iterdir()) == []
    link = project / "models.json"
    link.symlink_to(project / "elsewhere.json")
    assert run("init", "--path", "models.json") == 1
    assert not (project / "elsewhere.json").exists()


def test_a_catalogue_of_ones_own_lies_beside_the_settings(project: Path) -> None:
    assert run("init", "--user") == 0
    assert (project / "home" / "config" / "endpoints.json").read_bytes() == BUNDLED.read_bytes()
    assert run("init", "--user") == 1


def test_generating_twice_gives_the_same_bytes_and_a_later_time(project: Path) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    assert run("generate", "--path", "models.json") == 0
    module = project / "providers.py"
    first, before = module.read_bytes(), module.stat().st_mtime
    assert first.startswith(MARKER.encode())
    assert run("generate", "--path", "models.json") == 0
    assert module.read_bytes() == first
    assert module.stat().st_mtime >= before + 1
    assert sorted(path.name for path in project.iterdir()) == ["models.json", "providers.py"]


def test_a_generated_module_has_every_name_and_value(project: Path) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    assert run("generate", "--path", "models.json", "--output", "mine.py") == 0
    code = (
        "import mine; from mine import *; print(mine.__all__); print(list.chat.model_name); print(globals.here); "
        "print(list.ears)"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        capture_output=True, encoding="utf-8", check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(project)},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "['list', 'globals']",
        'quoted "é" \\ name',
        "LocalEndpoint('tiny')",
        "TranscriptionEndpoint('w' at localhost:1)",
    ]


def test_the_shipped_module_is_the_one_of_the_shipped_catalogue() -> None:
    assert inventory.__file__ is not None
    text = Path(inventory.__file__).read_text(encoding="utf-8")
    assert text == module_text(read_catalogue(BUNDLED)), "write it again with generate.module_text"


def test_a_catalogue_without_providers_makes_a_module_without_names(project: Path) -> None:
    text = module_text(parse_catalogue('{"schema_version": 1, "providers": {}}'))
    compile(text, "providers.py", "exec")
    assert "__all__ = []" in text


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("providers.txt", "no Python module"),
        ("1st.py", "cannot be imported"),
        ("class.py", "cannot be imported"),
        ("typing.py", "cannot be imported"),
        ("edgevox.py", "cannot be imported"),
        ("__init__.py", "cannot be imported"),
        ("missing/providers.py", "There is no folder"),
        ("theirs.py", "was not written by this command"),
        ("link.py", "is a symbolic link"),
        ("folder.py", "was not written by this command"),
    ],
)
def test_where_something_would_be_lost_nothing_is_written(
    project: Path, output: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    (project / "theirs.py").write_text("x = 1\n", encoding="utf-8")
    (project / "link.py").symlink_to(project / "target.py")
    (project / "folder.py").mkdir()
    before = {path.name for path in project.iterdir()}
    assert run("generate", "--path", "models.json", "--output", output) == 1
    assert words in capsys.readouterr().err
    assert (project / "theirs.py").read_text(encoding="utf-8") == "x = 1\n"
    assert {path.name for path in project.iterdir()} == before


def test_the_installed_package_and_the_catalogue_itself_are_never_the_output(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    inside = BUNDLED.with_name("generated_here.py")
    assert run("generate", "--path", "models.json", "--output", str(inside)) == 1
    assert not inside.exists()
    (project / "models.py").write_text(SMALL, encoding="utf-8")
    assert run("generate", "--path", "models.py", "--output", "models.py") == 1
    assert (project / "models.py").read_text(encoding="utf-8") == SMALL
    assert "the catalogue itself" in capsys.readouterr().err


def test_a_mistake_leaves_the_module_as_it_was_and_names_the_file_and_the_place(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    assert run("generate", "--path", "models.json") == 0
    before = (project / "providers.py").read_bytes()
    wrong = SMALL.replace('"max_context_tokens": 10},', '"max_context_tokens": 1.5},')
    (project / "models.json").write_text(wrong, encoding="utf-8")
    assert run("generate", "--path", "models.json") == 1
    assert (project / "providers.py").read_bytes() == before
    said = capsys.readouterr().err
    assert "models.json: providers.list.models.chat.max_context_tokens: must be a whole number." in said
    assert run("generate", "--path", "nowhere.json") == 1


def test_arguments_that_cannot_be_understood_end_with_two() -> None:
    for words in (["inventory"], ["inventory", "sing"], [], ["inventory", "init", "--nope"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2


@pytest.mark.slow
def test_a_type_checker_knows_every_model_and_refuses_other_names(project: Path) -> None:
    (project / "models.json").write_text(SMALL, encoding="utf-8")
    assert run("generate", "--path", "models.json", "--output", "mine.py") == 0
    (project / "good.py").write_text(
        "from typing import assert_type\n"
        "from edgevox.endpoints import LLMEndpoint, LocalEndpoint, TranscriptionEndpoint\n"
        "from edgevox.endpoints.inventory import groq, local, openrouter\n"
        "import mine\n"
        "assert_type(mine.list.chat, LLMEndpoint)\n"
        "assert_type(mine.list.ears, TranscriptionEndpoint)\n"
        "assert_type(mine.globals.here, LocalEndpoint)\n"
        "assert_type(mine.list.configured(stream=False).chat, LLMEndpoint)\n"
        "assert_type(openrouter.z_ai__glm_5_3, LLMEndpoint)\n"
        "assert_type(groq.whisper_large_v3, TranscriptionEndpoint)\n"
        "assert_type(local.lfm2_1_2b, LocalEndpoint)\n",
        encoding="utf-8",
    )
    (project / "bad.py").write_text(
        "import mine\nfrom edgevox.endpoints.inventory import openrouter\n"
        "mine.list.nope\nopenrouter.nope\nmine.other\n",
        encoding="utf-8",
    )
    (project / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    found = pyright(project)
    assert [each for each in found if each[0] != "bad.py"] == []
    assert [line for _, line, rule in found if rule == "reportAttributeAccessIssue"] == [3, 4, 5]


def pyright(folder: Path) -> list[tuple[str, int, str]]:
    """Check the files of a folder with the interpreter of these tests; returns file, line and rule of each error."""
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *FILES],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = [each for each in found if each["severity"] == "error"]
    return [(Path(each["file"]).name, each["range"]["start"]["line"] + 1, each.get("rule", "")) for each in errors]
