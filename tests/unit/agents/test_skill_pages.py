"""The pages on skills and on the blackboard say what is so: their examples run, and their figures were measured."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks" / "results" / "baseline_safety_preempt.json"


@pytest.mark.parametrize("page", ["skills", "blackboard"])
def test_the_examples_of_the_page_run_in_order_and_print_what_they_say(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "docs" / f"{page}.md"
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    namespace: dict[str, Any] = {"__name__": page}
    promised: list[str] = []
    for block in blocks:
        exec(compile(block, str(path), "exec"), namespace)
        promised += re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE)
    assert len(promised) >= 3
    expected = [part.strip() for line in promised for part in line.split(", then: ")]
    assert capsys.readouterr().out.splitlines() == expected


def test_the_published_figures_are_those_that_were_measured() -> None:
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))["results"]["safety_preempt"]
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name, row in rows.items():
        figures = " | ".join(f"{row[column]:.3g}" for column in ("value", "p95", "high"))
        assert f"| {name} | {figures} |" in page, name


def test_the_measured_stop_keeps_what_the_documentation_promises() -> None:
    report = json.loads(RESULTS.read_text(encoding="utf-8"))
    rows = report["results"]["safety_preempt"]
    assert report["machine"]["described"]
    assert all(row["n"] >= 200 for name, row in rows.items() if "ignores" not in name)
    assert rows["ctx.stop to the body of a dispatched skill awake"]["value"] < 1.0
    assert rows["robot that drives, ctx.stop to velocity zero"]["p95"] < 50.0
    assert rows["body that looks every 20 ms, ctx.stop to seen"]["p95"] < 50.0
