"""What asking for help costs, in fresh interpreters: no screen, no engine, hardly any time."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

HEAVY = {
    "textual", "rich", "onnxruntime", "llama_cpp", "sounddevice", "soxr", "faster_whisper", "ctranslate2",
    "kokoro_onnx", "piper", "openai", "hassil", "huggingface_hub", "torch", "irsim", "mujoco", "matplotlib",
}  # fmt: skip
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


def least(code: str) -> float:
    """The CPU seconds of the cheapest of several runs: what else the machine does can only add to them."""
    return min(fresh(code)[0] for _ in range(5))


def asked(module: str, argv: list[str]) -> str:
    return f"import json, sys, time\nfrom {module} import main\nmain({argv!r})\n{LOADED}"


@pytest.mark.parametrize("name", CASES)
def test_help_and_lists_load_no_screen_and_no_engine(name: str) -> None:
    _, loaded = fresh(asked(*CASES[name]))
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("name", ["edgevox --help", "edgevox-agent --help"])
def test_help_costs_little_more_than_pydantic(name: str) -> None:
    baseline = least(f"import json, sys, time, pydantic; pydantic.BaseModel\n{LOADED}")
    assert least(asked(*CASES[name])) - baseline <= MAX_EXTRA_CPU_S


def test_the_list_of_agents_takes_less_than_a_second() -> None:
    assert least(asked(*CASES["edgevox-agent list"])) < 1.0


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
