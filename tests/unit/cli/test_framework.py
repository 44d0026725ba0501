"""`AgentApp`: one agent in every front end, run as a person runs a script."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from edgevox.agents.definition import AgentDefinition
from edgevox.assistant.options import Options
from edgevox.examples.agents.framework import AgentApp
from edgevox.testing.terminal import PseudoTerminal

pytestmark = pytest.mark.slow

MY_AGENT = '''
from edgevox.examples.agents.framework import AgentApp
from edgevox.llm import tool

@tool(phrases=["[what is] the price of {ticker}"])
def get_stock_price(ticker: str) -> float:
    """Return the latest price for a ticker symbol.

    Args:
        ticker: uppercase stock ticker, e.g. "AAPL"
    """
    return 123.4

@tool(phrases=["send {body} to {contact}"], says="I sent it to {contact}.")
def send_message(contact: str, body: str) -> str:
    """Send a short message to a contact.

    Args:
        contact: the contact's name
        body: message content
    """
    print("FROM THE TOOL")
    return f"sent to {contact}"

APP = AgentApp(
    name="My Voice Assistant",
    description="Stock prices and messaging.",
    tools=[get_stock_price, send_message],
    greeting="I can fetch stock prices and send messages.",
)

if __name__ == "__main__":
    APP.run()
'''


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without models, without a hub and without settings."""
    for name in ("EDGEVOX_HOME", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "my_agent.py").write_text(MY_AGENT)
    return tmp_path


def run(home: Path, *argv: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(home / "my_agent.py"), *argv],
        input=lines,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=home,
    )


def test_a_script_answers_a_matched_phrase_without_any_model(home: Path) -> None:
    done = run(home, "--text-mode", lines="send hello to bob\n")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "I can fetch stock prices and send messages." in lines
    assert "I sent it to bob." in lines
    assert any(line.startswith('↳ send_message(contact="bob", body="hello") → sent to bob') for line in lines)
    assert "Traceback" not in done.stdout + done.stderr


def test_the_same_tools_work_from_the_entry_point_of_a_plugin(home: Path) -> None:
    tools, _, app = MY_AGENT.partition("APP = ")
    (home / "my_plugin.py").write_text(f"{tools}\nTOOLS = [get_stock_price, send_message]\n")
    (home / "my_plugin-1.0.dist-info").mkdir()
    (home / "my_plugin-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n")
    (home / "my_plugin-1.0.dist-info" / "entry_points.txt").write_text("[edgevox.tools]\nmine = my_plugin:TOOLS\n")
    (home / "my_agent.py").write_text(
        "from edgevox.examples.agents.framework import AgentApp\n"
        "from edgevox.llm import load_entry_point_tools\n"
        f"APP = {app.replace('[get_stock_price, send_message]', 'load_entry_point_tools()')}"
    )
    done = run(home, "--text-mode", lines="send hello to bob\n")
    assert done.returncode == 0
    assert "I sent it to bob." in done.stdout.splitlines()


def test_without_a_model_the_rest_is_one_readable_message_that_names_the_fix(home: Path) -> None:
    done = run(home, "--text-mode", lines="what is the meaning of life\n")
    assert "edgevox setup" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--model", "hf:a/b"], "hf:a/b names a repository but no file"),
        (["--language", "klingon"], "Language 'klingon' is unknown"),
        (["--say", "nothing.wav"], "There is no recording at nothing.wav"),
        (["--tts", "x"], "--tts x is unknown"),
        (["--nonsense"], "Unrecognized arguments: --nonsense"),
    ],
)
def test_a_mistake_ends_a_script_with_one_sentence_and_code_two(home: Path, argv: list[str], sentence: str) -> None:
    done = run(home, *argv)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_recording_without_ears_says_what_is_missing(home: Path) -> None:
    (home / "x.wav").touch()
    done = run(home, "--say", "x.wav")
    assert done.returncode == 1
    assert done.stderr.startswith("Not on this machine yet: ")
    assert "--yes" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_simple_voice_loop_without_models_becomes_a_chat_and_greets_all_the_same(home: Path) -> None:
    done = run(home, "--simple-ui", lines="send hello to bob\n")
    assert done.returncode == 0
    assert "Not on this machine yet" in done.stdout
    assert "I can fetch stock prices and send messages." in done.stdout
    assert "I sent it to bob." in done.stdout


def test_without_a_terminal_the_full_screen_becomes_a_chat_that_ends_with_its_lines(home: Path) -> None:
    done = run(home, lines="send hello to bob\n")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "There is no terminal for the full screen here, so this is the chat of --text-mode."
    ]
    assert "I sent it to bob." in done.stdout.splitlines()
    assert "\x1b" not in done.stdout


def test_a_phrase_that_cannot_be_read_is_said_when_the_agent_starts(home: Path) -> None:
    script = (home / "my_agent.py").read_text()
    (home / "my_agent.py").write_text(script.replace("[what is] the price", "[what is the price"))
    done = run(home, "--text-mode", lines="send hello to bob\n")
    assert done.stdout.count("cannot be used: '[' and ']' do not match up.") >= 1
    assert "Traceback" not in done.stdout + done.stderr


def test_flags_that_mean_nothing_in_text_mode_are_named(home: Path) -> None:
    done = run(home, "--text-mode", "--voice", "joe", "--mute", lines="")
    assert done.stderr.splitlines() == ["--voice has no effect here.", "--mute has no effect here."]
    assert done.returncode == 0


def test_the_log_file_is_private_and_holds_no_terminal_output(home: Path) -> None:
    run(home, "--text-mode", "--log-level", "debug", lines="send hello to bob\n")
    log = home / "home" / "logs" / "edgevox.log"
    assert log.is_file()
    assert log.stat().st_mode & 0o077 == 0
    assert log.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("argv", [(), ("--simple-ui",), ("--text-mode",)])
def test_the_greeting_and_the_answer_come_in_every_front_end(home: Path, argv: tuple[str, ...]) -> None:
    command = [sys.executable, str(home / "my_agent.py"), *argv]
    with PseudoTerminal(command, columns=110, rows=30, env={"EDGEVOX_HOME": str(home / "home")}) as window:
        if argv != ("--text-mode",):
            window.read_until("Download now?", 60)
            window.type("n\n")
        window.read_until("I can fetch stock prices and send messages.", 60)
        window.type("send hello to bob\r")
        window.read_until("I sent it to bob.", 30)
        window.type("/quit\r")
        assert window.wait(20) == 0
        assert window.modes() == window.modes_before
        if argv == ():
            assert "FROM THE TOOL" not in window.output


def test_what_an_app_says_is_its_definition() -> None:
    world = object()
    app = AgentApp(
        "casa", "a house", "Be kind.", tools=[len], deps=world, stop_words=("cease",), greeting="Hi.",
        phrases={"len": ["how long"]}, model="x.gguf", language="de", voice="joe", max_tokens=99, temperature=0.2,
        max_tool_hops=5,
    )  # fmt: skip
    definition = app.definition()
    assert isinstance(definition, AgentDefinition)
    assert (definition.name, definition.description, definition.instructions) == ("casa", "a house", "Be kind.")
    assert definition.tools == [len]
    assert definition.deps is world
    assert definition.stop_words == ("cease",)
    assert definition.phrases == {"len": ["how long"]}
    assert (definition.max_tokens, definition.temperature, definition.max_tool_hops) == (99, 0.2, 5)


def test_run_with_arguments_of_its_own_returns_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert AgentApp("casa").run(["--nonsense"]) == 2
    assert AgentApp("casa", "a house").run(["--help"]) == 0
    assert "casa: a house" in capsys.readouterr().out


def test_run_with_the_processes_arguments_ends_a_script_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["my_agent.py", "--nonsense"])
    with pytest.raises(SystemExit) as left:
        AgentApp("casa").run()
    assert left.value.code == 2


def test_a_recording_is_answered_without_a_greeting() -> None:
    app = AgentApp("casa", greeting="Hi.")
    adapted = app._adapted  # pyright: ignore[reportPrivateUsage] # the seam in front of every front end
    assert adapted(Options(say=Path("x.wav"))).greeting == ""
    assert [adapted(options).greeting for options in (Options(), Options(text_mode=True))] == ["Hi.", "Hi."]


def test_a_world_opens_no_window_where_none_is_wanted() -> None:
    world = SimpleNamespace(render=True)
    AgentApp("scout", deps=world)._adapted(Options(text_mode=True, no_render=True))  # pyright: ignore[reportPrivateUsage]
    assert world.render is False
