"""Spoken phrases to tool calls, and results to spoken replies, without a model."""
