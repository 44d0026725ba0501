"""Long conversations made short: what is summed up, by whom, and when nobody is kept waiting by it."""
