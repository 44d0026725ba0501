"""Measurements of edgevox on the machine they run on: `python -m benchmarks`."""
