"""Typed tools that follow each other without asking a model."""
