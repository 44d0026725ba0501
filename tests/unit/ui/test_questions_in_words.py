"""A question that waits for words, in a plain terminal and in a script."""

import subprocess
from collections.abc import Callable

from edgevox.testing.terminal import PseudoTerminal

Script = Callable[..., "subprocess.CompletedProcess[str]"]
Terminal = Callable[..., PseudoTerminal]


def test_the_next_line_of_a_script_is_the_answer_and_the_one_after_it_a_turn(script: Script) -> None:
    done = script("order", "noodles", "light")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[1:4] == ["› order", "? What would you like?", "› noodles"]
    assert "noodles. It is on its way." in lines
    assert lines.index("› light") > lines.index("noodles. It is on its way.")
    assert "The kitchen light is on." in lines


def test_a_script_that_ends_at_a_question_leaves_it_unanswered_and_does_not_hang(script: Script) -> None:
    done = script("order")
    assert done.returncode == 0
    assert "  (no answer)" in done.stdout
    assert "Nobody said. It is on its way." in done.stdout
    assert "'no answer'" in done.stdout


def test_an_order_after_a_question_leaves_it_unanswered_and_does_not_hang(script: Script) -> None:
    done = script("order", "/quit")
    assert done.returncode == 0
    assert "  (no answer)" in done.stdout
    assert "Nobody said. It is on its way." in done.stdout


def test_empty_lines_of_a_script_answer_nothing(script: Script) -> None:
    done = script("order", "", "  ", "noodles", "")
    assert done.returncode == 0
    assert "noodles. It is on its way." in done.stdout


def test_a_stop_in_a_script_ends_the_question(script: Script) -> None:
    done = script("order", "stop", "light")
    assert "stop stop" in done.stdout
    assert "The kitchen light is on." in done.stdout


def test_a_question_in_a_terminal_is_answered_by_the_next_line(terminal: Terminal) -> None:
    with terminal() as window:
        window.read_until("I am casa.")
        window.type("order\r")
        window.read_until("? What would you like?")
        window.type("rice\r")
        window.read_until("rice. It is on its way.")
        window.type("/quit\r")
        assert window.wait() == 0
