"""What a step of a chain agent costs, and that it costs the same however long the conversation is."""

from typing import Any

from benchmarks.chains import LENGTHS, asked_step_s, chained_step_s
from benchmarks.runner import measured

KINDS = {"a chained step": chained_step_s, "a step that the model asks for": asked_step_s}


def run() -> dict[str, Any]:
    """Measure both kinds of step at every length."""
    rows: dict[str, Any] = {}
    for kind, measure in KINDS.items():
        first = 0.0
        for length in LENGTHS:
            row = measured("µs", [seconds * 1e6 for seconds in measure(length)])
            first = first or row["value"]
            rows[f"{kind}, {length:,} messages"] = row | {"ratio": round(row["value"] / first, 2)}
    return rows
