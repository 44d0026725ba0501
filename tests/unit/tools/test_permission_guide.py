"""The page about permissions: its scripts run, its settings are settings, its rules are rules."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from edgevox.config.settings import PermissionSettings
from edgevox.tools.permissions import Operation, parse_rule

PAGE = (Path(__file__).parents[3] / "docs" / "permissions.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("script", blocks("python"))
def test_every_script_of_the_page_runs(script: str) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(script, "permissions.md", "exec"), names)
    assert len(names) > 2


def test_the_settings_of_the_page_are_settings_and_all_of_them() -> None:
    (block,) = blocks("toml")
    given = PermissionSettings(**tomllib.loads(block)["permissions"])
    for rule in (*given.allow, *given.ask, *given.deny):
        assert parse_rule(rule).operations
    for name in PermissionSettings.model_fields:
        assert f"| `{name}` |" in PAGE


def test_the_page_names_every_operation() -> None:
    table = PAGE.partition("| operation | on |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z]+)`", table)) == {each.value for each in Operation}
