"""Programs around a scripted assistant, for tests that run the front ends as a person does."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from edgevox.testing.terminal import PseudoTerminal

PROGRAM = """
import sys
import time
from edgevox.core.messages import ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.ui.text_repl import run_text_repl
from edgevox.ui.voice_loop import run_voice_loop

light = ToolCallResult(name="set_light", arguments={"room": "kitchen", "on": True}, result="on", runtime_ms=4)
script = {
    "light": Reply(calls=[light], pieces=["The kitchen ", "light is on."]),
    "markup": Reply(pieces=["[kitchen] is on ", "[/done]"]),
    "go": Reply(pieces=["Driving. "], holds=True),
    "fail": Reply(error="The model is gone."),
    "unlock": Reply(asks="Unlock the door?", pieces=["Unlocked."]),
    "order": Reply(wants="What would you like?", pieces=["It is on its way."]),
}
def answer(text):
    if text == "slow":
        time.sleep(0.3)  # longer than the chat needs to read the next line
        return Reply(pieces=["Slowly done."])
    return script.get(text) or Reply(pieces=(f"You said {text}.",))

class Fragile(ScriptedAssistant):
    def submit(self, text, *, typed=True):
        if text == "break":
            self.emit("audio_level", "not a number")
            raise RuntimeError("the wire is cut")
        return super().submit(text, typed=typed)

assistant = Fragile(answer, greeting="I am casa.")
code = {run}(assistant)
print("ordered:", assistant.done, flush=True)
sys.exit(code)
"""


@pytest.fixture
def script() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run the chat with lines from a pipe."""

    def run(*lines: str) -> "subprocess.CompletedProcess[str]":
        source = PROGRAM.replace("{run}", "run_text_repl")
        text = "\n".join(lines)
        return subprocess.run(
            [sys.executable, "-c", source], input=text, capture_output=True, text=True, timeout=30, check=False
        )

    return run


@pytest.fixture
def terminal() -> Callable[..., PseudoTerminal]:
    """Open a front end in a terminal of its own."""

    def run(front_end: str = "run_text_repl", columns: int = 80, rows: int = 24) -> PseudoTerminal:
        source = PROGRAM.replace("{run}", front_end)
        return PseudoTerminal([sys.executable, "-c", source], columns=columns, rows=rows)

    return run
