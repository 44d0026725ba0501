"""How often a model is asked for a command of the demo house: the figures of the benchmark, held."""

import pytest

from benchmarks.bench_model_calls import COMMANDS, run


@pytest.mark.parametrize(
    ("kind", "asked", "plain"), [("matched", 0, 2), ("two in one sentence", 0, 3), ("compound", 0, 5), ("routed", 1, 2)]
)
def test_a_command_asks_the_model_as_often_as_the_page_says(kind: str, asked: int, plain: int) -> None:
    rows = run()
    row = next(row for label, row in rows.items() if f" {kind}:" in label)
    assert (row["value"], row["plain_loop"]) == (asked, plain)
    assert kind in COMMANDS
