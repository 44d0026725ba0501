"""Structured answers that call tools."""
