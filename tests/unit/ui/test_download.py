"""The desk of the first start, in a real terminal and without one."""

import os
import signal
import sys

import pytest

from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.testing.terminal import PseudoTerminal
from edgevox.ui.download import TerminalDesk

ASK = "from edgevox.ui.download import TerminalDesk; print('answer', TerminalDesk().ask('Download now?'))"
SHOW = """
import time
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.ui.download import TerminalDesk
scope = CancelScope()
with TerminalDesk().show(scope) as show:
    for done in range(0, 1000, 5):
        show(Progress(model="whisper-tiny.en", stage="downloading", done=done * 1000, total=1_000_000))
        if scope.wait(0.05):
            break
print("cancelled", scope.cancelled)
"""


@pytest.mark.parametrize(("keys", "answer"), [("\n", "True"), ("y\n", "True"), ("n\n", "False"), ("\x04", "False")])
def test_a_person_at_the_terminal_answers(keys: str, answer: str) -> None:
    with PseudoTerminal([sys.executable, "-c", ASK]) as window:
        window.read_until("Download now? [Y/n] ")
        window.type(keys)
        window.read_until(f"answer {answer}")


def test_ctrl_c_at_the_question_is_no() -> None:
    with PseudoTerminal([sys.executable, "-c", ASK]) as window:
        window.read_until("Download now? [Y/n] ")
        for _ in range(20):  # a signal between the question and the reading of its answer is seen with the next one
            os.kill(window.pid, signal.SIGINT)
            if window.drawn_within("answer False", 0.5):
                break
        assert "answer False" in window.output


def test_without_a_terminal_nobody_is_asked() -> None:
    assert TerminalDesk().ask("Download now?") is None


def test_ctrl_c_cancels_a_download_and_not_the_program() -> None:
    with PseudoTerminal([sys.executable, "-c", SHOW]) as window:
        window.read_until("whisper-tiny.en")
        os.kill(window.pid, signal.SIGINT)
        window.read_until("cancelled True")
        assert window.wait() == 0


def test_elsewhere_progress_is_a_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalDesk().show(CancelScope()) as show:
        show(Progress(model="piper", stage="downloading", note="a source failed"))
        for done in range(101):
            show(Progress(model="piper", stage="downloading", done=done * 1_000_000, total=100_000_000))
        show(Progress(model="piper", stage="done"))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "piper: a source failed"
    assert len(lines) == 13
    assert lines[-1] == "piper: done"
