"""How soon a spoken stop acts: `benchmarks.stop`, as one of the benchmarks that run together."""

from benchmarks.stop import run

__all__ = ["run"]
