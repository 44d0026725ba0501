"""Plain data and ports that every other package speaks: messages, results, events, goals, scopes, errors.

Knows nothing of models, devices, files or screens: it imports the standard library and pydantic only.
"""
