"""`edgevox chains`: show, lint and draw agents of scripts and of the list."""

from pathlib import Path

import pytest

from edgevox.cli.main import main

SCRIPT = '''
from edgevox.chains import Agent, AgentMode, tool
from edgevox.chains.models import Empty, Int, Message, Stop


@tool
def measure(input: Empty, messages: list[Message]) -> Int:
    """Measure the water."""
    return Int(value=7)


@tool(chained_to=measure, chain_condition=lambda x: x.value > 5)
def warn(input: Int, messages: list[Message]) -> Stop:
    """Warn."""
    return Stop(value="high water")


@tool(chained_to=measure, chain_condition=lambda x: x.value < {limit})
def relax(input: Int, messages: list[Message]) -> Stop:
    """Say that all is well."""
    return Stop(value="all is well")


{holds} Agent(name="tide", mode=AgentMode.DETERMINISTIC, default_tools=[measure], tools=[warn, relax])
'''


def script(tmp_path: Path, holds: str = "AGENT =", limit: int = 5) -> str:
    path = tmp_path / "tide.py"
    path.write_text(SCRIPT.replace("{limit}", str(limit)).replace("{holds}", holds))
    return str(path)


@pytest.mark.parametrize("holds", ["AGENT =", "anything =", "make_agent = lambda:"])
def test_an_agent_in_a_script_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str], holds: str) -> None:
    assert main(["chains", "draw", script(tmp_path, holds)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "tide (deterministic)",
        "└─ default measure: Empty → Int",
        "   ├─ if x.value > 5: warn: Int → Stop",
        "   └─ if x.value < 5: relax: Int → Stop",
    ]


def test_a_drawing_can_be_a_flowchart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains", "draw", script(tmp_path), "--mermaid"]) == 0
    assert capsys.readouterr().out.startswith("flowchart TD\n")


def test_an_agent_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains", "show", script(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "tide (deterministic)" in shown
    assert "after measure if x.value > 5" in shown


def test_a_lint_ends_with_one_when_it_finds_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains", "lint", script(tmp_path)]) == 0
    assert capsys.readouterr().out == "Nothing was found.\n"
    (tmp_path / "more").mkdir()
    assert main(["chains", "lint", script(tmp_path / "more", limit=100)]) == 1
    assert "warn and relax both follow" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["draw", "no_such_agent"], 2, "There is no agent called 'no_such_agent'"),
        (["draw", "none.py"], 2, "There is no script none.py"),
        (["show", "dev"], 2, "no agent of chains"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert main(["chains", *arguments]) == code
    complaint = capsys.readouterr().err
    assert words in complaint
    assert "Traceback" not in complaint


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains"]) == 2
    assert "lint" in capsys.readouterr().out


def test_a_graph_that_does_not_fit_is_a_sentence_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text(Path(script(tmp_path)).read_text().replace("default_tools=[measure]", "default_tools=[]"))
    assert main(["chains", "draw", str(path)]) == 1
    assert "give it some in default_tools" in capsys.readouterr().err
