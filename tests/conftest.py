"""What holds for every test."""

import os

AT_LEAST = 4


def pytest_xdist_auto_num_workers() -> int:
    """More workers than two cores have: many tests wait for time to pass, and need no core for that."""
    return max(AT_LEAST, os.cpu_count() or 1)
