"""The page about files says what is so: its examples run, and its table names every command."""

import re
from pathlib import Path
from typing import Any

import pytest

from edgevox.tools.files.tokens import COMMANDS

GUIDE = Path(__file__).parents[3] / "docs" / "files.md"


def test_the_examples_of_the_page_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    namespace: dict[str, Any] = {"__name__": "guide"}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), namespace)
    assert namespace["agent"].invoke()[0].value == "done"
    assert next(tool.name for tool in namespace["tools"]) == "list_files"


def test_the_table_names_every_command() -> None:
    rows = re.findall(r"^\| (`.*?) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(COMMANDS) <= named
