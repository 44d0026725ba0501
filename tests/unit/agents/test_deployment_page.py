"""The page on deploying agents can be followed from top to bottom."""

import re
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents.memory.consolidation import LETTERS as MEMORY_LETTERS
from edgevox.agents.memory.retention import Limits
from edgevox.agents.memory.snapshots import LETTERS, TOKENS

PAGE = Path(__file__).parents[3] / "docs" / "deployment.md"
TEXT = PAGE.read_text(encoding="utf-8")


def examples() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my-garden").mkdir()
    monkeypatch.chdir(tmp_path)
    for number, source in enumerate(examples()):
        path = tmp_path / f"example_{number}.py"
        path.write_text(source)
        exec(compile(source, str(path), "exec"), dict[str, Any]())
    assert capsys.readouterr().out == "Tulips.\nDone.\n"


def test_the_numbers_of_the_page_are_those_of_the_program() -> None:
    limits = Limits()
    for number in (LETTERS, MEMORY_LETTERS, TOKENS):
        assert f"{number:,} " in TEXT
    assert f"{limits.logs} journals, {limits.snapshots}\nsnapshots and {limits.memories} memories" in TEXT


def test_every_page_that_is_named_is_there() -> None:
    missing = [page for page in re.findall(r"\]\(([\w-]+\.md)\)", TEXT) if not (PAGE.parent / page).is_file()]
    assert [page for page in missing if page != "files.md"] == []
