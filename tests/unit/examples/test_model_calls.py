"""How often a model is asked for a command of the demo house: the figures of the benchmark, held."""

from benchmarks.bench_model_calls import run

AS_THE_PAGE_SAYS = {"matched": (0, 2), "two in one sentence": (0, 3), "compound": (0, 5), "routed": (1, 2)}
"""Kind of command to the model calls of edgevox and of a plain loop."""


def test_a_command_asks_the_model_as_often_as_the_page_says() -> None:
    rows = run()
    counted = {
        label.partition(", ")[2].partition(":")[0]: (row["value"], row["plain_loop"]) for label, row in rows.items()
    }
    assert counted == AS_THE_PAGE_SAYS
