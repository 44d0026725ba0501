"""What starting costs: processor time of imports and of the commands' help, beside `import pydantic`, in one run."""

import subprocess
import sys
from typing import Any

from benchmarks.runner import measured

ROUNDS = 7
HELP = """
import contextlib, io
from {program} import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(["--help"])
"""
STATEMENTS = {
    "import pydantic": "import pydantic; pydantic.BaseModel",
    "from edgevox.llm import tool": "from edgevox.llm import tool",
    "from edgevox.agents import LLMAgent": "from edgevox.agents import LLMAgent",
    "edgevox-agent --help": HELP.format(program="edgevox.cli.agent"),
    "edgevox --help": HELP.format(program="edgevox.cli.main"),
}


def run() -> dict[str, Any]:
    """Measure every statement in fresh interpreters, turn by turn, so that a busy machine slows all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for _ in range(ROUNDS):
        for name, statement in STATEMENTS.items():
            seconds[name].append(_cpu_seconds(statement))
    return {f"{name}, processor time": measured("s", values) for name, values in seconds.items()}


def _cpu_seconds(statement: str) -> float:
    code = f"{statement}\nimport time; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return float(done.stdout.splitlines()[-1])
