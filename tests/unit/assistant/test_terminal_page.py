from pathlib import Path

import pytest

from edgevox.assistant.commands import COMMANDS
from edgevox.assistant.options import OPTIONS

PAGE = (Path(__file__).parents[3] / "docs" / "terminal.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_every_command_with_its_help(name: str) -> None:
    command = COMMANDS[name]
    row = next((line for line in PAGE.splitlines() if line.startswith(f"| `{command.usage}` |")), "")
    assert row.endswith(f"| {command.help} |")


@pytest.mark.parametrize("flag", [option.flag for option in OPTIONS])
def test_the_page_names_every_option_with_its_help(flag: str) -> None:
    option = next(option for option in OPTIONS if option.flag == flag)
    assert any(line.startswith(f"| `{flag}") and line.endswith(f"| {option.help} |") for line in PAGE.splitlines())


def test_the_page_names_nothing_that_is_not_there() -> None:
    listed = [line.split("`")[1].split()[0] for line in PAGE.splitlines() if line.startswith("| `")]
    assert set(listed) == {f"/{name}" for name in COMMANDS} | {option.flag for option in OPTIONS}
