"""Runs benchmarks, prints a table, and writes JSON with the fingerprint of the machine.

A benchmark is a module `benchmarks.bench_<name>`, or one in `benchmarks.perf`, with `run() -> dict[str, Row]`, where a
row is a number with its unit, or a reason why it could not be measured. Figures are medians; the spread is given beside
them.
"""

import importlib
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "local"
NAMES = (
    "imports", "intents", "speech", "llm", "voice_turn", "stop", "memory", "model_calls", "chains", "safety_preempt"
)  # fmt: skip
KEPT = frozenset({"safety_preempt"})
"""Benchmarks of one mechanism each, in `benchmarks.perf`, whose results are kept beside the code."""


def measured(unit: str, values: list[float], **details: Any) -> dict[str, Any]:
    """Return a row: median, lowest and highest of the values."""
    ordered = sorted(values)
    return {
        "value": statistics.median(ordered),
        "unit": unit,
        "low": ordered[0],
        "high": ordered[-1],
        "n": len(ordered),
        **details,
    }


def skipped(reason: str) -> dict[str, Any]:
    """Return a row that says why there is no figure."""
    return {"skipped": reason}


def timed(call: Callable[[], object]) -> float:
    """Return how long a call takes, seconds."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def fingerprint() -> dict[str, Any]:
    """Describe the machine: processor, cores, memory, system, Python and the versions that matter."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        "versions": _versions(),
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def run(names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    """Run the named benchmarks, print their rows as they come, and return everything."""
    report: dict[str, Any] = {"machine": fingerprint(), "results": {}}
    for name in names:
        print(f"\n{name}", flush=True)
        rows: Mapping[str, Mapping[str, Any]] = _module(name).run()
        report["results"][name] = rows
        for label, row in rows.items():
            print(f"  {label:<58} {show(row)}", flush=True)
    return report


def _module(name: str) -> Any:
    return importlib.import_module(f"benchmarks.perf.bench_{name}" if name in KEPT else f"benchmarks.bench_{name}")


def show(row: Mapping[str, Any]) -> str:
    """Write a row as the table shows it."""
    if "skipped" in row:
        return f"not measured: {row['skipped']}"
    unit = row.get("unit", "")
    spread = f"  ({_number(row['low'])} to {_number(row['high'])}, n={row['n']})" if row.get("n", 1) > 1 else ""
    share = f"  {row['share']:.0%} of the whole" if "share" in row else ""
    plain = f"; a plain loop {_number(row['plain_loop'])}" if "plain_loop" in row else ""
    ratio = f"  {row['ratio']:g} times the first" if "ratio" in row else ""
    return f"{_number(row['value'])} {unit}{spread}{share}{plain}{ratio}"


def save(report: Mapping[str, Any], path: Path | None = None) -> Path:
    """Write the report as JSON and return where it lies."""
    if path is None:
        path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return path


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str] = {}
    for name in ("edgevox", "llama-cpp-python", "faster-whisper", "ctranslate2", "onnxruntime", "piper-tts", "hassil"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
