"""What a step of a chain agent costs, and that it costs the same however long the conversation is.

A step is one tool that runs. Asking the model is a step as well, so that a question and the tool that it names are two.
"""

from collections.abc import Callable
from typing import Any

from benchmarks.chains import LENGTHS, asked_step_s, chained_step_s
from benchmarks.runner import measured

KINDS: dict[str, tuple[Callable[[int], list[float]], int]] = {
    "a chained step": (chained_step_s, 1),
    "a question and its tool, each": (asked_step_s, 2),
}
"""What is measured, and how many steps it takes."""


def run() -> dict[str, Any]:
    """Measure both kinds of step at every length."""
    rows: dict[str, Any] = {}
    for kind, (measure, steps) in KINDS.items():
        first = 0.0
        for length in LENGTHS:
            row = measured("µs", [seconds * 1e6 / steps for seconds in measure(length)])
            first = first or row["value"]
            rows[f"{kind}, {length:,} messages"] = row | {"ratio": round(row["value"] / first, 2)}
    return rows
