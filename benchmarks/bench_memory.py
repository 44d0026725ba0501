"""Memory and start-up: what a running assistant holds, and how long it takes until it answers and until it listens."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.runner import measured, skipped

ROUNDS = 3
TEXT = r"""
import re, time
from pathlib import Path
started = time.perf_counter()
from edgevox.assistant import build_assistant
from edgevox.assistant.options import Options
from edgevox.examples.agents.home_assistant import APP
assistant = build_assistant(APP.definition(), Options({options}))
assistant.start()
outcome = assistant.submit("turn on the kitchen light").wait(30)
assert outcome is not None and outcome.tool_calls, outcome
answered = time.perf_counter() - started
assert assistant.wait_ready(120)
ready = time.perf_counter() - started
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
print(answered, ready, int(peak[1]) / 1024)
assistant.close()
"""
MODES = {"typing only": "text_mode=True", "set tiny, no device": "say='none', tts='piper'"}


def run() -> dict[str, Any]:
    """Start an assistant in fresh interpreters, typing only and with the set `tiny`."""
    from edgevox.config.models import missing

    if not Path("/proc/self/status").exists():
        return {"memory": skipped("this system does not say how much a process used at its highest")}
    rows: dict[str, Any] = {}
    for label, options in MODES.items():
        if "say" in options and missing("tiny"):
            rows[label] = skipped("the set tiny is not on this machine")
            continue
        runs = [_start(options) for _ in range(ROUNDS)]
        rows[f"{label}: first typed command answered"] = measured("s", [run[0] for run in runs])
        rows[f"{label}: everything open"] = measured("s", [run[1] for run in runs])
        rows[f"{label}: memory at its highest"] = measured("MB", [run[2] for run in runs])
    return rows


def _start(options: str) -> tuple[float, float, float]:
    code = TEXT.format(options=options)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=180)
    answered, ready, memory = (float(part) for part in done.stdout.split()[-3:])
    return answered, ready, memory
