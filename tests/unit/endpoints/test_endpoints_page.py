"""The page about endpoints says what is so."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from edgevox.cli.main import main
from edgevox.endpoints import inventory
from edgevox.endpoints.models_file import ChatEntry, ProviderEntry, RequestEntry, TranscriptionEntry, parse_catalogue
from edgevox.testing import ChatServer

PAGE = (Path(__file__).parents[3] / "docs" / "endpoints.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_field_of_a_catalogue_is_described() -> None:
    fields = {
        name
        for entry in (ProviderEntry, ChatEntry, TranscriptionEntry, RequestEntry)
        for name in entry.model_fields
        if name != "models"
    }
    assert {name for name in fields if f"`{name}`" not in PAGE} == set()


def test_the_catalogue_of_the_page_is_one_and_the_shipped_providers_are_named() -> None:
    (example,) = blocks("json")
    assert "my_service" in parse_catalogue(example).providers
    assert json.loads(example)["schema_version"] == 1
    assert [name for name in inventory.__all__ if f"`{name}`" not in PAGE] == []


@pytest.mark.parametrize("command", ["list", "probe", "init", "generate", "check"])
def test_every_command_is_named(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"edgevox endpoints {command}" in PAGE
    assert main(["endpoints", command, "--help"]) == 0
    assert command in capsys.readouterr().out


def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    program = blocks("python")[-1]
    names: dict[str, Any] = {}
    with ChatServer("Blue.") as server:
        exec(compile(program.replace("http://localhost:8080/v1", server.url), "page", "exec"), names)
    assert capsys.readouterr().out.strip() == "Blue."
    assert server.bodies[0]["temperature"] == 0.2
    assert names["careful"].id == names["endpoint"].id
