"""The pages on agents and workflows can be followed from top to bottom: each example finds what it uses above it."""

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs"


def followed(page: str) -> dict[str, Any]:
    """Run the examples of a page in order and return what they left behind."""
    path = DOCS / f"{page}.md"
    names: dict[str, Any] = {"__name__": page}
    for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(path), "exec"), names)
    return names


def test_the_page_on_agents_routes_and_asks_a_scripted_model(capsys: pytest.CaptureFixture[str]) -> None:
    names = followed("agents")
    assert names["casa"].run("will it rain in Oslo").handed_off_to == "weather"
    assert names["result"].tool_calls[0].name == "set_light"
    assert capsys.readouterr().out.startswith("The kitchen light is on.")


def test_the_page_on_workflows_answers_with_both_and_survives_what_fails(capsys: pytest.CaptureFixture[str]) -> None:
    names = followed("workflows")
    assert capsys.readouterr().out.split("\n")[:3] == ["The car needs new tyres.", "", "It is snowing in Oslo."]
    assert names["result"].reply == "It is noon."
    assert names["APP"].definition().agent is names["morning"]
