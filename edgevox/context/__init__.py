"""Which messages a model sees, and how many tokens they may cost."""
