"""A conversation as a person, or a script, has it: in a real terminal, and through a pipe."""

import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.testing.terminal import PseudoTerminal

NOISY = """
import os, sys
from pathlib import Path
from edgevox.assistant.logs import start_logging
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.ui.text_repl import run_text_repl

def answer(line):
    os.write(2, b"ALSA lib pcm.c torn")
    print("PYTHON PRINT")
    return Reply(pieces=["Done."])

start_logging("INFO", Path(sys.argv[1]))
sys.exit(run_text_repl(ScriptedAssistant(answer)))
"""

Script = Callable[..., "subprocess.CompletedProcess[str]"]
Terminal = Callable[..., PseudoTerminal]


def test_a_script_is_answered_line_by_line_after_the_greeting(script: Script) -> None:
    done = script("light", "markup")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines()[:6] == [
        "I am casa.",
        "› light",
        '↳ set_light(room="kitchen", on=true) → on (4 ms)',
        "The kitchen light is on.",
        "› markup",
        "[kitchen] is on [/done]",
    ]


def test_a_failed_turn_does_not_end_the_conversation_but_a_script_learns_of_it(script: Script) -> None:
    done = script("fail", "light")
    assert "✗ The model is gone." in done.stdout
    assert "The kitchen light is on." in done.stdout
    assert done.returncode == 1


def test_what_fails_inside_the_assistant_does_not_end_the_conversation(script: Script) -> None:
    done = script("break", "light")
    assert "✗ That failed: the wire is cut." in done.stdout
    assert "The kitchen light is on." in done.stdout


def test_commands_and_unknown_commands_are_answered_in_words(script: Script) -> None:
    done = script("/mute", "/hlep", "/voice nobody")
    assert "The microphone is muted" in done.stdout
    assert "did you mean /help?" in done.stdout
    assert "There is no voice nobody" in done.stdout
    assert done.returncode == 0


def test_a_stop_written_behind_a_drive_stops_the_drive(script: Script) -> None:
    done = script("go", "stop", "light")
    lines = done.stdout.splitlines()
    assert lines.index("› go") < lines.index("› stop") < lines.index("Stopped.") < lines.index("› light")
    assert "ordered: ['start', 'stop stop', 'close']" in done.stdout


def test_a_script_answers_the_question_of_the_turn_before(script: Script) -> None:
    done = script("unlock", "yes", "light")
    assert "Unlocked." in done.stdout
    assert "The kitchen light is on." in done.stdout


def test_a_line_that_is_no_answer_is_a_turn_that_the_next_line_waits_for(script: Script) -> None:
    lines = script("unlock", "slow", "light").stdout.splitlines()
    assert "Unlocked." not in lines
    assert lines.index("Slowly done.") < lines.index("› light") < lines.index("The kitchen light is on.")


def test_a_script_that_ends_at_a_yes_or_no_question_is_no_and_waits_for_nobody(script: Script) -> None:
    done = script("unlock")
    assert "Unlocked." not in done.stdout
    assert "'no answer'" in done.stdout


def test_quit_ends_a_script_where_it_stands(script: Script) -> None:
    done = script("/quit", "light")
    assert "The kitchen light is on." not in done.stdout
    assert done.returncode == 0


def test_bytes_that_are_no_text_do_not_end_the_conversation() -> None:
    source = (
        "from edgevox.testing.assistant import ScriptedAssistant\n"
        "from edgevox.ui.text_repl import run_text_repl\n"
        "run_text_repl(ScriptedAssistant())"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], input=b"\xff\xfe light\nbye", capture_output=True, timeout=30, check=False
    )
    assert "You said bye." in done.stdout.decode()
    assert done.returncode == 0


def test_typed_stop_works_while_a_turn_runs(terminal: Terminal) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        window.type("go\r")
        window.read_until("Driving.")
        window.type("stop\r")
        typed = time.monotonic()
        window.read_until("Stopped.")
        assert time.monotonic() - typed < 1.0
        window.type("light\r")
        window.read_until("The kitchen light is on.")
        window.type("/quit\r")
        assert window.wait() == 0
        assert "ordered: ['start', 'stop stop', 'close']" in window.output
        assert window.modes() == window.modes_before


def test_the_stop_key_stops_and_ctrl_d_leaves(terminal: Terminal) -> None:
    with terminal("run_voice_loop") as window:
        window.read_until("ready")
        window.type("go\r")
        window.read_until("Driving.")
        window.type("\x1b")
        window.read_until("Stopped.")
        window.type("\x04")
        assert window.wait() == 0
        assert "ordered: ['start', 'stop command', 'close']" in window.output


def test_ctrl_c_stops_and_once_more_leaves_within_two_seconds(terminal: Terminal) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        window.type("go\r")
        window.read_until("Driving.")
        window.type("\x03")
        window.read_until("Ctrl+C once more leaves.")
        window.type("\x03")
        pressed = time.monotonic()
        assert window.wait() == 0
        assert time.monotonic() - pressed < 2.0
        assert "'stop Ctrl+C'" in window.output
        assert window.modes() == window.modes_before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(terminal: Terminal, number: int) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        os.kill(window.pid, number)
        assert window.wait() == 0
        assert window.modes() == window.modes_before


def test_a_command_is_completed_with_tab(terminal: Terminal) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        window.type("/tra\t\r")
        window.read_until("Nothing has been said yet.")
        window.type("\x04")
        assert window.wait() == 0


def test_a_chat_that_slept_takes_the_terminal_back(terminal: Terminal) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        with_keys = window.modes()
        termios.tcsetattr(window.descriptor, termios.TCSANOW, window.modes_before)
        os.kill(window.pid, signal.SIGCONT)
        deadline = time.monotonic() + 5
        while window.modes() != with_keys and time.monotonic() < deadline:
            time.sleep(0.02)
        assert window.modes() == with_keys


def test_what_tools_and_c_libraries_print_does_not_tear_the_prompt(tmp_path: Path) -> None:
    with PseudoTerminal([sys.executable, "-c", NOISY, str(tmp_path)]) as window:
        window.read_until("› ")
        window.type("speak\r")
        window.read_until("Done.")
        window.read_until("PYTHON PRINT")
        window.type("/quit\r")
        assert window.wait() == 0
        assert "ALSA" not in window.output
        assert b"ALSA lib pcm.c" in (tmp_path / "edgevox.log").read_bytes()


def test_long_lines_are_broken_where_the_window_ends(terminal: Terminal) -> None:
    with terminal(columns=40) as window:
        window.read_until("I am casa.")
        window.type("/help\r")
        window.read_until("leave")
        window.type("/quit\r")
        assert window.wait() == 0
        rows = [row.rsplit("\r", 1)[-1] for row in window.text.replace("\r\n", "\n").split("\n")]
        assert 30 < max(map(len, rows)) <= 40


def test_a_tiny_window_does_no_harm(terminal: Terminal) -> None:
    with terminal("run_voice_loop", columns=20, rows=5) as window:
        window.read_until("ready")
        window.type("light\r")
        window.read_until("0.41 s")
        window.type("/quit\r")
        assert window.wait() == 0
