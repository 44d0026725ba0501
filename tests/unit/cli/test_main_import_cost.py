"""What asking for help costs, in fresh interpreters: no screen, no engine, hardly any time."""

import json
import statistics
import subprocess
import sys

import pytest

HEAVY = {
    "textual",
    "rich",
    "onnxruntime",
    "llama_cpp",
    "sounddevice",
    "faster_whisper",
    "kokoro_onnx",
    "piper",
    "hassil",
}
CASES = {
    "edgevox --help": ("edgevox.cli.main", ["--help"]),
    "edgevox-agent --help": ("edgevox.cli.agent", ["--help"]),
    "edgevox-agent list": ("edgevox.cli.agent", ["list"]),
    "edgevox with a mistake": ("edgevox.cli.main", ["nonsense"]),
}
LOADED = "print(json.dumps([time.process_time(), sorted(name for name in sys.modules if '.' not in name)]))"
MAX_EXTRA_CPU_S = 0.15


def fresh(code: str) -> tuple[float, set[str]]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    seconds, names = json.loads(done.stdout.splitlines()[-1])
    return seconds, set(names)


def asked(module: str, argv: list[str]) -> str:
    return f"import json, sys, time\nfrom {module} import main\nmain({argv!r})\n{LOADED}"


@pytest.mark.parametrize("name", CASES)
def test_help_and_lists_load_no_screen_and_no_engine(name: str) -> None:
    _, loaded = fresh(asked(*CASES[name]))
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("name", ["edgevox --help", "edgevox-agent --help", "edgevox-agent list"])
def test_help_and_lists_cost_little_more_than_pydantic(name: str) -> None:
    baseline = statistics.median(fresh(f"import json, sys, time, pydantic\n{LOADED}")[0] for _ in range(3))
    cost = statistics.median(fresh(asked(*CASES[name]))[0] for _ in range(3))
    assert cost - baseline <= MAX_EXTRA_CPU_S


def test_declaring_an_app_loads_no_screen_and_no_engine() -> None:
    code = (
        "import json, sys, time\n"
        "from edgevox.examples.agents.framework import AgentApp\n"
        "from edgevox.llm import tool\n"
        "@tool\ndef ring() -> str:\n    'Ring the bell.'\n"
        "APP = AgentApp('casa', tools=[ring])\n"
        f"APP.definition()\n{LOADED}"
    )
    _, loaded = fresh(code)
    assert loaded & HEAVY == set()
