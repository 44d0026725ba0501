"""`edgevox`: commands by name, mistakes in one sentence, the app without one."""

import subprocess
import sys
from pathlib import Path

import pytest

import edgevox.cli.main
from edgevox.cli.main import SUBCOMMANDS, main


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in SUBCOMMANDS if name not in shown] == []


def test_a_command_is_run_with_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "list"]) == 0
    assert "whisper-tiny.en" in capsys.readouterr().out


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_command_of_the_table_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"edgevox {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["modls"], "There is no command 'modls'; did you mean models?"),
        (["zzzzzz"], "There is no command 'zzzzzz'; edgevox --help lists them."),
        (["home"], "home is an agent: open it with edgevox-agent home."),
        (["my_agent.py"], "my_agent.py is an agent: open it with edgevox-agent my_agent.py."),
        (["--model", "hf:a/b"], "hf:a/b names a repository but no file: write hf:a/b:FILE.gguf"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_two(
    argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(sentence)
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_reader_that_leaves_is_no_traceback() -> None:
    command = f"{sys.executable} -m edgevox.cli.main models list | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("command", ["edgevox.cli.main models list", "edgevox.cli.main doctor libraries",
                                     "edgevox.cli.main --help", "edgevox.cli.agent list"])  # fmt: skip
def test_output_to_a_full_disk_is_one_sentence(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-m", *command.split()], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "The output could not be written: No space left on device. Make room, and try again.\n"


def test_the_bots_are_found_where_they_were_promised() -> None:
    from edgevox.cli.main import TextBot, VoiceBot

    assert issubclass(TextBot, VoiceBot)
    assert set(edgevox.cli.main.__all__) == {"TextBot", "VoiceBot", "main"}
    with pytest.raises(AttributeError):
        edgevox.cli.main.__getattr__("Nothing")
