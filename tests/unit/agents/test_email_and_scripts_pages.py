"""The pages on keys, mail and scripts can be followed from top to bottom."""

import re
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext
from edgevox.tools import ToolRegistry

DOCS = Path(__file__).parents[3] / "docs"


def followed(page: str) -> dict[str, Any]:
    """Run the examples of a page in order and return what they left behind."""
    path = DOCS / f"{page}.md"
    names: dict[str, Any] = {"__name__": page}
    for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(path), "exec"), names)
    return names


def test_the_page_on_keys_encrypts_and_covers() -> None:
    assert followed("secrets")["sealed"]["PLAIN"] == "1"


def test_the_page_on_mail_and_scripts_makes_both_and_runs_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    names = followed("email-and-scripts")
    printed = capsys.readouterr().out
    assert "executable:bash: available" in printed
    assert "a broker at 127.0.0.1:1 cannot be reached" in printed
    assert names["bridge"].address == "anna@proton.me"
    ran = ToolRegistry([names["scripts"].tool()]).dispatch("run_script", {"script": "lights.sh"}, AgentContext())
    assert ran.result["output"] == "kitchen\n"
