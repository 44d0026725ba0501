"""What the tests of language models share."""

import textwrap
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, logs and models of this test alone."""
    home = tmp_path / "home"
    monkeypatch.setenv("EDGEVOX_HOME", str(home))
    monkeypatch.delenv("EDGEVOX_MODELS", raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(home / "hub"))
    return home


TOY_WORKER = '''
    """A child that serves a toy: what the prompt says is what it does."""
    import os, signal, socket, sys, threading, time

    from edgevox.llm.engine import EngineInfo, Generated
    from edgevox.llm.wire import Channel
    from edgevox.llm.worker import serve


    class Toy:
        def __init__(self, options):
            self.path = options.path
            self.stopped = threading.Event()

        def open(self):
            if self.path.endswith("die"):
                os._exit(3)
            if self.path.endswith("illegal"):
                os.kill(os.getpid(), signal.SIGILL)
            if self.path.endswith("missing"):
                from edgevox.core.errors import ModelMissing
                raise ModelMissing("there is no model here")
            if self.path.endswith("slow"):
                time.sleep(1.5)
            os.write(1, b"chatter on stdout\\xff\\n")
            os.write(2, b"chatter on stderr\\n")
            return EngineInfo(name="toy")

        def count(self, texts):
            return [len(text.split()) for text in texts]

        def rearm(self):
            self.stopped.clear()

        def abort(self):
            self.stopped.set()

        def run(self, request, emit):
            for word in request.prompt.split():
                if word == "crash":
                    os.kill(os.getpid(), signal.SIGKILL)
                if word == "deaf":
                    time.sleep(60)
                if word == "wait" and self.stopped.wait(30):
                    return Generated(finish="cancelled", prompt_tokens=1)
                emit(word)
            return Generated(finish="stop", completion_tokens=len(request.prompt.split()))


    serve(Channel(socket.socket(fileno=int(sys.argv[1]))), Toy)
'''


@pytest.fixture
def toy_worker(tmp_path: Path) -> Path:
    """A script for `ChildEngine` that needs no model."""
    script = tmp_path / "toy_worker.py"
    script.write_text(textwrap.dedent(TOY_WORKER))
    return script
