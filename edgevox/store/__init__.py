"""Durable storage on the person's own disk."""
