"""`edgevox-agent`: agents by name and by path, and what is wrong with a script in one sentence."""

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.agents.registry import BUILT_IN, AgentRegistry
from edgevox.cli.agent import find_app, main
from edgevox.core.errors import AgentError, UsageError
from edgevox.examples.agents.framework import AgentApp
from edgevox.testing.terminal import PseudoTerminal

SCRIPT = """
from edgevox.examples.agents.framework import AgentApp
{body}
"""


Write = Callable[..., Path]


@pytest.fixture
def script(tmp_path: Path) -> Write:
    """Write a script that holds what a test wants."""

    def write(body: str, name: str = "my_agent.py") -> Path:
        path = tmp_path / name
        path.write_text(SCRIPT.format(body=body))
        return path

    return write


def test_the_promised_agents_are_there() -> None:
    promised = ["dev", "home", "project", "robot", "robot-irsim", "robot-mujoco", "robot-panda", "robot-scout"]
    assert [entry.name for entry in AgentRegistry.discover() if entry.source == BUILT_IN] == promised


@pytest.mark.parametrize("name", AgentRegistry.discover().names())
def test_every_built_in_agent_can_be_opened(name: str) -> None:
    app = find_app(name)
    assert isinstance(app, AgentApp)
    assert app.definition().tools or app.definition().skills or app.definition().agent


def test_the_list_shows_what_each_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.perf_counter()
    assert main(["list"]) == 0
    shown = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in shown if not line.startswith(" ")]
    assert names == AgentRegistry.discover().names()
    scout = shown[shown.index(next(line for line in shown if line.startswith("robot-scout "))) :]
    assert any(line.split()[0] == "skills" and "navigate_to" in line for line in scout)
    assert any(line.split() == ["world", "ToyWorld"] for line in scout)
    assert any(line.split() == ["languages", "de", "en", "es", "fr", "vi"] for line in scout)
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(("typed", "meant"), [("hom", "home"), ("robots", "robot"), ("robot-scuot", "robot-scout")])
def test_an_unknown_agent_names_the_nearest(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([typed]) == 2
    assert capsys.readouterr().err == f"There is no agent called {typed!r}; did you mean {meant}?\n"


def test_no_arguments_say_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: edgevox-agent NAME" in capsys.readouterr().out
    assert main(["--help"]) == 0
    assert main(["--version"]) == 0
    assert main(["list", "more"]) == 2


def test_the_options_of_an_agent_are_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["home", "--help"]) == 0
    assert "--simple-ui" in capsys.readouterr().out


def test_a_script_is_opened_by_its_path(script: Write, tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("NAME = 'from next door'")
    assert find_app(str(script("APP = AgentApp('mine')"))).name == "mine"
    assert find_app(str(script("agent = AgentApp('only one')", "other.py"))).name == "only one"
    assert (
        find_app(str(script("import neighbour\nAPP = AgentApp(neighbour.NAME)", "third.py"))).name == "from next door"
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("1/0", r"my_agent.py, line 3 cannot be run: ZeroDivisionError: division by zero"),
        ("def broken(:", r"my_agent.py, line 3 cannot be run: SyntaxError"),
        ("import nothing_of_that_name", r"ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("", r"holds no AgentApp; write APP = AgentApp\(...\) in it"),
        ("a = AgentApp('a')\nb = AgentApp('b')", r"holds 2 AgentApps and none of them is called APP"),
    ],
)
def test_what_is_wrong_with_a_script_is_one_sentence(script: Write, body: str, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence):
        find_app(str(script(body)))


def test_the_line_of_a_mistake_is_told_for_a_relative_path_too(script: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(script("1/0").parent)
    with pytest.raises(AgentError, match=r"^my_agent.py, line 3 cannot be run: ZeroDivisionError"):
        find_app("my_agent.py")


def test_a_mistake_that_is_told_in_a_sentence_stays_one_sentence(script: Write) -> None:
    body = "from edgevox.chains import Agent\nagent = Agent(name='lonely', system_prompt='You wait.')"
    with pytest.raises(AgentError, match=r"line 4 cannot be run: The agent 'lonely' cannot be built: .*[^.]\.$"):
        find_app(str(script(body)))


def test_a_script_that_is_not_there_is_a_mistake_of_the_command_line() -> None:
    with pytest.raises(UsageError, match="There is no script"):
        find_app("nothing/here.py")


def test_a_file_that_is_no_script_is_a_mistake_of_the_command_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page")
    with pytest.raises(UsageError, match="is not a Python file"):
        find_app(str(page))


def test_a_typed_stop_halts_a_robot_that_drives(tmp_path: Path) -> None:
    environment = {"EDGEVOX_HOME": str(tmp_path), "EDGEVOX_MODELS": str(tmp_path), "HF_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "edgevox.cli.agent", "robot-scout", "--text-mode"]
    with PseudoTerminal(command, columns=110, env=environment) as window:
        window.read_until("Scout is ready.", 60)
        window.type("go to the bedroom\r")
        window.read_until("› go to the bedroom")
        time.sleep(0.7)
        window.type("stop\r")
        window.read_until("cancelled", 10)
        window.type("where are you\r")
        window.read_until("get_pose()", 30)
        window.read_until(" degrees.", 10)
        place = re.search(r"I am at x ([-\d.]+), y ([-\d.]+)", window.text)
        assert place is not None
        assert (float(place[1]), float(place[2])) != (4.0, 4.0)
        assert "I am in the bedroom" not in window.text
        window.type("/quit\r")
        assert window.wait() == 0
