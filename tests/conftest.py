"""What holds for every test."""

import os

from hypothesis import settings

AT_LEAST = 4

settings.register_profile("same", derandomize=True)
settings.register_profile("new", print_blob=True)
settings.load_profile(os.environ.get("EDGEVOX_EXAMPLES", "same"))
"""A change is judged by the same examples as the one before it; `make soak` looks for new ones."""


def pytest_xdist_auto_num_workers() -> int:
    """More workers than two cores have: many tests wait for time to pass, and need no core for that."""
    return max(AT_LEAST, os.cpu_count() or 1)
