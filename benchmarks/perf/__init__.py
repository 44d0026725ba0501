"""Benchmarks of one mechanism each, with results that are kept beside the code."""
