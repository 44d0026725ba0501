"""Conversations that last."""
