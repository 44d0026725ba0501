"""Chains to read and to run: `python -m edgevox.examples.chains.simple`, and `.complex`."""
