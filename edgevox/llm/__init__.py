"""Local language models."""
